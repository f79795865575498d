// The order of what a search finds: first the chapter that teaches the words, last where functions are listed.
// The search page knows from the glossary which chapter teaches which term: `clearheadSearchTerms`.
var Scorer = (() => {
  const plain = (text) => text.toLowerCase().replace(/[-–\s]+/g, " ").replace(/s\b/g, "").trim();
  function chapterFor() {
    const query = plain(new URLSearchParams(location.search).get("q") ?? ""), table = self.clearheadSearchTerms ?? {};
    const terms = Object.keys(table).map((term) => [plain(term), table[term]]).sort((a, b) => a[0].length - b[0].length);
    const fits = [(term) => term === query, (term) => term.startsWith(query), (term) => ` ${term} `.includes(` ${query} `),
      (term) => ` ${query} `.includes(` ${term} `)];
    return query && fits.map((fit) => terms.find(([term]) => fit(term))).find(Boolean)?.[1];
  }
  return {
    score: ([page, , anchor, , score]) => score
      + (page === chapterFor() ? (anchor ? 20 : 60) : 0)
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
  const countWords = (text, words) => words.filter((word) => text.toLowerCase().includes(word)).length;

  // How well a block fits: first how many of the words it holds, then whether its heading or its term holds them,
  // then whether it is prose and not a list, a box or a reference.
  function fit(block, text, words) {
    const heading = block.closest("section")?.querySelector("h1, h2, h3")?.textContent ?? "";
    const term = block.closest("dd")?.previousElementSibling?.textContent ?? "";
    const prose = block.matches("p") && text.length > 60 && !block.closest("li, td, .admonition, #further-reading, #exercises");
    const headingScore = term ? (countWords(term, words) === words.length) / (1 + term.length) : countWords(heading, words) / words.length / 4;
    return countWords(text, words) + (term ? 4 * headingScore : headingScore) + prose / 4;
  }

  // The sentences from the first one that holds a word, of the block that fits best.
  function sentence(start, words) {
    const blocks = [...start.querySelectorAll(BLOCKS)].filter((block) => !block.querySelector(BLOCKS));
    let best = 0, text = "";
    for (const block of blocks) {
      const content = block.textContent.replace(/\s+/g, " ").trim(), fits = content.includes(" ") ? fit(block, content, words) : 0;
      if (fits > best && (countWords(content, words) || block.closest("dd"))) [best, text] = [fits, content];
    }
    const sentences = text.split(/(?<=[.!?])\s+(?=[A-Z“‘])/), first = Math.max(0, sentences.findIndex((each) => countWords(each, words)));
    let result = sentences[first];
    for (const next of sentences.slice(first + 1)) {
      if (result.length + next.length > 240) break;
      result += ` ${next}`;
    }
    return result.length > 320 ? `${result.slice(0, 300).replace(/\s\S*$/, "")} …` : result;
  }

  return (html, keywords, anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html"), main = page.querySelector("article") ?? page.querySelector('[role="main"]');
    const excerpt = Object.assign(document.createElement("p"), { className: "context" });
    if (!main) return excerpt;
    main.querySelectorAll(SKIPPED).forEach((each) => each.remove());
    const words = [...keywords].map((word) => word.toLowerCase());
    const target = anchor && main.querySelector(anchor), section = target && (target.closest("section, dl, figure") ?? target);
    excerpt.textContent = (section && sentence(section, words)) || sentence(main, words);
    return excerpt;
  };
})();
addEventListener("DOMContentLoaded", () => { Search.makeSearchSummary = Excerpt; });
