// What a reader wrote, kept in this browser: a record for each cell, so that two tabs with two cells never meet.
// Each copy of the book (/spring/, /autumn/, a folder on disk) keeps its own, by the address of its first folder.
// A record: {text, hash (of the book's cell), passed, points, outOf, other (a text that was replaced), stamp}.
(self.clearheadParts ??= {}).copy ??= new URL("../../", document.currentScript.src).pathname;
// `renamed` are the exercises that had another id earlier: cell -> {cell, name, was} (its id then, its function now
// and then). What was kept under the earlier id counts, and calls the function by its present name.
self.clearheadParts.storage = (sheet, version, renamed) => {
  "use strict";
  renamed ??= {};
  const copy = self.clearheadParts.copy;
  const key = (cell) => `clearhead ${version} ${copy} ${sheet} ${cell}`;
  const OWNER = "clearhead owner";   // the copy that took what was kept before copies were told apart
  const lastStamps = new Map();   // the stamp of each record as this tab last read or wrote it

  function stored(name) {
    try {
      const record = JSON.parse(localStorage.getItem(name));
      return record && typeof record.text === "string" ? record : null;
    } catch { return null; }
  }

  // Return the record of a cell, or what another version of the book kept of it, or null.
  function read(cell) {
    const found = stored(key(cell)) ?? adopt(cell, withPresentName(cell, older(cell)));
    lastStamps.set(cell, found?.stamp);
    return found;
  }

  // What another version of the book kept counts in this one, from the first look on.
  function adopt(cell, record) {
    try { if (record) localStorage.setItem(key(cell), JSON.stringify(record)); } catch { /* the older one stays */ }
    return record;
  }

  // The newest record of this copy under another version; or one from before copies were told apart, which belongs
  // to the copy that asks first.
  function older(cell) {
    const names = keysOf(cell);
    return newest(names.filter((name) => name.split(" ")[2] === copy)) ?? claim(names.filter((name) => name.split(" ").length === 4));
  }

  const keysOf = (cell) => {
    const ends = [cell, renamed[cell]?.formerCell].filter(Boolean).map((each) => ` ${sheet} ${each}`);
    try {
      return Object.keys(localStorage).filter((name) => name.startsWith("clearhead ") && ends.some((end) => name.endsWith(end)));
    } catch { return []; }
  };

  // A record in which the function of an exercise has its present name.
  function withPresentName(cell, record) {
    const { name, formerName } = renamed[cell] ?? {};
    if (!record || !name) return record;
    const earlier = new RegExp(`(^|[^\\w.])${formerName}(?!\\w)`, "g");
    const present = (text) => text.replace(earlier, `$1${name}`);
    return { ...record, text: present(record.text), ...(typeof record.other === "string" ? { other: present(record.other) } : {}) };
  }

  const newest = (names) => names.map(stored).filter(Boolean).sort((a, b) => b.stamp - a.stamp)[0] ?? null;

  function claim(names) {
    const found = newest(names);
    if (!found) return null;
    try {
      if (localStorage.getItem(OWNER) === null) localStorage.setItem(OWNER, copy);
      return localStorage.getItem(OWNER) === copy ? found : null;
    } catch { return null; }
  }

  // What other copies of the book on this host keep of these cells: cell -> its newest record there.
  function inOtherCopies(cells) {
    const mine = (name) => name.split(" ")[2] === copy;
    const found = cells.map((cell) => [cell, withPresentName(cell, newest(keysOf(cell).filter((name) => !mine(name))))]);
    return new Map(found.filter(([cell, record]) => record && record.stamp > (stored(key(cell))?.stamp ?? 0) && differs(record, stored(key(cell)))));
  }

  const differs = (one, other) => one.text !== other?.text || Boolean(one.passed) !== Boolean(other?.passed);

  // Keep a record and return what is kept, or null where this browser keeps nothing. Where another tab has written
  // a different text in the meantime, that text is kept beside this one.
  function write(cell, record) {
    const before = stored(key(cell));
    const next = { ...record, stamp: Math.max(Date.now(), (before?.stamp ?? 0) + 1) };
    if (before && before.stamp !== lastStamps.get(cell)) {
      if (before.text !== next.text) next.other = before.text;
      next.passed ||= before.passed;
      if (before.points > (next.points ?? -1)) [next.points, next.outOf] = [before.points, before.outOf];
    }
    try {
      localStorage.setItem(key(cell), JSON.stringify(next));
    } catch { return null; }
    lastStamps.set(cell, next.stamp);
    return next;
  }

  // Call back when another tab has kept something of this sheet.
  function watch(changed) {
    const mine = key("");
    addEventListener("storage", ({ key: name }) => name?.startsWith(mine) && changed(name.slice(mine.length)));
  }

  return { read, write, watch, inOtherCopies };
};
