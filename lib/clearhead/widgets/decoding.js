// From a distribution to a word: temperature, then top-k, then top-p; and random numbers that stay the same meanwhile.
const { h, number, quoted } = kit;
const sum = (values) => values.reduce((a, b) => a + b, 0);
const entropyOf = (p) => -sum(p.map((x) => (x > 0 ? x * Math.log(x) : 0)));

function sharpened(logits, T) {
  const top = Math.max(...logits), shifted = logits.map((z) => z - top);
  return T === 0 ? shifted.map((z) => (z < 0 ? -Infinity : z)) : shifted.map((z) => z / T);
}

function compute({ logits, temperature, top_k, top_p, draws, seed }) {
  const before = kit.softmax(logits), tempered = kit.softmax(sharpened(logits, temperature));
  const order = logits.map((_, i) => i).sort((a, b) => logits[b] - logits[a] || a - b);
  let kept = order.filter((v, rank) => rank < top_k && tempered[v] > 0);
  const inK = sum(kept.map((v) => tempered[v]));
  let cumulative = 0;
  if (top_p < 1)
    kept = kept.filter((v, rank) => {
      const isKept = rank === 0 || cumulative < top_p - 1e-12;
      cumulative += tempered[v] / inK;
      return isKept;
    });
  const mass = sum(kept.map((v) => tempered[v])), after = logits.map((_, v) => (kept.includes(v) ? tempered[v] / mass : 0));
  const counts = logits.map(() => 0);
  let last = -1;
  for (const z of kit.normals(seed, draws)) {
    const random = (((1000 * z) % 1) + 1) % 1;
    let total = 0;
    last = after.findIndex((p) => (total += p) > random);
    if (last < 0) last = order[0];
    counts[last] += 1;
  }
  return { before, after, mass, kept: kept.length, entropy: [entropyOf(before), entropyOf(after)], counts, last };
}

function words({ tokens, temperature, top_k, top_p, draws }, { before, after, mass, kept, entropy, counts, last }) {
  const top = after.indexOf(Math.max(...after));
  const text = `${kept} of ${tokens.length} words are kept, with ${number(100 * mass, 0)} % of the probability, at τ = ${number(temperature)}, k = ${top_k < tokens.length ? top_k : "all"}, p = ${number(top_p)}. ` +
    `${quoted(tokens[top])}: ${number(before[top])} before, ${number(after[top])} after. ` +
    `Entropy: ${number(entropy[0])} before, ${number(entropy[1])} after.`;
  if (draws === 0) return text;
  const nonZero = tokens.map((token, i) => [token, counts[i]]).filter(([, n]) => n > 0).map(([token, n]) => `${token} ${n}`);
  return `${text} Drawn: ${kit.listed(nonZero)}; the last one is ${quoted(tokens[last])}.`;
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Decoding"), places = model.get("places");
  const count = () => model.get("tokens")[model.get("place")].length, inWords = (k) => (k < count() ? String(k) : "all");
  if (places.length > 1) figure.choice("place", "Text so far", places);
  figure.slider("temperature", { label: "Temperature τ", min: 0, max: 4, step: 0.05 });
  const topKSlider = figure.slider("top_k", { label: "top-k", min: 1, max: count(), step: 1, show: inWords });
  figure.slider("top_p", { label: "top-p", min: 0, max: 1, step: 0.01 });
  const roll = (count) => figure.set("draws", count && Math.min(model.get("draws") + count, 2000));
  figure.button("Draw a word", () => roll(1));
  figure.button("Draw 100", () => roll(100));
  figure.button("Clear", () => roll(0));
  const panels = ["Before: the model's own probabilities", "After: the probabilities for drawing"].map((text) => {
    const panel = h("div", { class: "ch-panel" }, h("p", { class: "ch-caption", text }), h("div", {}));
    return panel;
  });
  const countCaption = h("p", { class: "ch-caption" });
  figure.picture.append(h("div", { class: "ch-panels" }, panels), countCaption);
  const traits = ["temperature", "top_k", "top_p", "draws", "seed"];
  figure.draw([...traits, "place"], () => {
    const at = model.get("place"), tokens = model.get("tokens")[at], logits = model.get("logits")[at];
    const k = Math.min(model.get("top_k"), count());   // each place has its own words, and so its own "all"
    Object.assign(topKSlider, { max: count(), value: k });
    topKSlider.nextElementSibling.textContent = inWords(k);
    topKSlider.setAttribute("aria-valuetext", inWords(k));
    const inputs = { logits, ...Object.fromEntries(traits.map((name) => [name, model.get(name)])) };
    const computed = compute(inputs);
    [computed.before, computed.after].forEach((p, i) => panels[i].lastChild.replaceChildren(kit.bars(tokens, p)));
    countCaption.textContent = `Words drawn: ${inputs.draws}` + (inputs.draws ? `, the last one ${quoted(tokens[computed.last])}.` : ".");
    figure.setStatus(words({ tokens, ...inputs }, computed));
  });
  return figure.dispose;
}

export default { render, compute };
