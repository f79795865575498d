// Before the first paint: the menu stands at the page that is open. The theme does it when all has arrived: it would jump.
(() => {
  const menu = document.querySelector("div.bd-sidebar"), open = [...document.querySelectorAll(".bd-docs-nav .active")].pop();
  if (!menu || !open) return;
  const top = open.getBoundingClientRect().y;
  let stored = NaN;
  try { stored = parseInt(sessionStorage.getItem("sidebar-scroll-top"), 10); } catch { /* a page from disk */ }
  if (!Number.isNaN(stored)) menu.scrollTop = stored;
  else if (top > 0.5 * innerHeight) menu.scrollTop = top - menu.getBoundingClientRect().y - 0.25 * menu.clientHeight;
})();
