"""Arrays, products and results as tables that are labelled, coloured like heat maps, and accessible."""

import html
import itertools
import re
from numbers import Integral, Real

import numpy as np

from . import style
from .words import listed, number, symbols

#: The most rows, columns and slices that are shown; of more rows or columns, the first and last are shown.
MOST_ROWS, MOST_COLUMNS, MOST_SLICES = 12, 12, 6
DIGITS = 3
MOST_TERMS = 6  # of a sum that is written out
#: The default of `columns` in `show`, and the attribute that marks tables for which it was not given.
UNSAID, UNSAID_MARK = ..., ' data-columns="unsaid"'
CELL = re.compile(r">([^<]*)</t[dh]>")

#: The cells of column j, counted from 2 because the first is a label, while one of them is pointed at.
LIT_COLUMN = ".ch-array:has(tbody td:nth-child({0}):hover) :is(tbody tr,thead tr:last-child)>:nth-child({0})"


def _each(selector, most, first=2):
    """Return a CSS selector for `most` rows or columns, beginning with the number `first`."""
    return ",".join(selector.format(place) for place in range(first, first + most))


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
    ".ch-array td.ch-nan{outline:2px dashed var(--ch-key);outline-offset:-2px}"
    ".ch-tables .ch-counts{text-align:center;font-style:italic}.ch-array th[scope=row]{font-weight:500}"
    ".ch-array th[scope=col]{white-space:normal;vertical-align:bottom}"
    ".ch-array tbody tr:hover>*,.ch-highlighted{box-shadow:inset 0 0 0 1.5px currentColor}"
    f"{_each(LIT_COLUMN, MOST_COLUMNS)}{{box-shadow:inset 0 0 0 1.5px currentColor}}"
    ".ch-results :is(td,th){border-bottom:1px solid!important;"
    "border-color:color-mix(in srgb,currentColor 22%,transparent)!important}"
    ".ch-results th[scope=col]{font-weight:600;opacity:1;text-align:right}"
    ".ch-results :is(td,th).ch-words{text-align:left;white-space:normal}</style>"
)


#: While an entry of a product of two matrices is pointed at: its row of the first, its column of the second.
LIT_LEFT = (
    ".ch-product:has(.ch-term:nth-child(3):last-child tbody tr:nth-child({0})>td:hover) "
    ".ch-term:first-child tbody tr:nth-child({0})>td"
)
LIT_RIGHT = (
    ".ch-product:has(.ch-term:nth-child(3):last-child tbody td:nth-child({0}):hover) "
    ".ch-term:nth-child(2) tbody tr>:nth-child({0})"
)
PRODUCT_SHEET = (
    "<style>.ch-product{display:flex;flex-wrap:wrap;align-items:center;gap:.4em .8em}"
    ".ch-term{display:flex;align-items:center;gap:.8em;min-width:0}.ch-sign{font-size:1.5em;font-weight:600}"
    ".ch-tables .ch-sum{flex-basis:100%;margin:.2em 0;font-variant-numeric:tabular-nums}"
    f"{_each(LIT_LEFT, MOST_ROWS, first=1)},{_each(LIT_RIGHT, MOST_COLUMNS)}"
    "{box-shadow:inset 0 0 0 1.5px currentColor}</style>"
)


class Tables:
    """Tables that are displayed as HTML, or as plain text where HTML is not available.

    Parameters
    ----------
    parts : list of str
        The HTML of each table.
    text : str
        The text that a terminal shows.
    label : str, optional
        The description of all tables together for screen readers.
    """

    def __init__(self, parts, text, label=""):
        self.parts, self.text, self.label = parts, text, label

    def _repr_html_(self):
        said = html.escape(self.label or "Numbers" * self._wide)
        label = f'role="group" aria-label="{said}"' * bool(said) + ' tabindex="0"' * self._wide
        return f'<div class="ch-tables" {label}>{SHEET}{"".join(self.parts)}</div>'

    def __repr__(self):
        return self.text

    @property
    def _wide(self):
        """Whether a row is too wide for a phone, so that the keyboard must reach the table to scroll it."""
        rows = (CELL.findall(row) for part in self.parts for row in part.split("<tr>"))
        return any(sum(14 + 8 * max(len(text), 3) for text in row) > 320 for row in rows)


def show(*arrays, rows=None, columns=UNSAID, **named):
    """Return small arrays as coloured tables, side by side, each with its name and its shape.

    Entries between 0 and 1 have the tints of the heat maps; others are tinted in proportion to the largest.
    Negative entries have the colour of the keys, and NaN has a frame. Pointing at an entry lights up its row
    and its column.

    Labels of rows and columns are given in one of four ways:

    * a list of str: one label for each, such as the tokens. An array of another size keeps its indices;
    * a str: the name of what the indices count, such as "dimension" or "head", which is written beside them;
    * a dict from the name of an array to one of these, if the arrays differ;
    * None: only the indices.

    Parameters
    ----------
    arrays : array_like
        Arrays or tensors with any number of axes; of many axes, the last two make a table.
    rows, columns : list of str, str, dict or None
        The labels.
    named : array_like
        More arrays, each under its name: `show(K=K, V=V, rows=tokens, columns="dimension")`.

    Raises
    ------
    ValueError
        If there is no array, if one is not an array of numbers, or if no array has as many rows or columns
        as there are labels.
    """
    given = [("", array) for array in arrays] + list(named.items())
    if not given:
        raise ValueError("show() got no array: give at least one, as in show(A) or show(A=A).")
    parts = [(name, _array(name, each)) for name, each in given]
    for labels, axis, what in ((rows, -2, "row"), (columns, -1, "column")):
        _fits(labels, axis, what, parts)
    made = [
        table for name, array in parts for table in _tables(name, array, _of(rows, name), _of(columns, name))
    ]
    told = (_plain(name, array, _of(rows, name), _of(columns, name)) for name, array in parts)
    return Tables(made, "\n\n".join(told))


def _of(labels, name):
    """Return the labels of the array with this name, which a dict may give for each array."""
    return labels.get(name) if isinstance(labels, dict) else labels


def show_product(rows=None, inner=None, columns=None, entry=None, **named):
    """Return a product of matrices, written out in one line as in X · W_k = K.

    On a narrow screen, the factors continue in the next lines. Pointing at an entry of a product of two
    matrices highlights the row and the column from which it is computed.

    Parameters
    ----------
    named : array_like
        The factors in their order, and last their product: `show_product(X=X, W_k=W_k, K=K, rows=tokens)`.
        Each has two axes; the first factor and the product may both be vectors, which are shown as rows.
    rows : list of str or str, optional
        A label for each row of the first factor and of the product, or the name of what the rows are.
    inner : list of str or str, optional
        The same for the axis over which a product of two matrices is summed: the columns of the first
        matrix, and the rows of the second.
    columns : list of str or str, optional
        The same for the columns of the last factor and of the product.
    entry : (int, int), optional
        The row and the column of one entry of a product of two matrices. The entry is framed together with
        the row and the column from which it is computed, and its sum is written out in numbers.

    Raises
    ------
    ValueError
        If there are fewer than three arrays, if shapes do not fit each other, or if the last array is not the
        product of the others.
    """
    arrays = {name: _array(name, each) for name, each in named.items()}
    factors, product = _product(arrays)
    if entry is not None:
        if len(factors) != 2:
            raise ValueError(
                f"An entry is written out for two factors, not for {len(factors)}: leave out entry."
            )
        if not all(0 <= at < size for at, size in zip(entry, product.shape, strict=True)):
            raise ValueError(f"entry is {tuple(entry)}, but the product has shape {product.shape}.")
    i, j = entry if entry is not None else (None, None)
    lit = [{"row": i}, {"column": j}, {"row": i, "column": j}] if entry is not None else [{}] * len(arrays)
    grids, names, last = [*factors, product], list(arrays), len(arrays) - 1
    inner = inner if last == 2 else None
    parts = []
    for at, (name, grid) in enumerate(zip(names, grids, strict=True)):
        down, across = rows if at in (0, last) else inner, columns if at >= last - 1 else inner
        for labels, axis, what in ((down, 0, "row"), (across, 1, "column")):
            _fits(labels, axis - 2, what, [(name, grid)])
        shape, vector = " × ".join(map(str, arrays[name].shape)), arrays[name].ndim == 1
        drawn = _table(name, shape, grid, down, across, _writer(grid), vector, lit[at])
        sign = f'<span class="ch-sign">{"=" if at == last else "·"}</span>' if at else ""
        parts.append(f'<div class="ch-term">{sign}{drawn}</div>')
    words = " times ".join(f"{name} ({_by(grid)})" for name, grid in zip(names[:-1], factors, strict=True))
    told = _sum(names, grids, rows, columns, i, j) if entry is not None else ""
    parts = [f'{PRODUCT_SHEET}<div class="ch-product">{"".join(parts)}</div>']
    parts += [f'<p class="ch-sum">{symbols(told)}</p>'] * bool(told)
    plain = [_plain(name, grid) for name, grid in zip(names, grids, strict=True)]
    return Tables(
        parts,
        "\n\n".join([*plain[:1], *(f"times {each}" for each in plain[1:-1]), f"equals {plain[-1]}"])
        + f"\n{told}",
        f"{words} equals {names[-1]} ({_by(product)}).",
    )


def _product(arrays):
    """Return the factors and their product as matrices; raise ValueError if they do not fit together."""
    names, grids = list(arrays), [np.atleast_2d(array) for array in arrays.values()]
    if len(grids) < 3:
        raise ValueError(
            "show_product() needs two factors or more, and last their product, each under its name: "
            f"show_product(X=X, W=W, XW=X @ W); got {listed(names) if names else 'none'}."
        )
    for name, array in arrays.items():
        if array.ndim > 2 or (array.ndim < 2 and name not in (names[0], names[-1])):
            raise ValueError(
                f"{name} has shape {array.shape}: a product is made of matrices. "
                "Show one slice, or reshape it."
            )
    *factors, product = grids
    for (left, A), (right, B) in itertools.pairwise(zip(names, factors, strict=False)):
        if A.shape[1] != B.shape[0]:
            raise ValueError(
                f"{left} has shape {A.shape} and {right} has shape {B.shape}: "
                f"the {A.shape[1]} columns of {left} must be as many as the {B.shape[0]} rows of {right}."
            )
    computed = np.linalg.multi_dot([factor.astype(float) for factor in factors])
    shapes = " times ".join(str(factor.shape) for factor in factors)
    if computed.shape != product.shape:
        raise ValueError(
            f"{names[-1]} has shape {product.shape}, but {shapes} gives {computed.shape}: "
            "the last array must be the product of the others."
        )
    off = np.abs(computed - product).max()
    if not off <= 1e-3 * max(1, np.abs(computed).max()):
        raise ValueError(
            f"{names[-1]} is not the product of {listed(names[:-1])}: it is off by {number(off, DIGITS)}. "
            "Give the product last, without rounding."
        )
    return factors, product


def _by(grid):
    return f"{grid.shape[0]} by {grid.shape[1]}"


def _sum(names, grids, rows, columns, i, j):
    """Return a string in which one entry of a product of two matrices is written out as a sum of numbers."""
    (A, B, C), place = (
        grids,
        [_labelled(rows, len(grids[0]))[1][i], _labelled(columns, grids[1].shape[1])[1][j]],
    )
    writers = [_writer(grid) for grid in (A, B, C)]
    terms = [f"{writers[0](a)} × {_bracketed(writers[1](b))}" for a, b in zip(A[i], B[:, j], strict=True)]
    if len(terms) > MOST_TERMS:
        terms = [*terms[: MOST_TERMS - 2], "…", terms[-1]]
    return f"{names[-1]}[{place[0]}, {place[1]}] = {' + '.join(terms)} = {writers[2](C[i, j])}"


def _bracketed(text):
    return f"({text})" if text.startswith("−") else text


def table(**columns):
    """Return results as a table with headings: `table(d_k=[4, 16], norm=norms)` has two columns.

    Any string can be a heading: `table(**{"how many": counts})`.

    Parameters
    ----------
    columns : list
        The cells of each column, which are numbers or words; all columns have the same length.
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


def _fits(labels, axis, what, parts):
    """Raise a ValueError if the labels do not fit any array; `parts` are the names and the arrays."""
    if isinstance(labels, dict):
        names = [name for name, _ in parts]
        for name, own in labels.items():
            if name not in names:
                raise ValueError(f"There are {what} labels for {name!r}, but the arrays are {listed(names)}.")
            _fits(own, axis, what, [part for part in parts if part[0] == name])
    elif labels is not None and labels is not UNSAID and not isinstance(labels, str):
        counts = [array.shape[axis] for _, array in parts if array.ndim >= -axis]
        if len(labels) not in counts:
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


def _named(name, inner, unsaid=False):
    caption = f"<caption>{symbols(name)}</caption>" if name else ""
    return f'<table class="ch-array"{UNSAID_MARK * unsaid}>{caption}{inner}</table>'


def _labelled(labels, count):
    """Return the name of what the indices of an axis count, or "", and a label for each index."""
    if isinstance(labels, str):
        return labels, range(count)
    fits = labels is not None and labels is not UNSAID and len(labels) == count
    return "", labels if fits else range(count)


def _table(name, shape, grid, rows, columns, write, single=False, lit=None):
    """Return the HTML of a matrix, in which the cells in the row and the column of `lit` are framed."""
    lit = {which: at for which, at in (lit or {}).items() if at is not None}

    def number_at(i, j):
        framed = lit and lit.get("row", i) == i and lit.get("column", j) == j
        return _number(None if None in (i, j) else grid[i, j], scale, write, " ch-highlighted" * bool(framed))

    scale = max(1.0, float(np.nanmax(np.abs(np.where(np.isfinite(grid), grid, 0)))))
    down, across = _kept(grid.shape[0], MOST_ROWS), _kept(grid.shape[1], MOST_COLUMNS)
    unsaid = columns is UNSAID and grid.shape[1] > 1
    (down_counts, rows), (counts, columns) = _labelled(rows, grid.shape[0]), _labelled(columns, grid.shape[1])
    head = "".join(_cell("th", "…" if j is None else columns[j], _scope("col")) for j in across)
    body = ""
    for i in down:
        label = "" if single else _cell("th", "…" if i is None else rows[i], _scope("row"))
        cells = "".join(number_at(i, j) for j in across)
        body += f"<tr>{'<td></td>' if single else label}{cells}</tr>"
    corner = f'<td class="ch-shape">{shape}</td>'
    if counts or (down_counts and not single):
        above = f'<th scope="colgroup" class="ch-counts" colspan="{len(across)}">{html.escape(counts)}</th>'
        beside = (
            _cell("th", down_counts, _scope("col") + ' class="ch-counts"') if down_counts else "<td></td>"
        )
        head = f"<tr>{corner}{above if counts else ''}</tr><tr>{beside}{head}</tr>"
    else:
        head = f"<tr>{corner}{head}</tr>"
    return _named(name, f"<thead>{head}</thead><tbody>{body}</tbody>", unsaid)


def _kept(count, most):
    """Return the indices that are shown, in which None stands for an ellipsis."""
    if count <= most:
        return list(range(count))
    return [*range(most - 3), None, count - 2, count - 1]


def _number(value, scale, write, more=""):
    """Return a table cell with a number, to which the classes `more` are added."""
    classes = f' class="{more.strip()}"' if more else ""
    if value is None:
        return "<td>…</td>"
    if isinstance(value, np.bool_):
        return _cell("td", "yes" if value else "no", classes + _tint(float(value)))
    if np.isnan(value):
        return _cell("td", "nan", f' class="ch-nan{more}"')
    share = np.clip(value / scale, -1, 1) if np.isfinite(value) else 0
    return _cell("td", write(value), classes + _tint(float(share)))


def _tint(share):
    strength = round(100 * style.STRONGEST * abs(share))
    meaning = "weight" if share > 0 else "key"
    return f' style="--t:var(--ch-{meaning});--w:{strength}"' if strength else ""


def _writer(array):
    """Return a function that writes a number with the digits that the array needs, at most three decimals."""
    finite = array[np.isfinite(array)].astype(float)
    if 0 < np.abs(finite).max(initial=0) < 0.5 * 10**-DIGITS:
        return lambda value: f"{value:.0e}".replace("e-0", "e-").replace("-", "−")
    digits = next((d for d in range(DIGITS) if np.allclose(finite, finite.round(d), 0, 1e-9)), DIGITS)
    return lambda value: number(value, digits) if not abs(value) >= 10_000 else _large(value, digits)


def _large(value, digits):
    return number(value) if np.isinf(value) else f"{value:,.{digits}f}".replace("-", "−")


def _column(cells):
    """Return the entries of a column of results as strings."""
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


def _plain(name, array, rows=None, columns=None):
    """Return an array as plain text for a terminal: name, shape and labels, then the numbers."""
    axes = [("rows", rows, -2), ("columns", columns, -1)]
    head = f"{name} {array.shape}".strip()
    for what, labels, axis in axes:
        if array.ndim >= -axis:
            counted, each = _labelled(labels, array.shape[axis])
            told = counted or (", ".join(map(str, each)) if not isinstance(each, range) else "")
            head += f"; {what}: {told}" if told else ""
    with np.printoptions(precision=DIGITS, suppress=True):
        return f"{head}\n{array}"


def _aligned(lines):
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(cell.rjust(w) for cell, w in zip(line, widths, strict=True)) for line in lines)
