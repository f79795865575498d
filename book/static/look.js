// Two small things: one switch opens all code, and is remembered; a symbol that is pointed at lights its like.
(() => {
  "use strict";
  const KEY = "clearhead.code", FOLDS = "details.ch-chip, .cell > details.hide";
  const SYMBOL = ".ch-as-query, .ch-as-key, .ch-as-value, .ch-as-weight, mjx-c";
  const LETTERS = { "1D444": "query", "1D45E": "query", "1D43E": "key", "1D458": "key", "1D449": "value", "1D463": "value", "1D434": "weight" };

  function remembered() { try { return localStorage.getItem(KEY) === "all"; } catch { return false; } }
  function remember(all) { try { localStorage.setItem(KEY, all ? "all" : "some"); } catch { /* a private window */ } }
  function open(all) { for (const fold of document.querySelectorAll(FOLDS)) fold.open = all; }

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
    if (remembered()) show(true);
  }
  addEventListener("beforeprint", () => open(true));

  function meaning(element) {
    if (element.localName !== "mjx-c") return /ch-as-(\w+)/.exec(element.className)?.[1];
    return LETTERS[/mjx-c([0-9A-F]+)/.exec(element.className)?.[1]];
  }
  const page = document.querySelector(".ch-symbols");
  page?.addEventListener("pointerover", ({ target }) => {
    const symbol = target.closest?.(SYMBOL), lit = symbol && meaning(symbol);
    if (lit) page.dataset.lit = lit; else delete page.dataset.lit;
  });
})();
