// The memory that a language model needs to generate text: its weights, and the keys and values it caches.
const { s, counted, inUnits } = kit;
const TRAITS = ["layers", "num_heads", "heads_per_group", "d_k", "d_ff", "vocabulary", "length", "texts", "weight_bits", "cache_bits", "memory"];
const MEMORY = [0.5, 1, 2, 4, 8, 16, 24, 48, 80, 141, 640].map((x) => x * 1e9);
const FORWARD = [256, 512, 1024, 1536, 2048, 3072, 4096, 8192, 11008, 14336, 28672, 53248];
const TOKENS = [256, 1000, 32000, 49152, 50257, 128000, 200000, 256000];

function compute({ layers, num_heads, heads_per_group, d_k, d_ff, vocabulary, length, texts, weight_bits, cache_bits, memory }) {
  const groups = Math.ceil(num_heads / heads_per_group), width = num_heads * d_k, shared = groups * d_k;
  const block = 2 * width * width + 2 * width * shared + 3 * width * d_ff + 2 * width;
  const numbers = vocabulary * width + layers * block + width;
  const weights = (numbers * weight_bits) / 8, token = (2 * layers * shared * cache_bits) / 8;
  return { groups, numbers, weights, token, cache: token * length * texts,
    longest: Math.max(0, Math.floor((memory - weights) / (token * texts))) };
}

function words({ length, texts, memory }, { groups, numbers, weights, token, cache, longest }) {
  return `${counted(numbers)} parameters take ${inUnits(weights)}. Keys and values of ${groups === 1 ? "1 group" : `${groups} groups`} take ` +
    `${inUnits(token)} for each token: ${inUnits(cache)} for ${texts === 1 ? "1 text" : `${counted(texts)} texts`} of ${counted(length)} tokens. ` +
    `Together they ${weights + cache <= memory ? "fit" : "do not fit"} in ${inUnits(memory)}, which has room for ${counted(longest)} tokens per text.`;
}

// ---- Drawing: weights and cache in one bar, the memory beside it ------------------------------------------
const LEFT = 62, RIGHT = 4, BAR = 34;
function stacked({ memory }, { weights, cache }, label) {
  const WIDE = kit.narrow() ? 340 : 640, max = Math.max(weights + cache, memory), toX = (count) => ((WIDE - LEFT - RIGHT) * count) / max;
  const named = (y, text) => s("text", { x: LEFT - 8, y: y + BAR / 2 + 5, "text-anchor": "end", class: "ch-small", text });
  const box = (x, y, count, kind, opacity) => s("rect", { x, y, width: Math.max(toX(count), 1), height: BAR, class: kind, "fill-opacity": opacity });
  const fits = weights + cache <= memory;
  return kit.drawing(WIDE, 122, label,
    named(8, "needed"), box(LEFT, 8, weights, "ch-weight", 0.8), box(LEFT + toX(weights), 8, cache, "ch-key", 0.8),
    named(52, "memory"), box(LEFT, 52, memory, "ch-value", 0.35),
    s("text", { x: 2, y: 112, class: "ch-weight", style: "font-size:13px", text: `weights ${inUnits(weights)}` }),
    s("text", { x: 0.4 * WIDE, y: 112, class: "ch-key", style: "font-size:13px", text: `cache ${inUnits(cache)}` }),
    s("text", { x: WIDE - RIGHT, y: 112, "text-anchor": "end", class: fits ? "ch-value ch-strong" : "ch-query ch-strong", style: "font-size:13px",
      text: fits ? "fits" : "does not fit" }));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Memory of a model at work");
  const nearest = (list) => (value) => list.reduce((best, each, i) => (Math.abs(each - value) < Math.abs(list[best] - value) ? i : best), 0);
  const choiceSlider = (trait, label, list, show = counted) => figure.slider(trait, { label, min: 0, max: list.length - 1, step: 1, show,
    from: nearest(list), to: (index) => list[index] });
  const doubling = (trait, label, max) => figure.slider(trait, { label, min: 0, max: max, step: 1, show: counted,
    from: (count) => Math.round(Math.log2(count)), to: (exponent) => 2 ** exponent });
  figure.slider("layers", { label: "blocks L", min: 1, max: 126, step: 1, show: String });
  figure.slider("num_heads", { label: "heads H", min: 1, max: 128, step: 1, show: String });
  choiceSlider("heads_per_group", "heads per group", [1, 2, 3, 4, 8, 16, 32, 64, 128]);
  choiceSlider("d_k", "dimension of a head", [16, 32, 64, 128, 256]);
  choiceSlider("d_ff", "feed-forward dimension", FORWARD);
  choiceSlider("vocabulary", "vocabulary size", TOKENS);
  doubling("length", "tokens per text", 20);
  doubling("texts", "texts at once", 10);
  choiceSlider("weight_bits", "bits per weight", [4, 8, 16, 32]);
  choiceSlider("cache_bits", "bits per cached entry", [4, 8, 16, 32]);
  choiceSlider("memory", "memory", MEMORY, (count) => `${counted(count / 1e9)} GB`);
  const container = kit.h("div", {});
  figure.picture.append(container);
  figure.draw(TRAITS, () => {
    const sizes = Object.fromEntries(TRAITS.map((name) => [name, model.get(name)])), computed = compute(sizes), label = words(sizes, computed);
    container.replaceChildren(stacked(sizes, computed, label));
    figure.setStatus(label);
  });
  return figure.dispose;
}

export default { render, compute };
