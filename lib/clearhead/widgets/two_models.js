// A real model, recorded: choose a sentence, a token, a head. What the reader types goes to the small model that runs here.
const { h, number, quoted } = kit;
const WEIGHT_STEPS = 250, PROBABILITY_STEPS = 10_000, LENS_WORDS = 3, NEXT_WORDS = 6, PACE = 900;   // steps of the record; words kept; milliseconds a token

function compute({ attention, lens_words, lens_shares, next_shares, blocks, heads, position, selected_head: [block, head] }) {
  const T = next_shares.length / NEXT_WORDS, triangle = (T * (T + 1)) / 2;
  const weight = (b, n, i, j) => (j > i ? 0 : attention[(b * heads + n) * triangle + (i * (i + 1)) / 2 + j] / WEIGHT_STEPS);
  const count = (n, make) => Array.from({ length: n }, (_, i) => make(i));
  const first = (layer) => lens_words[(layer * T + position) * LENS_WORDS];
  let since = blocks;
  while (since > 0 && first(since - 1) === first(blocks)) since -= 1;
  return {
    A: count(T, (i) => count(T, (j) => weight(block, head, i, j))),
    max_weights: count(blocks, (b) => count(heads, (n) => Math.max(0, ...count(position, (j) => weight(b, n, position, j + 1))))),
    lens: count(blocks + 1, (layer) => count(LENS_WORDS, (k) => lens_shares[(layer * T + position) * LENS_WORDS + k] / WEIGHT_STEPS)),
    since, next: count(NEXT_WORDS, (k) => next_shares[position * NEXT_WORDS + k] / PROBABILITY_STEPS),
  };
}

const visible = (token) => token.replaceAll("\n", "↵").replaceAll("\u00a0", "⍽").trim() || "␣";
const strongest = (row) => row.reduce((best, weight, i) => (i > 0 && (best === 0 || weight > row[best]) ? i : best), 0);

function words(tokens, predictions, position, [block, head], { A, since, next, max_weights }) {
  const row = A[position].slice(0, position + 1), best = strongest(row), [one, two] = predictions.map((word) => quoted(visible(word)));
  return `SmolLM2, recorded: after ${quoted(visible(tokens[position]))} it expects ${one}, ${number(next[0])}, or ${two}, ${number(next[1])}. ` +
    `In the logit lens, ${one} takes the lead after ${since} of ${max_weights.length} blocks. ` +
    `Head ${head} of layer ${block} looks most at ${quoted(visible(tokens[best]))}, ${number(row[best])}${position ? " (ignoring the first token)" : ""}.`;
}

// The end of a long sentence.
const shortened = (sentence) => (sentence.length < 30 ? sentence : `… ${sentence.split(" ").slice(-4).join(" ")}`);

// Each sentence with its own part of the record.
function unpackRuns(get) {
  const numbers = (name, Kind) => { const view = get(name); return new Kind(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength)); };
  const kinds = { attention: Uint8Array, lens_words: Uint16Array, lens_shares: Uint8Array, next_words: Uint16Array, next_shares: Uint16Array };
  const all = Object.entries(kinds).map(([name, Kind]) => [name, numbers(name, Kind), 0]);
  return get("runs").map((run) => {
    const T = run.tokens.length, lens = (run.blocks + 1) * T * LENS_WORDS;
    const sizes = { attention: (run.blocks * run.heads * T * (T + 1)) / 2, lens_words: lens, lens_shares: lens, next_words: T * NEXT_WORDS, next_shares: T * NEXT_WORDS };
    const parts = all.map((each) => { const [name, array, start] = each; each[2] += sizes[name]; return [name, array.subarray(start, each[2])]; });
    return { ...run, ...Object.fromEntries(parts) };
  });
}

// A thin row for each block: what the model would predict after it, and how probable that is.
function lensRows(blocks) {
  const cell = (role, name, ...inside) => h("span", { role, class: name }, ...inside);
  const lens = h("div", { class: "ch-lens", role: "table", "aria-label": "The token that would be predicted after each block" },
    h("div", { role: "row", class: "ch-lens-head" }, cell("columnheader", "ch-block-name", "block"),
      cell("columnheader", "", "probability of its best guess"), cell("columnheader", "", "best guess")));
  const rows = Array.from({ length: blocks }, (_, b) => {
    const bar = h("span", { class: "ch-bar" }), word = cell("cell", "ch-block-word");
    lens.append(h("div", { role: "row" }, cell("rowheader", "ch-block-name", String(b)), cell("cell", "ch-track", bar), word));
    return { bar, word };
  });
  return { lens, rows };
}

// A row for each block with its heads as cells.
function headRows(blocks, heads) {
  const grid = h("div", { class: "ch-blocks", role: "grid", "aria-label": "Every head of every block", style: `--heads:${heads}` });
  const cells = Array.from({ length: blocks }, (_, b) => {
    const row = Array.from({ length: heads }, () => h("span", { class: "ch-block-head", role: "gridcell" }));
    grid.append(h("div", { role: "row" }, h("span", { class: "ch-block-name", role: "rowheader", text: b }), row));
    return row;
  });
  return { grid, cells };
}

// Arcs from a token to the tokens that it attends to, as thick as the weights; none where the sentence needs two lines.
function arcs(drawing, tokens, at, row) {
  const middle = ({ offsetLeft, offsetWidth }) => offsetLeft + offsetWidth / 2, currentSentence = tokens.filter(({ hidden }) => !hidden);
  const oneLine = currentSentence.every(({ offsetTop }) => offsetTop === tokens[0].offsetTop), rise = 46;
  drawing.replaceChildren(...!oneLine ? [] : row.slice(1, at).flatMap((weight, i) => {
    const [from, to] = [middle(tokens[at]), middle(tokens[i + 1])];
    if (weight < 0.02) return [];
    const high = rise * Math.min(1, 0.35 + Math.abs(from - to) / 320);
    const arc = kit.s("path", { class: "ch-reach-arc", d: `M${from} ${rise + 8}C${from} ${rise + 8 - high * 1.3} ${to} ${rise + 8 - high * 1.3} ${to} ${rise + 8}`, style: `stroke-width:${1 + 5 * weight};opacity:${0.25 + 0.75 * weight}` });
    return weight < 0.3 ? [arc] : [arc, kit.s("text", { x: (from + to) / 2, y: rise - high - 1, "text-anchor": "middle" }, number(weight))];
  }));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "SmolLM2, recorded"), get = (name) => model.get(name), set = figure.set;
  const runs = unpackRuns(get), vocabulary = get("vocabulary"), ownSentence = runs.length, line = figure.box.querySelector(".ch-line");
  const run = () => runs[get("sentence")], position = () => (get("position") < 0 ? run().prompt - 1 : Math.min(get("position"), run().tokens.length - 1));
  const selected_head = () => (get("selected_head").length ? get("selected_head") : run().look);
  let live = null, playing = null, colours = kit.themeColours(figure.box), hidden = 0;   // hidden: tokens that are still to be written

  figure.box.classList.add("ch-hero", "ch-two-models");
  const sentences = figure.choice("sentence", "Five sentences", runs.map(({ tokens, prompt }) => shortened(tokens.slice(0, prompt).join(""))));
  const typed = h("input", { type: "text", id: kit.unique(), autocomplete: "off", spellcheck: "false", placeholder: "Once upon a time" });
  const chatLink = get("chat_page") && h("a", { href: get("chat_page"), text: "Talk to SmolLM2 itself (98 MB)" });
  const other = h("div", { class: "ch-control ch-field" }, h("label", { for: typed.id, text: "Or your own text" }), typed);
  const note = h("p", { class: "ch-caption ch-links" }, "Your own text is completed by a small model, which runs in this page. ", chatLink || null);
  figure.controls.append(other, note);

  const text = h("p", { class: "ch-run", role: "toolbar", "aria-label": "Tokens" });
  const play = h("button", { type: "button", class: "ch-button", text: "Generate the next tokens" });
  const { lens, rows } = lensRows(runs[0].blocks), { grid, cells } = headRows(runs[0].blocks, runs[0].heads), caption = h("p", { class: "ch-caption" });
  const arch = kit.s("svg", { class: "ch-reach", "aria-hidden": "true" }), slot = h("span", { class: "ch-slot", "aria-hidden": "true" });
  const map = h("canvas", { class: "ch-head-map", "aria-hidden": "true" }), next = h("div", {});
  figure.picture.append(h("div", { class: "ch-run-row" }, h("div", { class: "ch-arched" }, arch, text), play), lens);
  const recorded = h("div", {},
    h("p", { class: "ch-caption" }, h("b", { text: "SmolLM2 (134,515,008 parameters), recorded." }), " Choose a token of the sentence. The tinted tokens are those that the chosen head attends to; the underlined ones were generated by the model."),
    h("div", { class: "ch-sides" },
      h("div", {}, h("p", { class: "ch-caption", text: "One row for each of its 30 blocks, with its nine heads: the stronger the colour, the more a head attends to a token other than the first. Choose one." }), grid),
      h("div", {}, h("p", { class: "ch-caption", text: "The next token that it expects" }), next, caption, map)));
  const more = h("details", { class: "ch-every-head" }, h("summary", { text: "Four more sentences, and all 270 heads" }), sentences, recorded);
  figure.picture.after(figure.controls);
  figure.footer.before(more);
  const below = el.appendChild(h("div", { hidden: true }));

  let tokens = [], currentSentence = null, reachToken;
  function layOutTokens() {   // the tokens of another sentence
    if (currentSentence === run()) return;
    currentSentence = run();
    tokens = currentSentence.tokens.map((token, i) => h("span", { class: `ch-token${i >= currentSentence.prompt ? " ch-generated" : ""}`, role: "button", text: token.replaceAll("\n", "↵") }));
    text.replaceChildren(...tokens, slot);
    hidden = position() < currentSentence.prompt ? currentSentence.tokens.length - currentSentence.prompt : 0;   // written when the reader asks for it
  }
  const tokenRow = { rows: [[]], setTabStop: null };
  const setHeadTabStop = kit.roving(grid, cells, (block, head) => set("selected_head", [block, head]));
  tokenRow.setTabStop = kit.roving(text, tokenRow.rows, (_, i) => { stopPlaying(); set("position", i); });

  function stopPlaying() {   // what is being written is there at once
    if (playing) hidden = 0;
    clearTimeout(playing);
    playing = null;
  }
  function step() {
    hidden -= 1;
    set("position", run().tokens.length - hidden - 1);
    playing = hidden > 0 ? setTimeout(step, PACE) : null;
  }
  play.addEventListener("click", () => {
    stopPlaying();
    hidden = run().tokens.length - run().prompt;
    set("position", -1);
    paint();
    playing = setTimeout(step, PACE);
  });

  function paintRows(computed, at) {
    const [block, head] = selected_head(), T = run().tokens.length;
    const predictionAfter = (layer) => visible(vocabulary[run().lens_words[(layer * T + at) * LENS_WORDS]]);
    rows.forEach(({ bar, word }, b) => {
      cells[b].forEach((cell, n) => {
        cell.style.setProperty("--attention", computed.max_weights[b][n].toFixed(3));
        cell.setAttribute("aria-selected", String(b === block && n === head));
        cell.setAttribute("aria-label", `Layer ${b}, head ${n}: ${number(computed.max_weights[b][n])}`);
      });
      bar.classList.toggle("ch-faint", b + 1 < computed.since);
      bar.style.width = `${100 * computed.lens[b + 1][0]}%`;
      word.textContent = predictionAfter(b + 1).replace(/^␣$/, "(space)");
      word.classList.toggle("ch-final", b + 1 >= computed.since);
    });
    setHeadTabStop(block, head);
  }
  function paint() {
    const isOwnText = get("sentence") >= ownSentence;
    for (const part of [figure.picture, line, other, recorded]) part.hidden = isOwnText;
    below.hidden = !isOwnText;
    if (isOwnText) { stopPlaying(); more.open = true; begin(); return; }
    layOutTokens();
    if (position() >= run().prompt && !playing) hidden = 0;
    tokenRow.rows[0] = tokens;
    const at = position(), [block, head] = selected_head(), computed = compute({ ...run(), position: at, selected_head: [block, head] });
    const predictions = [...run().next_words.subarray(at * NEXT_WORDS, (at + 1) * NEXT_WORDS)].map((i) => vocabulary[i]);
    tokens.forEach((token, i) => {
      token.style.setProperty("--attention", computed.A[at][i].toFixed(3));
      token.hidden = i >= tokens.length - hidden;
      token.setAttribute("aria-pressed", String(i === at));
      token.setAttribute("aria-label", `${visible(run().tokens[i])}${i <= at ? `, attention weight ${number(computed.A[at][i])}` : ""}`);
    });
    slot.hidden = !hidden;
    tokenRow.setTabStop(0, at);
    arcs(arch, tokens, at, computed.A[at]);
    paintRows(computed, at);
    next.replaceChildren(kit.bars(predictions.map(visible), computed.next));
    caption.textContent = `Head ${head} of layer ${block}: one row per token, one column per token that it may attend to.`;
    kit.paintTriangle(map, Math.min(200, 14 * tokens.length), computed.A, 0, at, colours);
    figure.setStatus(words(run().tokens, predictions, at, [block, head], computed));
  }
  // In a page of the book the weights of the small model come when they are first wanted; in Jupyter they are there.
  const loadingNote = h("p", { class: "ch-caption", role: "status" });
  note.after(loadingNote);
  function withWeights(then) {
    const loading = live ? undefined : model.loadLazy?.();
    if (!loading) return then();
    loadingNote.textContent = "The small model is loading.";
    loading.then(() => { loadingNote.textContent = ""; then(); }, (error) => {
      loadingNote.textContent = `The small model could not be loaded: ${error.message}. Type again to try again.`;
      if (get("sentence") >= ownSentence) set("sentence", 0);
    });
  }
  function begin() {
    withWeights(() => { if (get("sentence") >= ownSentence) live ??= kit.inside.render({ model, el: below }); });
  }
  typed.addEventListener("focus", () => model.loadLazy?.()?.catch(() => {}));   // a failure is reported when the model is needed
  typed.addEventListener("input", () => withWeights(() => {
    if (!typed.value) return;
    set("text", typed.value);
    typed.value = "";
    set("sentence", ownSentence);
    const field = below.querySelector("input[type=text]");
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  }));
  const updateChatLink = () => { if (chatLink) chatLink.href = `${get("chat_page")}#${new URLSearchParams({ text: get("sentence") < ownSentence ? run().tokens.slice(0, run().prompt).join("") : get("text") })}`; };
  figure.on("sentence", () => { stopPlaying(); set("position", -1); set("selected_head", []); });
  figure.draw(["sentence", "position", "selected_head"], paint);
  figure.onResize(text, paint);
  document.fonts?.ready.then(paint);
  for (const trait of ["sentence", "text"]) figure.on(trait, updateChatLink);
  updateChatLink();
  const themeObserver = new MutationObserver(() => { colours = kit.themeColours(figure.box); paint(); });
  for (const part of [document.documentElement, document.body]) themeObserver.observe(part, { attributes: true, attributeFilter: ["data-theme", "data-jp-theme-light"] });
  return () => { stopPlaying(); live?.(); themeObserver.disconnect(); figure.dispose(); };
}

export default { render, compute };
