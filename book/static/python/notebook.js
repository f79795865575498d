// A sheet as a notebook: given away with the reader's answers, and read back. What is read is data, never run.
(self.clearheadParts ??= {}).notebook = (() => {
  "use strict";
  const textOf = (cell) => Array.isArray(cell.source) ? cell.source.join("") : String(cell.source ?? "");
  const lines = (text) => text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const CHECK = /check\(\s*["']([\w.]+)["']/;

  // Return the notebook with these texts (cell id -> text) in place of the book's.
  function withAnswers(notebook, texts) {
    const cells = notebook.cells.map((cell) => texts.has(cell.id) ? { ...cell, source: lines(texts.get(cell.id)) } : cell);
    return { ...notebook, cells };
  }

  // Return {answers: exercise -> text} of a notebook's text: by the check that follows, however cells moved.
  function answers(text) {
    const found = new Map();
    const cells = JSON.parse(text).cells;
    if (!Array.isArray(cells)) throw new Error("no cells");
    let above = null;
    for (const cell of cells.filter(({ cell_type }) => cell_type === "code")) {
      const exercise = CHECK.exec(textOf(cell))?.[1];
      if (exercise && above !== null) found.set(exercise, above);
      if (!exercise) above = textOf(cell);
    }
    return found;
  }

  function download(name, notebook) {
    const file = new Blob([JSON.stringify(notebook, null, 1) + "\n"], { type: "application/x-ipynb+json" });
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  return { textOf, withAnswers, answers, download };
})();
