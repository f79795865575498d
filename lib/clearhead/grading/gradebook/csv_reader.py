"""Read a table that somebody made with a spreadsheet: commas or semicolons, UTF-8 or UTF-16, nothing lost."""

import csv
import io
from pathlib import Path


class Unclear(ValueError):
    """Raised for rules or lists that make no sense; its message is one sentence for the instructor."""


def read(path):
    """Return the titles of a table, in lower case, and its rows: pairs (number of its line, dict by title).

    Raises
    ------
    Unclear
        Where the file is no such table. A row with more cells than titles is refused, never cut.
    """
    text = _text(path)
    blank = len(text) - len(text.lstrip("\n"))
    first, _, rest = text[blank:].partition("\n")
    told = first.strip().lower()
    if told.startswith("sep=") and len(told) == 5:  # as Excel writes it
        text, marks, before = rest, told[4], blank + 1
    else:
        text, marks, before = text[blank:], ",;\t", blank
    head = text.partition("\n")[0]
    mark = max(marks, key=lambda mark: len(next(csv.reader([head], delimiter=mark), [])))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    titles, rows = None, []
    try:
        for cells in reader:
            cells = [cell.strip() for cell in cells]
            if not any(cells):
                continue
            if titles is None:
                titles = [title.lower() for title in cells]
                continue
            if any(cells[len(titles) :]):
                told = f"{path}, line {reader.line_num + before}: {len(cells)} cells, {len(titles)} columns."
                raise Unclear(f"{told} A name with a comma in it stands in quotes.")
            cells += [""] * (len(titles) - len(cells))
            row = dict(reversed([*zip(titles, cells, strict=False)]))  # of two columns of one name, the first
            rows.append((reader.line_num + before, row))
    except csv.Error as error:
        raise Unclear(f"{path}, line {reader.line_num + before}: {error}.") from None
    if titles is None:
        raise Unclear(f"{path} is empty: its first line has the names of the columns.")
    return titles, rows


def _text(path):
    """Return the text of a file; UTF-16 is known by its first bytes, as Excel writes them."""
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise Unclear(f"{path} cannot be read ({type(error).__name__}).") from None
    wide = raw.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = raw.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        raise Unclear(f"{path} is neither UTF-8 nor UTF-16: in Excel, save it as “CSV UTF-8”.") from None
    if "\0" in text or raw.startswith(b"PK\x03\x04"):
        raise Unclear(f"{path} is no text: save the table as CSV.")
    return text.replace("\r\n", "\n").replace("\r", "\n")
