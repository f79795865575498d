// Encoder, decoder or both: choose a token, and see what it reads, through which attention.
const { h, s, number, quoted, listed } = kit;
const NAMES = ["Encoder-only", "Decoder-only", "Encoder and decoder"];

// Source tokens come first, then target tokens; a row is a reader.
function compute({ family, reading, writing, crossing }) {
  const T = crossing.length, S = crossing[0].length, positions = [...Array(S + T).keys()];
  const allowed = positions.map((i) => positions.map((j) => j < S || (i >= S && j <= i)));
  const selfAttention = writing.map((line, i) => kit.softmax(line.map((score, j) => (j <= i ? score : -Infinity))));
  const cross = crossing.map(kit.softmax), zeros = Array(T).fill(0);
  const weights = [...reading.map((line) => [...kit.softmax(line), ...zeros]), ...selfAttention.map((line, i) => [...cross[i], ...line])];
  const [first, end] = range(family, S, T), cut = (A) => A.slice(first, end).map((line) => line.slice(first, end));
  return { allowed: cut(allowed), weights: cut(weights) };
}

const range = (family, S, T) => [[0, S], [S, S + T], [0, S + T]][family];

function visibleTokens(model) {
  const source = model.get("source"), target = model.get("target"), family = model.get("family");
  const [first, end] = range(family, source.length, target.length);
  const at = Math.min(Math.max(model.get("chosen"), first), end - 1) - first;
  return { tokens: [...source, ...target].slice(first, end), first, end, at, S: source.length - first, family };
}

function words({ tokens, at, S, family }, { allowed, weights }) {
  const indices = tokens.map((_, i) => i);
  const describeWeights = (selected) => listed(selected.filter((i) => allowed[at][i]).map((i) => `${quoted(tokens[i])} ${number(weights[at][i])}`));
  const hidden = tokens.filter((_, i) => !allowed[at][i]).map(quoted);
  const subject = `${NAMES[family]}: ${quoted(tokens[at])} reads`;
  const text = family === 2 && at >= S
    ? `${subject} both texts. In the target: ${describeWeights(indices.slice(S))}. In the source, by cross-attention: ${describeWeights(indices.slice(0, S))}.`
    : `${subject} ${describeWeights(indices)}.`;
  return `${text} Hidden from it: ${hidden.length ? listed(hidden) : "nothing"}.`;
}

const WIDTH = 372, PIXELS = 7.6; // of the drawing; of a letter

// The tokens of one line, side by side: where each one's box begins, and how wide it is.
function line(tokens) {
  const sizes = tokens.map((token) => PIXELS * token.length + 10);
  const gap = (WIDTH - sizes.reduce((a, b) => a + b, 0)) / (tokens.length + 1);
  return sizes.map((size, i) => [gap * (i + 1) + sizes.slice(0, i).reduce((a, b) => a + b, 0), size]);
}

// The flow: the source above, the target below; a path from each token that is read to the reader.
function flow({ tokens, at, S, family }, { allowed, weights }, label) {
  const above = family === 1 ? [] : tokens.slice(0, S), below = family === 0 ? [] : tokens.slice(family === 1 ? 0 : S);
  const boxes = [...line(above).map((box) => [...box, 84]), ...line(below).map((box) => [...box, above.length ? 214 : 84])];
  const middle = (i) => boxes[i][0] + boxes[i][1] / 2, parts = [];
  const kind = (i) => (i === at ? "ch-query ch-strong" : allowed[at][i] ? "ch-key" : "ch-small");
  boxes.forEach((box, i) => {
    if (!allowed[at][i]) return;
    const [x, y, X, Y] = [middle(i), box[2], middle(at), boxes[at][2]];
    const high = 12 + 0.22 * Math.abs(X - x), crosses = y !== Y;
    const path = crosses ? `M${x} ${y + 34} L${X} ${Y - 20}` : `M${x} ${y - 18} C${x} ${y - 18 - high} ${X} ${y - 18 - high} ${X} ${y - 18}`;
    if (i !== at || crosses) parts.push(s("path", { d: path, class: `${crosses ? "ch-value" : "ch-weight"} ch-stroke`, fill: "none",
      style: `fill:none;stroke-width:${(0.8 + 9 * weights[at][i]).toFixed(2)};opacity:0.75` }));
  });
  boxes.forEach(([x, width, y], i) => {
    const chosen = i === at;
    parts.push(s("rect", { x, y: y - 18, width, height: 28, rx: 5, class: "ch-cell", "data-token": i, "fill-opacity": 0.5 * weights[at][i] }));
    if (chosen) parts.push(s("rect", { x: x - 2, y: y - 20, width: width + 4, height: 32, rx: 6, class: "ch-chosen" }));
    parts.push(s("text", { x: x + width / 2, y: y + 1, "text-anchor": "middle", class: kind(i), text: tokens[i], "pointer-events": "none" }));
    parts.push(s("text", { x: x + width / 2, y: y + 26, "text-anchor": "middle", class: "ch-in-cell",
      text: allowed[at][i] ? number(weights[at][i]) : "×" }));
  });
  const title = (y, text) => parts.push(s("text", { x: 4, y, class: "ch-small", text }));
  if (above.length) title(14, "source: every token reads every token");
  if (family === 1) title(14, "target: each token reads itself and earlier tokens");
  if (family === 2) title(264, "target: itself and earlier tokens, by arcs;"), title(280, "source: by straight lines, which are cross-attention");
  return kit.drawing(WIDTH, family === 2 ? 288 : 122, label, ...parts);
}

// All weights: a row is a reader. What is hidden is crossed out; lines part source and target.
function table({ tokens, at, S, family }, { allowed, weights }, label) {
  const cell = 24, left = 14 + 8 * Math.max(...tokens.map((t) => t.length)), top = left, N = tokens.length;
  const svg = kit.heatmap(weights, tokens, tokens, { cell, left, top, numbers: false, chosen: at, label });
  allowed.forEach((row, i) => row.forEach((allowed, j) => {
    const [x, y] = [left + j * cell, top + i * cell];
    if (!allowed) svg.append(s("path", { d: `M${x + 7} ${y + 7} l10 10 m0 -10 l-10 10`, class: "ch-plain ch-stroke", style: "stroke-width:1.2" }));
  }));
  svg.setAttribute("viewBox", `0 0 ${left + N * cell + 52} ${top + N * cell + 6}`);
  svg.setAttribute("width", left + N * cell + 52);
  const x = left + S * cell, down = top + S * cell, style = "stroke-width:2";
  if (family === 2) svg.append(s("path", { d: `M${x} ${top} V${top + N * cell} M${left} ${down} H${left + N * cell}`, class: "ch-plain ch-stroke", style }));
  return svg;
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Encoder, decoder, or both");
  figure.choice("family", "Which family?", NAMES);
  const names = [...model.get("source"), ...model.get("target")];
  const readers = figure.choice("chosen", "Which token reads?", names);
  const options = [...readers.querySelectorAll(".ch-option")];
  const panels = ["What it reads, and with which weight", "All tokens: each row shows what one token reads"].map((text) =>
    h("div", { class: "ch-panel" }, h("p", { class: "ch-caption", text }), h("div", {})));
  figure.picture.append(h("div", { class: "ch-panels", style: "grid-template-columns:minmax(0,1fr)" }, panels), h("p", { class: "ch-caption", text: model.get("note") }));
  const choose = (index) => figure.set("chosen", visibleTokens(model).first + Number(index));
  panels[0].addEventListener("click", ({ target }) => { if (target.dataset.token) choose(target.dataset.token); });
  panels[1].addEventListener("click", ({ target }) => { if (target.dataset.row) choose(target.dataset.row); });
  figure.draw(["family", "chosen", "reading", "writing", "crossing"], () => {
    const now = visibleTokens(model);
    if (now.first + now.at !== model.get("chosen")) return figure.set("chosen", now.first + now.at);
    options.forEach((option, i) => {
      option.hidden = i < now.first || i >= now.end;
      option.firstChild.disabled = option.hidden;
    });
    const traits = ["family", "reading", "writing", "crossing"];
    const computed = compute(Object.fromEntries(traits.map((name) => [name, model.get(name)]))), text = words(now, computed);
    panels[0].lastChild.replaceChildren(flow(now, computed, text));
    panels[1].lastChild.replaceChildren(table(now, computed, text));
    figure.setStatus(text);
  });
  return figure.dispose;
}

export default { render, compute };
