"""Select the parts of a chapter's cell for slides, by its tags."""

import copy
from math import ceil

WIDE, TALL = 52, 4  # code no wider and no shorter than this stands beside its output
LINES = 24  # a slide has no room for more lines of code and text, and rows of tables, than this
ROWS, LETTERS = 14, 1000  # a table with more rows, or with more text, is divided among several slides
NO_SLIDE, BESIDE = "tag_no-slide", "deck-beside"


def is_cell(tag):
    """Return True for the place of a code cell."""
    return "ch-live-cell" in tag.get("class", [])


def on_slide(place):
    """Return the part of a cell that is shown, or None; proofs, set-up and hidden code are not shown."""
    cell = place.select_one("div.cell")
    if cell is None or NO_SLIDE in cell["class"]:
        return None
    for part in cell.select("details.ch-chip-try, details.ch-chip-reveal"):  # a lecture shows it
        part.summary.decompose()
        part.unwrap()
    for folded in cell.select("details.ch-chip, details.hide, .ch-in-page, .ch-try-first"):
        folded.decompose()
    for part in cell.select(".cell_input, .cell_output"):
        if not part.get_text(strip=True) and not part.select_one("svg, script"):
            part.decompose()
    if not cell.select_one(".cell_input, .cell_output"):
        return None
    if "tag_reveal" in cell["class"]:
        for output in cell.select(".cell_output"):
            output["class"] = [*output["class"], "fragment"]
    if _fits_beside(cell):
        cell["class"] = [*cell["class"], BESIDE]
    return cell


def apart(cell):
    """Return what each slide shows: the whole cell, or its code and then its output where both are long."""
    code, output = cell.select_one(".cell_input"), cell.select_one(".cell_output")
    if not code or not output or _height(cell) <= LINES:
        return [cell]
    cell["class"] = [name for name in cell["class"] if name != BESIDE]
    second = copy.copy(cell)
    output.decompose()
    second.select_one(".cell_input").decompose()
    return [cell, second]


def divided(shown):
    """Return what each slide shows of a table: all of it, or the head with some of the rows if it is long."""
    tables = shown.select("table")
    if len(tables) != 1 or shown.select_one(".cell_input"):
        return [shown]
    rows = tables[0].select("tbody > tr")
    parts = max(1, ceil(len(rows) / ROWS), ceil(len(tables[0].get_text()) / LETTERS))
    size = max(1, ceil(len(rows) / parts))
    pieces = []
    for start in range(0, max(1, len(rows)), size):
        piece = copy.copy(shown)
        for number, row in enumerate(piece.select("tbody > tr")):
            if not start <= number < start + size:
                row.decompose()
        pieces.append(piece)
    return pieces


def _height(cell):
    """Return the number of lines of a cell on a slide; code and an output beside it share lines."""
    if BESIDE in cell["class"]:
        return max(_lines(part) for part in cell.select(".cell_input, .cell_output"))
    return _lines(cell)


def _lines(part):
    """Return the lines of code and text in a part of a cell, and the rows of its tables, each one line.

    Tables that `show` put side by side are as high as the one with the most rows. A figure's fallback is
    hidden on a slide and takes no room.
    """
    seen = [each for each in part.select("pre, table") if not each.find_parent(class_="ch-fallback")]
    text = sum(len(each.get_text().strip("\n").splitlines()) for each in seen if each.name == "pre")
    rows = {}
    for table in (each for each in seen if each.name == "table"):
        group = id(table.find_parent(class_="ch-tables") or table)
        rows[group] = max(rows.get(group, 0), len(table.select("tr, caption")))
    return text + sum(rows.values())


def _fits_beside(cell):
    code, output = cell.select_one(".cell_input"), cell.select_one(".cell_output")
    if not code or not output or not output.select_one("svg, table"):
        return False
    lines = code.get_text().strip("\n").splitlines()
    return len(lines) >= TALL and max(map(len, lines)) <= WIDE


def kind_of(cell, models):
    """Return the kind of slide that a cell makes; `models` are the page's interactive figures by id."""
    for model in models_of(cell, models):
        state = model["state"]
        return "guess" if "question_id" in state else "question" if "questions" in state else "moving"
    return "code" if cell.select_one(".cell_input") else "figure"


def models_of(cell, models):
    """Return the interactive figures in a cell."""
    written = " ".join(script.string or "" for script in cell.find_all("script"))
    return [model for name, model in models.items() if name in written]
