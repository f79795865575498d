// The order of what a search finds: first where a thing is taught, last where its functions are listed.
var Scorer = {
  score: ([page, , , , score]) => score
    + (page.startsWith("chapters/") ? 12 : 0)
    - (page.startsWith("exercises/") ? 4 : 0)
    - (/^book\/(api_|claims|coverage)/.test(page) ? 16 : 0),
  objNameMatch: 2, objPartialMatch: 1,
  objPrio: { 0: 2, 1: 0, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
