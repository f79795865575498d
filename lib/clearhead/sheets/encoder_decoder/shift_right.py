"""11.shift_right: Shift right."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.text.translation import shift_right

from .shift_right_wrong import MORE


def _with_column(targets, start, place):
    column = np.full((len(targets), 1), start)
    return np.hstack([column, targets] if place == 0 else [targets, column])


def _first_overwritten(targets, start):
    read = targets.copy()
    read[:, 0] = start
    return read


def _copied_by_loops(targets, start):
    read = np.empty_like(targets)
    for i in range(targets.shape[0]):
        for t in range(targets.shape[1]):
            read[i, t] = start if t == 0 else targets[i, t - 1]
    return read


def _shift_cases(rng):
    B, T = (int(n) for n in rng.permutation(np.arange(3, 9))[:2])
    starts = (
        "every row begins with the start token",
        lambda out, targets, start: (np.asarray(out)[:, 0] == start).all(),
    )
    more = rng.integers(2, 50, size=(B + 2, T + 3))
    return [
        Case(
            "two rows, by hand",
            (np.array([[5, 6, 7, 2], [8, 9, 2, 0]]), 1),
            "Row 1 becomes 1, 5, 6, 7: the last token is never read.",
            expected=np.array([[1, 5, 6, 7], [1, 8, 9, 2]]),
        ),
        Case("random rows", (rng.integers(2, 50, size=(B, T)), 1), "One place to the right.",
             properties=(starts,)),
        Case("another start", (more, 77), "The start token is an argument.", properties=(starts,)),
        Case("ids of a large vocabulary", (rng.integers(40_000, 50_000, size=(T, B)), 1), "An id may be "
             "large: keep a dtype that holds it.", properties=(starts,)),
        Case("one token a row", (rng.integers(2, 50, size=(4, 1)), 1), "Then only the start token is read.",
             properties=(starts,)),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="11.shift_right",
    title="Shift right",
    reference=shift_right,
    cases=_shift_cases,
    hints=(
        "At place t the decoder must say target t. What may it have read by then?",
        "A column of start tokens, then all columns of the targets but the last.",
        "np.concatenate([np.full((len(targets), 1), start), targets[:, :-1]], axis=1)",
    ),
    mistakes=(
        Mistake(
            "shifted_left",
            lambda targets, start: np.hstack([targets[:, 1:], np.full((len(targets), 1), start)]),
            "You moved the tokens to the left: each place but the last reads a word that comes later.",
        ),
        Mistake(
            "not_shifted",
            _first_overwritten,
            "You replaced the first token and moved nothing. Each later place reads its own answer.",
        ),
        Mistake(
            "rolled",
            lambda targets, start: np.roll(targets, 1, axis=1),
            "The last token came round to the front. The first one must be the start token.",
        ),
        Mistake(
            "one_too_long",
            lambda targets, start: _with_column(targets, start, 0),
            "Your rows are one longer than the targets. Drop the last target: nothing comes after it.",
        ),
        Mistake(
            "targets_as_they_are",
            lambda targets, start: _with_column(targets, start, 1)[:, :-1],
            "These are the targets as they are. The start token belongs in front, and the last target goes.",
        ),
        Mistake(
            "rows_shifted",
            lambda targets, start: np.vstack([np.full((1, targets.shape[1]), start), targets[:-1]]),
            "You shifted the sentences, not the words. The axis of the words is the last one.",
        ),
        Mistake(
            "start_is_always_1",
            lambda targets, start: shift_right(targets, 1),
            "You wrote 1 for the start token. Use the argument start.",
        ),
        Mistake(
            "ids_became_floats",
            lambda targets, start: 1.0 * shift_right(targets, start),
            "Right, but your array holds floats, as np.zeros makes them, and a float picks no row of a "
            "table. Make it with dtype=int.",
        ),
        Mistake(
            "start_is_always_0",
            lambda targets, start: shift_right(targets, 0),
            "Your start token is always 0. It is an argument.",
        ),
        Mistake(
            "two_places",
            lambda targets, start: shift_right(shift_right(targets, start), start),
            "You moved by two places. Move by one.",
        ),
        Mistake(
            "back_to_front",
            lambda targets, start: shift_right(np.asarray(targets)[:, ::-1], start),
            "Your rows run from back to front. Keep their order.",
        ),
        Mistake(
            "first_row_alone",
            lambda targets, start: shift_right(targets, start)[0],
            "Only the first row came back. Shift every row.",
        ),
        Mistake(
            "start_forgotten",
            lambda targets, start: np.asarray(targets)[:, :-1],
            "You cut off the last word, but the start token in front is missing.",
        ),
        *MORE,
    ),
    alternatives=(_copied_by_loops, lambda targets, start: _with_column(targets, start, 0)[:, :-1]),
    ids=True,
    stars=1,
    minutes=10,
)
