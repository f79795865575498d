// A scaling law, and the floor that is subtracted: the same runs make a straight line, or a bent one.
const { s, number, counted } = kit;
const TRAITS = ["sizes", "losses", "entropy", "floor", "used"];

// The line of least squares through the logarithms, as `clearhead.maths.losses.power_law`.
function line(sizes, losses, floor) {
  const x = sizes.map(Math.log), y = losses.map((loss) => Math.log(loss - floor));
  const mean = (v) => v.reduce((a, b) => a + b, 0) / v.length, mx = mean(x), my = mean(y);
  const slope = mean(x.map((each, i) => (each - mx) * (y[i] - my))) / mean(x.map((each) => (each - mx) ** 2));
  return { exponent: -slope, A: Math.exp(my - slope * mx) };
}

function compute({ sizes, losses, floor, used }) {
  const last = sizes.length - 1, some = (row) => row.slice(last - used, last);
  const laws = losses.map((row) => line(some(sizes), some(row), floor));
  const predicted = laws.map(({ exponent, A }) => floor + A * sizes[last] ** -exponent);
  return { exponents: laws.map(({ exponent }) => exponent), predicted, misses: predicted.map((loss, i) => loss - losses[i][last]) };
}

function words({ entropy, floor, used }, { exponents, misses }) {
  const asText = (values) => kit.listed(values.map((x) => number(x, 3)));
  return `With a floor of ${number(floor)} nats (the entropy is ${number(entropy)}), a power law fitted to ${used} sizes has the ` +
    `exponents ${asText(exponents)}. Its predictions for the largest model are off by ${asText(misses)} nats.`;
}

// ---- Drawing: both axes count powers of ten --------------------------------------------------------------
const HIGH = 250, LEFT = 50, RIGHT = 14, TOP = 12, BOTTOM = 40;
function chart({ sizes, losses, floor, used }, label) {
  const WIDE = kit.narrow() ? 340 : 620;
  const low = Math.log10(sizes[0]), high = Math.log10(sizes[sizes.length - 1]);
  const heights = losses.flat().map((loss) => Math.log10(loss - floor));
  const bottom = Math.floor(20 * Math.min(...heights) - 1) / 20, top = Math.ceil(20 * Math.max(...heights)) / 20;
  const toX = (size) => LEFT + ((Math.log10(size) - low) / (high - low)) * (WIDE - LEFT - RIGHT);
  const up = (value) => TOP + ((top - value) / (top - bottom)) * (HIGH - TOP - BOTTOM);
  const last = sizes.length - 1, first = last - used;
  const ticks = [bottom, (bottom + top) / 2, top];
  const laws = losses.map((row) => line(sizes.slice(first, last), row.slice(first, last), floor));
  return kit.drawing(WIDE, HIGH, label,
    ticks.map((tick) => [s("line", { x1: LEFT, x2: WIDE - RIGHT, y1: up(tick), y2: up(tick), class: "ch-axis" }),
      s("text", { x: LEFT - 6, y: up(tick) + 4, "text-anchor": "end", class: "ch-small", text: number(10 ** tick, 10 ** tick < 0.1 ? 3 : 2) })]),
    [sizes[0], sizes[last]].map((size, i) => s("text", { x: toX(size), y: HIGH - BOTTOM + 16, "text-anchor": i ? "end" : "start",
      class: "ch-small", text: counted(size) })),
    s("text", { x: (LEFT + WIDE) / 2, y: HIGH - 6, "text-anchor": "middle", class: "ch-small", text: "parameters" }),
    laws.map(({ exponent, A }) => s("line", { x1: toX(sizes[first]), x2: toX(sizes[last]),
      y1: up(Math.log10(A) - exponent * Math.log10(sizes[first])), y2: up(Math.log10(A) - exponent * Math.log10(sizes[last])),
      class: "ch-weight ch-stroke", "stroke-dasharray": "5 4" })),
    losses.map((row) => row.map((loss, i) => s("circle", { cx: toX(sizes[i]), cy: up(Math.log10(loss - floor)), r: i === last ? 6 : 4,
      class: i === last ? "ch-query" : i >= first ? "ch-weight" : "ch-plain" }))));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Scaling law");
  const entropy = model.get("entropy"), most = model.get("sizes").length - 1;
  figure.slider("floor", { label: "floor (nats)", min: 0, max: entropy, step: entropy / 60 });
  figure.slider("used", { label: "sizes in the fit", min: 2, max: most, step: 1, show: String });
  const caption = kit.h("p", { class: "ch-caption", text: "Nats above the floor against the number of parameters, for three seeds. The power law (dashed) is fitted to the sizes that you choose; it has not seen the large points." });
  const container = kit.h("div", {});
  figure.picture.append(caption, container);
  figure.draw(TRAITS, () => {
    const inputs = Object.fromEntries(TRAITS.map((name) => [name, model.get(name)])), label = words(inputs, compute(inputs));
    container.replaceChildren(chart(inputs, label));
    figure.setStatus(label);
  });
  return figure.dispose;
}

export default { render, compute };
