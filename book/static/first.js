// Before the first paint: the theme that the reader's machine asks for, and the menu at the page that is open.
// The theme of the pages does both when all has arrived: then code and menu would jump.
(() => {
  const { dataset } = document.documentElement;
  dataset.theme ||= matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  // Letters that are not there yet are not painted: the text waits for them, at most 0.8 seconds, and does not jump.
  const { classList } = document.documentElement, show = () => classList.remove("ch-letters");
  classList.add("ch-letters");
  setTimeout(show, 800);
  Promise.all(["Source Serif 4", "Source Sans 3", "Iosevka"].map((name) => document.fonts.load(`1em "${name}"`))).then(show, show);
  const menu = document.querySelector("div.bd-sidebar"), open = [...document.querySelectorAll(".bd-docs-nav .active")].pop();
  if (!menu || !open) return;
  const place = open.getBoundingClientRect().y;
  let stored = NaN;
  try { stored = parseInt(sessionStorage.getItem("sidebar-scroll-top"), 10); } catch { /* a page from disk */ }
  if (!Number.isNaN(stored)) menu.scrollTop = stored;
  else if (place > 0.5 * innerHeight) menu.scrollTop = place - menu.getBoundingClientRect().y - 0.25 * menu.clientHeight;
})();
