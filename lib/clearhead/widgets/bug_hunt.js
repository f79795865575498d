// The bug zoo as a game: a layer with one broken piece beside ours, eight tests, four names to choose from.
const { h, s, number, listed, quoted, range, sum, close, BROKEN, examine, passes, shuffled } = kit;
const NONE = -1, CELL = 38, LEFT = 26, TOP = 46, SIDE = 64, FIRST = 9;

function compute({ bug, test, round, ...inputs }) {
  const broken = examine(BROKEN[bug], inputs, test), correct = examine({}, inputs, test);
  const plain = (v) => (Array.isArray(v) ? v.map(plain) : Number.isFinite(v) ? v : 0);
  return { correct: correct.A, correct_reading: correct.reading, broken: plain(broken.A), reading: plain(broken.reading), right: broken.right,
    finite: broken.A.map((head) => head.map((row) => row.map(Number.isFinite))),
    verdicts: range(BROKEN.length, (i) => passes(i, inputs)), order: shuffled(FIRST + round) };
}

const TRAITS = ["x", "W", "num_heads", "round", "case", "tests", "test", "head", "answers", "history", "bugs", "test_texts"];
function gameState(model, verdicts) {
  const game = Object.fromEntries(TRAITS.map((name) => [name, model.get(name)])), { x, W, num_heads, bugs } = game;
  const bug = shuffled(FIRST + game.round)[Math.min(game.case, bugs.length - 1)], inputs = { x, W, num_heads };
  const otherBugs = shuffled(1000 * (game.round + 1) + game.case).filter((other) => other !== bug);
  const now = game.answers.length && game.case < bugs.length ? [[Number(game.answers[0] === bug), game.tests.length]] : [];
  return { ...game, bug, verdicts, choices: [bug, ...otherBugs.slice(0, 3)].sort((a, b) => a - b), score: [...game.history, ...now],
    correct: examine({}, inputs, game.test), broken: examine(BROKEN[bug], inputs, game.test) };
}
const isOver = (game) => game.case === game.bugs.length;
const differences = ({ correct, broken, head }) => broken.A[head].map((row, i) => row.map((v, j) => !close(correct.A[head][i][j], v)));

function describeTest(game) {
  if (game.test !== NONE) {
    const wrong = range(game.x.length, (i) => i).filter((i) => !game.broken.right.every((head) => head[i])).map((i) => i + 1);
    const result = wrong.length ? `fails at ${wrong.length === 1 ? "token" : "tokens"} ${listed(wrong)}` : "passes";
    return `${quoted(game.test_texts[game.test][0])} ${result}. ${game.test_texts[game.test][1]}`;
  }
  const count = sum(differences(game).flat().map(Number)), all = game.x.length ** 2;
  return `With the usual input, head ${game.head}: ${count ? `${count} of ${all} weights differ` : "no weight differs"} from ours.`;
}
function describeAnswer({ answers, bug, verdicts, test_texts, bugs, tests }) {
  if (!answers.length) return "";
  const answer = answers[answers.length - 1], named = quoted(bugs[answer][0]), titleOf = (t) => quoted(test_texts[t][0]);
  const testIndices = test_texts.map((_, t) => t);
  if (answer === bug) return `Found: ${named}. ${bugs[answer][3]} Detected by ${listed(testIndices.filter((t) => !verdicts[bug][t]).map(titleOf))}.`;
  const distinguishing = testIndices.filter((t) => verdicts[answer][t] !== verdicts[bug][t]), ranDistinguishing = tests.find((t) => distinguishing.includes(t));
  if (!distinguishing.length) return `Not ${named}: no test tells the two apart, but the pictures do.`;
  if (ranDistinguishing === undefined) return `Not ${named}. Run ${titleOf(distinguishing[0])}: it tells the two apart.`;
  const [expectedResult, actualResult] = verdicts[answer][ranDistinguishing] ? ["pass", "fails"] : ["fail", "passes"];
  return `Not ${named}: it would ${expectedResult} ${titleOf(ranDistinguishing)}, and this layer ${actualResult} it.`;
}
function describeScore({ score }) {
  const tests = sum(score.map((each) => each[1])), ran = tests === 1 ? "1 test" : `${tests} tests`;
  return score.length ? `Score: ${sum(score.map((each) => each[0]))} of ${score.length} found at the first answer, with ${ran}.` : "No answer yet.";
}
function words(game) {
  if (isOver(game)) return `The end. ${describeScore(game)}`;
  return [`Case ${game.case + 1} of ${game.bugs.length}.`, describeTest(game), describeAnswer(game), describeScore(game)].filter(Boolean).join(" ");
}

// Weights as tinted squares; at the right what the test reads in each row. What is not as in `like` is dashed.
function weights({ A, reading, right }, { head, test, test_texts, x }, differs, label) {
  const T = x.length, parts = [], y = (i) => TOP + i * CELL, dash = "stroke:var(--ch-wrong);stroke-width:2;stroke-dasharray:4 2";
  const text = (at, up, kind, words, anchor = "middle", style = "") => parts.push(s("text", { x: at, y: up, "text-anchor": anchor, class: kind, style, text: words }));
  const isTested = (i) => ({ 0: i < T - 1, 4: i < T - 2, 5: i < T - 1, 6: i === 2 })[test] ?? true, show = (v) => (Number.isFinite(v) ? number(v) : "NaN");
  const names = range(T, (i) => (test === 3 ? T - i : i + 1));   // the order is tested on the tokens backwards
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
      wrong ? `✗ ${show(value)}` : isTested(i) ? show(value) : "·", "end", wrong ? "fill:var(--ch-wrong)" : "");
  });
  if (test !== NONE) text(LEFT + T * CELL + SIDE - 2, TOP - 8, "ch-small", test_texts[test][2], "end");
  return kit.drawing(LEFT + T * CELL + SIDE, TOP + T * CELL + 4, label, ...parts);
}
function summaryTable({ history, bugs, test_texts, verdicts, round }) {
  const rows = shuffled(FIRST + round).map((bug, i) => [bugs[bug][0], history[i][0] ? "✓" : "·", history[i][1],
    test_texts.filter((_, t) => !verdicts[bug][t]).map(([name]) => name).join(", ")]);
  const head = ["bug", "found", "tests run", "detected by"].map((name) => h("th", { scope: "col", text: name }));
  return h("div", { class: "ch-scroll", tabindex: 0, role: "region", "aria-label": "All cases" }, h("table", { class: "ch-table" }, h("thead", {}, h("tr", {}, head)),
    h("tbody", {}, rows.map(([name, ...rest]) => h("tr", {}, h("th", { scope: "row", text: name }), rest.map((each) => h("td", { text: each })))))));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Bug hunt: which piece is broken?"), { set, button } = figure, get = (name) => model.get(name);
  const verdicts = get("bugs").map((_, bug) => passes(bug, { x: get("x"), W: get("W"), num_heads: get("num_heads") }));
  const update = (changes) => Object.entries({ tests: [], test: NONE, answers: [], ...changes }).forEach(([name, value]) => set(name, value));
  const group = (label, ...children) => h("div", { class: "ch-buttons", style: "margin-top:0.9rem", role: "group", "aria-label": label }, children);
  const run = get("test_texts").map(([name], t) => button(name, () => {
    if (!get("tests").includes(t)) set("tests", [...get("tests"), t]);
    set("test", get("test") === t ? NONE : t);
  }));
  const choose = range(4, (i) => button("", () => set("answers", [...get("answers"), gameState(model, verdicts).choices[i]])));
  const next = button("", () => {
    const game = gameState(model, verdicts), { length } = game.history;
    if (isOver(game)) return update({ round: game.round + 1, case: 0, history: [] });
    return update({ history: [...game.history, game.score[length] ?? [0, game.tests.length]], case: game.case + 1 });
  });
  const restartButton = button("Start again", () => update({ case: 0, history: [] }));
  const tests = group("Eight tests", h("span", { class: "ch-caption", text: "Run a test:" }), run);
  tests.style.marginTop = 0;
  figure.controls.append(tests);
  const heads = figure.choice("head", "Head", range(get("num_heads"), String));
  const [correct, broken] = range(2, () => h("div", { class: "ch-panel" })), panels = h("div", { class: "ch-panels" }, correct, broken);
  const answers = group("Which bug is it?", h("span", { class: "ch-caption", text: "Which bug is it?" }), choose);
  const code = h("p", { class: "ch-caption", style: "margin-top:0.6rem" });
  figure.picture.append(panels, answers, code, group("The game", next, restartButton));
  figure.draw(TRAITS, () => {
    const game = gameState(model, verdicts), done = isOver(game), solved = game.answers.includes(game.bug);
    [tests, heads, answers].forEach((part) => { part.hidden = done; });
    run.forEach((each, t) => {
      const ran = game.tests.includes(t), passed = verdicts[game.bug][t];
      each.textContent = game.test_texts[t][0] + (ran ? (passed ? " ✓" : " ✗ fails") : "");
      each.setAttribute("aria-pressed", t === game.test);
    });
    choose.forEach((each, i) => {
      each.textContent = game.bugs[game.choices[i]][0];
      each.setAttribute("aria-pressed", game.answers.at(-1) === game.choices[i]);
    });
    const caption = (text) => h("p", { class: "ch-caption", text });
    if (done) correct.replaceChildren(summaryTable(game));
    else correct.replaceChildren(caption("Our layer, which passes all eight tests"), weights(game.correct, game, differences(game).map((row) => row.map(() => false)), "Our weights"));
    broken.replaceChildren(...(done ? [] : [caption(`Case ${game.case + 1}: one piece is broken. Dashed cells differ from ours`), weights(game.broken, game, differences(game), describeTest(game))]));
    code.replaceChildren(...(solved && !done ? ["Ours: ", h("code", { text: game.bugs[game.bug][1] }), " Broken: ", h("code", { text: game.bugs[game.bug][2] })] : []));
    next.textContent = done ? "New game" : solved ? "Next case" : "Skip this case";
    figure.setStatus(words(game));
  });
  return figure.dispose;
}

export default { render, compute };
