"""The preview pictures of shared links: the cover, and for each chapter its part of the machine.

python book/cover.py        writes book/static/cover.png, book/static/covers/NN.png and book/static/icon.png
"""

import json
import sys
from html import escape
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import chromium

BOOK = Path(__file__).resolve().parent
sys.path += [str(BOOK.parent / "lib"), str(BOOK / "diagrams")]

from drawn.parts import CHAPTERS  # noqa: E402
from drawn.wide import wide  # noqa: E402

from clearhead.maths.attention import scaled_dot_product_attention  # noqa: E402
from clearhead.maths.masks import causal_mask  # noqa: E402
from clearhead.maths.positions import sinusoidal  # noqa: E402

SIZE = {"width": 1200, "height": 630}
STYLE = """@font-face {{ font-family: Sans; font-weight: 400 700; src: url({fonts}/sans.woff2); }}
body {{ margin: 0; width: 1200px; height: 630px; background: #fbf9fc; font-family: Sans; color: #16131a; }}
h1 {{ position: absolute; left: 72px; top: 150px; width: 560px; margin: 0; font-size: 84px; line-height: 1.02;
  letter-spacing: -2px; }}
p {{ position: absolute; left: 72px; bottom: 84px; margin: 0; font-size: 34px; color: #8b3a80; }}
svg {{ position: absolute; right: 64px; top: 75px; }}"""
OF_CHAPTER = """h1 {{ left: 56px; top: 64px; width: 350px; font-size: 48px; line-height: 1.08 }}
h1 b {{ display: block; font-size: 96px; color: #8b3a80 }}
p {{ left: 56px; bottom: 56px; width: 330px; font-size: 28px }}
.ch-machine svg {{ top: 40px; right: 40px; width: 740px; height: 550px }}"""


def cover(length=8, cell=60):
    """Return the HTML of the cover, with the title beside the weights of a causal head over positions."""
    x = 2.2 * sinusoidal(length, 16)
    _, A = scaled_dot_product_attention(x, x, x, causal_mask(length))
    squares = "".join(
        f'<rect x="{j * cell}" y="{i * cell}" width="{cell - 6}" height="{cell - 6}" rx="8" fill="#8b3a80" '
        f'fill-opacity="{0.07 + 0.93 * A[i, j] ** 0.6:.2f}"/>'
        for i in range(length)
        for j in range(i + 1)
    )
    side = length * cell
    style = STYLE.format(fonts=(BOOK / "static" / "fonts").as_uri())
    return (
        f'<!doctype html><style>{style}</style><svg width="{side}" height="{side}">{squares}</svg>'
        "<h1>Transformers with a Clear Head</h1><p>Every number visible</p>"
    )


def cover_of(chapter):
    """Return the HTML of a chapter's cover: its number and title, and the machine with its part in colour."""
    (path,) = (BOOK.parent / "chapters").glob(f"{chapter}_*.ipynb")
    title = "".join(json.loads(path.read_text("utf-8"))["cells"][0]["source"]).partition("\n")[0].strip("# ")
    style = STYLE.format(fonts=(BOOK / "static" / "fonts").as_uri())
    style += OF_CHAPTER.format()
    machine = (BOOK / "static" / "machine.css").read_text("utf-8")
    return (
        f"<!doctype html><style>{machine}{style}</style><h1><b>{int(chapter)}</b>{escape(title)}</h1>"
        f'<div class="ch-machine">{wide(chapter)}</div><p>Transformers with a Clear Head</p>'
    )


def icon():
    """Return the HTML of the icon for the home screen of a phone."""
    drawn = (BOOK / "static" / "favicon.svg").read_text("utf-8")
    style = "body { margin: 0; background: #8b3a80; } svg { width: 100vw; }"
    return f"<!doctype html><style>{style}</style>{drawn}"


def take(browser, page, path, size=SIZE):
    """Save a screenshot of an HTML page in 192 colours, so that the file stays small."""
    drawn = path.with_suffix(".html")
    drawn.write_text(page, "utf-8")
    view = browser.new_page(viewport=size)
    view.goto(drawn.as_uri())
    view.evaluate("document.fonts.ready")
    view.screenshot(path=path)
    view.close()
    drawn.unlink()
    Image.open(path).convert("RGB").quantize(192, dither=Image.Dither.NONE).save(path, optimize=True)


def main():
    """Take the screenshots of all covers and of the icon."""
    (BOOK / "static" / "covers").mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright, chromium.found())
        take(browser, cover(), BOOK / "static" / "cover.png")
        take(browser, icon(), BOOK / "static" / "icon.png", {"width": 180, "height": 180})
        for chapter in CHAPTERS:
            take(browser, cover_of(chapter), BOOK / "static" / "covers" / f"{chapter}.png")
        browser.close()


if __name__ == "__main__":
    main()
