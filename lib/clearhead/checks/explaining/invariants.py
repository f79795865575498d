"""Say a trait that what was expected has and what came back has not, or the other way round."""

import numpy as np

from ..comparing import all_close

INVARIANTS = {
    "each row sums to 1": lambda x: _all(x.sum(axis=-1), 1),
    "each column sums to 1": lambda x: x.ndim > 1 and _all(x.sum(axis=-2), 1),
    "all entries together sum to 1": lambda x: x.ndim > 1 and _all(x.sum(), 1),
    "each row has mean 0": lambda x: _all(x.mean(axis=-1), 0),
    "each column has mean 0": lambda x: x.ndim > 1 and _all(x.mean(axis=-2), 0),
    "the squares of each row sum to 1": lambda x: _all((x**2).sum(axis=-1), 1),
    "the squares of each column sum to 1": lambda x: x.ndim > 1 and _all((x**2).sum(axis=-2), 1),
    "the table is its own transpose": lambda x: x.ndim > 1 and all_close(x, np.swapaxes(x, -1, -2), 1e-6),
    "the diagonal holds only 0": lambda x: x.ndim > 1 and _all(np.diagonal(x, 0, -2, -1), 0),
    "all above the diagonal is 0": lambda x: x.ndim > 1 and _all(np.triu(x, 1), 0),
    "all below the diagonal is 0": lambda x: x.ndim > 1 and _all(np.tril(x, -1), 0),
    "no entry is negative": lambda x: bool((x >= 0).all()),
    "all entries are integers": lambda x: bool((x == np.round(x)).all()),
}


def invariants(pairs):
    """Return the words for one trait of all that was expected, and one of all that came back; "" for none.

    A trait counts where it holds in every failed case on the one side, and in none on the other.
    """
    if any(want.size < 2 or not np.isfinite(got).all() or not np.isfinite(want).all() for got, want in pairs):
        return ""  # infinity has no decimals, and it is neither a sum nor a mean
    lost = _only(INVARIANTS, [want for _, want in pairs], [got for got, _ in pairs])
    gained = _only(INVARIANTS, [got for got, _ in pairs], [want for _, want in pairs])
    if lost and gained:
        return f"in the expected output {lost}, and in yours {gained}"
    if lost:
        return f"in the expected output {lost}, and in yours that is not so"
    return f"in your output {gained}, and in the expected one that is not so" if gained else ""


def _only(table, these, not_those):
    """Return the words of the first trait that all of these arrays have, and none of those."""
    held = (
        words for words, holds in table.items() if all(map(holds, these)) and not any(map(holds, not_those))
    )
    return next(held, "")


def _all(numbers, value):
    """Return True where all numbers are one value, but for rounding."""
    return bool(np.isclose(numbers, value, rtol=1e-6, atol=1e-6).all())
