"""Reading of tables that a spreadsheet saved, with commas or semicolons, in UTF-8 or UTF-16."""

import csv
from pathlib import Path

from clearhead.errors import UserError


def read(path, broken=None):
    """Return the titles of a table, in lower case, and its rows as pairs (line number, dict by title).

    Parameters
    ----------
    path : str or Path
        The file.
    broken : list, optional
        If it is given, a row that cannot be read is appended to it as (number of its line, dict by title,
        reason), and the other rows are returned.

    Raises
    ------
    UserError
        If the file is not such a table. A row with more cells than titles is an error, and never shortened.
    """
    lines, mark, before = _lines(path)
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=mark, strict=True)
    titles, rows = None, []
    while True:
        begun = reader.line_num + 1
        try:
            cells = [cell.strip() for cell in next(reader)]
        except StopIteration:
            break
        except csv.Error as error:
            number, why = reader.line_num, f"its quotation marks cannot be parsed ({error})"
            if number > begun:  # lines in between were taken for a part of it
                why = f"a quotation mark is opened there and not closed before line {number + before}"
            if broken is None or titles is None or number > begun:
                raise UserError(f"{path}, line {begun + before}: {why}.") from None
            cells = [cell.strip('" ') for cell in lines[number - 1].split(mark)]
            broken.append((number + before, dict(zip(titles, cells, strict=False)), why))
            continue
        number = reader.line_num + before
        if not any(cells):
            continue
        if titles is None:
            titles = [title.lower() for title in cells]
            continue
        if any(cells[len(titles) :]):
            why = f"it has {len(cells)} cells, but the table has {len(titles)} columns; a text with a comma "
            why += "in it stands in quotes"
            if broken is None:
                raise UserError(f"{path}, line {number}: {why}.")
            broken.append((number, dict(zip(titles, cells, strict=False)), why))
            continue
        cells += [""] * (len(titles) - len(cells))
        row = dict(reversed([*zip(titles, cells, strict=False)]))  # of two columns of one name, the first
        rows.append((number, row))
    if titles is None:
        raise UserError(f"{path} is empty: its first line has the names of the columns.")
    return titles, rows


def titles(path):
    """Return the titles of a table without changing their case."""
    lines, mark, _ = _lines(path)
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=mark)
    return [title.strip() for title in next(reader, [])]


def _lines(path):
    """Return the lines of a table from its titles on, the separator, and the number of lines before them."""
    text = _text(path)
    blank = len(text) - len(text.lstrip("\n"))
    first, _, rest = text[blank:].partition("\n")
    first_line = first.strip().lower()
    if first_line.startswith("sep=") and len(first_line) == 5:  # as Excel writes it
        text, marks, before = rest, first_line[4], blank + 1
    else:
        text, marks, before = text[blank:], ",;\t", blank
    head = text.partition("\n")[0]
    mark = max(marks, key=lambda mark: len(next(csv.reader([head], delimiter=mark), [])))
    return text.split("\n"), mark, before


def _text(path):
    """Return the text of a file; UTF-16 is recognised by its first bytes, as written by Excel."""
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise UserError(f"{path} cannot be read ({type(error).__name__}).") from None
    wide = raw.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = raw.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{path} is neither UTF-8 nor UTF-16: in Excel, save it as “CSV UTF-8”.") from None
    if "\0" in text or raw.startswith(b"PK\x03\x04"):
        raise UserError(f"{path} is not a text file: save the table as CSV.")
    return text.replace("\r\n", "\n").replace("\r", "\n")
