// Category codes: the same points, other integers, another line. One-hot does not care.
const { h, s, number } = kit;

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
const orders = (left) => left.length < 2 ? [left] :
  left.flatMap((first) => orders(left.filter((x) => x !== first)).map((rest) => [first, ...rest]));
const ALL_ORDERS = orders([0, 1, 2, 3]);

function score(predictions, groups, y) {
  const middle = mean(y), sumOfSquares = (f) => y.reduce((total, value, i) => total + f(value, i) ** 2, 0);
  return 1 - sumOfSquares((value, i) => value - predictions[groups[i]]) / sumOfSquares((value) => value - middle);
}
// What the best line through the codes predicts for each category.
function line(codes, groups, y) {
  const x = groups.map((group) => codes[group]), mx = mean(x), my = mean(y);
  const slope = mean(x.map((value, i) => (value - mx) * (y[i] - my))) / mean(x.map((value) => (value - mx) ** 2));
  return codes.map((code) => my + slope * (code - mx));
}
function compute({ codes, one_hot, groups, y }) {
  const means = [0, 1, 2, 3].map((group) => mean(y.filter((_, i) => groups[i] === group)));
  const predictions = one_hot ? means : line(codes, groups, y);
  return { predictions, r_squared: score(predictions, groups, y), with_one_hot: score(means, groups, y),
    every_order: ALL_ORDERS.map((order) => score(line(order, groups, y), groups, y)) };
}

const rankOf = ({ every_order, r_squared }) => 1 + every_order.filter((other) => other > r_squared + 1e-9).length;
function words({ names, codes, one_hot, y }, computed) {
  const best = number(computed.with_one_hot);
  if (one_hot)
    return `One-hot, with one parameter for each category: R² = ${best} on these ${y.length} points, in any order.`;
  return `${kit.listed(names.map((name, i) => `${name} ${codes[i]}`))}: the line reaches R² = ` +
    `${number(computed.r_squared)} on these ${y.length} points, rank ${rankOf(computed)} of 24 orders. One-hot reaches ${best}.`;
}

// The points, each category above its code. Integers get one line; one-hot gets a level for each category.
function scatter({ names, codes, one_hot, groups, y, what }, { predictions }) {
  const width = 318, height = 270, left = 34, bottom = 46, top = 12;
  const low = Math.floor(Math.min(...y)), high = Math.ceil(Math.max(...y));
  const px = (x) => left + 38 + (x * (width - left - 76)) / 3;
  const py = (value) => top + ((high - value) * (height - top - bottom)) / (high - low);
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  const counts = [0, 0, 0, 0];
  const dots = y.map((value, i) => {
    const group = groups[i], jitter = ((counts[group]++ * 7) % 12) - 5.5;
    return s("circle", { cx: px(codes[group]) + 2.2 * jitter, cy: py(value), r: 3.2, class: "ch-plain", "fill-opacity": 0.45 });
  });
  const model = one_hot
    ? codes.map((code, i) => s("line", { x1: px(code) - 26, x2: px(code) + 26, y1: py(predictions[i]), y2: py(predictions[i]),
        class: "ch-weight ch-stroke", style: "stroke-width:4px" }))
    : s("polyline", { points: [0, 1, 2, 3].map((code) => `${px(code)},${py(predictions[codes.indexOf(code)])}`).join(" "),
        class: "ch-weight ch-stroke", style: "stroke-width:4px" });
  const label = `${what} of each point, above its category: ` +
    kit.listed(names.map((name, i) => `${name} at code ${codes[i]}, predicted ${number(predictions[i])}`));
  return kit.drawing(width, height, label,
    ticks.map((tick) => [s("line", { x1: left, x2: width - 4, y1: py(tick), y2: py(tick), class: "ch-axis" }),
      s("text", { x: left - 8, y: py(tick) + 4, "text-anchor": "end", class: "ch-small", text: number(tick, 0) })]),
    dots, model,
    codes.map((code, i) => [
      s("text", { x: px(code), y: height - 26, "text-anchor": "middle", text: one_hot ? [0, 1, 2, 3].map((c) => Number(c === code)).join(" ") : code }),
      s("text", { x: px(code), y: height - 8, "text-anchor": "middle", class: "ch-strong", text: names[i] })]));
}

// R² of all 24 orders, from the worst to the best; the chosen one is large, one-hot is the dashed line.
function rankPlot({ one_hot }, { every_order, r_squared, with_one_hot }) {
  const width = 300, height = 270, left = 34, bottom = 46, top = 12;
  const sorted = [...every_order].sort((a, b) => a - b), at = sorted.findIndex((value) => value > r_squared - 1e-9);
  const px = (index) => left + 12 + (index * (width - left - 24)) / 23;
  const py = (value) => top + (1 - value) * (height - top - bottom);
  const label = `R² of all 24 orders, from ${number(sorted[0])} to ${number(sorted[23])}; one-hot ${number(with_one_hot)}`;
  return kit.drawing(width, height, label,
    [0, 0.5, 1].map((tick) => [s("line", { x1: left, x2: width - 4, y1: py(tick), y2: py(tick), class: "ch-axis" }),
      s("text", { x: left - 6, y: py(tick) + 4, "text-anchor": "end", class: "ch-small", text: number(tick, 1) })]),
    s("line", { x1: left, x2: width - 4, y1: py(with_one_hot), y2: py(with_one_hot), class: "ch-weight ch-stroke",
      style: `stroke-dasharray:6 4;stroke-opacity:${one_hot ? 1 : 0.6}` }),
    sorted.map((value, index) => s("circle", { cx: px(index), cy: py(value), r: 3.5, class: "ch-plain", "fill-opacity": 0.45 })),
    !one_hot && s("circle", { cx: px(at), cy: py(r_squared), r: 7, class: "ch-weight" }),
    s("text", { x: (left + width) / 2, y: height - 22, "text-anchor": "middle", class: "ch-small", text: "24 orders, worst to best" }));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Category codes: change the integers");
  const start = model.get("codes");
  // The integers stay 0 to 3, each once: who had the wanted integer takes the old one.
  const swapped = (index) => (newCode) => model.get("codes").map((code, i, codes) =>
    (i === index ? newCode : code === newCode ? codes[index] : code));
  model.get("names").forEach((name, index) => figure.slider("codes", { label: name, min: 0, max: 3, step: 1,
    show: (codes) => String(codes[index]), from: (codes) => codes[index], to: swapped(index) }));
  figure.toggle("one_hot", "one-hot instead of integers");
  figure.button("Next order (of 24)", () => {
    const now = ALL_ORDERS.findIndex((order) => order.join() === model.get("codes").join());
    figure.set("codes", ALL_ORDERS[(now + 1) % 24]);
  });
  figure.button("Start again", () => { figure.set("one_hot", false); figure.set("codes", start); });
  const points = h("div", { class: "ch-panel" }), all = h("div", { class: "ch-panel" });
  figure.picture.append(h("div", { class: "ch-panels" }, points, all));
  const traits = ["names", "codes", "one_hot", "groups", "y", "what"];
  figure.draw(traits, () => {
    const inputs = Object.fromEntries(traits.map((name) => [name, model.get(name)])), computed = compute(inputs);
    points.replaceChildren(h("p", { class: "ch-caption",
      text: inputs.one_hot ? `${inputs.what}, and the prediction for each category` : `${inputs.what}, and the best line through the integers` }),
      scatter(inputs, computed));
    all.replaceChildren(h("p", { class: "ch-caption", text: "R² of every order; the dashed line is one-hot" }), rankPlot(inputs, computed));
    figure.setStatus(words(inputs, computed));
  });
  return figure.dispose;
}

export default { render, compute };
