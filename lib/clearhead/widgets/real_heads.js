// The heads of a trained model on a few sentences: choose two tokens, see all heads at once, then open one.
const { h, s, number, quoted } = kit;

// Weights come as one byte each, in base64: sentence, layer, head, the token that asks, the token looked at.
// `others` is what the other words, without [CLS] and [SEP] at the ends, look at on average.
function compute({ codes, layers, heads, length, sentence, layer, head, query, key }) {
  const bytes = atob(codes), start = sentence * layers * heads * length * length;
  const weight = (l, k, i, j) => bytes.charCodeAt(start + ((l * heads + k) * length + i) * length + j) / 250;
  const count = (n, make) => Array.from({ length: n }, (_, i) => make(i));
  const A = count(length, (i) => count(length, (j) => weight(layer, head, i, j)));
  const otherWords = A.filter((_, i) => i !== query && i > 0 && i < length - 1);
  return {
    A, pair: count(layers, (l) => count(heads, (k) => weight(l, k, query, key))),
    others: count(length, (j) => otherWords.reduce((sum, row) => sum + row[j], 0) / Math.max(otherWords.length, 1)),
  };
}

const largest = (row) => row.reduce((best, weight, j) => (weight > row[best] ? j : best), 0);

function words(model, tokens, { A, pair, others }) {
  const [query, key, layer, head] = ["query", "key", "layer", "head"].map((name) => model.get(name));
  const row = A[query], top = largest(row), queryToken = quoted(tokens[query]), keyToken = quoted(tokens[key]);
  const first = top === key ? "" : ` Its largest weight is on ${quoted(tokens[top])}: ${number(row[top])}.`;
  return `Layer ${layer}, head ${head}: ${queryToken} looks at ${keyToken} with weight ${number(pair[layer][head])}, ` +
    `the other words with ${number(others[key])} on average.${first}`;
}

// Each cell knows its row and column; without numbers in the cells the tint may be strong.
function withIndices(svg, columns) {
  svg.querySelectorAll("rect.ch-cell").forEach((box, index) => {
    box.dataset.column = index % columns;
    box.setAttribute("fill-opacity", Math.min(1, 1.7 * box.getAttribute("fill-opacity")));
  });
  return svg;
}

// One cell per head: how much the chosen token looks at the other one there.
function overview(model, { pair }, label) {
  const [cell, left] = kit.narrow() ? [22, 30] : [24, 66], top = 40, names = pair[0].map((_, k) => String(k));
  const svg = kit.heatmap(pair, pair.map((_, l) => (kit.narrow() ? String(l) : `layer ${l}`)), names, { cell, left, top, numbers: false, label });
  withIndices(svg, names.length);
  svg.append(s("text", { x: left, y: 13, class: "ch-small", text: kit.narrow() ? "head; a row is a layer" : "head" }),
    s("rect", { x: left + model.get("head") * cell, y: top + model.get("layer") * cell, width: cell, height: cell, rx: 3,
      class: "ch-chosen" }));
  return svg;
}

function headMap(model, tokens, { A }, label) {
  const longest = Math.max(...tokens.map((t) => t.length)), left = 12 + (kit.narrow() ? 6.8 : 8.4) * longest;
  const cell = kit.narrow() ? Math.max(12, (304 - left) / tokens.length) : 21;
  const svg = kit.heatmap(A, tokens, tokens, { cell, left, top: left, numbers: false, chosen: model.get("query"), rotation: kit.narrow() ? 80 : 45, label });
  svg.classList.toggle("ch-fine", kit.narrow());
  return withIndices(svg, tokens.length);
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "The heads of a trained model");
  const sizes = Object.fromEntries(["codes", "layers", "heads"].map((name) => [name, model.get(name)]));
  const all = model.get("tokens"), length = all[0].length, currentTokens = () => all[model.get("sentence")];
  figure.choice("sentence", "Sentence", model.get("sentences"));
  const named = [["query", "Which token asks?"], ["key", "Which token does it look at?"]].map(([trait, label]) =>
    [trait, figure.slider(trait, { label, min: 0, max: length - 1, step: 1, show: (i) => currentTokens()[i] })]);
  for (const [trait, count] of [["layer", sizes.layers], ["head", sizes.heads]])
    figure.slider(trait, { label: `${trait}, from 0`, min: 0, max: count - 1, step: 1, show: String });
  const panel = (caption) => {
    const content = h("div", {}), text = h("p", { class: "ch-caption" });
    figure.picture.append(h("div", { class: "ch-panel", style: "margin-bottom: 1rem" }, text, content));
    return { content, setStatus: (words) => { text.textContent = words; } };
  };
  const every = panel(), one = panel(); // all heads, and one of them
  // A click on a cell does what two sliders do from the keyboard.
  const click = ({ content }, row, column) => content.addEventListener("click", ({ target }) => {
    if (!target.dataset.column) return;
    figure.set(row, Number(target.dataset.row));
    figure.set(column, Number(target.dataset.column));
  });
  click(every, "layer", "head");
  click(one, "query", "key");
  const traits = ["sentence", "layer", "head", "query", "key"];
  figure.draw(traits, () => {
    const tokens = currentTokens(), computed = compute({ ...sizes, length, ...Object.fromEntries(traits.map((t) => [t, model.get(t)])) });
    for (const [trait, input] of named) {   // the same place is another word in another sentence
      input.parentElement.querySelector("output").textContent = tokens[model.get(trait)];
      input.setAttribute("aria-valuetext", tokens[model.get(trait)]);
    }
    const query = quoted(tokens[model.get("query")]), key = quoted(tokens[model.get("key")]);
    every.setStatus(`All ${sizes.layers * sizes.heads} heads: how much ${query} looks at ${key}. Choose a head.`);
    one.setStatus(`Layer ${model.get("layer")}, head ${model.get("head")}: one row per token that asks.`);
    every.content.replaceChildren(overview(model, computed, `How much ${query} looks at ${key} in each head`));
    one.content.replaceChildren(headMap(model, tokens, computed, "The weights of this head"));
    figure.setStatus(words(model, tokens, computed));
  });
  return figure.dispose;
}

export default { render, compute };
