// Weights that shift in a direction that does not change the output, unless a value is moved.
const { h, s, number } = kit;
const LIFTED = 2;

function compute({ V, change, slide, lift }) {
  const values = V.map((row, i) => (i === LIFTED ? row.map((v) => v + lift) : row));
  const weights = change.map((c) => 1 / V.length + slide * c);
  const mix = (a) => values[0].map((_, k) => kit.dot(a, values.map((row) => row[k])));
  const output = mix(weights), equal = mix(values.map(() => 1 / V.length));
  return { weights, output, moved: Math.hypot(...output.map((o, k) => o - equal[k])) };
}

function words({ tokens }, { weights, output, moved }) {
  const said = moved > 5e-3 ? `${number(moved)} away from` : "exactly where it is for";
  return `The weights are ${kit.listed(tokens.map((t, i) => `${t} ${number(weights[i])}`))}. ` +
    `The output is (${output.map((o) => number(o)).join(", ")}), ${said} four equal weights.`;
}

function square({ V, tokens, lift }, { weights, output }, label) {
  const toPixels = ([x, y]) => [60 + 62 * x, 236 - 62 * y], parts = [];
  const values = V.map((row, i) => (i === LIFTED ? row.map((v) => v + lift) : row));
  parts.push(s("polygon", { points: values.map((v) => toPixels(v).join()).join(" "), class: "ch-hull" }));
  values.forEach((v, i) => {
    const [x, y] = toPixels(v), below = i < 2;
    parts.push(s("circle", { cx: x, cy: y, r: 4 + 26 * Math.sqrt(Math.max(0, weights[i])), class: "ch-weight", "fill-opacity": 0.3 }),
      s("circle", { cx: x, cy: y, r: 4, class: "ch-value" }),
      s("text", { x, y: y + (below ? 36 : -26), "text-anchor": "middle", class: "ch-value", text: tokens[i] }));
  });
  const [x, y] = toPixels(output);
  parts.push(s("path", { d: `M${x - 8},${y}H${x + 8}M${x},${y - 8}V${y + 8}`, class: "ch-weight ch-stroke" }),
    s("text", { x, y: y - 14, "text-anchor": "middle", class: "ch-weight ch-strong", text: "output" }));
  return kit.drawing(300, 284, label, ...parts);
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Two attention patterns, one output");
  figure.slider("slide", { label: "Shift of the weights", min: -0.25, max: 0.25, step: 0.01 });
  figure.slider("lift", { label: "Shift of one value", min: 0, max: 1, step: 0.05 });
  const left = h("div", { class: "ch-panel" }, h("p", { class: "ch-caption", text: "Attention weights" }), h("div", {}));
  const right = h("div", { class: "ch-panel" }, h("p", { class: "ch-caption", text: "Values, and the output of the attention" }), h("div", {}));
  figure.picture.append(h("div", { class: "ch-panels" }, left, right));
  const traits = ["tokens", "V", "change", "slide", "lift"];
  figure.draw(traits, () => {
    const inputs = Object.fromEntries(traits.map((name) => [name, model.get(name)])), computed = compute(inputs);
    const label = words(inputs, computed);
    left.lastChild.replaceChildren(kit.bars(inputs.tokens, computed.weights));
    right.lastChild.replaceChildren(square(inputs, computed, label));
    figure.setStatus(label);
  });
  return figure.dispose;
}

export default { render, compute };
