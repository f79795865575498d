"""Lecture slides: a deck for each chapter, made from its built page, that opens without a server.

python book/slides.py            all chapters, in _build/slides
python book/slides.py 05 06      these chapters
"""

import hashlib
import json
import re
import shutil
import sys
from pathlib import Path

from bs4 import BeautifulSoup
from jinja2 import Environment, FileSystemLoader

from build import HTML, ROOT
from decks.cutting import cut, state_of

SLIDES = ROOT / "_build" / "slides"
DECKS = Path(__file__).parent / "decks"
OWN = (
    "early.js",
    "deck.js",
    "deck.css",
    "reveal/reveal.js",
    "reveal/reveal.css",
    "reveal/notes.js",
    "reveal/LICENSE",
)
NEEDED = ("basic.css", "clearhead-live.js", "figures", "fonts", "fonts.js", "favicon.svg")
#: Style sheets of the page that a slide does not need.
NOT_HERE = re.compile(r"togglebutton|copybutton|thebe|python\.css")


def make(html, out, chapters=()):
    """Write the decks of a built book's chapters, with all files they load, and return the decks."""
    pages = [
        page
        for page in sorted(html.glob("chapters/[0-9]*.html"))
        if not chapters or page.name[:2] in chapters
    ]
    if missing := set(chapters) - {page.name[:2] for page in pages}:
        raise LookupError(f"No built page of chapter {', '.join(sorted(missing))}: is it in _toc.yml?")
    out.mkdir(parents=True, exist_ok=True)
    decks, styles = [], []
    for path in pages:
        page = BeautifulSoup(path.read_text("utf-8"), "html.parser")
        styles = _styles(page)
        decks.append(_write(page, path.stem, styles, out))
    _write_from("index.html.j2", out / "index.html", decks=decks, styles=styles)
    _copy(html, out, styles)
    return decks


def _write(page, name, styles, out):
    """Write the HTML of one deck, and return the deck."""
    state, shared = state_of(page), page.select_one("article > style")
    for model in state["state"].values():  # guesses on slides are stored apart from those on the page
        values = model["state"]
        if "question_id" in values:
            values["question_id"] = f"slide-{values['question_id']}"
    deck = cut(name, page, state)
    _write_from(
        "deck.html.j2",
        out / f"{name}.html",
        deck=deck,
        styles=styles,
        shared=shared or "",
        state=json.dumps(state).replace("</", r"<\/") if state["state"] else "",
        classes="ch-symbols" if page.select_one(".ch-symbols") else "",
    )
    return deck


def _styles(page):
    links = [link["href"] for link in page.select('link[rel~="stylesheet"]')]
    return [re.sub(r"^\.\./|\?.*$", "", link) for link in links if not NOT_HERE.search(link)]


def _write_from(template, path, **values):
    environment = Environment(loader=FileSystemLoader(DECKS), autoescape=True, trim_blocks=False)
    path.write_text(environment.get_template(template).render(**values), "utf-8")


def _copy(html, out, styles):
    """Copy the files that the decks load, after verifying the checksums of vendored ones."""
    for line in (DECKS / "reveal/checksums.txt").read_text().splitlines():
        digest, name = line.split()
        if hashlib.sha256((DECKS / "reveal" / name).read_bytes()).hexdigest() != digest:
            raise ValueError(f"book/decks/reveal/{name} is not what checksums.txt says.")
    for name in [*(style.removeprefix("_static/") for style in styles), *NEEDED]:
        source, target = html / "_static" / name, out / "_static" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copy2(source, target)
    (out / "_static/deck").mkdir(exist_ok=True)
    for name in OWN:
        shutil.copy2(DECKS / name, out / "_static/deck" / Path(name).name)


def main(chapters):
    """Make the decks, and print how long each lecture takes."""
    if not (HTML / "index.html").exists():
        sys.exit("Build the book first: make book")
    try:
        decks = make(HTML, SLIDES, chapters)
    except (LookupError, ValueError) as error:
        sys.exit(str(error))
    for deck in decks:
        print(f"{deck.name}: {len(deck.slides)} slides, about {deck.minutes} minutes")
    print(f"\nOpen this page in a browser:\n  {(SLIDES / 'index.html').as_uri()}")


if __name__ == "__main__":
    main(sys.argv[1:])
