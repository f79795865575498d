"""Draw the machine of this book, whole and in close-up. Pages draw it for themselves, when they are built.

python book/diagrams/machine.py FOLDER      writes machine.svg, machine_05.svg, close_up_05.svg, and so on
"""

import re
import sys
from html import escape
from pathlib import Path

sys.path.append(str(Path(__file__).parent))

from drawn.block import block
from drawn.families import families
from drawn.heads import heads
from drawn.narrow import narrow
from drawn.parts import CHAPTERS
from drawn.patches import patches
from drawn.queries import queries
from drawn.sheet import nowhere
from drawn.wide import wide

STYLE = Path(__file__).resolve().parents[1] / "static" / "machine.css"
#: The map has some thirty links, which a reader with a keyboard can skip.
PAST = '\n<a class="ch-skip-link" href="#past-the-map">Past the map</a>\n'
#: Figure 1 of a chapter: what draws it, its caption, and its words for those who cannot see it.
CLOSE_UPS = {
    "05": (
        queries,
        "The [query] of *cleverest* meets every [key]; the thicker a ray, the larger the [weight]. The "
        "[values], mixed with these weights, give the output z.",
        "The query of cleverest sends a ray to each of the keys of To, date, the and cleverest. The "
        "weights are 0.08, 0.70, 0.17 and 0.04. The four values, mixed with these weights, give z.",
    ),
    "06": (
        heads,
        "The same four rows enter both heads. Each head has its own [queries], [keys] and [values], and "
        "its own table of [weights]. Their outputs are put side by side again.",
        "An array X of four rows goes into two heads beside each other. In each, Q and K make a table of "
        "weights, and V is mixed by it. The two results are merged into one array of the old width, and "
        "mixed by W_o.",
    ),
    "08": (
        block,
        "Attention exchanges information between the tokens, whereas feed-forward processes each token "
        "separately. Both only *add* to the stream.",
        "Four lines, one for each token, run through the block. Twice a branch leaves them, passes a norm "
        "and a box, and is added again. In the first box, attention, every line meets every other; in the "
        "second, feed-forward, no two lines meet.",
    ),
    "11": (
        families,
        "The [query] of *es* meets the [key] of every source word and receives a mixture of their [values]. "
        "The other target words do the same.",
        "Four source words, This course is fantastic, are joined by arcs, each with each. Four target "
        "words, start, Este, curso, es, are joined by arrows that lead only from earlier to later words. "
        "From each source word a line leads to es.",
    ),
    "13": (
        patches,
        "Follow the first patch: the square 0, 1, 6, 7 becomes the first row. From there on, the model is "
        "the encoder that you know.",
        "An image of four rows and six columns of numbers is cut into six squares of two by two. Each "
        "square becomes a row of four numbers, a token. The six tokens go into an embedding, positions "
        "and an encoder.",
    ),
}


def page_figure(address=nowhere):
    """Return the whole machine for a page: both layouts, of which the style shows one, and a caption."""
    caption = "The whole machine. Each part leads to the chapter that builds it."
    drawn = _figure("ch-machine", wide(None, address), narrow(address), caption)
    return drawn.replace("\n", PAST, 1).replace(
        "<figcaption>", '<figcaption id="past-the-map" tabindex="-1">', 1
    )


def strip_figure(today, whole):
    """Return the strip that opens a chapter: a thumbnail of the machine with the chapter's part filled.

    The thumbnail has no words, so that a search of the page finds none; `whole` is the address of the map.
    """
    caption = (
        f"<b>You are here.</b> {escape(CHAPTERS[today].words)} "
        f'<a href="{escape(whole)}">See the whole map.</a>'
    )
    drawn = f"{thumbnail(today)}\n<figcaption>{caption}</figcaption>"
    return f'<figure class="ch-machine ch-strip">\n{drawn}\n</figure>\n'


def thumbnail(today):
    """Return the machine with a chapter's part filled, without words, links and names."""
    opening, body = wide(today).split("</desc>", 1)
    body = re.sub(r"<title>.*?</title>|<text[^>]*>.*?</text>", "", body)
    view = re.search(r'viewBox="[^"]+"', opening)[0]
    return f'<svg class="m-mini m-today" xmlns="http://www.w3.org/2000/svg" {view} aria-hidden="true">{body}'


def close_up_figure(chapter):
    """Return a close-up for a page: both layouts, of which the style shows one, and a caption."""
    caption = re.sub(r"\*(.+?)\*", r"<em>\1</em>", escape(CLOSE_UPS[chapter][1]))
    caption = re.sub(r"\[(quer|key|value|weight)(\w*)\]", _coloured, caption)
    return _figure("ch-machine ch-close-up", close_up(chapter), close_up(chapter, narrow=True), caption)


def close_up(chapter, narrow=False):
    """Return one close-up as an SVG element with its words."""
    draw, _, words = CLOSE_UPS[chapter]
    body, width, height = draw(narrow)
    kind = "narrow" if narrow else "wide"
    name, title = f"close-up-{chapter}-{kind}", f"Chapter {int(chapter)} in one picture"
    return (
        f'<svg class="m-{kind}" xmlns="http://www.w3.org/2000/svg" viewBox="0 -1 {width} {height + 2}" '
        f'role="img" aria-label="{title}" aria-describedby="{name}-words"><title>{title}</title>'
        f'<desc id="{name}-words">{escape(words)}</desc>\n' + "\n".join(body) + "\n</svg>"
    )


def alone(drawing):
    """Return a drawing as a standalone file, including its style."""
    return drawing.replace("<title", f"<style>{STYLE.read_text('utf-8')}</style><title", 1) + "\n"


def files():
    """Return every drawing by the name of its file."""
    drawn = {"machine": wide(), "machine_narrow": narrow()}
    drawn |= {f"machine_{chapter}": wide(chapter) for chapter in CHAPTERS}
    for end in ("", "_narrow"):
        drawn |= {f"close_up_{chapter}{end}": close_up(chapter, bool(end)) for chapter in CLOSE_UPS}
    return drawn


def _figure(kind, desk, phone, caption):
    return f'<figure class="{kind}">\n{desk}\n{phone}\n<figcaption>{caption}</figcaption>\n</figure>\n'


def _coloured(found):
    kind = {"quer": "query"}.get(found[1], found[1])
    return f'<b class="m-{kind}">{found[1]}{found[2]}</b>'


if __name__ == "__main__":
    for name, drawing in files().items():
        (Path(sys.argv[1]) / f"{name}.svg").write_text(alone(drawing), "utf-8")
