// A sheet as a notebook: given away with the reader's answers. To read one is the library's work (reading.py).
(self.clearheadParts ??= {}).notebook = (() => {
  "use strict";
  const lines = (text) => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

  // Return the notebook with these texts (cell id -> text) in place of the book's.
  function withAnswers(notebook, texts) {
    const cells = notebook.cells.map((cell) => texts.has(cell.id) ? { ...cell, source: lines(texts.get(cell.id)) } : cell);
    return { ...notebook, cells };
  }

  function download(name, notebook) {
    const file = new Blob([JSON.stringify(notebook, null, 1) + "\n"], { type: "application/x-ipynb+json" });
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  return { withAnswers, download };
})();
