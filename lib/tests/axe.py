"""What axe finds wrong in a page as the reader sees it."""

# Contrast is slow, and thousands of words and formulas look alike: of those whose whole line of ancestors has
# the same classes and styles, axe judges the first of the book, where it stands. A figure is judged whole.
FIND = """() => {
    const lines = [], seen = new Set();
    self.found = [];
    const looks = e => `${e.localName} ${e.getAttribute('class')} ${e.getAttribute('style')}`;
    const speaks = e => e.matches('math, .ch-figure') ||
        [...e.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
    for (const e of document.querySelectorAll('body *:not(.ch-figure *, svg *, math *)')) {
        if (!speaks(e)) continue;
        const line = e.matches('.ch-figure') ? [location.href, lines.length] : [];
        for (let up = e; up; up = up.parentElement) line.push(looks(up));
        if (seen.has(line.join())) continue;
        seen.add(line.join());
        self.found.push(e);
        lines.push(line.join());
    }
    const sheets = [...document.styleSheets].map(sheet => sheet.href?.split('/').at(-1));
    return [lines, `${sheets} ${document.documentElement.dataset.theme} ${innerWidth}`];
}"""
# Coloured code and pictures are most of what a page holds, and axe takes time for each part, whatever is
# asked: of words in code whose whole line of ancestors looks alike, the first of the page stays, and the
# others are plain text; a picture is one thing with its words, also for who listens to it.
THIN = """() => {
    const seen = new Set();
    const look = e => `${e.localName} ${e.getAttribute('class')} ${e.getAttribute('style')}`;
    for (const e of document.querySelectorAll(':is(pre, .sig) span:not(:has(*))')) {
        const line = [];
        for (let up = e; up; up = up.parentElement) line.push(look(up));
        const plain = [...e.attributes].every(each => each.name === 'class');
        if (plain && seen.has(line.join())) e.replaceWith(e.textContent);
        seen.add(line.join());
    }
    document.querySelectorAll('svg[role=img]:not(.ch-figure *) > :not(title, desc)').forEach(e => e.remove());
}"""
CHOOSE = "(places) => places.forEach((n) => self.found[n].toggleAttribute('data-chosen', true))"
_judged = set()


def thin(visit):
    """Take from a page that is at its end what says nothing new to axe."""
    visit.page.evaluate(THIN)


def nameless(visit):
    """Return what axe finds wrong beside colours."""
    return violations(visit, rules={"color-contrast": {"enabled": False}})


def faint(visit):
    """Return the words that axe cannot tell from their ground, but for those that look as others before."""
    lines, look = visit.page.evaluate(FIND)
    new = [n for n, line in enumerate(lines) if (look, line) not in _judged]
    _judged.update((look, line) for line in lines)
    visit.page.evaluate(CHOOSE, new)
    return violations(visit, include="[data-chosen]", runOnly=["color-contrast"]) if new else []


def violations(visit, include="html", **options):
    """Return what axe finds wrong in a part of the page, a line each."""
    from axe_playwright_python.base import AXE_SCRIPT

    options |= {"preload": False, "resultTypes": ["violations"]}
    if not visit.page.evaluate("'axe' in window"):
        visit.page.evaluate(AXE_SCRIPT)
    run = "([include, options]) => axe.run(include, options).then((found) => found.violations)"
    found = visit.page.evaluate(run, [include, options])
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]
