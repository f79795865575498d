// A sheet as a whole: its progress, its notebook with the reader's answers, and a new start.
(() => {
  "use strict";
  const page = JSON.parse(document.getElementById("ch-python").textContent);
  const here = new URL(".", document.currentScript.src).href;
  const { storage, notebook, liveCells: build } = self.clearheadParts;
  document.documentElement.classList.add("ch-python");
  const saved = storage(page.page, page.version, page.renamed);
  const { liveCells, announce } = build({ ...page, storage: saved });
  const answers = liveCells.filter(({ isAnswer }) => isAnswer);
  document.documentElement.dataset.chPython = "ready";
  const bar = document.querySelector(".ch-sheet");
  if (!bar) return;

  function sheet() {
    return self.clearheadParts[`sheet ${page.sheet}`] ?? new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: `${here}sheets/${page.sheet}.js` });
      script.onload = () => resolve(self.clearheadParts[`sheet ${page.sheet}`]);
      script.onerror = () => reject(new Error("the notebook is missing next to this page"));
      document.head.append(script);
    });
  }

  async function download() {
    const texts = new Map(liveCells.filter(({ changed }) => changed).map(({ cell, source }) => [cell, source]));
    notebook.download(`${page.sheet}.ipynb`, notebook.withAnswers(await sheet(), texts));
  }

  async function load(file) {
    const names = Object.fromEntries(answers.map(({ exercise, name }) => [exercise, name]));
    const otherCells = liveCells.filter(({ isAnswer }) => !isAnswer).map(({ source }) => source);
    try {
      showMessage(`Reading ${file.name}. Python is loaded first, if it has not been needed yet.`);
      const { answers: answersFound, messages, error } = await window.clearhead.read(await file.arrayBuffer(), { names, other_cells: otherCells });
      if (error) throw new Error(error);
      const same = (one, other) => one.replace(/\r\n?/g, "\n").trimEnd() === other.replace(/\r\n?/g, "\n").trimEnd();
      const recognised = answers.filter(({ exercise }) => exercise in answersFound);
      const replaced = recognised.filter(({ exercise, source }) => !same(answersFound[exercise], source));
      for (const liveCell of replaced) {
        const before = liveCell.changed ? { other: liveCell.source } : {};
        await liveCell.put(answersFound[liveCell.exercise].replace(/\r\n?/g, "\n"));
        liveCell.save(before);
      }
      const unchanged = recognised.length - replaced.length;
      const words = [`${replaced.length} answer${replaced.length === 1 ? "" : "s"} read from ${file.name}.`];
      if (unchanged) words.push(`${unchanged} ${unchanged === 1 ? "is" : "are"} the same as here.`);
      showMessage([...words, ...messages].join(" "));
    } catch (error) {
      showMessage(`${file.name} could not be read: ${error.message}`);
    }
  }

  // The bar is in the page from the start; here its buttons get their functions.
  const part = (name) => bar.querySelector(name);
  const [messageElement, fileInput, scoreLine, meter] = [".ch-sheet-message", "input", ".ch-score", "progress"].map(part);
  const showMessage = (words) => { messageElement.textContent = words; announce(words); };
  fileInput.addEventListener("change", () => { if (fileInput.files[0]) load(fileInput.files[0]).then(() => { fileInput.value = ""; }); });
  const actions = { download, load: () => fileInput.click(), restart() {
    answers.forEach((liveCell) => liveCell.restart());
    showMessage("Every exercise is reset to the book's version; what you wrote is one click away.");
  } };
  for (const [name, act] of Object.entries(actions)) part(`[data-action=${name}]`).addEventListener("click", act);

  function count() {
    const done = answers.filter(({ record }) => record?.passed);
    const points = answers.reduce((sum, { record }) => sum + (record?.points ?? 0), 0);
    scoreLine.textContent = `${done.length} of ${answers.length} exercises done, ${points} points`;
    meter.value = done.length;
  }

  // Answers that another copy of the book keeps in this browser are copied when the reader asks for it, and only then.
  function offerOtherCopies() {
    const found = workInOtherCopies();
    if (!found.size) return;
    const many = found.size === 1 ? "1 exercise" : `${found.size} exercises`;
    const paragraph = document.createElement("p"), copyButton = document.createElement("button");
    paragraph.className = "ch-other-copy";
    paragraph.textContent = `Another copy of this book has saved newer work on ${many} of this sheet in this browser. `;
    Object.assign(copyButton, { type: "button", textContent: "Copy it here" });
    copyButton.addEventListener("click", async () => {
      for (const liveCell of answers.filter(({ cell }) => found.has(cell))) {
        const { text, passed, points, outOf } = found.get(liveCell.cell);
        const before = liveCell.changed && liveCell.source !== text ? { other: liveCell.source } : {};
        const best = (points ?? -1) > (liveCell.record?.points ?? -1) ? { passed: passed || liveCell.record?.passed, points, outOf } : {};
        await liveCell.put(text);
        liveCell.save({ ...before, ...best });
      }
      paragraph.remove();
      showMessage(`Work on ${many} was copied here. What was here before is one click away.`);
    });
    paragraph.append(copyButton);
    bar.append(paragraph);
  }

  const workInOtherCopies = () => saved.inOtherCopies(answers.map(({ cell }) => cell));

  document.addEventListener("clearhead-saved", count);
  offerOtherCopies();
  count();
})();
