// What a longer text costs: the parts of the work of one layer, and the memory of its attention weights.
const { s, number, counted, inUnits } = kit;
const TRAITS = ["length", "d_model", "num_heads", "bytes_per_element", "memory"];
const WIDTHS = [64, 128, 256, 384, 512, 768, 1024, 1600, 2048, 4096, 8192, 12288, 16384];
const HEADS = [1, 2, 4, 8, 12, 16, 32, 64, 96, 128];
const MEMORY = [1, 2, 4, 8, 16, 24, 32, 64, 80, 141, 1000, 10000].map((x) => x * 1e9);
const MOST = 20; // the axis ends at 2 to this many tokens

// An integer that is not exact here is above 2⁵³; the picture needs no more than that.
function compute({ length, d_model, num_heads, bytes_per_element, memory }) {
  let heads = Math.min(num_heads, d_model);
  while (d_model % heads) heads--;
  const n = length, D = d_model, scoreBytes = (n) => heads * n * n * bytes_per_element;
  let longest = Math.floor(Math.sqrt(memory / (heads * bytes_per_element)));
  while (scoreBytes(longest + 1) <= memory) longest++;
  while (scoreBytes(longest) > memory) longest--;
  return { heads, work: [8 * n * D * D, 16 * n * D * D, 4 * n * n * D], crossover: 6 * D, score_bytes: scoreBytes(n),
    pieces: 4 * n * D * bytes_per_element, longest };
}

const attentionFraction = ([projections, feedForward, attention]) => attention / (projections + feedForward + attention);

function words({ length, d_model, memory }, { heads, work, crossover, score_bytes: scoreBytes, pieces, longest }) {
  return `${counted(length)} tokens of width ${counted(d_model)}: attention is ${number(100 * attentionFraction(work), 1)} % of the work of a layer, ` +
    `and half of it at ${counted(crossover)} tokens. The attention weights of ${heads} ${heads === 1 ? "head" : "heads"} take ${inUnits(scoreBytes)}. ` +
    `They ${scoreBytes <= memory ? "fit" : "do not fit"} in ${inUnits(memory)}, which is enough for ${counted(longest)} tokens. ` +
    `If attention is computed in pieces, only queries, keys, values and outputs are stored: ${inUnits(pieces)}.`;
}

// ---- Drawing: both panels share the axis of lengths, one step per doubling ------------------------------------
const WIDE = 318, HIGH = 190, LEFT = 46, RIGHT = 8, TOP = 16, BOTTOM = 34;
const toX = (length) => LEFT + ((WIDE - LEFT - RIGHT) * Math.log2(length)) / MOST;
function axis(label, tick, length) {
  const ticks = [[1, "1"], [1 << 5, "32"], [1 << 10, "1k"], [1 << 15, "32k"], [1 << 20, "1M"]];
  return [ticks.map(([index, text]) => s("text", { x: toX(index), y: HIGH - BOTTOM + 15, "text-anchor": "middle", class: "ch-small", text })),
    s("text", { x: (LEFT + WIDE - RIGHT) / 2, y: HIGH - 3, "text-anchor": "middle", class: "ch-small", text: label }),
    tick && s("line", { x1: toX(length), x2: toX(length), y1: TOP, y2: HIGH - BOTTOM, class: "ch-query ch-stroke" })];
}

function fractionChart(sizes, { crossover }, label) {
  const low = HIGH - BOTTOM, high = low - TOP, step = (WIDE - LEFT - RIGHT) / (2 * MOST), bars = [];
  for (let half = 0; half < 2 * MOST; half++) {
    const length = 2 ** (half / 2 + 0.25), top = high * attentionFraction(compute({ ...sizes, length }).work), x = LEFT + half * step;
    bars.push(s("rect", { x, y: TOP, width: step - 1, height: top, class: "ch-weight", "fill-opacity": 0.75 }),
      s("rect", { x, y: TOP + top, width: step - 1, height: high - top, class: "ch-plain", "fill-opacity": 0.16 }));
  }
  const at = toX(crossover);
  return kit.drawing(WIDE, HIGH, label, bars,
    [["100 %", TOP + 5], ["50 %", TOP + high / 2 + 4], ["0", low + 2]].map(([text, y]) => s("text", { x: LEFT - 6, y, "text-anchor": "end", class: "ch-small", text })),
    s("line", { x1: at, x2: at, y1: TOP, y2: low, class: "ch-plain ch-stroke", "stroke-dasharray": "4 4" }),
    s("text", { x: at - 5, y: low - 6, "text-anchor": "end", class: "ch-plain", style: "font-size:13px", text: `6D = ${counted(crossover)}` }),
    axis("tokens", true, sizes.length));
}

function bytes(sizes, { longest }, label) {
  const low = HIGH - BOTTOM, up = (count) => low - ((low - TOP) * (Math.log10(count) - 2)) / 14; // 100 B to 10 PB
  const line = (key, kind, dash) => {
    const points = Array.from({ length: 2 * MOST + 1 }, (_, half) => 2 ** (half / 2))
      .map((length) => [toX(length), up(Math.max(compute({ ...sizes, length })[key], 100))]);
    return s("polyline", { points: points.map((p) => p.join()).join(" "), class: `ch-${kind} ch-stroke`, style: "fill:none", "stroke-dasharray": dash });
  };
  const level = up(sizes.memory), end = Math.min(toX(Math.max(longest, 1)), WIDE - RIGHT);
  return kit.drawing(WIDE, HIGH, label,
    s("rect", { x: LEFT, y: level, width: end - LEFT, height: low - level, class: "ch-value", "fill-opacity": 0.12 }),
    [["1 kB", 1e3], ["1 MB", 1e6], ["1 GB", 1e9], ["1 TB", 1e12], ["1 PB", 1e15]].map(([text, count]) =>
      s("text", { x: LEFT - 4, y: up(count) + 4, "text-anchor": "end", class: "ch-small", text })),
    line("score_bytes", "weight"), line("pieces", "plain", "6 3"),
    s("line", { x1: LEFT, x2: WIDE - RIGHT, y1: level, y2: level, class: "ch-value ch-stroke" }),
    s("text", { x: LEFT + 4, y: level - 5, class: "ch-value", style: "font-size:13px", text: `memory ${inUnits(sizes.memory)}` }),
    axis("tokens", true, sizes.length));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Cost against length");
  const nearest = (list) => (value) => list.reduce((best, each, i) => (Math.abs(each - value) < Math.abs(list[best] - value) ? i : best), 0);
  const choiceSlider = (trait, label, list, show = counted) => figure.slider(trait, { label, min: 0, max: list.length - 1, step: 1, show,
    from: nearest(list), to: (index) => list[index] });
  figure.slider("length", { label: "tokens T", min: 0, max: 4 * MOST, step: 1, show: counted,
    from: (length) => Math.round(4 * Math.log2(length)), to: (index) => Math.round(2 ** (index / 4)) });
  choiceSlider("d_model", "width D", WIDTHS);
  choiceSlider("num_heads", "heads H", HEADS);
  choiceSlider("bytes_per_element", "bytes per entry", [1, 2, 4, 8]);
  choiceSlider("memory", "memory", MEMORY, (count) => `${counted(count / 1e9)} GB`);
  const panels = ["Work of a layer: attention (purple) above projections and feed-forward (grey)",
    "Memory of the attention weights: all at once (purple), or in pieces (dashed)"].map((text) =>
    kit.h("div", { class: "ch-panel" }, kit.h("p", { class: "ch-caption", text }), kit.h("div", {})));
  figure.picture.append(kit.h("div", { class: "ch-panels" }, panels));
  figure.draw(TRAITS, () => {
    const sizes = Object.fromEntries(TRAITS.map((name) => [name, model.get(name)])), computed = compute(sizes), label = words(sizes, computed);
    [fractionChart, bytes].forEach((draw, i) => panels[i].lastChild.replaceChildren(draw(sizes, computed, label)));
    figure.setStatus(label);
  });
  return figure.dispose;
}

export default { render, compute };
