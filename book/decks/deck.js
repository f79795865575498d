// Starts the deck when formulas, fonts and figures are there, and makes each slide's content as large as it fits.
(() => {
  "use strict";
  const LEAST = 0.25, SMALL = 0.85, MOST = { text: 1.25, code: 1.45, figure: 1.6, guess: 1.25, question: 1.2, moving: 1.15, opening: 1 };
  const root = document.documentElement, paper = root.classList.contains("deck-paper");
  const live = () => root.dataset.chLive === "ready" || !document.querySelector('script[type*="widget-view"]');
  const until = (done) => new Promise((resolve) => {
    const started = performance.now();
    (function look() { done() || performance.now() - started > 8000 ? resolve() : setTimeout(look, 30); })();
  });

  // What is wider than its place: code, tables and formulas would else scroll.
  const isWide = (part) => part.scrollWidth > part.clientWidth + 1;

  function overflows(room, fit) {
    const place = room.getBoundingClientRect(), content = fit.getBoundingClientRect();
    return content.height > place.height + 0.5 || [...fit.querySelectorAll("pre, div.highlight, .ch-panel, .ch-scroll, .ch-tables, .pst-scrollable-table-container, div.math, .deck-shown")].some(isWide);
  }

  // Figures that draw themselves anew for another width do so before the next picture of the screen.
  const redrawn = () => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); setTimeout(resolve, 200); });

  function fitted(slide) {
    const room = slide.querySelector(".deck-content"), fit = slide.querySelector(".deck-fit");
    const kind = /deck-(text|code|figure|guess|question|moving|opening)/.exec(slide.className)[1];
    let low = LEAST, high = MOST[kind];
    fit.style.zoom = high;
    if (overflows(room, fit)) {
      while (high - low > 0.01) {
        const middle = (low + high) / 2;
        fit.style.zoom = middle;
        if (overflows(room, fit)) high = middle; else low = middle;
      }
      fit.style.zoom = low;
    }
    slide.dataset.zoom = Number(fit.style.zoom).toFixed(2);
    return Number(fit.style.zoom);
  }

  // What stays small is tried in other orders, all of it at a time, and the largest counts.
  const ORDERS = [[], ["deck-turned"], ["deck-turned", "deck-columns"]];
  function ordered(slide, order) {
    slide.classList.remove("deck-turned", "deck-columns");
    slide.classList.add(...order);
  }

  async function tried(slides, order) {
    for (const slide of slides) ordered(slide, order);
    const zooms = slides.map(fitted), draws = (slide) => slide.querySelector(".ch-live") !== null;
    if (!slides.some(draws)) return zooms;
    await redrawn();
    return slides.map((slide, i) => draws(slide) ? fitted(slide) : zooms[i]);
  }

  async function arranged(slides) {
    const zooms = [];
    for (const order of ORDERS) zooms.push(await tried(slides, order));
    slides.forEach((slide, i) => {
      const found = zooms.map((each) => each[i]), best = Math.max(...found);
      ordered(slide, ORDERS[found.indexOf(best)]);
      slide.querySelector(".deck-fit").style.zoom = best;
      slide.dataset.zoom = best.toFixed(2);
    });
  }

  async function start() {
    await Promise.all([document.fonts.load('italic 1em "Source Serif 4"'), document.fonts.ready, until(live)]);  // or a line breaks anew
    const deck = new Reveal(document.querySelector(".reveal"), {
      width: 1280, height: 720, margin: 0, maxScale: 3, center: false, hash: true, slideNumber: "c/t", transition: "none",
      navigationMode: "linear", viewDistance: Infinity, mobileViewDistance: Infinity, plugins: [RevealNotes],
      pdfSeparateFragments: false, pdfMaxPagesPerSlide: 1, help: true, scrollActivationWidth: null,
      ...(paper ? { view: "print" } : {}),
    });
    deck.addKeyBinding({ keyCode: 68, key: "D", description: "Dark or light" }, () => {
      const theme = root.dataset.theme === "dark" ? "light" : "dark";
      Object.assign(root.dataset, { theme, mode: theme });
      try { localStorage.setItem("clearhead.slides.theme", theme); } catch { /* a private window */ }
    });
    // What the room has guessed is opened by the same key that goes on.
    deck.on("fragmentshown", ({ fragment }) => fragment.parentElement.querySelector(":scope > .ch-reveal-button")?.click());
    await deck.initialize();
    const slides = [...document.querySelectorAll("section.deck-slide")];
    root.classList.add("deck-measured");
    slides.forEach(fitted);
    await arranged(slides.filter((slide) => Number(slide.dataset.zoom) < SMALL));
    root.classList.remove("deck-measured");
    const grown = new ResizeObserver((entries) => {
      for (const { target } of entries) if (target.clientHeight) fitted(target.closest("section.deck-slide"));
    });
    if (!paper) for (const fit of document.querySelectorAll(".deck-fit")) for (const part of fit.querySelectorAll(".ch-live")) grown.observe(part);
    root.dataset.deck = "ready";
  }
  start().catch((error) => console.error("The deck did not start:", error));
})();
