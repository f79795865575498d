"""What axe finds wrong in a page as the reader sees it."""

# Contrast is slow, and thousands of words and formulas look alike: of those whose whole line of ancestors has
# the same classes and styles, axe judges the first, where it stands. A figure is judged whole.
CHOOSE = """() => {
    const seen = new Set();
    const looks = e => `${e.localName} ${e.getAttribute('class')} ${e.getAttribute('style')}`;
    const speaks = e => e.matches('math, .ch-figure') ||
        [...e.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
    for (const e of document.querySelectorAll('body *:not(.ch-figure *, svg *, math *)')) {
        const line = [];
        for (let up = e; up; up = up.parentElement) line.push(looks(up));
        if (!speaks(e) || (seen.has(line.join()) && !e.matches('.ch-figure'))) continue;
        seen.add(line.join());
        e.toggleAttribute('data-chosen', true);
    }
}"""


def nameless(visit):
    """Return what axe finds wrong beside colours."""
    return violations(visit, rules={"color-contrast": {"enabled": False}})


def faint(visit):
    """Return the words that axe cannot tell from their ground."""
    visit.page.evaluate(CHOOSE)
    return violations(visit, include="[data-chosen]", runOnly=["color-contrast"])


def violations(visit, include="html", **options):
    """Return what axe finds wrong in a part of the page, a line each."""
    from axe_playwright_python.base import AXE_SCRIPT

    options |= {"preload": False, "resultTypes": ["violations"]}
    if not visit.page.evaluate("'axe' in window"):
        visit.page.evaluate(AXE_SCRIPT)
    run = "([include, options]) => axe.run(include, options).then((found) => found.violations)"
    found = visit.page.evaluate(run, [include, options])
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]
