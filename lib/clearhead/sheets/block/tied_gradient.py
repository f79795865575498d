"""08.tied_gradient: One table, two gradients."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .shared import different_sizes
from .tied_gradient_wrong import MORE, from_the_start


def tied_gradient(ids, dx, h, dlogits):
    """Return dE (V, D) for ids (T,), dx (T, D), h (T, D), dlogits (T, V)."""
    dE = dlogits.T @ h
    np.add.at(dE, ids, dx)
    return dE


def _each_word_once(ids, dx, h, dlogits):
    dE = dlogits.T @ h
    dE[ids] += dx
    return dE


def _overwritten(ids, dx, h, dlogits):
    dE = dlogits.T @ h
    dE[ids] = dx
    return dE


def _averaged_over_repeats(ids, dx, h, dlogits):
    V = dlogits.shape[1]
    times = np.maximum(np.bincount(ids, minlength=V), 1)[:, None]
    return dlogits.T @ h + from_the_start(ids, dx, V) / times


def _tied_cases(rng):
    T, V, D = different_sizes(rng, 3)
    V += 8

    def drawn(ids, scale=1.0):
        return (
            np.array(ids),
            rng.normal(size=(len(ids), D)),
            rng.normal(size=(len(ids), D)),
            scale * rng.normal(size=(len(ids), V)),
        )

    dx = np.array([[1.0, 2], [10, 20]])
    h, dlogits = np.array([[1.0, 0], [0, 3]]), np.array([[0.0, 0, 1], [0, 0, 1]])
    different, same = rng.permutation(V)[:T], int(rng.integers(V))
    return [
        Case(
            "one word twice, by hand",
            (np.array([1, 1]), dx, h, dlogits),
            "Row 1 gets (1, 2) + (10, 20) from the start, row 2 gets (1, 0) + (0, 3) from the end.",
            expected=np.array([[0.0, 0], [11, 22], [1, 3]]),
        ),
        Case(
            "different words",
            drawn(different),
            "dE is like E, (V, D). A row of a word in the text gets something from both uses.",
        ),
        Case(
            "words that come again", drawn([*different, *different[:2], same, same]), "Does every use count?"
        ),
        Case(
            "nothing from the end",
            drawn([same, *different, same], scale=0.0),
            "Only rows of words in the text may differ from 0.",
        ),
    ]


EXERCISE = Exercise(
    id="08.tied_gradient",
    title="One table, two gradients",
    reference=tied_gradient,
    cases=_tied_cases,
    hints=(
        "Treat both uses apart, and add their gradients. Begin with one logit, logits[t, v] = h[t] · E[v]: "
        "a change of E[v] changes it by h[t] times as much, so it sends dlogits[t, v] · h[t] back to row v.",
        "The end gives dlogits.T @ h, of shape (V, D). The start gives dx[t] to row ids[t], for each t.",
        "np.add.at(dE, ids, dx) adds every dx[t], also when an id comes twice. dE[ids] += dx does not.",
    ),
    mistakes=(
        Mistake(
            "each_word_once",
            _each_word_once,
            "Of a word that stands in the text twice, only the last row of dx counts, as with dE[ids] += dx. "
            "Use np.add.at, or a loop with dE[word] += ...",
        ),
        Mistake(
            "start_only",
            lambda ids, dx, h, dlogits: from_the_start(ids, dx, dlogits.shape[1]),
            "This is what the start sends back. The same table scores the words at the end: add "
            "dlogits.T @ h.",
        ),
        Mistake(
            "end_only",
            lambda ids, dx, h, dlogits: dlogits.T @ h,
            "This is what the end sends back. The same table made the vectors at the start: add dx "
            "to its rows.",
        ),
        Mistake(
            "overwritten",
            _overwritten,
            "The start overwrites what the end sent to these rows. Gradients of one table add up.",
        ),
        Mistake(
            "mean_of_both",
            lambda ids, dx, h, dlogits: tied_gradient(ids, dx, h, dlogits) / 2,
            "You took the mean of the two gradients. A number that is used twice gets the sum.",
        ),
        Mistake(
            "averaged_over_repeats",
            _averaged_over_repeats,
            "You averaged over the places of a word. Each place sends its own gradient, and they add up.",
        ),
        Mistake(
            "columns_for_words",
            lambda *given: tied_gradient(*given).T,
            "The numbers are right, but words are columns. E has one row a word: (V, D).",
        ),
        Mistake(
            "start_minus_end",
            lambda ids, dx, h, dlogits: from_the_start(ids, dx, dlogits.shape[1]) - dlogits.T @ h,
            "You subtracted the gradient of the end. Add both.",
        ),
        Mistake(
            "dx_at_both_ends",
            lambda ids, dx, h, dlogits: from_the_start(ids, dx, dlogits.shape[1]) + dlogits.T @ dx,
            "You used dx at the end, too. There the logits were made from h.",
        ),
        Mistake(
            "h_at_both_ends",
            lambda ids, dx, h, dlogits: tied_gradient(ids, h, h, dlogits),
            "You added h at the start. The start sends back dx.",
        ),
        Mistake(
            "dx_and_h_exchanged",
            lambda ids, dx, h, dlogits: tied_gradient(ids, h, dx, dlogits),
            "You exchanged dx and h: the start adds dx, and the end multiplies by h.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda ids, dx, h, dlogits: np.eye(dlogits.shape[1])[ids].T @ dx + dlogits.T @ h,
        lambda ids, dx, h, dlogits: np.array(
            [dx[ids == word].sum(axis=0) + dlogits[:, word] @ h for word in range(dlogits.shape[1])]
        ),
    ),
    stars=3,
    minutes=25,
)
