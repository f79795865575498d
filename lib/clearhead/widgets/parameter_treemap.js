// Where the parameters of a model are: a treemap of its parts, counted exactly while you change its sizes.
const { h, s, counted } = kit;
const KINDS = ["GPT, a decoder", "BERT, an encoder", "ViT, for images"];
const WIDTHS = [64, 128, 192, 256, 384, 512, 768, 1024, 1280, 1600, 2048, 2560, 3072, 4096, 5120, 6144, 8192, 12288, 16384];
const LAYERS = [1, 2, 3, 4, 6, 8, 10, 12, 16, 24, 32, 36, 40, 48, 64, 80, 96, 128];
const HEADS = [1, 2, 4, 8, 12, 16, 20, 25, 32, 40, 64, 96, 128];
const WORDS = [64, 256, 1000, 5000, 10000, 30522, 32000, 50257, 100000, 128000, 256000];
const LENGTHS = [64, 128, 256, 512, 1024, 2048, 4096, 8192, 32768, 131072];
const PATCHES = [4, 7, 8, 14, 16, 28, 32, 56];
const TRAITS = ["kind", "d_model", "num_layers", "num_heads", "vocab_size", "context_length", "patch_size", "tied"];
const PRESETS = {
  "GPT-2": [0, 768, 12, 12, 50257, 1024], "GPT-2 medium": [0, 1024, 24, 16, 50257, 1024],
  "GPT-2 large": [0, 1280, 36, 20, 50257, 1024], "GPT-2 XL": [0, 1600, 48, 25, 50257, 1024],
  "GPT-3": [0, 12288, 96, 96, 50257, 2048],
  "BERT-base": [1, 768, 12, 12, 30522, 512], "BERT-large": [1, 1024, 24, 16, 30522, 512],
  "ViT-B/16": [2, 768, 12, 12, 50257, 1024, 16], "ViT-L/16": [2, 1024, 24, 16, 50257, 1024, 16],
  "ViT-H/14": [2, 1280, 32, 16, 50257, 1024, 14],
};

// Every count is an integer far below 2⁵³, so plain numbers are exact.
function compute({ kind, d_model, num_layers, num_heads, vocab_size, context_length, patch_size, tied }) {
  const D = d_model, L = num_layers, tokens = kind === 2 ? (224 / patch_size) ** 2 + 1 : context_length;
  let heads = Math.min(num_heads, D);
  while (D % heads) heads--;
  const parts = {
    "token table": kind === 2 ? 0 : vocab_size * D,
    "patches and class token": kind === 2 ? 3 * patch_size ** 2 * D + 2 * D : 0,
    positions: tokens * D,
    attention: L * (4 * D * D + 4 * D),
    "feed-forward": L * (8 * D * D + 5 * D),
    norms: L * 4 * D + 2 * D,
    // BERT: two segments and the pooling layer; ViT: 1,000 classes; GPT: a table of its own only if not tied.
    "head and the rest": [tied ? 0 : vocab_size * D, 2 * D + D * D + D, 1000 * D + 1000][kind],
  };
  const total = Object.values(parts).reduce((a, b) => a + b, 0);
  return { parts, total, in_blocks: L * (12 * D * D + 13 * D), heads, head_width: D / heads };
}

const percent = (fraction) => (fraction > 0 && fraction < 0.0005 ? "< 0.1 %" : `${kit.number(100 * fraction, 1)} %`);

function words({ d_model, num_layers }, { parts, total, in_blocks, heads, head_width }) {
  const largest = Object.entries(parts).reduce((best, part) => (part[1] > best[1] ? part : best));
  return `${num_layers} ${num_layers === 1 ? "block" : "blocks"} of width ${counted(d_model)}: ${counted(total)} parameters, ` +
    `${percent(in_blocks / total)} of them in the blocks. The largest part is ${largest[0]}, ${percent(largest[1] / total)}. ` +
    `${heads} ${heads === 1 ? "head" : "heads"} of width ${counted(head_width)}; another number of heads gives the same total.`;
}

// ---- Drawing ----------------------------------------------------------------------------------------------
const HIGH = 280, IN_BLOCKS = ["attention", "feed-forward", "norms"];
const COLOURS = { attention: ["weight", 0.34], "feed-forward": ["plain", 0.2], norms: ["plain", 0.55], "token table": ["plain", 0.08],
  "patches and class token": ["plain", 0.08], positions: ["plain", 0.3], "head and the rest": ["plain", 0.14] };

// One part as a box; its name and fraction are written where there is room.
function box(name, fraction, x, y, width, height) {
  const [colour, strength] = COLOURS[name], hasSpace = width > 7.6 * name.length + 8 && height > 40;
  return [s("rect", { x, y, width: Math.max(width - 1, 0.6), height: Math.max(height - 1, 0.6), class: `ch-${colour}`,
      "fill-opacity": strength, stroke: "var(--ch-soft)", "stroke-width": 0.7 }),
    hasSpace && s("text", { x: x + 7, y: y + 19, text: name }),
    hasSpace && s("text", { x: x + 7, y: y + 36, class: "ch-small", style: "fill:var(--ch-ink)", text: percent(fraction) })];
}

// The parts outside the blocks on the left, the blocks on the right; every area is a fraction of the total.
function treemap({ parts, total }, L, label, WIDE) {
  const outside = Object.entries(parts).filter(([name, count]) => !IN_BLOCKS.includes(name) && count > 0);
  const sum = (pairs) => pairs.reduce((a, [, count]) => a + count, 0);
  const left = (WIDE * sum(outside)) / total, boxes = [];
  const stack = (pairs, x, width) => {
    let y = 0;
    for (const [name, count] of pairs) {
      const height = (HIGH * count) / sum(pairs);
      boxes.push(box(name, count / total, x, y, width, height));
      y += height;
    }
  };
  stack(outside, 0, left);
  stack(IN_BLOCKS.map((name) => [name, parts[name]]), left, WIDE - left);
  const lines = Array.from({ length: L - 1 }, (_, i) => left + ((WIDE - left) * (i + 1)) / L);
  return kit.drawing(WIDE, HIGH, label, boxes, L <= 128 && lines.map((x) =>
    s("line", { x1: x, x2: x, y1: HIGH - 14, y2: HIGH, stroke: "var(--ch-ink)", "stroke-width": 1, "stroke-opacity": 0.5 })));
}

function table({ parts, total }) {
  const row = (name, count) => h("tr", {}, h("th", { scope: "row", text: name }),
    h("td", { text: counted(count) }), h("td", { text: percent(count / total) }));
  return h("table", { class: "ch-table" },
    h("thead", {}, h("tr", {}, ["part", "parameters", "fraction"].map((text) => h("th", { scope: "col", text })))),
    h("tbody", {}, Object.entries(parts).filter(([, count]) => count > 0).map(([name, count]) => row(name, count))),
    h("tfoot", {}, row("total", total)));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Parameters of a transformer");
  const inputs = () => Object.fromEntries(TRAITS.map((name) => [name, model.get(name)]));
  const chips = h("div", { class: "ch-choice", style: "grid-column:1/-1;gap:0.4rem", role: "group", "aria-label": "published models" });
  const buttons = Object.entries(PRESETS).map(([name, [kind, D, L, H, V, C, P = 16]]) => {
    const sizes = { kind, d_model: D, num_layers: L, num_heads: H, vocab_size: V, context_length: C, patch_size: P, tied: true };
    const press = figure.button(name, () => Object.entries(sizes).forEach(([trait, value]) => figure.set(trait, value)));
    chips.append(press);
    return [press, sizes];
  });
  figure.controls.append(chips);
  figure.choice("kind", "Kind of model", KINDS);
  // A slider over a list of sizes; the nearest one is shown for a size between two of them.
  const nearest = (list) => (value) => list.reduce((best, each, i) => (Math.abs(each - value) < Math.abs(list[best] - value) ? i : best), 0);
  const choiceSlider = (trait, label, list) => figure.slider(trait, { label, min: 0, max: list.length - 1, step: 1, show: counted,
    from: nearest(list), to: (index) => list[index] }).parentElement;
  choiceSlider("d_model", "width D", WIDTHS);
  choiceSlider("num_layers", "blocks L", LAYERS);
  choiceSlider("num_heads", "heads H", HEADS);
  const texts = [choiceSlider("vocab_size", "vocabulary V", WORDS), choiceSlider("context_length", "positions C", LENGTHS)];
  const patch = choiceSlider("patch_size", "patch side", PATCHES);
  const tied = figure.toggle("tied", "output layer = token table (tied)").parentElement;
  const map = h("div", {}), counts = h("div", { class: "ch-scroll", style: "margin-top:0.8rem" });
  figure.picture.append(map, h("p", { class: "ch-caption", style: "margin-top:0.3rem",
    text: "Area is the number of parameters. Left: outside the blocks. Right: all blocks together; a tick at the bottom marks the end of each block." }), counts);
  const paint = () => {
    const sizes = inputs(), computed = compute(sizes), label = words(sizes, computed);
    texts.forEach((row) => { row.style.display = sizes.kind === 2 ? "none" : ""; });
    patch.style.display = sizes.kind === 2 ? "" : "none";
    tied.style.display = sizes.kind === 0 ? "" : "none";
    buttons.forEach(([press, preset]) => {
      const same = Object.entries(preset).every(([trait, value]) => sizes[trait] === value);
      press.setAttribute("aria-pressed", same);
      press.style.borderWidth = same ? "3px" : "";
    });
    map.replaceChildren(treemap(computed, sizes.num_layers, label, Math.min(640, map.clientWidth || 640)));
    counts.replaceChildren(table(computed));
    figure.setStatus(label);
  };
  figure.draw(TRAITS, paint);
  figure.onResize(map, paint);
  return figure.dispose;
}

export default { render, compute };
