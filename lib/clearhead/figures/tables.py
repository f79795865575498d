"""Arrays and results as tables: labelled, coloured like the heat maps, plain to a screen reader."""

import html
import itertools
import re
from numbers import Integral, Real

import numpy as np

from . import style
from .words import number

#: So many rows and columns are shown; of more, the first and the last, with dots between.
MOST_ROWS, MOST_COLUMNS, MOST_SLICES = 12, 12, 6
DIGITS = 3
CELL = re.compile(r">([^<]*)</t[dh]>")

_DARK = ";".join(f"--ch-{name}:{dark}" for name, (_, dark) in style.PALETTE.items())
_LIGHT = ";".join(f"--ch-{name}:{light}" for name, (light, _) in style.PALETTE.items())
SHEET = (
    f"<style>.ch-tables{{{_LIGHT}}}"
    f"html[data-theme=dark] .ch-tables,body[data-jp-theme-light=false] .ch-tables{{{_DARK}}}"
    ":is(html[data-theme=dark],body[data-jp-theme-light=false]) .ch-array td[style]{color:#fff}"
    ".ch-tables{display:flex;flex-wrap:wrap;align-items:flex-start;gap:.6em 1.8em;overflow-x:auto;"
    "padding:2px;color:inherit}"
    ".ch-tables table{border-collapse:separate;border-spacing:2px;width:auto;margin:0;font-size:.9em}"
    ".ch-tables caption{caption-side:top;text-align:left;padding:0 0 .2em;color:inherit;font-weight:600}"
    ".ch-tables :is(td,th){border:0;padding:.25em .5em;text-align:right;font-weight:400;color:inherit;"
    "background:none;font-variant-numeric:tabular-nums;white-space:nowrap;line-height:1.35}"
    ".ch-tables th[scope]{opacity:.85}.ch-tables th[scope=col]{text-align:center}"
    ".ch-tables .ch-shape{opacity:.75;font-size:.8em;text-align:left;padding-left:0}"
    ".ch-array td{min-width:2.7em;text-align:center!important;border-radius:3px}"
    ".ch-array td[style]{background:color-mix(in srgb,var(--t) calc(var(--w)*1%),transparent)!important}"
    ".ch-array td.ch-lost{outline:2px dashed var(--ch-key);outline-offset:-2px}"
    ".ch-results :is(td,th){border-bottom:1px solid!important;"
    "border-color:color-mix(in srgb,currentColor 22%,transparent)!important}"
    ".ch-results th[scope=col]{font-weight:600;opacity:1;text-align:right}"
    ".ch-results :is(td,th).ch-words{text-align:left;white-space:normal}</style>"
)


class Tables:
    """Return tables that show themselves as HTML, and as plain text where there is no HTML.

    Parameters
    ----------
    parts : list of str
        The HTML of each table.
    text : str
        What a terminal shows.
    """

    def __init__(self, parts, text):
        self.parts, self.text = parts, text

    def _repr_html_(self):
        label = 'tabindex="0" role="group" aria-label="Numbers"' if self._wide else ""
        return f'<div class="ch-tables" {label}>{SHEET}{"".join(self.parts)}</div>'

    def __repr__(self):
        return self.text

    @property
    def _wide(self):
        """True if a telephone is too narrow for a row: then the keyboard must reach it, to scroll."""
        rows = (CELL.findall(row) for part in self.parts for row in part.split("<tr>"))
        return any(sum(14 + 8 * max(len(text), 3) for text in row) > 320 for row in rows)


def show(*arrays, rows=None, columns=None, **named):
    """Return small arrays as coloured tables, side by side: the shape in the corner, a name above.

    Numbers between 0 and 1 have the tints of the heat maps; others are tinted by their share of the largest.
    Below zero the tint is that of the keys. What is not a number is framed.

    Parameters
    ----------
    arrays : array_like
        Arrays or tensors with any number of axes; of many axes, the last two make a table.
    rows : list of str, optional
        A label for each row, such as its token. Without them a row has its index. An array with another
        number of rows keeps its indices.
    columns : list of str, optional
        A label for each column.
    named : array_like
        More arrays, each under its name: `show(K=K, V=V)`.
    """
    given = [("", array) for array in arrays] + list(named.items())
    if not given:
        raise ValueError("show() got no array: give at least one, as in show(A) or show(A=A).")
    parts = [(name, _array(name, each)) for name, each in given]
    for labels, axis, what in ((rows, -2, "row"), (columns, -1, "column")):
        _fits(labels, axis, what, [array for _, array in parts])
    made = [table for name, array in parts for table in _tables(name, array, rows, columns)]
    return Tables(made, "\n\n".join(_plain(name, array) for name, array in parts))


def table(**columns):
    """Return results as a table with headings: `table(d_k=[4, 16], norm=norms)` has two columns.

    `table(**{"how many": counts})` takes any words as a heading.

    Parameters
    ----------
    columns : list
        The cells of each column, numbers or words; all of the same length.
    """
    lengths = {name: len(list(cells)) for name, cells in columns.items()}
    if len(set(lengths.values())) != 1:
        raise ValueError(f"Columns must be equally long, and at least one; got {lengths}.")
    texts = {name: _column(list(cells)) for name, cells in columns.items()}
    numbers = [any(isinstance(cell, Real | np.generic) for cell in cells) for cells in columns.values()]
    first, *others = ["" if some else ' class="ch-words"' for some in numbers]
    lines, body = list(zip(*texts.values(), strict=True)), ""
    for label, *cells in lines:
        told = "".join(_cell("td", cell, words) for cell, words in zip(cells, others, strict=True))
        body += f"<tr>{_cell('th', label, _scope('row') + first)}{told}</tr>"
    kinds = zip(texts, [first, *others], strict=True)
    head = "".join(_cell("th", name, _scope("col") + words) for name, words in kinds)
    made = f'<table class="ch-results"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return Tables([made], _aligned([tuple(texts), *lines]))


def _array(name, given):
    array = np.asarray(given.detach() if hasattr(given, "detach") else given)
    if array.dtype.kind not in "biuf" or array.size == 0:
        raise ValueError(
            f"{name or 'What is shown'} must be an array of numbers that is not empty: "
            f"it has type {array.dtype} and shape {array.shape}. Words and results go into table()."
        )
    return array


def _fits(labels, axis, what, arrays):
    counts = [array.shape[axis] for array in arrays if array.ndim >= -axis]
    if labels is not None and len(labels) not in counts:
        raise ValueError(f"There are {len(labels)} {what} labels, but the arrays have {counts} {what}s.")


def _tables(name, array, rows, columns):
    """Yield the HTML of one array: a table for each slice of its last two axes."""
    shape = " × ".join(map(str, array.shape))
    write = _writer(array)
    if array.ndim == 0:
        yield _single(name, array[()], write)
    elif array.ndim == 1:
        yield _table(name, shape, array.reshape(1, -1), None, columns, write, single=True)
    else:
        places = list(itertools.product(*map(range, array.shape[:-2])))
        for place in places[:MOST_SLICES]:
            index = f"{name}[{', '.join(map(str, place))}]" if place else name
            yield _table(index, shape, array[place], rows, columns, write)
        if len(places) > MOST_SLICES:
            yield f"<p>… and {len(places) - MOST_SLICES} more</p>"


def _single(name, value, write):
    cell = _number(np.asarray(value)[()], max(1.0, abs(float(value))), write)
    return _named(name, f"<tbody><tr>{cell}</tr></tbody>")


def _named(name, inner):
    caption = f"<caption>{html.escape(name)}</caption>" if name else ""
    return f'<table class="ch-array">{caption}{inner}</table>'


def _table(name, shape, grid, rows, columns, write, single=False):
    scale = max(1.0, float(np.nanmax(np.abs(np.where(np.isfinite(grid), grid, 0)))))
    down, across = _kept(grid.shape[0], MOST_ROWS), _kept(grid.shape[1], MOST_COLUMNS)
    rows = rows if rows is not None and len(rows) == grid.shape[0] else range(grid.shape[0])
    columns = columns if columns is not None and len(columns) == grid.shape[1] else range(grid.shape[1])
    head = "".join(_cell("th", "…" if j is None else columns[j], _scope("col")) for j in across)
    body = ""
    for i in down:
        label = "" if single else _cell("th", "…" if i is None else rows[i], _scope("row"))
        cells = "".join(_number(None if None in (i, j) else grid[i, j], scale, write) for j in across)
        body += f"<tr>{'<td></td>' if single else label}{cells}</tr>"
    corner = f'<td class="ch-shape">{shape}</td>'
    return _named(name, f"<thead><tr>{corner}{head}</tr></thead><tbody>{body}</tbody>")


def _kept(count, most):
    """Return the indices that are shown; None stands for dots."""
    if count <= most:
        return list(range(count))
    return [*range(most - 3), None, count - 2, count - 1]


def _number(value, scale, write):
    if value is None:
        return "<td>…</td>"
    if isinstance(value, np.bool_):
        return _cell("td", "yes" if value else "no", _tint(float(value)))
    if np.isnan(value):
        return _cell("td", "nan", ' class="ch-lost"')
    share = np.clip(value / scale, -1, 1) if np.isfinite(value) else 0
    return _cell("td", write(value), _tint(float(share)))


def _tint(share):
    strength = round(100 * style.STRONGEST * abs(share))
    meaning = "weight" if share > 0 else "key"
    return f' style="--t:var(--ch-{meaning});--w:{strength}"' if strength else ""


def _writer(array):
    """Return a function that writes a number with as many digits as the array needs, at most three."""
    finite = array[np.isfinite(array)].astype(float)
    if 0 < np.abs(finite).max(initial=0) < 0.5 * 10**-DIGITS:
        return lambda value: f"{value:.0e}".replace("e-0", "e-").replace("-", "−")
    digits = next((d for d in range(DIGITS) if np.allclose(finite, finite.round(d), 0, 1e-9)), DIGITS)
    return lambda value: number(value, digits) if not abs(value) >= 10_000 else _large(value, digits)


def _large(value, digits):
    return number(value) if np.isinf(value) else f"{value:,.{digits}f}".replace("-", "−")


def _column(cells):
    """Return the texts of a column of results."""
    cells = [cell.item() if hasattr(cell, "item") else cell for cell in cells]
    numbers = [cell for cell in cells if isinstance(cell, Real) and not isinstance(cell, Integral)]
    write = _writer(np.array(numbers, dtype=float))
    return [_text(cell, write) for cell in cells]


def _text(cell, write):
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, Integral):
        return f"{cell:,}".replace("-", "−")
    return write(cell) if isinstance(cell, Real) else str(cell)


def _scope(which):
    return f' scope="{which}"'


def _cell(tag, text, attributes=""):
    return f"<{tag}{attributes}>{html.escape(str(text))}</{tag}>"


def _plain(name, array):
    with np.printoptions(precision=DIGITS, suppress=True):
        return f"{name} {array.shape}\n{array}".strip()


def _aligned(lines):
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(cell.rjust(w) for cell, w in zip(line, widths, strict=True)) for line in lines)
