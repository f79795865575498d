// A mask, cell by cell: which training pair does it serve? And a table of scores in both layouts.
const { h, s, number, quoted, listed } = kit;

// Scores come with queries as columns. `rows` turns the table, `along` is the softmax's direction.
function compute({ length, scores, rows, softmax_over_rows }) {
  const mask = Array.from({ length }, (_, i) => Array.from({ length }, (_, j) => j <= i));
  const hidden = scores.map((line, i) => line.map((score, j) => (j < i ? -Infinity : score)));
  const scoresShown = rows ? kit.transpose(hidden) : hidden;
  const weights = softmax_over_rows ? scoresShown.map(kit.softmax) : kit.transpose(kit.transpose(scoresShown).map(kit.softmax));
  const byQuery = rows ? weights : kit.transpose(weights);
  return { mask, scores_shown: scoresShown, weights, sums: byQuery.map((line) => line.reduce((a, b) => a + b, 0)) };
}

function describeCell(model) {
  const tokens = model.get("tokens"), row = model.get("row"), column = model.get("column");
  const query = quoted(tokens[row]), key = quoted(tokens[column]), next = quoted(tokens[row + 1]);
  const pair = `Row ${row + 1} is the training pair ${quoted(tokens.slice(0, row + 1).join(" "))} → ${next}.`;
  if (column === row + 1) return `Blocked: ${key} is the token that ${query} must predict. ${pair}`;
  if (column > row) return `Blocked: ${key} comes after the token that ${query} must predict. ${pair}`;
  return `Allowed: ${query} may attend to ${column === row ? "itself" : key}. ${pair}`;
}

function describeTable(model, { sums }) {
  const layout = model.get("rows") ? "A row is a query." : "A column is a query.";
  const direction = model.get("softmax_over_rows") ? "Softmax runs along each row" : "Softmax runs down each column";
  const right = model.get("rows") === model.get("softmax_over_rows");
  const sumsText = listed(sums.map((sum) => number(sum)));
  return `${layout} ${direction}. ${right ? "Right" : "Wrong"}: the weights of the six queries sum to ${sumsText}.`;
}

function grid(model, computed) {
  const tokens = model.get("tokens"), row = model.get("row"), column = model.get("column");
  const [cell, letter] = kit.narrow() ? [17, 7.2] : [24, 8.4], left = 12 + letter * Math.max(...tokens.map((t) => t.length)), top = left;
  const svg = kit.heatmap(computed.mask.map((line) => line.map(Number)), tokens.slice(0, -1), tokens.slice(0, -1),
    { cell, left, top, numbers: false, chosen: row, rotation: kit.narrow() ? 70 : 45, label: "The causal mask: a dark cell is allowed" });
  svg.classList.toggle("ch-fine", kit.narrow());
  svg.querySelectorAll("rect.ch-cell").forEach((box, index) => { box.dataset.column = index % computed.mask.length; });
  svg.append(s("rect", { x: left + column * cell + 1, y: top + row * cell + 1, width: cell - 2, height: cell - 2, rx: 3,
    class: "ch-chosen" }));
  return svg;
}

// The table twice: scores on the left, weights on the right.
function tables(model, computed) {
  const rows = model.get("rows"), size = computed.scores_shown.length;
  const names = (letter) => Array.from({ length: size }, (_, i) => `${letter}${i + 1}`);
  const side = rows ? names("q") : names("k"), above = rows ? names("k") : names("q");
  const headerClass = (isQuery) => (isQuery ? "ch-as-query" : "ch-as-key");
  const table = (title, values) => h("div", { class: "ch-scroll", tabindex: 0, role: "region", "aria-label": title },
    h("table", { class: "ch-table" }, h("caption", { text: title }),
      h("thead", {}, h("tr", {}, h("td", {}), above.map((name) => h("th", { scope: "col", class: headerClass(!rows), text: name })))),
      h("tbody", {}, values.map((line, i) => h("tr", {}, h("th", { scope: "row", class: headerClass(rows), text: side[i] }),
        line.map((value) => h("td", { text: number(value) })))))));
  return h("div", {}, table("Scores", computed.scores_shown), table("Weights", computed.weights));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Mask and training pairs");
  const last = model.get("tokens").length - 2, name = (i) => model.get("tokens")[i];
  figure.choice("view", "Show", ["the mask of a sentence", "a table of scores, in two layouts"]);
  const cellOnly = [["row", "Which token asks?"], ["column", "Which token does it attend to?"]].map(([trait, label]) =>
    figure.slider(trait, { label, min: 0, max: last, step: 1, show: name }).parentElement);
  const tableOnly = [figure.toggle("rows", "queries are rows (otherwise columns)"),
    figure.toggle("softmax_over_rows", "softmax along each row (otherwise down each column)")].map((input) => input.parentElement);
  const stage = h("div", { class: "ch-panel" });
  figure.picture.append(stage);
  stage.addEventListener("click", (event) => {
    if (!event.target.dataset.column) return;
    figure.set("row", Number(event.target.dataset.row));
    figure.set("column", Number(event.target.dataset.column));
  });
  figure.draw(["view", "row", "column", "rows", "softmax_over_rows"], () => {
    const computed = compute({ length: last + 1, scores: model.get("scores"), rows: model.get("rows"), softmax_over_rows: model.get("softmax_over_rows") });
    const inTable = model.get("view") === 1;
    cellOnly.forEach((element) => { element.hidden = inTable; });
    tableOnly.forEach((element) => { element.hidden = !inTable; });
    stage.replaceChildren(inTable ? tables(model, computed) : grid(model, computed));
    figure.setStatus(inTable ? describeTable(model, computed) : describeCell(model));
  });
  return figure.dispose;
}

export default { render, compute };
