// The order of what a search finds: first the chapter that teaches the words, last where functions are listed.
// The search page knows from the glossary which chapter teaches which term: `clearheadTaught`.
var Scorer = (() => {
  const plain = (text) => text.toLowerCase().replace(/[-–\s]+/g, " ").replace(/s\b/g, "").trim();
  function taught() {
    const asked = plain(new URLSearchParams(location.search).get("q") ?? ""), table = self.clearheadTaught ?? {};
    const terms = Object.keys(table).map((term) => [plain(term), table[term]]).sort((a, b) => a[0].length - b[0].length);
    const fits = [(term) => term === asked, (term) => term.startsWith(asked), (term) => ` ${term} `.includes(` ${asked} `),
      (term) => ` ${asked} `.includes(` ${term} `)];
    return asked && fits.map((fit) => terms.find(([term]) => fit(term))).find(Boolean)?.[1];
  }
  return {
    score: ([page, , anchor, , score]) => score
      + (page === taught() ? (anchor ? 20 : 60) : 0)
      + (page.startsWith("chapters/") ? 12 : 0)
      - (page.startsWith("exercises/") ? 4 : 0)
      - (page === "book/glossary" ? 60 : 0)   // Sphinx gives a glossary's own entry 100
      - (/^book\/(api_|claims|coverage)/.test(page) ? 16 : 0),
    objNameMatch: 2, objPartialMatch: 1,
    objPrio: { 0: 2, 1: 0, 2: -5 }, objPrioDefault: 0,
    title: 15, partialTitle: 7, term: 5, partialTerm: 2,
  };
})();

// The excerpt of a result: the first sentence of the section that holds the words, and not code, menus or headings.
// Sphinx takes the words from anywhere in the page, so that an excerpt of it is often a list of headings.
const Excerpt = (() => {
  const BLOCKS = "p, li, dd, td, figcaption", SKIPPED = "nav, script, style, pre, figure svg, .headerlink, annotation, .ch-figure, .ch-tables, .ch-try-first";
  const held = (text, words) => words.filter((word) => text.toLowerCase().includes(word)).length;

  // How well a block fits: first how many of the words it holds, then whether its heading or its term holds them,
  // then whether it is prose and not a list, a box or a reference.
  function fit(block, text, words) {
    const heading = block.closest("section")?.querySelector("h1, h2, h3")?.textContent ?? "";
    const term = block.closest("dd")?.previousElementSibling?.textContent ?? "";
    const prose = block.matches("p") && text.length > 60 && !block.closest("li, td, .admonition, #further-reading, #exercises");
    const named = term ? (held(term, words) === words.length) / (1 + term.length) : held(heading, words) / words.length / 4;
    return held(text, words) + (term ? 4 * named : named) + prose / 4;
  }

  // The sentences from the first one that holds a word, of the block that fits best.
  function sentence(start, words) {
    const blocks = [...start.querySelectorAll(BLOCKS)].filter((block) => !block.querySelector(BLOCKS));
    let best = 0, text = "";
    for (const block of blocks) {
      const said = block.textContent.replace(/\s+/g, " ").trim(), fits = said.includes(" ") ? fit(block, said, words) : 0;
      if (fits > best && (held(said, words) || block.closest("dd"))) [best, text] = [fits, said];
    }
    const sentences = text.split(/(?<=[.!?])\s+(?=[A-Z“‘])/), first = Math.max(0, sentences.findIndex((each) => held(each, words)));
    let said = sentences[first];
    for (const next of sentences.slice(first + 1)) {
      if (said.length + next.length > 240) break;
      said += ` ${next}`;
    }
    return said.length > 320 ? `${said.slice(0, 300).replace(/\s\S*$/, "")} …` : said;
  }

  return (html, keywords, anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html"), main = page.querySelector("article") ?? page.querySelector('[role="main"]');
    const excerpt = Object.assign(document.createElement("p"), { className: "context" });
    if (!main) return excerpt;
    main.querySelectorAll(SKIPPED).forEach((each) => each.remove());
    const words = [...keywords].map((word) => word.toLowerCase());
    const place = anchor && main.querySelector(anchor), section = place && (place.closest("section, dl, figure") ?? place);
    const said = (section && sentence(section, words)) || sentence(main, words);
    excerpt.textContent = said;
    return excerpt;
  };
})();
addEventListener("DOMContentLoaded", () => { Search.makeSearchSummary = Excerpt; });
