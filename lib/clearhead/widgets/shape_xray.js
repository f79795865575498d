// Shapes of multi-head attention: twelve matrices drawn to one scale, and the parameters counted.
const { h, s, counted } = kit;

function compute({ n, d, d_k, H }) {
  const head = { W_q: [d, d_k], W_k: [d, d_k], W_v: [d, d_k], Q: [n, d_k], K: [n, d_k], V: [n, d_k] };
  const shapes = { X: [n, d], ...head, A: [n, n], Z_h: [n, d_k], Z: [n, H * d_k], W_o: [H * d_k, d], Z_out: [n, d] };
  return { shapes, parameters: 3 * H * d * d_k + H * d_k * d };
}

// How each matrix comes to be, its colour, and whether every head has its own.
const CARDS = {
  X: ["the tokens", "plain", false],
  W_q: ["learned", "query", true], W_k: ["learned", "key", true], W_v: ["learned", "value", true],
  Q: ["X W_q", "query", true], K: ["X W_k", "key", true], V: ["X W_v", "value", true],
  A: ["softmax(Q Kᵀ / √d)", "weight", true], Z_h: ["A V", "value", true],
  Z: ["the heads side by side", "value", false], W_o: ["learned", "plain", false], Z_out: ["Z W_o", "plain", false],
};

function words({ n, d, d_k, H }, { parameters }) {
  const heads = H === 1 ? "1 head" : `${H} heads`;
  return `The input is ${n} × ${d}. Each head's weights are ${n} × ${n} and its output is ${n} × ${d_k}; ` +
    `${heads} side by side are ${n} × ${H * d_k}, and the output is ${n} × ${d}. ` +
    `Parameters: ${H} × 3 × (${d} × ${d_k}) + ${H * d_k} × ${d} = ${counted(parameters)}.`;
}

// A matrix of r rows and c columns; cells are drawn while they are large enough to see.
function matrix([r, c], unit, colour, label) {
  const lines = [];
  if (unit >= 4) {
    for (let i = 1; i < r; i++) lines.push(s("line", { x1: 0, x2: c * unit, y1: i * unit, y2: i * unit, class: "ch-axis" }));
    for (let j = 1; j < c; j++) lines.push(s("line", { x1: j * unit, x2: j * unit, y1: 0, y2: r * unit, class: "ch-axis" }));
  }
  const frame = { x: 1, y: 1, width: c * unit, height: r * unit };
  return kit.drawing(c * unit + 2, r * unit + 2, label,
    s("rect", { ...frame, class: `ch-${colour}`, "fill-opacity": 0.25 }),
    s("g", { transform: "translate(1,1)" }, lines),
    s("rect", { ...frame, class: `ch-${colour} ch-stroke`, style: "fill:none;stroke-width:1.5px" }));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Shapes of multi-head attention");
  const sizes = { n: ["T, tokens", 12], d: ["D, width", 16], d_k: ["d, head width", 8], H: ["H, heads", 8] };
  for (const [trait, [label, max]] of Object.entries(sizes))
    figure.slider(trait, { label, min: 1, max, step: 1, show: String });
  figure.button("Worked example: 2, 4, 3, 5", () =>
    Object.entries({ n: 2, d: 4, d_k: 3, H: 5 }).forEach(([trait, value]) => figure.set(trait, value)));
  const cards = h("ul", { class: "ch-cards" });
  figure.picture.append(cards);
  figure.draw(Object.keys(sizes), () => {
    const inputs = Object.fromEntries(Object.keys(sizes).map((name) => [name, model.get(name)]));
    const computed = compute(inputs), longest = Math.max(...Object.values(computed.shapes).flat());
    const unit = Math.min(12, 124 / longest);
    cards.replaceChildren(...Object.entries(computed.shapes).map(([name, shape]) => {
      const [product, colour, eachHead] = CARDS[name], size = `${shape[0]} × ${shape[1]}`;
      return h("li", {}, h("span", {}, h("b", { class: `ch-as-${colour}` }, kit.withSymbols(name)), ` ${size}`),
        h("div", { class: "ch-shape" }, matrix(shape, unit, colour, `${name}, ${size}`)),
        h("small", {}, kit.withSymbols(product)), h("small", { text: eachHead ? `in each of ${inputs.H} heads` : "once" }));
    }));
    figure.setStatus(words(inputs, computed));
  });
  return figure.dispose;
}

export default { render, compute };
