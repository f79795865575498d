"""More wrong answers of 11.shift_right."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _with_start(column, rows):
    """Return the column in front of the rows."""
    return np.concatenate([np.full((len(rows), 1), column), rows], axis=1)


def _rolled_over_all(targets, start):
    read = np.roll(targets, 1)
    read[0, 0] = start
    return read


def _one_row_down(targets, start):
    read = np.roll(targets, 1, axis=1)
    read[0] = start
    return read


MORE = (
    Mistake(
        "start_written_before_the_shift",
        lambda targets, start: _with_start(start, _with_start(start, targets[:, 1:-1])),
        "You wrote start before the others had moved: it stands there twice, and the first word is lost.",
    ),
    Mistake(
        "rolled_over_the_rows",
        _rolled_over_all,
        "np.roll without an axis moves through the whole table: each later row begins with the end of the "
        "one before. Every row must begin with the start token.",
    ),
    Mistake(
        "start_in_the_first_row",
        _one_row_down,
        "The start token fills the first row. It stands first in each row: column 0.",
    ),
    Mistake(
        "last_token_between",
        lambda targets, start: _with_start(start, np.roll(targets, 1, axis=1)[:, :-1]),
        "The last token came round, behind the start token. It is never read.",
    ),
    Mistake(
        "start_added",
        lambda targets, start: targets + start,
        "You added the number of the start token to the ids. It is a token of its own, in front.",
    ),
    Mistake(
        "start_everywhere",
        lambda targets, start: np.full(targets.shape, start),
        "Every place holds the start token. Only the first does; then come the targets.",
    ),
    Mistake(
        "one_short",
        lambda targets, start: _with_start(start, targets[:, :-2]),
        "Rows of more than one token come out one too short. Drop the last target alone.",
    ),
    Mistake(
        "one_long_row",
        lambda targets, start: _with_start(start, targets[:, :-1]).ravel(),
        "Everything stands in one long row. Return a table, a row for each sentence.",
    ),
    Mistake(
        "rows_from_the_last",
        lambda targets, start: _with_start(start, targets[:, :-1])[::-1],
        "Your sentences stand from the last to the first.",
    ),
)
