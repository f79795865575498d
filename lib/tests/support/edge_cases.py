"""Which functions the tests of edge cases try: those whose docstrings promise arrays."""

from clearhead.contracts.tables import entries, section, table
from support.discovery import FUNCTIONS, TWINS


def gives_arrays(function):
    """Return whether the docstring promises arrays, or dicts of them, and nothing else."""
    rows = table(function, "Returns")
    return bool(rows) and all(row.axes is not None or "dict" in row.type for row in rows)


def keeps_the_precision(function):
    """Return whether floats go in, and the docstring does not say that float64 comes back."""
    if any("float64" in line for part in ("Parameters", "Returns") for line in section(function, part)):
        return False
    return any(row.axes and row.dtype == "float" for row in inputs(function))


def inputs(function):
    """Return the rows of all arguments, and of the entries of those that are dicts."""
    waiting = list(table(function))
    for row in waiting:
        waiting += row.rows or (entries(row.borrowed) if row.borrowed else [])
    return waiting


OURS = [p for p in FUNCTIONS if gives_arrays(p.values[0])]
OUR_TWINS = [p for p in TWINS if gives_arrays(p.values[0])]
FLOATS = [p for p in OURS if keeps_the_precision(p.values[0])]
