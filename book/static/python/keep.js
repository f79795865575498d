// What a reader wrote, kept in this browser: a record for each cell, so that two tabs with two cells never meet.
// A record: {text, hash (of the book's cell), passed, points, outOf, other (a text that was replaced), stamp}.
(self.clearheadParts ??= {}).keep = (sheet, version) => {
  "use strict";
  const key = (cell) => `clearhead ${version} ${sheet} ${cell}`;
  const seen = new Map();   // the stamp of each record as this tab last read or wrote it

  function stored(name) {
    try {
      const record = JSON.parse(localStorage.getItem(name));
      return record && typeof record.text === "string" ? record : null;
    } catch { return null; }
  }

  // Return the record of a cell, or what another version of the book kept of it, or null.
  function read(cell) {
    const found = stored(key(cell)) ?? taken(cell, older(cell));
    seen.set(cell, found?.stamp);
    return found;
  }

  // What another version of the book kept counts in this one, from the first look on.
  function taken(cell, record) {
    try { if (record) localStorage.setItem(key(cell), JSON.stringify(record)); } catch { /* the older one stays */ }
    return record;
  }

  function older(cell) {
    try {
      const names = Object.keys(localStorage).filter((name) => name.startsWith("clearhead ") && name.endsWith(` ${sheet} ${cell}`));
      return names.map(stored).filter(Boolean).sort((a, b) => b.stamp - a.stamp)[0] ?? null;
    } catch { return null; }
  }

  // Keep a record and return what is kept, or null where this browser keeps nothing. Where another tab has written
  // a different text in the meantime, that text is kept beside this one.
  function write(cell, record) {
    const before = stored(key(cell));
    const next = { ...record, stamp: Math.max(Date.now(), (before?.stamp ?? 0) + 1) };
    if (before && before.stamp !== seen.get(cell)) {
      if (before.text !== next.text) next.other = before.text;
      next.passed ||= before.passed;
      if (before.points > (next.points ?? -1)) [next.points, next.outOf] = [before.points, before.outOf];
    }
    try {
      localStorage.setItem(key(cell), JSON.stringify(next));
    } catch { return null; }
    seen.set(cell, next.stamp);
    return next;
  }

  // Call back when another tab has kept something of this sheet.
  function watch(changed) {
    const mine = key("");
    addEventListener("storage", ({ key: name }) => name?.startsWith(mine) && changed(name.slice(mine.length)));
  }

  return { read, write, watch };
};
