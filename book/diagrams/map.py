"""Draw the map of the chapters for the first page: a line of stations, filled where a chapter exists.

python book/diagrams/map.py      writes book/diagrams/map.svg
"""

import re
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PITCH, TOP, LINE, TEXT = 44, 20, 40, 66
PARTS = {
    "Begin": [("00", "Start here", "shapes, conventions, how grading works")],
    "Before attention": [
        ("01", "Vectorization", "everything becomes numbers"),
        ("02", "Tokens and embeddings", "meaning as a direction"),
        ("03", "Before attention", "what older layers cannot reach"),
    ],
    "Attention": [
        ("04", "A soft dictionary", "the whole idea, with fruit"),
        ("05", "Scaled dot-product attention", "why the square root; the gradient by hand"),
        ("06", "Multi-head attention", "several questions at once"),
    ],
    "A whole model": [
        ("07", "Positions", "how order gets in"),
        ("08", "The block", "and every parameter counted"),
        ("09", "Masking and training", "one sentence, many lessons"),
        ("10", "Decoding", "temperature, top-p, beams"),
        ("11", "Encoder, decoder, both", "translate, classify, write"),
    ],
    "Wider": [
        ("12", "Scalability", "a million tokens on a laptop"),
        ("13", "Vision", "an image is a sentence of patches"),
        ("14", "Across modalities", "images, text, DNA, time"),
        ("15", "Capstone", "a small GPT that you can explain"),
    ],
    "Today": [
        ("16", "What changed since GPT-2", "each change a race, beside the exact floor"),
        ("17", "A real model", "opened to the last number"),
        ("18", "Model to assistant", "tuned, judged, rewarded: with a known truth"),
        ("19", "A word, cheaply", "drafts that change nothing, and bytes"),
        ("20", "Diffusion", "noise becomes images, and masks become text"),
    ],
}
STYLE = (
    ".ch-map{display:block;width:100%;max-width:27rem;height:auto}"
    ".ch-map a{color:inherit;text-decoration:none}"
    ".ch-map text{fill:currentColor;font-family:var(--ch-plain,sans-serif)}"
    ".ch-map .part{font-size:12.5px;letter-spacing:.09em;text-transform:uppercase}"
    ".ch-map .title{font-size:15px}.ch-map a .title{font-weight:600}"
    ".ch-map a:hover .title{text-decoration:underline}"
    ".ch-map .promise,.ch-map .number{font-size:13px;opacity:.8}"
    ".ch-map .line{stroke:currentColor;stroke-width:3;opacity:.35}"
    ".ch-map circle{stroke:currentColor;stroke-width:2.5;fill:var(--pst-color-background,#fff)}"
    ".ch-map a circle{fill:currentColor}.ch-map a:focus-visible .title{outline:2px solid currentColor}"
)


def pages():
    """Return the chapters that are in the table of contents: {"04": "chapters/04_soft_dictionary"}."""
    toc = (ROOT / "_toc.yml").read_text("utf-8")
    return {number: page for page, number in re.findall(r"file: (chapters/(\d\d)_\w+)", toc)}


def station(chapter, y, page):
    """Return one chapter as SVG: a link where its page exists, else the word "planned"."""
    number, title, promise = chapter
    promise += "" if page else " · planned"
    lines = [
        f'<circle cx="{LINE}" cy="{y}" r="8"/>',
        f'<text class="number" x="{LINE - 18}" y="{y + 4}" text-anchor="end">{int(number)}</text>',
        f'<text class="title" x="{TEXT}" y="{y + 1}">{escape(title)}</text>',
        f'<text class="promise" x="{TEXT}" y="{y + 17}">{escape(promise)}</text>',
    ]
    return [f'<a href="../{page}.html">', *lines, "</a>"] if page else ["<g>", *lines, "</g>"]


def draw():
    """Return the map as one inline SVG element."""
    found, body, y, first = pages(), [], TOP, None
    for part, chapters in PARTS.items():
        body.append(f'<text class="part" x="{TEXT}" y="{y + 6}">{escape(part)}</text>')
        y += 30
        for chapter in chapters:
            first = first or y
            body += station(chapter, y, found.get(chapter[0]))
            y += PITCH
    line = f'<path class="line" d="M{LINE} {first}V{y - PITCH}"/>'
    opening = f'<svg class="ch-map" viewBox="0 0 360 {y - 10}" role="group" aria-label="Map of the chapters">'
    return "\n".join([opening, f"<style>{STYLE}</style>", line, *body, "</svg>"]) + "\n"


if __name__ == "__main__":
    (HERE / "map.svg").write_text(draw(), encoding="utf-8")
