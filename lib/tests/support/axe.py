"""What axe finds wrong in a page as the reader sees it."""

from support.pages import LOOKS, UNFOLD

# Contrast is slow, and thousands of words and formulas look alike: of those that have the same name, class,
# colour and size of letters on the same grounds, axe judges the first of the book, where it stands. What
# counts is what the browser computed. A link is told from the words around it, so a link is new wherever
# these differ. A figure is judged whole.
FIND = """() => {
    const keys = [], seen = new Set(), known = new Map(), clear = 'rgba(0, 0, 0, 0)';
    self.found = [];
    const letters = s => `${s.color} ${s.fontSize} ${s.fontWeight} ${s.textShadow} ${s.webkitTextFillColor}`;
    const grounds = e => {  // of an element and of all around it, the nearest first
        if (!e) return '';
        if (known.has(e)) return known.get(e);
        const s = getComputedStyle(e), ground = [s.backgroundColor, s.backgroundImage, s.opacity, s.filter,
            s.mixBlendMode, s.backdropFilter].join(' ');
        const plain = ground === `${clear} none 1 none normal none`;
        known.set(e, (plain ? '' : `${ground} / `) + grounds(e.parentElement));
        return known.get(e);
    };
    const told = ['textDecorationLine', 'borderBottomWidth', 'fontStyle', 'outlineStyle'];
    const linked = e => [e.closest('a'), e.closest('a')?.parentElement].map(each => each &&
        letters(getComputedStyle(each)) + told.map(name => getComputedStyle(each)[name])).join();
    const speaks = e => e.matches('math, .ch-figure') ||
        [...e.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
    for (const e of document.querySelectorAll('body *:not(.ch-figure *, svg *, math *)')) {
        if (!speaks(e) || !e.checkVisibility({ visibilityProperty: true })) continue;
        const figure = e.matches('.ch-figure') && `${location.href} ${keys.length}`;
        const key = [e.localName, e.getAttribute('class'), letters(getComputedStyle(e)), grounds(e),
            linked(e), figure].join(' | ');
        if (seen.has(key)) continue;
        seen.add(key);
        self.found.push(e);
        keys.push(key);
    }
    const sheets = [...document.styleSheets].map(sheet => sheet.href?.split('/').at(-1));
    return [keys, `${sheets} ${document.documentElement.dataset.theme} ${innerWidth}`];
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
MARK = "([places, mark]) => places.forEach((n) => self.found[n].toggleAttribute(mark, true))"
CLEAR = "() => document.querySelectorAll('[data-new]').forEach((e) => e.removeAttribute('data-new'))"
# Paragraphs, rows, cells and whatever else holds nothing that is kept goes; what stays, stays whole.
PRUNE = """() => {
    const parts = 'main, article, section, nav, table, tbody, ul, ol, dl, [class^=bd-], ' +
        '.ch-symbols, .ch-with-note';
    const prune = e => [...e.children].forEach(child => {
        const kept = child.matches('[data-kept]') || child.querySelector('[data-kept]');
        if (!kept) child.matches('style, link') || child.remove();
        else if (child.matches(parts)) prune(child);
    });
    prune(document.body);
}"""
OF_COLOURS = ["color-contrast", "link-in-text-block"]
_judged = set()


def wrong(visit):
    """Return what axe finds wrong in a page, at both looks, and leave of the page what is new in it."""
    show(visit, *LOOKS[0])
    thin(visit)
    found = without_name_of_function(visit)  # names, roles, orders: hardly of the width
    visit.page.evaluate(MARK, [new(visit)[0], "data-kept"])
    visit.page.evaluate(PRUNE)
    found += faint(visit)
    show(visit, *LOOKS[1])
    return found + faint(visit)


def show(visit, width, theme):
    """Show a page in a width and a theme, unfolded."""
    visit.look(width, theme)
    visit.page.evaluate(UNFOLD)


def thin(visit):
    """Take from a page that is at its end what says nothing new to axe."""
    visit.page.evaluate(THIN)


def without_name_of_function(visit):
    """Return what axe finds wrong beside colours."""
    return violations(visit, rules={rule: {"enabled": False} for rule in OF_COLOURS})


def new(visit):
    """Return the places of what looks as nothing before, and how everything looks."""
    keys, look = visit.page.evaluate(FIND)
    looks = [(look, key) for key in keys]
    return [n for n, each in enumerate(looks) if each not in _judged], looks


def faint(visit):
    """Return the words that axe cannot tell from their ground, but for those that look as others before."""
    places, looks = new(visit)
    _judged.update(looks)
    visit.page.evaluate(CLEAR)
    visit.page.evaluate(MARK, [places, "data-new"])
    return violations(visit, include="[data-new]", runOnly=OF_COLOURS) if places else []


def violations(visit, include="html", **options):
    """Return what axe finds wrong in a part of the page, a line each."""
    from axe_playwright_python.base import AXE_SCRIPT

    options |= {"preload": False, "resultTypes": ["violations"]}
    if not visit.page.evaluate("'axe' in window"):
        visit.page.evaluate(AXE_SCRIPT)
    run = "([include, options]) => axe.run(include, options).then((found) => found.violations)"
    found = visit.page.evaluate(run, [include, options])
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]
