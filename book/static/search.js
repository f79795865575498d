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
