"""Draw the cover that a shared link shows, 1200 by 630 pixels.

python book/cover.py        writes book/static/cover.png
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

import chromium

BOOK = Path(__file__).resolve().parent
sys.path.append(str(BOOK.parent / "lib"))

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


def cover(length=8, cell=60):
    """Return the page of the cover: its title beside the weights of a causal head over places."""
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


def main():
    """Take the picture."""
    page_file = BOOK / "static" / "cover.html"
    page_file.write_text(cover(), "utf-8")
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright, chromium.found())
        page = browser.new_page(viewport=SIZE)
        page.goto(page_file.as_uri())
        page.evaluate("document.fonts.ready")
        page.screenshot(path=BOOK / "static" / "cover.png")
        browser.close()
    page_file.unlink()


if __name__ == "__main__":
    main()
