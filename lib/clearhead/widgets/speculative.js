// Speculative decoding, step by step: a draft model proposes a word, and the large model accepts or replaces it.
const { h, s, number, counted, quoted } = kit;
const TRAITS = ["p", "q", "skill", "rule", "draws", "seed"];
const RULES = ["min(1, p / q), otherwise from the residual distribution", "1 (always)", "min(1, p / q), otherwise from p"];
const EXACT = 0, ALWAYS = 1, MOST = 20000, NOTHING = 1e-12;
const sum = (values) => values.reduce((a, b) => a + b, 0);

// The word whose part of the line from 0 to 1 the random number falls into.
function drawn(ends, dice) {
  const at = ends.findIndex((end) => end > dice * ends[ends.length - 1]);
  return at < 0 ? ends.length - 1 : at;
}
const endsOf = (row) => { let total = 0; return row.map((x) => (total += x)); };

function compute({ p, q, skill, rule, draws, seed }) {
  const draft = q.map((x, v) => (1 - skill) * x + skill * p[v]);
  const kept = rule === ALWAYS ? draft : draft.map((x, v) => Math.min(x, p[v]));
  const rejected = Math.max(1 - sum(kept), 0);
  const left = p.map((x, v) => (rule === EXACT ? x - kept[v] : rule === ALWAYS ? 0 : x)).map((x) => (rejected > NOTHING && x > NOTHING ? x : 0));
  const rest = left.map((x) => x / (sum(left) || 1)), said = kept.map((x, v) => x + rejected * rest[v]);
  const counts = p.map(() => 0), control = p.map(() => 0), ends = [draft, rest, p].map(endsOf);
  const dice = kit.normals(seed, 4 * draws).map((z) => (((1000 * z) % 1) + 1) % 1);
  let accepted = 0, last = [-1, -1, 0, 0];
  for (let i = 0; i < 4 * draws; i += 4) {
    const drafted = drawn(ends[0], dice[i]), place = dice[i + 1] * draft[drafted], keeps = place < kept[drafted];
    const word = keeps ? drafted : drawn(ends[1], dice[i + 2]);
    accepted += keeps;
    counts[word] += 1;
    control[drawn(ends[2], dice[i + 3])] += 1;
    last = [drafted, word, place, keeps ? place : kept[word] + rejected * (dice[i + 2] - sum(rest.slice(0, word)))];
  }
  const share = (row) => row.map((n) => n / Math.max(draws, 1));
  const off = [said, share(counts), share(control)].map((row) => sum(row.map((x, v) => Math.abs(x - p[v]))) / 2);
  return { draft, kept, rest, said, accepted, counts, control, off, last };
}

function words({ tokens, draws }, { kept, rest, off, accepted, last: [drafted, word, place] }) {
  const instead = tokens.map((name, v) => [name, rest[v]]).filter(([, x]) => x).map(([name, x]) => `${quoted(name)} ${number(x)}`);
  const end = place < kept[drafted] ? "accepted" : `rejected; ${quoted(tokens[word])} replaces it`;
  const told = `Word ${counted(draws)}: ${quoted(tokens[drafted])} is drafted and ${end}. Accepted so far: ${counted(accepted)} of ${counted(draws)}. ` +
    `Total variation distance between the output words and p: ${number(off[1], 3)}; for as many words drawn from p itself: ${number(off[2], 3)}. `;
  return `${draws ? told : ""}This rule accepts a drafted word with probability ${number(sum(kept))}` +
    (instead.length ? `, and replaces a rejected one by ${kit.listed(instead)}. ` : ". ") +
    `Total variation distance between its output and p: ${number(off[0])}.`;
}

// The three steps of the last word.
function steps({ tokens, draws, p, rule }, { draft, kept, last: [drafted, word, place] }) {
  if (draws === 0) return ["The draft model proposes a word.", "A random number falls somewhere on the bar of this word.", "If it falls on the solid part, the word is accepted; otherwise another word replaces it."];
  const at = `${number(place, 3)} on the bar of ${number(draft[drafted], 3)}`, keeps = place < kept[drafted];
  const line = rule === ALWAYS ? "which this rule ignores" : `${keeps ? "below" : "above"} p = ${number(p[drafted], 3)}`;
  return [`The draft model proposes ${quoted(tokens[drafted])}.`, `The random number falls at ${at}, ${line}: ${keeps ? "accepted" : "rejected"}.`,
    `Output: ${quoted(tokens[word])}${keeps ? "" : rule === EXACT ? ", from the residual distribution" : ", from p"}.`];
}

// ---- Drawing: each word has two bars; the lower one is in a box as long as p -------------------------
const WIDE = 318, LEFT = 54, RIGHT = 56, ROW = 44, BAR = 15;
const box = (x, y, width, more) => s("rect", { x, y, width: Math.max(width, 0), height: BAR, ...more });
const text = (x, y, kind, words, anchor = "start") => s("text", { x, y: y + BAR - 3, "text-anchor": anchor, class: kind, text: words });
const SOLID = { class: "ch-weight", "fill-opacity": 0.8 }, INSTEAD = { class: "ch-key", "fill-opacity": 0.85 };
const REJECTED = { class: "ch-weight ch-stroke", "stroke-dasharray": "3 3", style: "fill:none;stroke-width:1.5" };
const BOX = { class: "ch-plain ch-stroke", style: "fill:none;stroke:var(--ch-ink);stroke-width:1.5" };

function drawing(tokens, most, label, rows, more = () => []) {
  const along = (x) => ((WIDE - LEFT - RIGHT) * x) / most, top = (v) => 4 + v * ROW;
  return kit.drawing(WIDE, 4 + ROW * tokens.length, label,
    tokens.map((word, v) => [text(LEFT - 6, top(v) + BAR / 2 + 2, "ch-plain", word, "end"), rows(v, top(v), along)]), more(along, top));
}

function chances({ tokens, p }, { draft, kept, said, last: [drafted, word, place, moved] }, label) {
  const most = Math.max(...p, ...draft, ...said);
  return drawing(tokens, most, label, (v, y, along) => {
    const low = y + BAR + 3, longest = Math.max(p[v], said[v]);
    return [box(LEFT, y, along(kept[v]), SOLID), box(LEFT + along(kept[v]), y, along(draft[v] - kept[v]), REJECTED),
      text(LEFT + along(draft[v]) + 6, y, "ch-small", `q ${number(draft[v])}`),
      box(LEFT, low, along(kept[v]), SOLID), box(LEFT + along(kept[v]), low, along(said[v] - kept[v]), INSTEAD), box(LEFT, low, along(p[v]), BOX),
      text(LEFT + along(longest) + 6, low, "ch-small", `p ${number(p[v])}`)];
  }, (along, top) => {
    if (drafted < 0) return [];
    const from = [LEFT + along(place), top(drafted) + BAR / 2], to = [LEFT + along(moved), top(word) + BAR * 1.5 + 3];
    const dot = ([cx, cy]) => s("circle", { cx, cy, r: 6, class: "ch-query", style: "stroke:var(--ch-ground);stroke-width:2" });
    return [s("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1], class: "ch-query ch-stroke" }), dot(from), dot(to)];
  });
}

function outcomes({ tokens, p, draws }, { counts, control }, label) {
  const [shares, fair] = [counts, control].map((row) => row.map((n) => n / Math.max(draws, 1)));
  return drawing(tokens, Math.max(...p, ...shares, ...fair), label, (v, y, along) => {
    const low = y + BAR + 3;
    return [box(LEFT, y, along(shares[v]), SOLID), box(LEFT, y, along(p[v]), BOX),
      text(LEFT + along(Math.max(p[v], shares[v])) + 6, y, "ch-small", draws ? number(shares[v], 3) : `p ${number(p[v])}`),
      box(LEFT, low, along(fair[v]), { class: "ch-plain", "fill-opacity": 0.35 }), text(LEFT + along(fair[v]) + 6, low, "ch-small", draws ? number(fair[v], 3) : "")];
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
  const told = h("ol", {}), titles = [h("p", { class: "ch-caption" }), h("p", { class: "ch-caption" })], places = [h("div", {}), h("div", {})];
  figure.picture.append(told, h("div", { class: "ch-panels" }, titles.map((title, i) => h("div", { class: "ch-panel" }, title, places[i]))));
  titles[0].textContent = "What can happen. Above: the draft q, solid where it is accepted and dashed where it is rejected. Below: the output, with the replacements in orange. The box is p.";
  figure.draw(TRAITS, () => {
    const inputs = Object.fromEntries(TRAITS.map((name) => [name, model.get(name)])), state = { tokens, ...inputs };
    const found = compute(inputs), label = words(state, found);
    told.replaceChildren(...steps(state, found).map((step) => h("li", { text: step })));
    titles[1].textContent = `What happened: ${counted(inputs.draws)} ${inputs.draws === 1 ? "word" : "words"}. Above: the fractions of the output words; the box is p. Below, in grey: the control, as many words drawn from p itself.`;
    places[0].replaceChildren(chances(state, found, `Draft, large model and output. ${words({ ...state, draws: 0 }, found)}`));
    places[1].replaceChildren(outcomes(state, found, `Output words: ${kit.listed(tokens.map((word, v) => `${word} ${found.counts[v]}`))}`));
    figure.say(label);
  });
  return figure.stop;
}

export default { render, compute };
