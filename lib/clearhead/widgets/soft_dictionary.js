// The soft dictionary: drag the query among the keys; the weights and the mixed value follow.
const { h, s, number, quoted } = kit;

function compute({ q, K, V, temperature }) {
  const scores = K.map((key) => kit.dot(key, q));
  const weights = kit.softmax(scores.map((score) => score / temperature));
  return { scores, weights, mixed: kit.matmul([weights], V)[0] };
}

const inputs = (model) => Object.fromEntries(["q", "K", "V", "temperature"].map((name) => [name, model.get(name)]));

function words(model, { weights, mixed }) {
  const parts = weights.map((weight) => number(weight));
  const weightsText = kit.listed(model.get("key_names").map((name, i) => `${quoted(name)} ${parts[i]}`));
  const mix = model.get("value_names").map((name, i) => `${parts[i]} ${name}`).join(" + ");
  return `${quoted(model.get("query_name"))} looks at ${weightsText}. The answer is ${mix} (rounded), the point ${kit.vector(mixed)}.`;
}

// How far the plane reaches, so that every vector and its name fit.
const rangeOf = (vectors) => 1.4 * Math.max(...vectors.flat().map(Math.abs), 1e-6);

// The name of the query, above or below its handle, where there is room.
function queryName(area, q, name) {
  const [x, y] = area.toPixels(q), half = 4.5 * name.length, above = q[1] > 0 ? y >= 36 : y > area.height - 36;
  return s("text", { x: Math.min(Math.max(x + (q[0] < 0 ? -9 - half : 9 + half), half), area.width - half),
    y: above ? y - 20 : y + 32, "text-anchor": "middle", class: "ch-query ch-strong", text: name });
}

function drawKeys(area, model) {
  const names = model.get("key_names"), keys = model.get("K"), q = model.get("q");
  return kit.drawing(area.width, area.height, `Keys ${kit.listed(names)}, and the query ${model.get("query_name")}`,
    area.axes(),
    keys.map((key, i) => [area.arrow(key, "ch-key"), area.name(key, names[i], "ch-key")]),
    area.arrow(q, "ch-query"), queryName(area, q, model.get("query_name")));
}

// The answer lies inside the hull of the values: each value pulls it as strongly as its weight.
function drawValues(area, model, { weights, mixed }) {
  const names = model.get("value_names"), values = model.get("V"), [x, y] = area.toPixels(mixed);
  const corners = values.map((value) => area.toPixels(value));
  // The word "answer" gives way to the name of a value, which is above a value of the upper half.
  const crowded = corners.some(([cx, cy], i) => values[i][1] >= 0 && Math.abs(cx - x) < 70 && Math.abs(cy - y) < 30);
  return kit.drawing(area.width, area.height, `Values ${kit.listed(names)}, and the answer between them`,
    area.axes(),
    corners.length === 3 && s("polygon", { points: corners.join(" "), class: "ch-hull" }),
    corners.map(([cx, cy], i) => s("line", { x1: x, y1: y, x2: cx, y2: cy, class: "ch-weight ch-stroke",
      style: `stroke-width:${8 * weights[i]}px;stroke-opacity:0.7` })),
    corners.map(([cx, cy], i) => s("line", { x1: cx, y1: cy, x2: x, y2: y, class: "ch-value ch-stroke ch-flowing",
      style: `stroke-width:${Math.max(2, 8 * weights[i])}px` })),
    corners.map(([cx, cy], i) => [s("circle", { cx, cy, r: 5, class: "ch-value" }), area.name(values[i], names[i], "ch-value")]),
    s("circle", { cx: x, cy: y, r: 8, class: "ch-weight" }),
    s("text", { x, y: crowded ? y + 24 : y - 14, "text-anchor": "middle", class: "ch-weight ch-strong", text: "answer",
      style: "paint-order:stroke;stroke:var(--ch-ground);stroke-width:5px;stroke-linejoin:round" }));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Soft dictionary: drag the query");
  const start = { q: model.get("q"), temperature: model.get("temperature") };
  const keyArea = kit.plane(rangeOf([...model.get("K"), start.q])), valueArea = kit.plane(rangeOf(model.get("V")));
  const wide = Math.floor((10 * keyArea.reach * keyArea.width) / keyArea.height) / 10;
  const move = (index) => (x) => model.get("q").map((old, i) => (i === index ? x : old));
  const axis = (index, label, reach) => figure.slider("q", { label, min: -reach, max: reach, step: 0.05,
    show: (q) => number(q[index]), from: (q) => q[index], to: move(index) });
  axis(0, `${model.get("query_name")}, across`, wide);
  axis(1, `${model.get("query_name")}, up`, Math.floor(10 * keyArea.reach) / 10);
  figure.slider("temperature", { label: "temperature", min: 0.1, max: 5, step: 0.1 });
  figure.button("Start again", () => { figure.set("temperature", start.temperature); figure.set("q", start.q); });

  const margin = "margin-block:16px";  // half a handle, so that it covers no title
  const keys = h("div", {}), values = h("div", {}), weights = h("div", { class: "ch-panel" });
  const handle = kit.handle(keyArea, `query ${model.get("query_name")}`, () => model.get("q"), (q) => figure.set("q", q));
  figure.picture.append(h("div", { class: "ch-panels" },
    h("div", { class: "ch-panel" }, h("p", { class: "ch-caption", text: "The query among the keys" }),
      h("div", { class: "ch-pad", style: margin }, keys, handle.dot)),
    h("div", { class: "ch-panel" }, h("p", { class: "ch-caption", text: "The answer among the values" }),
      h("div", { class: "ch-pad", style: margin }, values))),
    h("p", { class: "ch-caption", text: "Weights of the values in the answer" }), weights);
  figure.draw(["q", "K", "V", "temperature", "key_names", "value_names", "query_name"], () => {
    const computed = compute(inputs(model));
    keys.replaceChildren(drawKeys(keyArea, model));
    values.replaceChildren(drawValues(valueArea, model, computed));
    weights.replaceChildren(kit.bars(model.get("key_names"), computed.weights));
    handle.update();
    figure.setStatus(words(model, computed));
  });
  return figure.dispose;
}

export default { render, compute };
