// Before anything is drawn: the theme that this browser keeps; a projector likes light. Guesses of another room go.
(() => {
  "use strict";
  const root = document.documentElement, wish = new URLSearchParams(location.search);
  let theme = "light";
  try {
    if (localStorage.getItem("clearhead.slides.theme") === "dark") theme = "dark";
    for (const key of Object.keys(localStorage)) if (/^clearhead:(predict|selfcheck):slide-/.test(key)) localStorage.removeItem(key);
  } catch { /* a private window */ }
  if (wish.has("print-pdf")) {
    theme = "light";
    root.classList.add("deck-paper");
  }
  Object.assign(root.dataset, { theme, mode: theme });
})();
