// One row of attention: choose which token asks, and see every number from its scores to its new vector.
const { h, number, quoted } = kit;
const STEPS = ["compare", "scale", "weigh", "mix"], COMPARE = 0, SCALE = 1, SOFTMAX = 2, MIX = 3;
const PACE = 2500; // milliseconds per step, while it plays

const compute = ({ Q, K, V, causal }) => kit.attention(Q, K, V, causal);

function words(model, { scores, scaled, weights, Z }) {
  const tokens = model.get("tokens"), row = model.get("row"), d = model.get("K")[0].length;
  const each = (table) => kit.listed(tokens.map((token, j) => `${quoted(token)} ${number(table[row][j])}`));
  return [
    () => `Compare: the dot products of the query of ${quoted(tokens[row])} with the keys are ${each(scores)}.`,
    () => `Scale: divided by the square root of ${d}, they are ${each(scaled)}.`,
    () => `Weigh: the softmax turns them into the weights ${each(weights)}, which sum to 1.`,
    () => `${quoted(tokens[row])} looks at ${each(weights)}. Its new vector is ${kit.vector(Z[row])}.`,
  ][model.get("step")]();
}

// The steps of one row as a table: a line for each token that is looked at, and the sum below.
function steps(model, computed) {
  const row = model.get("row"), V = model.get("V"), d = model.get("K")[0].length, step = model.get("step");
  const style = "padding-inline: 0.08rem"; // narrow columns: the table fits a phone
  const later = "visibility: hidden", now = "background: color-mix(in srgb, var(--ch-weight) 14%, transparent)";
  const cell = (text, at, kind) => h("td", { class: kind, text,
    style: `${style}; ${at > step ? later : at === step && step < MIX ? now : ""}` });
  const cells = (vector, kind) => vector.map((v) => cell(number(v), MIX, kind));
  const head = ["looks at", "q · k", `÷ √${d}`, "weight"].map((text, i) =>
    h("th", { scope: "col", style: i > 0 && style, class: i === 3 ? "ch-as-weight" : null, text }));
  head.push(h("th", { scope: "colgroup", colspan: V[0].length, class: "ch-as-value", style, text: "weight × value" }));
  const lines = model.get("tokens").map((token, j) => {
    const weight = computed.weights[row][j];
    return h("tr", {}, h("th", { scope: "row", class: "ch-as-key", text: token }),
      cell(number(computed.scores[row][j]), COMPARE), cell(number(computed.scaled[row][j]), SCALE),
      cell(number(weight), SOFTMAX, "ch-as-weight"),
      cells(V[j].map((v) => weight * v), "ch-as-value"));
  });
  const total = computed.weights[row].reduce((a, b) => a + b, 0);
  return h("table", { class: "ch-table" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, lines),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row", text: "sum" }), cell("", COMPARE), cell("", SCALE), cell(number(total), SOFTMAX),
      cells(computed.Z[row]))));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "One row of attention");
  figure.choice("row", "Which token asks?", model.get("tokens"));
  figure.toggle("causal", "causal: attend only to itself and to earlier tokens");
  figure.slider("step", { label: "step", min: COMPARE, max: MIX, step: 1, show: (step) => STEPS[step] });
  let playing;
  const pause = () => { clearInterval(playing); playing = undefined; play.textContent = "Play the four steps"; };
  const on = () => {
    figure.set("step", Math.min(model.get("step") + 1, MIX));
    if (model.get("step") === MIX) pause();
  };
  const play = figure.button("Play the four steps", () => {
    if (playing) return pause();
    if (model.get("step") === MIX) figure.set("step", COMPARE);
    playing = setInterval(on, PACE);
    play.textContent = "Pause";
  });
  const map = h("div", { class: "ch-panel" }), query = h("p", { class: "ch-caption" });
  const table = h("div", { class: "ch-scroll", tabindex: 0, role: "region", "aria-label": "The steps of this row" });
  // The table is below the map where there is no room for it next to the map.
  const panel = h("div", { class: "ch-panel", style: "flex-basis: 27rem" }, query, table);
  figure.picture.append(h("div", { class: "ch-side-by-side" }, map, panel));
  // A click on a row of the matrix chooses it; the radio buttons do the same from the keyboard.
  map.addEventListener("click", (event) => {
    if (event.target.dataset.row) figure.set("row", Number(event.target.dataset.row));
  });
  figure.draw(["tokens", "Q", "K", "V", "row", "causal", "step"], () => {
    const computed = compute(Object.fromEntries(["Q", "K", "V", "causal"].map((name) => [name, model.get(name)])));
    const tokens = model.get("tokens"), row = model.get("row"), longest = Math.max(...tokens.map((t) => t.length));
    const label = words(model, computed);
    map.replaceChildren(kit.heatmap(computed.weights, tokens, tokens, { chosen: row, label, cell: tokens.length > 6 ? 36 : 42,
      left: 16 + 8 * longest, top: 18 + 6 * longest, numbers: tokens.length <= 8 }));
    query.textContent = `Query of ${quoted(tokens[row])}: ${kit.vector(model.get("Q")[row])}`;
    table.replaceChildren(steps(model, computed));
    figure.setStatus(label);
  });
  return () => { clearInterval(playing); figure.dispose(); };
}

export default { render, compute };
