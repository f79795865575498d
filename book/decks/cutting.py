"""Cut a built page into a deck: sections become stacks, visible parts slides, and prose notes."""

import copy
import json

from bs4 import BeautifulSoup

from . import cells
from .sentences import one_sentence, sentences
from .slides import Deck, Slide, Stack

STATE = "application/vnd.jupyter.widget-state+json"
PROSE = ("p", "ul", "ol", "dl", "blockquote")
LETTERS = 520  # of text on one slide
LEFT_OUT = ("toctree-wrapper",)


def state_of(page):
    """Return the state of the page's interactive figures, or {}; large parts are in _static/figures."""
    found = {"state": {}}
    for script in page.find_all("script", type=STATE):
        found["state"] |= json.loads(script.string)["state"]
    return found


def cut(name, page, state):
    """Return the deck of a page; a figure with many questions becomes one figure per question."""
    chapter = page.select_one("article section")
    put_back(chapter)
    for link in chapter.select("a.headerlink, .ch-reveal-button"):
        link.decompose()
    for link in chapter.select("a[href]"):  # a link would lead the room away, and #... means a slide here
        if not link["href"].startswith(("http:", "https:")):
            link.unwrap()
    title = chapter.find("h1").decode_contents()
    stacks = [Stack(title, Cutter(title, "", state).opening(chapter))]
    for section in chapter.find_all("section", recursive=False):
        slides = Cutter(section.find("h2").decode_contents(), "", state).slides(section)
        if slides:
            stacks.append(Stack(slides[0].title, slides))
    return Deck(name, title, stacks)


def put_back(chapter):
    """Put margin notes back into the text, and open what is optional: a lecture has neither."""
    for note in chapter.select(".ch-note"):
        note.p.insert(0, "(")
        note.p.append(")")
        note.unwrap()
    for part in chapter.select("details.ch-optional"):
        part.summary.name = "p"
        part.unwrap()
    for noted in chapter.select(".ch-with-note"):
        noted.unwrap()


class Cutter:
    """The slides of one section, made from its children one after the other."""

    def __init__(self, title, kicker, state):
        self.title, self.kicker, self.state = title, kicker, state
        self.made, self.prose = [], []

    def opening(self, chapter):
        """Return the slides before the first section: the map comes first."""
        pictures = chapter.find_all("figure", recursive=False)
        first = Slide(self.title, kind="opening", shown=pictures[:1])
        for tag in pictures[:1]:
            tag.extract()
        self.made.append(first)
        self._children(chapter)
        return self.made

    def slides(self, section):
        """Return the slides of a section, those of its sections behind its own."""
        self._children(section)
        for inner in section.find_all("section", recursive=False):
            self.made += Cutter(inner.find(["h3", "h4"]).decode_contents(), self.title, self.state).slides(
                inner
            )
        return self.made

    def _children(self, section):
        joins = False  # a formula and the cell behind it are one slide
        for child in section.find_all(recursive=False):
            if child.name in PROSE:
                self.prose.append(child)
                joins = False
            elif child.name in ("section", "h1", "h2", "h3", "h4") or set(LEFT_OUT) & set(
                child.get("class", [])
            ):
                continue
            elif "admonition" in child.get("class", []):
                self._close()
                self._box(child)
                joins = False
            elif shown := cells.on_slide(child) if cells.is_cell(child) else child:
                self._show(shown, joins)
                joins = "math" in child.get("class", [])
        self._close()

    def _show(self, shown, joins):
        """Make a slide of something visible, with the sentence before it."""
        kind = cells.kind_of(shown, self.state["state"])
        if joins and not self.prose:
            self.made[-1].shown.append(shown)
            return
        before = self._comment_on_the_last()
        *earlier, last = before or [None]
        self._text(earlier)
        slide = Slide(self.title, self.kicker, kind, shown=[shown])
        if last is not None:
            sentence = one_sentence(last) if last.name == "p" else last
            slide.said = [sentence] if sentence is not None and kind != "guess" else []
            slide.note(last)
        if kind == "question":
            self.made += self._one_by_one(slide)
        else:
            self.made.append(slide)
            if kind in ("code", "figure"):
                parts = cells.apart(shown) if kind == "code" else [shown]
                slide.shown, *more = [[piece] for part in parts for piece in cells.divided(part)]
                self.made += [Slide(self.title, self.kicker, kind, shown=piece) for piece in more]

    def _comment_on_the_last(self):
        """Give the first words after a picture to its slide; return the prose that is left."""
        prose, self.prose = self.prose, []
        looks = self.made and self.made[-1].kind not in ("text", "opening", "guess", "question")
        if looks and len(prose) > 1 and prose[0].name == prose[1].name == "p":
            self._keep(prose[0])
            return prose[1:]
        return prose

    def _keep(self, paragraph):
        slide = self.made[-1]
        sentence = one_sentence(paragraph)
        if sentence is not None:
            slide.kept.append(sentence)
        slide.note(paragraph)

    def _close(self):
        """Place the prose at the end of a section."""
        prose = self._comment_on_the_last()
        if (
            len(prose) == 1
            and prose[0].name == "p"
            and self.made
            and self.made[-1].kind in ("figure", "code", "moving")
        ):
            self._keep(prose[0])
        else:
            self._text(prose)

    def _text(self, prose):
        """Make slides of prose: long prose as one sentence per paragraph, and lists as they are."""
        room, slide = 0, None
        is_short = sum(len(part.get_text()) for part in prose) <= LETTERS
        for part in prose:
            for piece in _shown(part, is_short):
                letters = len(piece.get_text())
                if slide is None or room + letters > LETTERS:
                    slide, room = Slide(self.title, self.kicker), 0
                    self.made.append(slide)
                slide.said.append(piece)
                room += letters
            if slide is not None:
                slide.note(part)

    def _box(self, box):
        """Make slides of a box: its title is the headline."""
        title = box.select_one(".admonition-title")
        inner = Cutter(title.extract().decode_contents() if title else self.title, self.title, self.state)
        for part in box.find_all(recursive=False):
            for piece in _pieces(part):
                slide = inner.made[-1] if inner.made else None
                if (
                    slide is None
                    or sum(len(s.get_text()) for s in slide.said) + len(piece.get_text()) > LETTERS
                ):
                    slide = Slide(inner.title, inner.kicker)
                    inner.made.append(slide)
                slide.said.append(piece)
                slide.note(piece)
        self.made += inner.made

    def _one_by_one(self, slide):
        """Return a slide for each question of a figure that asks many."""
        script, made = slide.shown[0].find("script", type=lambda kind: kind and "widget-view" in kind), []
        name = json.loads(script.string)["model_id"]
        for number, question in enumerate(self.state["state"][name]["state"]["questions"]):
            own = copy.deepcopy(self.state["state"][name])
            own["state"] |= {
                "questions": [question],
                "answers": [-1],
                "met": [],
                "chapter": f"slide-{number}",
            }
            self.state["state"][f"{name}{number}"] = own
            cell = copy.copy(slide.shown[0])
            cell.find("script", type=script["type"]).string = json.dumps({"model_id": f"{name}{number}"})
            for entry in [each for i, each in enumerate(cell.select(".ch-fallback ol > li")) if i != number]:
                entry.decompose()
            made.append(Slide(slide.title, slide.kicker, slide.kind, said=slide.said, shown=[cell]))
        return made


def _shown(part, is_short):
    """Return the parts of a piece of prose for slides: every sentence by itself, or one, or the entries."""
    if part.name != "p":
        return _pieces(part)
    return sentences(part) if is_short else filter(None, [one_sentence(part)])


def _pieces(part):
    """Split a list into one-entry lists, with the numbering continued; leave anything else whole."""
    if part.name not in ("ul", "ol"):
        return [copy.copy(part)]
    made = []
    for number, entry in enumerate(part.find_all("li", recursive=False), int(part.get("start", 1))):
        own = BeautifulSoup(f"<{part.name}></{part.name}>", "html.parser").find(part.name)
        if part.name == "ol":
            own["start"] = number
        own.append(copy.copy(entry))
        made.append(own)
    return made
