// A sheet as a whole: how far it is, its notebook with the reader's answers, and the way back to the beginning.
(() => {
  "use strict";
  const known = JSON.parse(document.getElementById("ch-python").textContent);
  const here = new URL(".", document.currentScript.src).href;
  const { keep, notebook, places: build } = self.clearheadParts;
  document.documentElement.classList.add("ch-python");
  const { places, announce } = build({ ...known, keep: keep(known.page, known.version) });
  const answers = places.filter(({ isAnswer }) => isAnswer);
  document.documentElement.dataset.chPython = "ready";
  const bar = document.querySelector(".ch-sheet");
  if (!bar) return;

  function sheet() {
    return self.clearheadParts[`sheet ${known.sheet}`] ?? new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: `${here}sheets/${known.sheet}.js` });
      script.onload = () => resolve(self.clearheadParts[`sheet ${known.sheet}`]);
      script.onerror = () => reject(new Error("the notebook is missing beside this page"));
      document.head.append(script);
    });
  }

  async function download() {
    const texts = new Map(places.filter(({ changed }) => changed).map(({ cell, source }) => [cell, source]));
    notebook.download(`${known.sheet}.ipynb`, notebook.withAnswers(await sheet(), texts));
  }

  async function load(file) {
    try {
      const found = notebook.answers(await file.text());
      const taken = answers.filter(({ exercise, source }) => found.has(exercise) && found.get(exercise) !== source);
      for (const place of taken) {
        const before = place.changed ? { other: place.source } : {};
        await place.put(found.get(place.exercise));
        place.save(before);
      }
      say(`${taken.length} answer${taken.length === 1 ? "" : "s"} read from ${file.name}.`);
    } catch {
      say(`${file.name} is not a notebook that this page can read.`);
    }
  }

  // The bar stands in the page from the start; here its buttons get their work.
  const part = (name) => bar.querySelector(name);
  const [said, chosen, line, meter] = [".ch-said", "input", ".ch-score", "progress"].map(part);
  const say = (words) => { said.textContent = words; announce(words); };
  chosen.addEventListener("change", () => { if (chosen.files[0]) load(chosen.files[0]).then(() => { chosen.value = ""; }); });
  const deeds = { download, load: () => chosen.click(), restart() {
    answers.forEach((place) => place.restart());
    say("Every exercise is as the book has it; what you wrote is one click away.");
  } };
  for (const [name, act] of Object.entries(deeds)) part(`[data-does=${name}]`).addEventListener("click", act);

  function count() {
    const done = answers.filter(({ record }) => record?.passed);
    const points = answers.reduce((sum, { record }) => sum + (record?.points ?? 0), 0);
    line.textContent = `${done.length} of ${answers.length} exercises done, ${points} points`;
    meter.value = done.length;
  }

  document.addEventListener("clearhead-kept", count);
  count();
})();
