// The bug zoo as a game: a layer with one broken piece beside ours, eight tests, four names to choose from.
const { h, s, number, listed, quoted, times, sum, close, BROKEN, examine, passes, shuffled } = kit;
const NONE = -1, CELL = 38, LEFT = 26, TOP = 46, SIDE = 64, FIRST = 9;

function compute({ bug, test, deal, ...inputs }) {
  const theirs = examine(BROKEN[bug], inputs, test), ours = examine({}, inputs, test);
  const plain = (v) => (Array.isArray(v) ? v.map(plain) : Number.isFinite(v) ? v : 0);
  return { ours: ours.A, own: ours.reading, theirs: plain(theirs.A), reading: plain(theirs.reading), right: theirs.right,
    finite: theirs.A.map((head) => head.map((row) => row.map(Number.isFinite))),
    verdicts: times(BROKEN.length, (i) => passes(i, inputs)), order: shuffled(FIRST + deal) };
}

const TRAITS = ["x", "W", "num_heads", "deal", "case", "tests", "test", "head", "answers", "past", "zoo", "asked"];
function play(model, verdicts) {
  const game = Object.fromEntries(TRAITS.map((name) => [name, model.get(name)])), { x, W, num_heads, zoo } = game;
  const bug = shuffled(FIRST + game.deal)[Math.min(game.case, zoo.length - 1)], inputs = { x, W, num_heads };
  const others = shuffled(1000 * (game.deal + 1) + game.case).filter((other) => other !== bug);
  const now = game.answers.length && game.case < zoo.length ? [[Number(game.answers[0] === bug), game.tests.length]] : [];
  return { ...game, bug, verdicts, choices: [bug, ...others.slice(0, 3)].sort((a, b) => a - b), score: [...game.past, ...now],
    ours: examine({}, inputs, game.test), theirs: examine(BROKEN[bug], inputs, game.test) };
}
const over = (game) => game.case === game.zoo.length;
const apart = ({ ours, theirs, head }) => theirs.A[head].map((row, i) => row.map((v, j) => !close(ours.A[head][i][j], v)));

function seen(game) {
  if (game.test !== NONE) {
    const wrong = times(game.x.length, (i) => i).filter((i) => !game.theirs.right.every((head) => head[i])).map((i) => i + 1);
    const where = wrong.length ? `fails at ${wrong.length === 1 ? "token" : "tokens"} ${listed(wrong)}` : "passes";
    return `${quoted(game.asked[game.test][0])} ${where}. ${game.asked[game.test][1]}`;
  }
  const count = sum(apart(game).flat().map(Number)), all = game.x.length ** 2;
  return `With the usual input, head ${game.head}: ${count ? `${count} of ${all} weights differ` : "no weight differs"} from ours.`;
}
function judged({ answers, bug, verdicts, asked, zoo, tests }) {
  if (!answers.length) return "";
  const answer = answers[answers.length - 1], named = quoted(zoo[answer][0]), title = (t) => quoted(asked[t][0]);
  const places = asked.map((_, t) => t);
  if (answer === bug) return `Found: ${named}. ${zoo[answer][3]} Detected by ${listed(places.filter((t) => !verdicts[bug][t]).map(title))}.`;
  const telling = places.filter((t) => verdicts[answer][t] !== verdicts[bug][t]), told = tests.find((t) => telling.includes(t));
  if (!telling.length) return `Not ${named}: no test tells the two apart, but the pictures do.`;
  if (told === undefined) return `Not ${named}. Run ${title(telling[0])}: it tells the two apart.`;
  const [would, here] = verdicts[answer][told] ? ["pass", "fails"] : ["fail", "passes"];
  return `Not ${named}: it would ${would} ${title(told)}, and this layer ${here} it.`;
}
function scoreOf({ score }) {
  const tests = sum(score.map((each) => each[1])), ran = tests === 1 ? "1 test" : `${tests} tests`;
  return score.length ? `Score: ${sum(score.map((each) => each[0]))} of ${score.length} found at the first answer, with ${ran}.` : "No answer yet.";
}
function words(game) {
  if (over(game)) return `The end. ${scoreOf(game)}`;
  return [`Case ${game.case + 1} of ${game.zoo.length}.`, seen(game), judged(game), scoreOf(game)].filter(Boolean).join(" ");
}

// Weights as tinted squares; at the right what the test reads in each row. What is not as in `like` is dashed.
function weights({ A, reading, right }, { head, test, asked, x }, differs, label) {
  const T = x.length, parts = [], y = (i) => TOP + i * CELL, dash = "stroke:var(--ch-wrong);stroke-width:2;stroke-dasharray:4 2";
  const text = (at, up, kind, words, anchor = "middle", style = "") => parts.push(s("text", { x: at, y: up, "text-anchor": anchor, class: kind, style, text: words }));
  const asks = (i) => ({ 0: i < T - 1, 4: i < T - 2, 5: i < T - 1, 6: i === 2 })[test] ?? true, show = (v) => (Number.isFinite(v) ? number(v) : "NaN");
  const names = times(T, (i) => (test === 3 ? T - i : i + 1));   // the order is tested on the tokens backwards
  text(LEFT + (T * CELL) / 2, 14, "ch-small", "looks at");
  names.forEach((name, i) => {
    text(LEFT + (i + 0.5) * CELL, TOP - 8, "ch-key", name);
    text(LEFT - 10, y(i) + CELL / 2 + 5, "ch-query", name);
    A[head][i].forEach((v, j) => {
      parts.push(s("rect", { x: LEFT + j * CELL + 2, y: y(i) + 2, width: CELL - 4, height: CELL - 4, rx: 3, class: "ch-cell",
        "fill-opacity": Number.isFinite(v) ? 0.55 * Math.min(1, v) : 0, style: differs[i][j] ? dash : "" }));
      text(LEFT + (j + 0.5) * CELL, y(i) + CELL / 2 + 5, "ch-in-cell", show(v));
    });
    const wrong = !right[head][i], value = reading[head][i];
    if (test !== NONE) text(LEFT + T * CELL + SIDE - 2, y(i) + CELL / 2 + 5, wrong ? "ch-strong" : "ch-plain",
      wrong ? `✗ ${show(value)}` : asks(i) ? show(value) : "·", "end", wrong ? "fill:var(--ch-wrong)" : "");
  });
  if (test !== NONE) text(LEFT + T * CELL + SIDE - 2, TOP - 8, "ch-small", asked[test][2], "end");
  return kit.drawing(LEFT + T * CELL + SIDE, TOP + T * CELL + 4, label, ...parts);
}
function ending({ past, zoo, asked, verdicts, deal }) {
  const rows = shuffled(FIRST + deal).map((bug, i) => [zoo[bug][0], past[i][0] ? "✓" : "·", past[i][1],
    asked.filter((_, t) => !verdicts[bug][t]).map(([name]) => name).join(", ")]);
  const head = ["bug", "found", "tests run", "detected by"].map((name) => h("th", { scope: "col", text: name }));
  return h("div", { class: "ch-scroll", tabindex: 0, role: "region", "aria-label": "All cases" }, h("table", { class: "ch-table" }, h("thead", {}, h("tr", {}, head)),
    h("tbody", {}, rows.map(([name, ...rest]) => h("tr", {}, h("th", { scope: "row", text: name }), rest.map((each) => h("td", { text: each })))))));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Bug hunt: which piece is broken?"), { set, button } = figure, get = (name) => model.get(name);
  const verdicts = get("zoo").map((_, bug) => passes(bug, { x: get("x"), W: get("W"), num_heads: get("num_heads") }));
  const begin = (changes) => Object.entries({ tests: [], test: NONE, answers: [], ...changes }).forEach(([name, value]) => set(name, value));
  const group = (label, ...children) => h("div", { class: "ch-buttons", style: "margin-top:0.9rem", role: "group", "aria-label": label }, children);
  const run = get("asked").map(([name], t) => button(name, () => {
    if (!get("tests").includes(t)) set("tests", [...get("tests"), t]);
    set("test", get("test") === t ? NONE : t);
  }));
  const choose = times(4, (i) => button("", () => set("answers", [...get("answers"), play(model, verdicts).choices[i]])));
  const next = button("", () => {
    const game = play(model, verdicts), { length } = game.past;
    if (over(game)) return begin({ deal: game.deal + 1, case: 0, past: [] });
    return begin({ past: [...game.past, game.score[length] ?? [0, game.tests.length]], case: game.case + 1 });
  });
  const again = button("Start again", () => begin({ case: 0, past: [] }));
  const tests = group("Eight tests", h("span", { class: "ch-caption", text: "Run a test:" }), run);
  tests.style.marginTop = 0;
  figure.controls.append(tests);
  const heads = figure.choice("head", "Head", times(get("num_heads"), String));
  const [ours, theirs] = times(2, () => h("div", { class: "ch-panel" })), panels = h("div", { class: "ch-panels" }, ours, theirs);
  const answers = group("Which bug is it?", h("span", { class: "ch-caption", text: "Which bug is it?" }), choose);
  const code = h("p", { class: "ch-caption", style: "margin-top:0.6rem" });
  figure.picture.append(panels, answers, code, group("The game", next, again));
  figure.draw(TRAITS, () => {
    const game = play(model, verdicts), done = over(game), solved = game.answers.includes(game.bug);
    [tests, heads, answers].forEach((part) => { part.hidden = done; });
    run.forEach((each, t) => {
      const ran = game.tests.includes(t), good = verdicts[game.bug][t];
      each.textContent = game.asked[t][0] + (ran ? (good ? " ✓" : " ✗ fails") : "");
      each.setAttribute("aria-pressed", t === game.test);
    });
    choose.forEach((each, i) => {
      each.textContent = game.zoo[game.choices[i]][0];
      each.setAttribute("aria-pressed", game.answers.at(-1) === game.choices[i]);
    });
    const caption = (text) => h("p", { class: "ch-caption", text });
    if (done) ours.replaceChildren(ending(game));
    else ours.replaceChildren(caption("Our layer, which passes all eight tests"), weights(game.ours, game, apart(game).map((row) => row.map(() => false)), "Our weights"));
    theirs.replaceChildren(...(done ? [] : [caption(`Case ${game.case + 1}: one piece is broken. Dashed cells differ from ours`), weights(game.theirs, game, apart(game), seen(game))]));
    code.replaceChildren(...(solved && !done ? ["Ours: ", h("code", { text: game.zoo[game.bug][1] }), " Broken: ", h("code", { text: game.zoo[game.bug][2] })] : []));
    next.textContent = done ? "New game" : solved ? "Next case" : "Skip this case";
    figure.say(words(game));
  });
  return figure.stop;
}

export default { render, compute };
