// Why scores are divided by √d_k: the weights of random queries over random keys, computed while you move.
const { h, s, number } = kit;
const SIZES = [4, 8, 16, 32, 64, 128, 256, 512, 1024], SHOWN = 8;

// Scores of every query and key for every size. The first d_k entries of one long vector are used for each d_k.
const known = new Map();
function scoresFor(num_queries, num_keys, seed) {
  const name = [num_queries, num_keys, seed].join();
  if (!known.has(name)) {
    const max = SIZES[SIZES.length - 1], numbers = kit.normals(seed, (num_queries + num_keys) * max);
    const bySize = SIZES.map(() => []);
    for (let i = 0; i < num_queries; i++) {
      const rows = SIZES.map(() => []);
      for (let j = 0; j < num_keys; j++) {
        let sum = 0, size = 0;
        for (let c = 0; c < max; c++) {
          sum += numbers[i * max + c] * numbers[(num_queries + j) * max + c];
          if (c + 1 === SIZES[size]) rows[size++].push(sum);
        }
      }
      rows.forEach((row, size) => bySize[size].push(row));
    }
    known.set(name, bySize);
  }
  return known.get(name);
}

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
const entropyOf = (row) => -row.reduce((sum, a) => sum + (a > 0 ? a * Math.log(a) : 0), 0);

function compute({ d_k, scaled, num_queries, num_keys, seed }) {
  const all = scoresFor(num_queries, num_keys, seed).map((scores, size) =>
    scores.map((row) => kit.softmax(scaled ? row.map((score) => score / Math.sqrt(SIZES[size])) : row)));
  return {
    weights: all[SIZES.indexOf(d_k)],
    largest: all.map((A) => mean(A.map((row) => Math.max(...row)))),
    entropy: all.map((A) => mean(A.map(entropyOf))),
  };
}

function words({ d_k, scaled, num_keys }, { largest, entropy }) {
  const at = SIZES.indexOf(d_k);
  return `d_k = ${d_k}, scores ${scaled ? "divided by √d_k" : "not scaled"}: the largest of ${num_keys} weights is ` +
    `${number(largest[at])} on average; the entropy is ${number(entropy[at])} of at most ${number(Math.log(num_keys))}.`;
}

// Two curves over d_k, the chosen one strong, with a dot at the chosen d_k.
function chart(title, plain, scaled, max, at, isScaled) {
  const width = 300, height = 150, left = 40, top = 12, bottom = 30;
  const x = (i) => left + (i * (width - left - 16)) / (SIZES.length - 1);
  const y = (value) => top + (1 - value / max) * (height - top - bottom);
  const curve = (values, kind, strong) => s("polyline", { points: values.map((v, i) => `${x(i)},${y(v)}`).join(" "),
    class: `${kind} ch-stroke`, style: `stroke-opacity:${strong ? 1 : 0.45};stroke-dasharray:${kind === "ch-query" ? "6 4" : "none"}` });
  const chosen = (isScaled ? scaled : plain)[at];
  return kit.drawing(width, height, `${title}: ${number(chosen)} at d_k ${SIZES[at]}`,
    [0, max / 2, max].map((tick) => [s("line", { x1: left, x2: width - 10, y1: y(tick), y2: y(tick), class: "ch-axis" }),
      s("text", { x: left - 6, y: y(tick) + 4, "text-anchor": "end", class: "ch-small", text: number(tick, 1) })]),
    SIZES.map((size, i) => i % 2 === 0 && s("text", { x: x(i), y: height - 10, "text-anchor": "middle", class: "ch-small", text: size })),
    curve(plain, "ch-weight", !isScaled), curve(scaled, "ch-query", isScaled),
    s("circle", { cx: x(at), cy: y(chosen), r: 6, class: isScaled ? "ch-query" : "ch-weight" }));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Scaling of scores");
  figure.slider("d_k", { label: "d_k", min: 2, max: 10, step: 1, show: String, from: Math.log2, to: (power) => 2 ** power });
  figure.toggle("scaled", "divide the scores by √d_k");
  const map = h("div", { class: "ch-panel" }), charts = h("div", { class: "ch-panel" });
  figure.picture.append(h("div", { class: "ch-panels" }, map, charts));
  const traits = ["d_k", "scaled", "num_queries", "num_keys", "seed"];
  figure.draw(traits, () => {
    const inputs = Object.fromEntries(traits.map((name) => [name, model.get(name)]));
    const results = [false, true].map((scaled) => compute({ ...inputs, scaled })), computed = results[Number(inputs.scaled)];
    const at = SIZES.indexOf(inputs.d_k), label = words(inputs, computed);
    const names = (letter, count, every = 1) =>
      Array.from({ length: count }, (_, i) => (i === 0 || (i + 1) % every === 0 ? letter + (i + 1) : ""));
    map.replaceChildren(h("p", { class: "ch-caption", text: `Weights of ${SHOWN} of the ${inputs.num_queries} queries` }),
      kit.heatmap(computed.weights.slice(0, SHOWN), names("q", SHOWN), names("k", inputs.num_keys, inputs.num_keys > 11 ? 4 : 1),
        { cell: Math.min(30, 260 / inputs.num_keys), left: 32, top: 40, numbers: false, label }));
    charts.replaceChildren(
      h("p", { class: "ch-caption" }, kit.withSymbols("Largest weight against d_k. Solid: not scaled. Dashed: divided by √d_k")),
      chart("Largest weight", results[0].largest, results[1].largest, 1, at, inputs.scaled),
      h("p", { class: "ch-caption", text: "Entropy of the weights, in nats" }),
      chart("Entropy", results[0].entropy, results[1].entropy, Math.log(inputs.num_keys), at, inputs.scaled));
    figure.setStatus(label);
  });
  return figure.dispose;
}

export default { render, compute };
