// Three small things: a switch opens all code and is remembered, another one opens that of a section, and a symbol
// under the pointer highlights all symbols of its kind.
(() => {
  "use strict";
  const KEY = "clearhead.code", FOLDS = "details.ch-chip, .cell > details.hide";
  const SYMBOL = ".ch-as-query, .ch-as-key, .ch-as-value, .ch-as-weight";

  function remembered() { try { return localStorage.getItem(KEY) === "all"; } catch { return false; } }
  function remember(all) { try { localStorage.setItem(KEY, all ? "all" : "some"); } catch { /* a private window */ } }
  function open(all) { for (const details of document.querySelectorAll(FOLDS)) details.open = all; }

  // After a heading, and beside it by the style, so that it is not a part of the heading's name.
  function addSwitch(heading) {
    const folds = [...heading.parentElement.querySelectorAll(FOLDS)];
    if (folds.length < 2) return;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "ch-section-code" });
    button.setAttribute("aria-label", `All code of the section “${heading.firstChild.textContent}”`);
    button.title = "Show or hide the code of this section";
    button.textContent = "</>";
    button.addEventListener("click", () => {
      const all = folds.some((details) => !details.open);
      for (const details of folds) details.open = all;
    });
    heading.after(button);
  }

  const buttons = document.querySelector(".article-header-buttons");
  if (buttons && document.querySelector(FOLDS)) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "btn btn-sm ch-all-code" });
    const show = (all) => {
      open(all);
      button.setAttribute("aria-pressed", all);
    };
    button.innerHTML = '<span aria-hidden="true">&lt;/&gt;</span> <span>All code</span>';
    button.title = "Show all code, checks and set-up";
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => {
      const all = button.getAttribute("aria-pressed") !== "true";
      show(all);
      remember(all);
    });
    buttons.prepend(button);
    for (const heading of document.querySelectorAll("article section > h2")) addSwitch(heading);
    if (remembered()) show(true);
  }
  addEventListener("beforeprint", () => {
    open(true);
    for (const part of document.querySelectorAll("details.ch-optional")) part.open = true;
  });

  // A link into a folded section opens it: not every browser does so by itself.
  function openLinkTarget() {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    const own = target.querySelector(":scope > details.ch-optional");
    if (own) own.open = true;
    let closed = false;
    for (let details = target.closest("details:not([open])"); details; details = details.parentElement.closest("details:not([open])")) closed = details.open = true;
    if (closed) target.scrollIntoView();
  }
  addEventListener("hashchange", openLinkTarget);
  openLinkTarget();

  const page = document.querySelector(".ch-symbols");
  page?.addEventListener("pointerover", ({ target }) => {
    const symbol = target.closest?.(SYMBOL), highlighted = symbol && /ch-as-(\w+)/.exec(symbol.className)?.[1];
    if (highlighted) page.dataset.highlighted = highlighted; else delete page.dataset.highlighted;
  });
})();
