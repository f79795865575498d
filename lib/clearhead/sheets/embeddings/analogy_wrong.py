"""The wrong answers of 02.analogy."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.embeddings import analogy, cosine


def _ranked(E, target, left_out, closeness):
    scores = closeness(E, target)
    return next(int(i) for i in np.argsort(-scores, kind="stable") if i not in left_out)


def _analogy_with(target=lambda E, a, b, c: E[b] - E[a] + E[c], left_out=None, closeness=cosine):
    """Return an analogy with its own target, its own rule for what is left out, or its own closeness."""

    def answer(E, a, b, c, exclude):
        out = (a, b, c) if exclude else ()
        return _ranked(E, target(E, a, b, c), left_out(a, b, c) if left_out else out, closeness)

    return answer


def _leaving_out(some):
    """Return an analogy that leaves out some of the three ids alone, where it is asked to."""

    def answer(E, a, b, c, exclude):
        return _ranked(E, E[b] - E[a] + E[c], some(a, b, c) if exclude else (), cosine)

    return answer


def _second_nearest(E, a, b, c, exclude):
    order = np.argsort(-cosine(E, E[b] - E[a] + E[c]), kind="stable")
    return int(order[1 if exclude else 0])


def _rows_deleted(E, a, b, c, exclude):
    closeness = cosine(E, E[b] - E[a] + E[c])
    return int(np.argmax(np.delete(closeness, [a, b, c]) if exclude else closeness))


MISTAKES = (
    Mistake(
        "nothing_left_out",
        _analogy_with(left_out=lambda a, b, c: ()),
        "You never leave out the input words. With exclude=True rows a, b and c must not be answers.",
    ),
    Mistake(
        "always_left_out",
        _analogy_with(left_out=lambda a, b, c: (a, b, c)),
        "You leave out the input words even with exclude=False. Look at the argument.",
    ),
    Mistake(
        "the_second_nearest",
        _second_nearest,
        "You took the second nearest row. Often two of the inputs are nearest: leave out all three.",
    ),
    Mistake(
        "only_c_left_out",
        _leaving_out(lambda a, b, c: (c,)),
        "You left out c alone. a and b are input words, too.",
    ),
    Mistake(
        "zero_beats_negative_cosines",
        lambda E, a, b, c, exclude: int(
            np.argmax(cosine(E, E[b] - E[a] + E[c]) * ~(np.isin(np.arange(len(E)), (a, b, c)) & exclude))
        ),
        "Where all other cosines are negative, your 0 wins: that of the inputs, or the best one before any "
        "row is compared. Make it -np.inf.",
    ),
    Mistake(
        "sign_lost",
        _analogy_with(closeness=lambda E, target: np.abs(cosine(E, target))),
        "You took the cosine without its sign. The opposite direction is far away, not near.",
    ),
    Mistake(
        "step_backwards",
        _analogy_with(target=lambda E, a, b, c: E[a] - E[b] + E[c]),
        "Your step goes from b to a. It must go from a to b: E[b] - E[a].",
    ),
    Mistake(
        "dot_product",
        _analogy_with(closeness=lambda E, target: E @ target),
        "You compared dot products, so long rows win. Divide by the lengths of the rows.",
    ),
    Mistake(
        "rows_made_unit_first",
        lambda E, a, b, c, exclude: analogy(E / np.linalg.norm(E, axis=1, keepdims=True), a, b, c, exclude),
        "You made every row one long before you took the step. Use the rows as they are: only the comparison "
        "is by direction.",
    ),
    Mistake(
        "b_and_c_left_out",
        _leaving_out(lambda a, b, c: (b, c)),
        "Row a was the answer. It is an input word, too: with exclude=True leave out a, b and c.",
    ),
    Mistake(
        "a_and_b_left_out",
        _leaving_out(lambda a, b, c: (a, b)),
        "Row c was the answer. It is an input word, too: with exclude=True leave out a, b and c.",
    ),
    Mistake(
        "rows_deleted",
        _rows_deleted,
        "With rows deleted, the others move up, and argmax counts the new places. Give the inputs -np.inf.",
    ),
    Mistake(
        "distance",
        _analogy_with(closeness=lambda E, target: -np.linalg.norm(E - target, axis=1)),
        "You took the row at the smallest distance. Here the direction counts: the cosine.",
    ),
    Mistake(
        "only_a_left_out",
        _leaving_out(lambda a, b, c: (a,)),
        "You left out a alone. b and c are input words, too.",
    ),
    Mistake(
        "step_without_c",
        _analogy_with(target=lambda E, a, b, c: E[b] - E[a]),
        "Your target is the step alone. It begins at c: add E[c].",
    ),
    Mistake(
        "a_not_subtracted",
        _analogy_with(target=lambda E, a, b, c: E[b] + E[c]),
        "Your target is b plus c. The step from a to b needs a, too: E[b] - E[a] + E[c].",
    ),
    Mistake(
        "lengths_of_the_columns",
        _analogy_with(closeness=lambda E, target: (E / np.linalg.norm(E, axis=0)) @ target),
        "You divided by the lengths of the columns. A word is a row: axis=1.",
    ),
    Mistake(
        "a_and_c_exchanged",
        _analogy_with(lambda E, a, b, c: E[b] - E[c] + E[a]),
        "You exchanged a and c. The step goes from a to b, and begins at c: E[b] - E[a] + E[c].",
    ),
    Mistake(
        "the_row_not_its_id",
        lambda E, a, b, c, exclude: E[analogy(E, a, b, c, exclude)],
        "You returned the row. Return its number in the table.",
    ),
    Mistake(
        "exclude_turned_round",
        lambda E, a, b, c, exclude: analogy(E, a, b, c, not exclude),
        "You leave the words out where exclude is False. Leave them out where it is True.",
    ),
    Mistake(
        "the_farthest_direction",
        _analogy_with(lambda E, a, b, c: E[a] - E[b] - E[c]),
        "You took the row that points away from the target: argmin in place of argmax, or a target with the "
        "wrong sign. It is E[b] - E[a] + E[c].",
    ),
    Mistake(
        "a_added",
        _analogy_with(lambda E, a, b, c: E[a] + E[b] + E[c]),
        "You added all three rows. The step goes from a to b, so a is subtracted: E[b] - E[a] + E[c].",
    ),
    Mistake(
        "no_step",
        _analogy_with(lambda E, a, b, c: E[c]),
        "You look for the row nearest to c. Take the step first: E[b] - E[a] + E[c].",
    ),
    Mistake(
        "steps_compared",
        lambda E, a, b, c, exclude: _ranked(E - E[c], E[b] - E[a], (a, b, c) if exclude else (), cosine),
        "You compare the step from c to each row with the step from a to b. Compare each row itself with "
        "the target.",
    ),
)
