// What the reader has passed, in the side bar and on the maps: a tick for a whole sheet, "3/7" for a part of one.
// The page says which sheets there are; each exercise that passed has its record in this browser (storage.js).
(() => {
  "use strict";
  const { version, sheets, renamed = {} } = JSON.parse(document.getElementById("ch-sheets").textContent);
  const copy = new URL("../../", document.currentScript.src).pathname;   // as in storage.js
  const SVG = "http://www.w3.org/2000/svg";

  // The cells of a sheet whose exercise passed.
  function passed(sheet) {
    const ownPrefix = `clearhead ${version} ${copy} exercises/${sheet} `;
    const formerPrefix = `clearhead ${version} exercises/${sheet} `;   // before copies were told apart (storage.js)
    try {
      const names = (localStorage.getItem("clearhead owner") ?? copy) === copy ? [ownPrefix, formerPrefix] : [ownPrefix];
      const keys = Object.keys(localStorage).filter((key) => names.some((name) => key.startsWith(name)) && JSON.parse(localStorage[key])?.passed === true);
      const currentId = (cell) => renamed[sheet]?.[cell] ?? cell;   // an exercise may have had another id (storage.js)
      return [...new Set(keys.map((key) => currentId(key.split(" ").at(-1))))];
    } catch { return []; }   // a private window, or a record that is none
  }

  const sheetOf = (link) => /(?:chapters|exercises)\/(\d\d_\w+)\.html$/.exec(link.href.baseVal ?? link.href)?.[1];

  function addToSidebar(link, done, all) {
    const complete = done === all;
    const symbol = Object.assign(document.createElement("span"), { textContent: complete ? "✓" : `${done}/${all}` });
    symbol.setAttribute("aria-hidden", "true");
    const words = Object.assign(document.createElement("span"), { className: "ch-visually-hidden" });
    words.textContent = complete ? " (all exercises passed)" : ` (${done} of ${all} exercises passed)`;
    const tick = Object.assign(document.createElement("span"), { className: complete ? "ch-tick ch-complete" : "ch-tick" });
    tick.append(symbol, words);
    link.append(tick);
  }

  // On a map: at the corner of a box, in a circle, or after the words.
  function addToMap(link) {
    const [box, circle, words] = ["rect.m-box", "circle", "text"].map((name) => link.querySelector(name));
    if (!circle && !link.querySelector(".m-number")) return;
    const tick = document.createElementNS(SVG, box || circle ? "text" : "tspan");
    tick.setAttribute("class", "ch-tick");
    tick.textContent = box || circle ? "✓" : " ✓";
    const number = (shape, name) => +shape.getAttribute(name);
    const position = box ? [number(box, "x") + number(box, "width") - 2, number(box, "y") + 5]
      : circle ? [number(circle, "cx"), number(circle, "cy") + 5] : null;
    if (position) for (const [name, value] of [["x", position[0]], ["y", position[1]], ["text-anchor", "middle"]]) tick.setAttribute(name, value);
    (position ? link : words).append(tick);
  }

  // The page as it came is kept: what was said before goes first.
  function show() {
    for (const tick of document.querySelectorAll(".ch-tick")) tick.remove();
    const done = {};
    for (const sheet in sheets) done[sheet] = Math.min(passed(sheet).length, sheets[sheet]);
    for (const link of document.querySelectorAll(".bd-sidebar-primary a[href], svg a[href]")) {
      const sheet = sheetOf(link);
      if (!done[sheet]) continue;
      if (!link.closest("svg")) addToSidebar(link, done[sheet], sheets[sheet]);
      else if (done[sheet] === sheets[sheet]) addToMap(link);
    }
  }

  // The code that a chapter keeps back opens when its exercises are solved.
  function openSolved() {
    const solved = passed(/(\d\d_\w+)\.html$/.exec(location.pathname)?.[1]);
    for (const fold of document.querySelectorAll("details[data-exercises]"))
      if (fold.dataset.exercises.split(" ").every((cell) => solved.includes(cell))) fold.open = true;
  }

  show();
  openSolved();
  document.addEventListener("clearhead-saved", show);
  addEventListener("storage", ({ key }) => { if (key === null || key.startsWith("clearhead ")) show(); });
  addEventListener("pageshow", ({ persisted }) => { if (persisted) show(); });
})();
