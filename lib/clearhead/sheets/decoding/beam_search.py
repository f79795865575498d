"""Cases of 10.beam_search."""

from itertools import product

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.softmax import log_softmax

from .drivers import run_beams

TRAP = np.full((3, 3, 3), 0.0)  # start with 0, 0: token 1 looks better (0.5), token 2 is better (0.4 x 0.9)
TRAP[:, 0] = np.log([0.1, 0.5, 0.4])
TRAP[:, 1] = np.log([0.3, 0.4, 0.3])
TRAP[:, 2] = np.log([0.05, 0.9, 0.05])

SIBLINGS = np.zeros((3, 3, 3))  # after the token before and the last one; the rest is even
SIBLINGS[0, 0] = np.log([0.001, 0.6, 0.399])
SIBLINGS[0, 1] = np.log([0.05, 0.5, 0.45])
SIBLINGS[1, 2] = np.log([0.9, 0.05, 0.05])

THIRD = np.log(np.full((3, 3, 3), 1 / 3))  # after 1: the last token is unlikely, and surest of what follows
THIRD[0, 1] = np.log([0.4, 0.35, 0.25])
THIRD[1, :2] = np.log([0.34, 0.33, 0.33])
THIRD[1, 2] = np.log([0.98, 0.01, 0.01])

FOURTH = np.zeros((4, 4, 4))  # after the prompt 0: the less likely a token, the surer what follows it
FOURTH[0, 0] = np.log([0.34, 0.28, 0.22, 0.16])
FOURTH[0, 1] = np.log([0.5, 0.2, 0.2, 0.1])
FOURTH[0, 2] = np.log([0.7, 0.1, 0.1, 0.1])
FOURTH[0, 3] = np.log([0.97, 0.01, 0.01, 0.01])


COUSINS = np.full((3, 3, 3), np.log(1 / 3))  # after the prompt 2: four texts, and two of them must go
COUSINS[0, 2] = COUSINS[2, 0] = np.log([0.6, 0.399, 0.001])
COUSINS[2, 1] = np.log([0.4995, 0.4995, 0.001])
COUSINS[0, 0] = COUSINS[0, 1] = np.log([0.4, 0.3, 0.3])
COUSINS[1, 0] = np.log([0.998, 0.001, 0.001])


def exhaustive(step, ids, length, width):
    """Return the most probable of all V^length texts."""
    V = len(step(ids))
    found = []
    for new in product(range(V), repeat=length):
        total = sum(log_softmax(step([*ids, *new[:i]]))[v] for i, v in enumerate(new))
        found.append(([*ids, *new], float(total)))
    return max(found, key=lambda beam: beam[1])


def cases(rng):
    V = int(rng.integers(3, 5))
    table = 2 * rng.normal(size=(V, V, V))
    prompt = rng.integers(0, V, size=2)

    def optimal(out, table, ids, length, width):
        return run_beams(exhaustive, table, ids, length, width)[1] <= out[1] + 1e-9

    return [
        Case(
            "a trap for a greedy search, with two beams, by hand",
            (TRAP + 3, np.array([0]), 2, 2),
            "After token 1 the best is 0.5 · 0.4 = 0.20, but after token 2 it is 0.4 · 0.9 = 0.36. "
            "The text is 0, 2, 1.",
            expected=[np.array([0, 2, 1]), float(np.log(0.36))],
        ),
        Case("a trap for a greedy search, with one beam", (TRAP - 1, np.array([0]), 2, 1),
             "One beam is a greedy search, so it misses the better text.",
             expected=[np.array([0, 1, 1]), float(np.log(0.2))]),
        Case("a random tree with two beams", (table, prompt, 4, 2),
             "Add the log-probabilities, sort the children of all beams together, and keep two."),
        Case("another prompt with three beams", (-table, prompt[::-1].copy(), 3, 3),
             "Keep the best three of all children."),
        Case(
            "two beams with one parent",
            (SIBLINGS, np.array([0]), 3, 2),
            "After two steps the best two are 0, 1, 1 and 0, 1, 2. The second one wins with 0.6 · "
            "0.45 · 0.9.",
            expected=[np.array([0, 1, 2, 0]), float(np.log(0.6 * 0.45 * 0.9))],
        ),
        Case(
            "three beams with one parent",
            (SIBLINGS, np.array([0]), 3, 3),
            "Again 0, 1, 2 wins in the end, although it is second after two steps.",
            expected=[np.array([0, 1, 2, 0]), float(np.log(0.6 * 0.45 * 0.9))],
        ),
        Case(
            "three beams, of which the third leads to the best text",
            (THIRD, np.array([1]), 2, 3),
            "0.25 · 0.98 is larger than 0.4 · 0.34, so the third child of the prompt must be kept.",
            expected=[np.array([1, 2, 0]), float(np.log(0.25 * 0.98))],
        ),
        Case(
            "two beams, where a third one would find a better text",
            (FOURTH, np.array([0]), 2, 2),
            "After the first step the two beams are 0, 0 and 0, 1. The best that they find is 0.28 · 0.5.",
            expected=[np.array([0, 1, 0]), float(np.log(0.28 * 0.5))],
        ),
        Case(
            "two beams and four candidates",
            (COUSINS, np.array([2]), 3, 2),
            "After two steps the best two are 2, 0, 0 and 2, 0, 1, and the others are dropped. The "
            "best text has 0.6 · 0.6 · 0.4.",
            expected=[np.array([2, 0, 0, 0]), float(np.log(0.6 * 0.6 * 0.4))],
        ),
        Case("as many beams as texts", (table[::-1].copy(), prompt[:1], 3, V**3),
             "With V^length beams no text is dropped, so the result is the most probable of all texts.",
             properties=(("no text is more probable", optimal),)),
    ]  # fmt: skip


EXERCISE = exercise_from_text(
    __file__,
    cases,
    driver=run_beams,
    given={"what_step_gives": "a `step` that returns logits from a table {}"},
    ids=True,
)
