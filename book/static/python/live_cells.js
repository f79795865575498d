// Each code cell of the page that Python can run: an exercise with Check, Hint and Start again, or a cell with Run.
(self.clearheadParts ??= {}).liveCells = (settings) => {
  "use strict";
  const { storage, megabytes } = settings;
  const { editor } = self.clearheadParts;
  const clearhead = window.clearhead;
  const NOT_LOADED = `Python loads at the first run (${megabytes} MB)`;
  const SAVE_DELAY = 300, CHECK_LIMIT = 60;   // milliseconds, seconds
  const HELP = "Shift+Enter runs the code. Press Escape and then Tab to leave the editor.";
  const liveCells = [], executed = new Map(), checked = new Map();   // cell id -> the text that this Python has run, has checked
  let active = null, count = 0;

  function make(name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  }

  const button = (words, onClick) => {
    const element = make("button", { type: "button", textContent: words });
    element.addEventListener("click", onClick);
    return element;
  };

  class LiveCell {
    constructor(element) {
      const { cell, hash, part, exercise, needs, name } = element.dataset;
      Object.assign(this, { element, cell, hash, part, exercise, needs, name, number: count++ });
      this.block = element.querySelector(".cell_input > div, [class*=highlight-]");
      const displayed = this.block.querySelector("pre").textContent;   // a chapter folds a part of some cells
      this.original = (element.dataset.source ?? displayed).replace(/\n$/, "");
      this.source = this.original;
      this.record = storage.read(cell);
      if (part === "check") return;
      if (needs && part === "plain") return this.markAsRecorded();
      this.build();
      if (this.record && this.record.text !== this.original) this.open(this.record.text);
      if (!this.jupyterOnly && !liveCells.some((liveCell) => liveCell.runButton && !liveCell.jupyterOnly)) this.setStatus(NOT_LOADED);   // once a page
      this.updateNotes();
    }

    get isAnswer() { return this.part === "answer"; }
    get changed() { return this.source !== this.original; }

    build() {
      const heading = this.exercise && this.element.closest("section")?.querySelector("h1, h2, h3");
      const label = heading?.textContent.replace(/#$/, "") ?? this.exercise ?? `cell ${this.number + 1}`;
      this.runButton = button(this.isAnswer ? "Check" : "Run", () => this.activate());
      this.runButton.className = "ch-run-button";
      this.runButton.title = "Shift+Enter";
      this.editButton = button("Edit", () => this.open().then(() => this.editor.focus()));
      this.resetButton = button(this.isAnswer ? "Start again" : "Book's version", () => this.restart());
      this.status = make("span", { className: "ch-status" });
      this.bar = make("div", { className: this.isAnswer ? "ch-tools" : "ch-tools ch-corner" }, this.runButton, this.editButton);
      this.bar.setAttribute("role", "group");
      this.bar.setAttribute("aria-label", label);
      if (this.isAnswer) this.bar.append(button("Hint", () => this.hint()));
      this.progress = make("progress", { hidden: true });
      this.progress.setAttribute("aria-label", "Python is loading");
      // In a chapter the buttons are in the corner of the code, and their messages below it.
      const messageBar = this.isAnswer ? this.bar : make("div", { className: "ch-tools ch-messages" });
      messageBar.append(this.resetButton, this.progress, this.status);
      this.result = make("div", { className: "ch-result" });
      this.result.setAttribute("role", "status");
      this.notes = make("div", { className: "ch-notes" });
      this.help = make("p", { className: "ch-help", id: `ch-help-${this.number}`, textContent: HELP });
      this.element.append(this.bar, ...(messageBar === this.bar ? [] : [messageBar]), this.help, this.result, this.notes);
      this.help.hidden = true;
      if (this.isAnswer && this.needs) this.markAsJupyterOnly();
      this.element.addEventListener("focusin", ({ target }) => { if (!this.jupyterOnly && target.closest(".ch-editor")) preload(); });
      this.block.addEventListener("click", () => { if (!this.editor && getSelection().isCollapsed) this.editButton.click(); });
    }

    // Once a page a line says it; then a word in the corner of the code, where other cells have their Run.
    markAsRecorded() {
      const why = `needs ${this.needs}: run it in Jupyter`;
      if (!document.querySelector(".ch-needs")) return this.element.append(make("p", { className: "ch-help ch-needs", textContent: why }));
      const hiddenText = make("span", { className: "ch-visually-hidden", textContent: why }), short = make("span", { textContent: "Jupyter", title: why });
      short.setAttribute("aria-hidden", "true");
      this.element.append(make("div", { className: "ch-tools ch-corner ch-needs" }, short, hiddenText));
    }

    markAsJupyterOnly() {
      this.runButton.hidden = true;
      this.setStatus("");
      this.notes.append(make("p", { textContent: "This exercise needs PyTorch, so its check runs only in Jupyter. You can write your answer here and download the notebook." }));
      this.jupyterOnly = true;
    }

    setStatus(words) { this.status.textContent = words; }

    // Put an editor in place of the code, once.
    open(text = this.source) {
      return this.opening ??= (async () => {
        const container = this.block.parentElement;
        this.source = text;
        this.originalDetails = make("details", { className: "ch-book" }, make("summary", { textContent: "The book's version" }));
        const block = make("div");
        this.block.replaceWith(block);
        this.originalDetails.append(this.block);
        this.editor = await editor.open(block, {
          text, label: this.exercise ? `Your answer, ${this.exercise}` : "Python", describedBy: this.help.id,
          run: () => this.activate(true), changed: (next) => this.onInput(next),
        });
        container.append(this.originalDetails);
        this.editButton.hidden = true;
        this.help.hidden = false;
        this.updateNotes();
      })();
    }

    onInput(text) {
      this.source = text;
      clearTimeout(this.saving);
      this.saving = setTimeout(() => this.save(), SAVE_DELAY);
      this.updateNotes();
    }

    put(text) {
      return this.open().then(() => { if (this.editor.text() !== text) this.editor.put(text); });
    }

    // Keep what is written. `other` is a text that must not be lost with it.
    save(more = {}) {
      clearTimeout(this.saving);
      this.saving = null;
      const record = { ...this.record, ...more, text: this.source, hash: this.hash };
      const saved = storage.write(this.cell, record);
      this.unsaved = saved === null;
      this.record = saved ?? record;
      this.updateNotes();
    }

    restart() {
      if (this.changed) this.put(this.original).then(() => this.save({ other: this.record?.text ?? "" }));
      this.closeHints();
      this.result.replaceChildren();
    }

    swap() {
      const { other } = this.record, mine = this.source;
      this.put(other).then(() => this.save({ other: mine }));
    }

    // Say what the reader must know about what is kept.
    updateNotes() {
      if (!this.notes) return;
      const { record } = this, paragraphs = [];
      this.element.classList.toggle("ch-changed", this.changed);
      this.element.classList.toggle("ch-passed", Boolean(record?.passed));
      this.resetButton.hidden = !this.changed;
      if (this.originalDetails) this.originalDetails.hidden = !this.changed;
      if (record?.passed) {
        const done = make("p", { className: "ch-done", textContent: `✓ passed, ${record.points} of ${record.outOf} points` });
        if (this.solution) done.append(" ", button("Compare with the solution", () => this.compare()));
        paragraphs.push(done);
      }
      if (this.unsaved) paragraphs.push(make("p", { className: "ch-unsaved", textContent: "Not saved: this browser's storage is full or disabled. Download the notebook before you leave." }));
      if (record && this.changed && record.hash !== this.hash) {
        paragraphs.push(make("p", { textContent: "The book's version of this cell has changed since you wrote yours. Both are kept." }));
      }
      if (record?.other && record.other !== this.source && record.other !== this.original) {
        paragraphs.push(make("p", {}, "Another version of your answer is kept, too. ", button("Use that version", () => this.swap())));
      }
      if (this.jupyterOnly) paragraphs.unshift(this.notes.firstChild);
      this.notes.replaceChildren(...paragraphs);
      document.dispatchEvent(new CustomEvent("clearhead-saved"));
    }

    // The folded hints come after the check in the page: open the next one.
    get hints() {
      const folds = [...(this.element.closest("section") ?? document).querySelectorAll("details.ch-collapsible")];
      const after = folds.filter((fold) => this.element.compareDocumentPosition(fold) & Node.DOCUMENT_POSITION_FOLLOWING);
      return after.filter((fold) => /^Hint \d/.test(fold.querySelector("summary").textContent));
    }

    // The solution is inside the last hint, so that a reader meets the hints first, unless the answer has passed.
    get solution() { return this.hints.at(-1)?.querySelector("details.ch-solution"); }

    compare() {
      for (const fold of [...this.hints, this.solution]) fold.open = true;
      this.solution.querySelector("summary").focus();
    }

    hint() {
      const next = this.hints.find((fold) => !fold.open);
      if (!next) return (this.solution ?? this.hints.at(-1))?.querySelector("summary").focus();
      next.open = true;
      next.querySelector("summary").focus();
      this.save({ hints: this.hints.filter((fold) => fold.open).length });
    }

    closeHints() {
      const section = this.element.closest("section");
      section?.querySelectorAll("details.ch-collapsible").forEach((fold) => { fold.open = false; });
    }

    activate(byKey) {
      if (active) return active === this && !byKey ? clearhead.stop() : undefined;
      if (this.jupyterOnly) return undefined;
      return runWithCellsAbove(this);
    }
  }

  function setBusy(liveCell, on) {
    active = on ? liveCell : null;
    liveCell.runButton.textContent = on ? "Stop" : liveCell.isAnswer ? "Check" : "Run";
    liveCell.runButton.classList.toggle("ch-stop", on);
    for (const each of liveCells) if (each.runButton && each !== liveCell) each.runButton.disabled = on;
  }

  // Python starts while an answer is being written, and reads the checks of the sheet: Check then answers at once.
  // A reader who asked the browser to save data waits instead.
  let preloaded = false;
  function preload() {
    if (preloaded || navigator.connection?.saveData) return;
    preloaded = true;
    const sheet = liveCells.some(({ isAnswer }) => isAnswer) && /^\d\d/.exec(settings.sheet)?.[0];
    const importChecks = `__import__("clearhead.checks.registry").checks.registry.sheet("${sheet}") and None`;   // leaves no name behind
    clearhead.ready().then(() => sheet && clearhead.run(importChecks, { cell: "checks" })).catch(() => { preloaded = false; });
  }

  // Run one live cell: first the cells above that this Python has not run yet, then the cell itself, then its check.
  async function runWithCellsAbove(liveCell) {
    setBusy(liveCell, true);
    liveCell.result.replaceChildren();
    try {
      if (liveCell.saving) liveCell.save();
      await clearhead.ready();
      const { first, stoppedBy } = await runAbove(liveCell);
      if (stoppedBy) return show(liveCell, stoppedBy, first);
      const result = await runLiveCell(liveCell);
      show(liveCell, result, first);
      if (liveCell.isAnswer) saveBestResult(liveCell, result);
    } catch (error) {
      if (!error.stopped) liveCell.setStatus(`Python could not start: ${error.message}`);
    } finally {
      setBusy(liveCell, false);
    }
  }

  async function runAbove(liveCell) {
    const above = liveCells.slice(0, liveCells.indexOf(liveCell)).filter(({ runButton }) => runButton);
    const readsProgress = !liveCell.isAnswer && /\b(ready|score|report)\(/.test(liveCell.source);
    let first = 0;
    for (const each of above) {
      if (executed.get(each.cell) !== each.source) {
        const result = await clearhead.run(each.source, { cell: each.cell, skipUnavailable: true });
        if (result.stopped) return { first, stoppedBy: result };
        executed.set(each.cell, each.source);
        first++;
      }
      if (readsProgress && each.record && each.isAnswer && !each.needs) await restoreProgress(each);
    }
    return { first };
  }

  // This Python forgets what was checked before it started: check it again, before a cell asks what has passed.
  async function restoreProgress({ cell, source, record, exercise, ...others }) {
    const hints = `from clearhead.checks import progress\nprogress.record_hint(${JSON.stringify(exercise)}, ${record.hints})`;
    if (record.hints) await clearhead.run(hints, { cell: "hints" });
    if (!record.outOf || checked.get(cell) === source) return;
    await clearhead.run(checkOf({ exercise, ...others }), { cell: "check", limit: CHECK_LIMIT });
    checked.set(cell, source);
  }

  async function runLiveCell(liveCell) {
    const result = await clearhead.run(liveCell.source, { cell: liveCell.cell, skipUnavailable: !liveCell.isAnswer });
    if (!result.stopped) executed.set(liveCell.cell, liveCell.source);
    liveCell.element.classList.toggle("ch-executed", !result.stopped);
    if (!liveCell.isAnswer || result.error) return { ...result, text: result.text.replace(STORED, "Progress stored in: this browser") };
    const verdict = await clearhead.run(checkOf(liveCell), { cell: "check", limit: CHECK_LIMIT });
    checked.set(liveCell.cell, liveCell.source);
    return { ...verdict, text: result.text + inThePage(verdict.text), line: null };
  }

  // What a check says of cells, said of buttons.
  const inThePage = (text) => text
    .replace(/run\s+that\s+cell,\s+then\s+this\s+one\./, "then press Check.")
    .replace(/Run\s+hint\("[\w.]+"\)\s+in\s+a\s+new\s+cell\s+to\s+see\s+the\s+next\s+hint\./, "The button Hint opens the next hint.")
    .replace(/^To repeat this check with the same inputs:$/m, "To repeat this check with the same inputs, write under your answer:");

  const STORED = /^Progress stored in: .*(progress\.json|memory only)$/m;

  const checkOf = ({ exercise, name }) => `from clearhead.checks import check\n__import__("clearhead.checks.display").checks.display.LINE_WIDTH = 10_000   # the page breaks the lines\ncheck(${JSON.stringify(exercise)}, ${name})`;

  // A table as the library writes it; whatever else a value calls its HTML is left out.
  const TAGS = "DIV TABLE CAPTION THEAD TBODY TR TH TD P".split(" "), NAMES = ["class", "scope", "tabindex", "role", "aria-label"];
  function table(html) {
    const copy = (from) => {
      if (from.nodeType === Node.TEXT_NODE) return document.createTextNode(from.data);
      if (!TAGS.includes(from.nodeName)) return "";
      const to = make(from.nodeName, {}, ...[...from.childNodes].map(copy));
      for (const name of NAMES) if (from.hasAttribute(name)) to.setAttribute(name, from.getAttribute(name));
      const tint = /^--t:var\(--ch-\w+\);--w:\d+$/.exec(from.getAttribute("style") ?? "");
      if (tint) to.setAttribute("style", tint[0]);
      return to;
    };
    return [...new DOMParser().parseFromString(html, "text/html").body.childNodes].map(copy);
  }

  // What a cell printed. A check that knows the mistake is shown as a tutor would say it: the mistake first, in the
  // face of the text, and the case, its shapes and its numbers folded below it.
  function verdictOf(text) {
    const begin = text.search(/^✗ [\w.]+: \d+ of \d+ cases/m), printed = (words) => make("pre", { textContent: words });
    const [count, mistake, ...details] = begin < 0 ? [] : text.slice(begin).split("\n\n");
    const [first, ...lines] = (mistake ?? "").split("\n");
    if (!/^This (is|looks like) a known mistake, /.test(first)) return [printed(text)];
    const folded = make("details", { className: "ch-details" }, make("summary", { textContent: "The case, the shapes and the numbers" }));
    folded.append(printed(details.join("\n\n")));
    folded.addEventListener("toggle", () => {
      const pre = folded.querySelector("pre");
      if (pre.scrollHeight > pre.clientHeight) pre.tabIndex = 0;
    });
    return [
      ...(begin ? [printed(text.slice(0, begin).trim())] : []),
      make("p", { className: "ch-count", textContent: count }),
      make("p", { className: "ch-headline", textContent: lines.map((line) => line.trim()).join(" ") }),
      make("p", { className: "ch-message", textContent: first.replace(/:$/, ".") }),
      folded,
    ];
  }

  function show(liveCell, { text, html, last, error, line }, first) {
    const words = first ? `Ran ${first} cell${first > 1 ? "s" : ""} above first.` : "";
    liveCell.result.replaceChildren();
    if (words) liveCell.result.append(make("p", { className: "ch-message", textContent: words }));
    const tables = html ? table(html) : [];
    if (tables.length) text = text.slice(0, -last.length - 1);
    if (text) liveCell.result.append(...verdictOf(text.replace(/\n$/, "")));
    for (const pre of liveCell.result.querySelectorAll("pre")) {
      if (pre.scrollHeight > pre.clientHeight) pre.tabIndex = 0;   // what scrolls can be reached by keyboard
    }
    const [sign] = /^[✓✗○](?= [\w.]+: )/m.exec(text) ?? [""];
    liveCell.result.dataset.verdict = { "✓": "right", "✗": "wrong", "○": "open" }[sign] ?? "";
    liveCell.result.append(...tables);
    if (!error && liveCell.element.querySelector(".cell_output :is(img, .ch-picture, .ch-widget)")) {
      liveCell.result.append(make("p", { className: "ch-message", textContent: "The picture is the recorded one, not that of your run." }));
    }
    liveCell.result.classList.toggle("ch-error", Boolean(error));
    if (error && line && liveCell.editor) liveCell.editor.at(line);
  }

  function saveBestResult(liveCell, { records, stopped }) {
    const checkedRecord = !stopped && records?.[liveCell.exercise];
    if (!checkedRecord) return;
    const best = liveCell.record?.points ?? -1;
    if (checkedRecord.passed || checkedRecord.points > best) liveCell.save({ passed: checkedRecord.passed || liveCell.record?.passed, points: checkedRecord.points, outOf: checkedRecord.out_of });
  }

  clearhead.events.addEventListener("status", ({ detail }) => {
    if (detail.state === "none") [executed, checked].forEach((known) => known.clear());
    if (detail.words === "ready") for (const each of liveCells) if (each.status?.textContent === NOT_LOADED) each.setStatus("");
    if (!active) return;
    active.setStatus(detail.words);
    active.progress.hidden = detail.state !== "loading";
    if (detail.total) Object.assign(active.progress, { max: detail.total, value: detail.loaded });
    else active.progress.removeAttribute("value");
    if (detail.state === "loading" || detail.state === "none" || detail.result?.error) announce(detail.words);
  });
  clearhead.events.addEventListener("output", ({ detail }) => {
    if (active && detail.cell === active.cell) show(active, { text: detail.text }, 0);
  });

  // One line, hidden, for those who listen to the page: what begins, what stops. Results speak for themselves.
  const liveRegion = make("p", { className: "ch-visually-hidden" });
  liveRegion.setAttribute("role", "status");
  document.body.append(liveRegion);
  const announce = (words) => { if (!/^loading, /.test(words)) liveRegion.textContent = words; };

  for (const element of document.querySelectorAll(".ch-live-cell")) {
    if (element.querySelector(".cell_input pre")) liveCells.push(new LiveCell(element));   // some cells hide their code
  }
  addEventListener("pagehide", () => liveCells.forEach((liveCell) => liveCell.saving && liveCell.save()));
  addEventListener("beforeunload", (event) => liveCells.some(({ unsaved }) => unsaved) && event.preventDefault());
  storage.watch(async (cell) => {
    const liveCell = liveCells.find((each) => each.cell === cell);
    const free = () => liveCell?.notes && !liveCell.saving && !liveCell.element.contains(document.activeElement);
    if (!free() || !storage.read(cell)) return;
    await liveCell.open();
    const record = storage.read(cell);
    if (!free() || !record) return;  // the reader has begun to write here while the editor opened
    liveCell.record = record;
    await liveCell.put(record.text);
    clearTimeout(liveCell.saving);
    liveCell.saving = null;
    liveCell.updateNotes();
  });
  return { liveCells, make, button, announce };
};
