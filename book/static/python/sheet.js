// A sheet as a whole: its progress, its notebook with the reader's answers, and a new start.
(() => {
  "use strict";
  const known = JSON.parse(document.getElementById("ch-python").textContent);
  const here = new URL(".", document.currentScript.src).href;
  const { keep, notebook, liveCells: build } = self.clearheadParts;
  document.documentElement.classList.add("ch-python");
  const kept = keep(known.page, known.version, known.renamed);
  const { liveCells, announce } = build({ ...known, keep: kept });
  const answers = liveCells.filter(({ isAnswer }) => isAnswer);
  document.documentElement.dataset.chPython = "ready";
  const bar = document.querySelector(".ch-sheet");
  if (!bar) return;

  function sheet() {
    return self.clearheadParts[`sheet ${known.sheet}`] ?? new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: `${here}sheets/${known.sheet}.js` });
      script.onload = () => resolve(self.clearheadParts[`sheet ${known.sheet}`]);
      script.onerror = () => reject(new Error("the notebook is missing next to this page"));
      document.head.append(script);
    });
  }

  async function download() {
    const texts = new Map(liveCells.filter(({ changed }) => changed).map(({ cell, source }) => [cell, source]));
    notebook.download(`${known.sheet}.ipynb`, notebook.withAnswers(await sheet(), texts));
  }

  async function load(file) {
    const names = Object.fromEntries(answers.map(({ exercise, name }) => [exercise, name]));
    const own = liveCells.filter(({ isAnswer }) => !isAnswer).map(({ source }) => source);
    try {
      say(`Reading ${file.name}. Python is loaded first, if it has not been needed yet.`);
      const { answers: found, said, error } = await window.clearhead.read(await file.arrayBuffer(), { names, own });
      if (error) throw new Error(error);
      const same = (one, other) => one.replace(/\r\n?/g, "\n").trimEnd() === other.replace(/\r\n?/g, "\n").trimEnd();
      const read = answers.filter(({ exercise }) => exercise in found);
      const taken = read.filter(({ exercise, source }) => !same(found[exercise], source));
      for (const liveCell of taken) {
        const before = liveCell.changed ? { other: liveCell.source } : {};
        await liveCell.put(found[liveCell.exercise].replace(/\r\n?/g, "\n"));
        liveCell.save(before);
      }
      const there = read.length - taken.length;
      const words = [`${taken.length} answer${taken.length === 1 ? "" : "s"} read from ${file.name}.`];
      if (there) words.push(`${there} ${there === 1 ? "is" : "are"} the same as here.`);
      say([...words, ...said].join(" "));
    } catch (error) {
      say(`${file.name} could not be read: ${error.message}`);
    }
  }

  // The bar is in the page from the start; here its buttons get their functions.
  const part = (name) => bar.querySelector(name);
  const [said, chosen, line, meter] = [".ch-sheet-message", "input", ".ch-score", "progress"].map(part);
  const say = (words) => { said.textContent = words; announce(words); };
  chosen.addEventListener("change", () => { if (chosen.files[0]) load(chosen.files[0]).then(() => { chosen.value = ""; }); });
  const deeds = { download, load: () => chosen.click(), restart() {
    answers.forEach((liveCell) => liveCell.restart());
    say("Every exercise is reset to the book's version; what you wrote is one click away.");
  } };
  for (const [name, act] of Object.entries(deeds)) part(`[data-does=${name}]`).addEventListener("click", act);

  function count() {
    const done = answers.filter(({ record }) => record?.passed);
    const points = answers.reduce((sum, { record }) => sum + (record?.points ?? 0), 0);
    line.textContent = `${done.length} of ${answers.length} exercises done, ${points} points`;
    meter.value = done.length;
  }

  // Answers that another copy of the book keeps in this browser are copied when the reader asks for it, and only then.
  function offer() {
    const found = workElsewhere();
    if (!found.size) return;
    const many = found.size === 1 ? "1 exercise" : `${found.size} exercises`;
    const line = document.createElement("p"), take = document.createElement("button");
    line.className = "ch-elsewhere";
    line.textContent = `Another copy of this book has saved newer work on ${many} of this sheet in this browser. `;
    Object.assign(take, { type: "button", textContent: "Copy it here" });
    take.addEventListener("click", async () => {
      for (const liveCell of answers.filter(({ cell }) => found.has(cell))) {
        const { text, passed, points, outOf } = found.get(liveCell.cell);
        const before = liveCell.changed && liveCell.source !== text ? { other: liveCell.source } : {};
        const best = (points ?? -1) > (liveCell.record?.points ?? -1) ? { passed: passed || liveCell.record?.passed, points, outOf } : {};
        await liveCell.put(text);
        liveCell.save({ ...before, ...best });
      }
      line.remove();
      say(`Work on ${many} was copied here. What was here before is one click away.`);
    });
    line.append(take);
    bar.append(line);
  }

  const workElsewhere = () => kept.elsewhere(answers.map(({ cell }) => cell));

  document.addEventListener("clearhead-kept", count);
  offer();
  count();
})();
