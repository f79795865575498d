// Speculative decoding, step by step: a draft model proposes a word, and the large model accepts or replaces it.
const { h, s, number, counted, quoted } = kit;
const TRAITS = ["p", "q", "skill", "rule", "draws", "seed"];
const RULES = ["min(1, p / q), otherwise from the residual distribution", "1 (always)", "min(1, p / q), otherwise from p"];
const EXACT = 0, ALWAYS = 1, MOST = 20000, EPSILON = 1e-12;
const sum = (values) => values.reduce((a, b) => a + b, 0);

// The word whose part of the line from 0 to 1 the random number falls into.
function sample(cumulative, random) {
  const at = cumulative.findIndex((end) => end > random * cumulative[cumulative.length - 1]);
  return at < 0 ? cumulative.length - 1 : at;
}
const cumulativeSum = (row) => { let total = 0; return row.map((x) => (total += x)); };

function compute({ p, q, skill, rule, draws, seed }) {
  const draft = q.map((x, v) => (1 - skill) * x + skill * p[v]);
  const acceptedPart = rule === ALWAYS ? draft : draft.map((x, v) => Math.min(x, p[v]));
  const rejected = Math.max(1 - sum(acceptedPart), 0);
  const left = p.map((x, v) => (rule === EXACT ? x - acceptedPart[v] : rule === ALWAYS ? 0 : x)).map((x) => (rejected > EPSILON && x > EPSILON ? x : 0));
  const residual = left.map((x) => x / (sum(left) || 1)), outputProbabilities = acceptedPart.map((x, v) => x + rejected * residual[v]);
  const counts = p.map(() => 0), control = p.map(() => 0), cumulative = [draft, residual, p].map(cumulativeSum);
  const random = kit.normals(seed, 4 * draws).map((z) => (((1000 * z) % 1) + 1) % 1);
  let accepted = 0, last = [-1, -1, 0, 0];
  for (let i = 0; i < 4 * draws; i += 4) {
    const drafted = sample(cumulative[0], random[i]), threshold = random[i + 1] * draft[drafted], isAccepted = threshold < acceptedPart[drafted];
    const word = isAccepted ? drafted : sample(cumulative[1], random[i + 2]);
    accepted += isAccepted;
    counts[word] += 1;
    control[sample(cumulative[2], random[i + 3])] += 1;
    last = [drafted, word, threshold, isAccepted ? threshold : acceptedPart[word] + rejected * (random[i + 2] - sum(residual.slice(0, word)))];
  }
  const fraction = (row) => row.map((n) => n / Math.max(draws, 1));
  const distances = [outputProbabilities, fraction(counts), fraction(control)].map((row) => sum(row.map((x, v) => Math.abs(x - p[v]))) / 2);
  return { draft, accepted_part: acceptedPart, residual, output: outputProbabilities, accepted, counts, control, distances, last };
}

function words({ tokens, draws }, { accepted_part: acceptedPart, residual, distances, accepted, last: [drafted, word, threshold] }) {
  const replacements = tokens.map((name, v) => [name, residual[v]]).filter(([, x]) => x).map(([name, x]) => `${quoted(name)} ${number(x)}`);
  const end = threshold < acceptedPart[drafted] ? "accepted" : `rejected; ${quoted(tokens[word])} replaces it`;
  const text = `Word ${counted(draws)}: ${quoted(tokens[drafted])} is drafted and ${end}. Accepted so far: ${counted(accepted)} of ${counted(draws)}. ` +
    `Total variation distance between the output words and p: ${number(distances[1], 3)}; for as many words drawn from p itself: ${number(distances[2], 3)}. `;
  return `${draws ? text : ""}This rule accepts a drafted word with probability ${number(sum(acceptedPart))}` +
    (replacements.length ? `, and replaces a rejected one by ${kit.listed(replacements)}. ` : ". ") +
    `Total variation distance between its output and p: ${number(distances[0])}.`;
}

// The three steps of the last word.
function steps({ tokens, draws, p, rule }, { draft, accepted_part: acceptedPart, last: [drafted, word, threshold] }) {
  if (draws === 0) return ["The draft model proposes a word.", "A random number falls somewhere on the bar of this word.", "If it falls on the solid part, the word is accepted; otherwise another word replaces it."];
  const at = `${number(threshold, 3)} on the bar of ${number(draft[drafted], 3)}`, isAccepted = threshold < acceptedPart[drafted];
  const line = rule === ALWAYS ? "which this rule ignores" : `${isAccepted ? "below" : "above"} p = ${number(p[drafted], 3)}`;
  return [`The draft model proposes ${quoted(tokens[drafted])}.`, `The random number falls at ${at}, ${line}: ${isAccepted ? "accepted" : "rejected"}.`,
    `Output: ${quoted(tokens[word])}${isAccepted ? "" : rule === EXACT ? ", from the residual distribution" : ", from p"}.`];
}

// ---- Drawing: each word has two bars; the lower one is in a box as long as p -------------------------
const WIDE = 318, LEFT = 54, RIGHT = 56, ROW = 44, BAR = 15;
const box = (x, y, width, more) => s("rect", { x, y, width: Math.max(width, 0), height: BAR, ...more });
const text = (x, y, kind, words, anchor = "start") => s("text", { x, y: y + BAR - 3, "text-anchor": anchor, class: kind, text: words });
const ACCEPTED = { class: "ch-weight", "fill-opacity": 0.8 }, REPLACEMENT = { class: "ch-key", "fill-opacity": 0.85 };
const REJECTED = { class: "ch-weight ch-stroke", "stroke-dasharray": "3 3", style: "fill:none;stroke-width:1.5" };
const BOX = { class: "ch-plain ch-stroke", style: "fill:none;stroke:var(--ch-ink);stroke-width:1.5" };

function drawing(tokens, max, label, rows, more = () => []) {
  const toX = (x) => ((WIDE - LEFT - RIGHT) * x) / max, top = (v) => 4 + v * ROW;
  return kit.drawing(WIDE, 4 + ROW * tokens.length, label,
    tokens.map((word, v) => [text(LEFT - 6, top(v) + BAR / 2 + 2, "ch-plain", word, "end"), rows(v, top(v), toX)]), more(toX, top));
}

function probabilityChart({ tokens, p }, { draft, accepted_part: acceptedPart, output: outputProbabilities, last: [drafted, word, threshold, moved] }, label) {
  const max = Math.max(...p, ...draft, ...outputProbabilities);
  return drawing(tokens, max, label, (v, y, toX) => {
    const low = y + BAR + 3, longest = Math.max(p[v], outputProbabilities[v]);
    return [box(LEFT, y, toX(acceptedPart[v]), ACCEPTED), box(LEFT + toX(acceptedPart[v]), y, toX(draft[v] - acceptedPart[v]), REJECTED),
      text(LEFT + toX(draft[v]) + 6, y, "ch-small", `q ${number(draft[v])}`),
      box(LEFT, low, toX(acceptedPart[v]), ACCEPTED), box(LEFT + toX(acceptedPart[v]), low, toX(outputProbabilities[v] - acceptedPart[v]), REPLACEMENT), box(LEFT, low, toX(p[v]), BOX),
      text(LEFT + toX(longest) + 6, low, "ch-small", `p ${number(p[v])}`)];
  }, (toX, top) => {
    if (drafted < 0) return [];
    const from = [LEFT + toX(threshold), top(drafted) + BAR / 2], to = [LEFT + toX(moved), top(word) + BAR * 1.5 + 3];
    const dot = ([cx, cy]) => s("circle", { cx, cy, r: 6, class: "ch-query", style: "stroke:var(--ch-ground);stroke-width:2" });
    return [s("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1], class: "ch-query ch-stroke" }), dot(from), dot(to)];
  });
}

function outcomes({ tokens, p, draws }, { counts, control }, label) {
  const [fractions, controlFractions] = [counts, control].map((row) => row.map((n) => n / Math.max(draws, 1)));
  return drawing(tokens, Math.max(...p, ...fractions, ...controlFractions), label, (v, y, toX) => {
    const low = y + BAR + 3;
    return [box(LEFT, y, toX(fractions[v]), ACCEPTED), box(LEFT, y, toX(p[v]), BOX),
      text(LEFT + toX(Math.max(p[v], fractions[v])) + 6, y, "ch-small", draws ? number(fractions[v], 3) : `p ${number(p[v])}`),
      box(LEFT, low, toX(controlFractions[v]), { class: "ch-plain", "fill-opacity": 0.35 }), text(LEFT + toX(controlFractions[v]) + 6, low, "ch-small", draws ? number(controlFractions[v], 3) : "")];
  });
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Speculative decoding, step by step"), tokens = model.get("tokens");
  figure.choice("rule", "A drafted word is accepted with probability …", RULES);
  figure.slider("skill", { label: "similarity of the draft to p", min: 0, max: 1, step: 0.05 });
  const roll = (count) => figure.set("draws", count && Math.min(model.get("draws") + count, MOST));
  const buttons = h("div", { class: "ch-buttons" });
  buttons.append(figure.button("Draw a word", () => roll(1)), figure.button("Draw 1,000", () => roll(1000)), figure.button("Clear", () => roll(0)));
  figure.controls.append(buttons);
  const stepList = h("ol", {}), titles = [h("p", { class: "ch-caption" }), h("p", { class: "ch-caption" })], containers = [h("div", {}), h("div", {})];
  figure.picture.append(stepList, h("div", { class: "ch-panels" }, titles.map((title, i) => h("div", { class: "ch-panel" }, title, containers[i]))));
  titles[0].textContent = "What can happen. Above: the draft q, solid where it is accepted and dashed where it is rejected. Below: the output, with the replacements in orange. The box is p.";
  figure.draw(TRAITS, () => {
    const inputs = Object.fromEntries(TRAITS.map((name) => [name, model.get(name)])), state = { tokens, ...inputs };
    const computed = compute(inputs), label = words(state, computed);
    stepList.replaceChildren(...steps(state, computed).map((step) => h("li", { text: step })));
    titles[1].textContent = `What happened: ${counted(inputs.draws)} ${inputs.draws === 1 ? "word" : "words"}. Above: the fractions of the output words; the box is p. Below, in grey: the control, as many words drawn from p itself.`;
    containers[0].replaceChildren(probabilityChart(state, computed, `Draft, large model and output. ${words({ ...state, draws: 0 }, computed)}`));
    containers[1].replaceChildren(outcomes(state, computed, `Output words: ${kit.listed(tokens.map((word, v) => `${word} ${computed.counts[v]}`))}`));
    figure.setStatus(label);
  });
  return figure.dispose;
}

export default { render, compute };
