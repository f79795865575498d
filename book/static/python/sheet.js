// A sheet as a whole: how far it is, its notebook with the reader's answers, and the way back to the beginning.
(() => {
  "use strict";
  const known = JSON.parse(document.getElementById("ch-python").textContent);
  const here = new URL(".", document.currentScript.src).href;
  const { keep, notebook, places: build } = self.clearheadParts;
  document.documentElement.classList.add("ch-python");
  const { places, make, button, announce } = build({ ...known, keep: keep(known.page, known.version) });
  const answers = places.filter(({ isAnswer }) => isAnswer);
  document.documentElement.dataset.chPython = "ready";
  if (!answers.length) return;

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

  const said = make("p", { className: "ch-said" });
  const say = (words) => { said.textContent = words; announce(words); };
  const chosen = make("input", { type: "file", accept: ".ipynb,application/json", hidden: true });
  chosen.addEventListener("change", () => { if (chosen.files[0]) load(chosen.files[0]).then(() => { chosen.value = ""; }); });
  const line = make("p", { className: "ch-score" });
  const meter = make("progress", { max: answers.length });
  meter.setAttribute("aria-label", "exercises done");
  const bar = make("div", { className: "ch-sheet" }, line, meter,
    make("div", { className: "ch-tools" },
      button("Download as notebook", download),
      button("Load my answers", () => chosen.click()),
      button("Start over on this page", () => { answers.forEach((place) => place.restart()); say("Every exercise is as the book has it; what you wrote is one click away."); }),
      chosen),
    said,
    make("p", { className: "ch-where", textContent: "You can solve this sheet here: nothing to install, no account. What you write stays in this browser, and nothing is sent anywhere." }));
  bar.setAttribute("role", "region");
  bar.setAttribute("aria-label", "This sheet");

  function count() {
    const done = answers.filter(({ record }) => record?.passed);
    const points = answers.reduce((sum, { record }) => sum + (record?.points ?? 0), 0);
    line.textContent = `${done.length} of ${answers.length} exercises done, ${points} points`;
    meter.value = done.length;
  }

  document.addEventListener("clearhead-kept", count);
  count();
  (document.querySelector("article h1") ?? document.querySelector("h1")).after(bar);
})();
