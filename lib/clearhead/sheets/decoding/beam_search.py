"""10.beam_search: Beam search."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import decoding
from clearhead.maths.softmax import log_softmax, softmax

from .beam_search_wrong import MISTAKES, all_beams
from .drivers import run_beams
from .shared import best_of, exhaustive, search


def beam_search(step, ids, length, width):
    """Return the best text (S+length) that `width` beams find after the prompt ids (S), and its log P."""
    best, score = decoding.beam_search(step, ids, length, width)[0]
    return best, score


def _by_products(step, ids, length, width):
    """Return the best text by products of probabilities, and the logarithm of its product."""
    products = search(best_of, score=lambda total, new: (total or 1.0) * new, log_p=softmax)
    text, probability = products(step, ids, length, width)
    return text, float(np.log(probability))


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


def _beam_cases(rng):
    V = int(rng.integers(3, 5))
    table = 2 * rng.normal(size=(V, V, V))
    prompt = rng.integers(0, V, size=2)

    def optimal(out, table, ids, length, width):
        return run_beams(exhaustive, table, ids, length, width)[1] <= out[1] + 1e-9

    return [
        Case(
            "the trap, two beams, by hand",
            (TRAP + 3, np.array([0]), 2, 2),
            "0.5 · 0.4 = 0.20 behind token 1, but 0.4 · 0.9 = 0.36 behind token 2. The text is 0, 2, 1.",
            expected=[np.array([0, 2, 1]), float(np.log(0.36))],
        ),
        Case("the trap, one beam", (TRAP - 1, np.array([0]), 2, 1), "One beam is greedy: it is trapped.",
             expected=[np.array([0, 1, 1]), float(np.log(0.2))]),
        Case("a random tree, two beams", (table, prompt, 4, 2), "Add up, sort all beams together, keep two."),
        Case("another prompt, three beams", (-table, prompt[::-1].copy(), 3, 3), "Keep three of all."),
        Case(
            "two beams with one parent",
            (SIBLINGS, np.array([0]), 3, 2),
            "After two steps the best two are 0, 1, 1 and 0, 1, 2. The second one wins: 0.6 · 0.45 · 0.9.",
            expected=[np.array([0, 1, 2, 0]), float(np.log(0.6 * 0.45 * 0.9))],
        ),
        Case(
            "three beams with one parent",
            (SIBLINGS, np.array([0]), 3, 3),
            "Again 0, 1, 2 wins in the end, although it is second after two steps.",
            expected=[np.array([0, 1, 2, 0]), float(np.log(0.6 * 0.45 * 0.9))],
        ),
        Case(
            "three beams, and a third child that wins",
            (THIRD, np.array([1]), 2, 3),
            "0.25 · 0.98 beats 0.4 · 0.34: the third child of the prompt must stay.",
            expected=[np.array([1, 2, 0]), float(np.log(0.25 * 0.98))],
        ),
        Case(
            "two beams, where a third would find more",
            (FOURTH, np.array([0]), 2, 2),
            "Two beams stay after the first step: 0, 0 and 0, 1. The best that they find is 0.28 · 0.5.",
            expected=[np.array([0, 1, 0]), float(np.log(0.28 * 0.5))],
        ),
        Case(
            "two beams, and four texts to choose from",
            (COUSINS, np.array([2]), 3, 2),
            "After two steps the best two are 2, 0, 0 and 2, 0, 1. The others go: 0.6 · 0.6 · 0.4 stays.",
            expected=[np.array([2, 0, 0, 0]), float(np.log(0.6 * 0.6 * 0.4))],
        ),
        Case("as many beams as texts", (table[::-1].copy(), prompt[:1], 3, V**3),
             "With V^length beams nothing is missed: the best of all texts.",
             properties=(("no text is likelier", optimal),)),
    ]  # fmt: skip


def _last_term(step, ids, length, width):
    text = search(best_of)(step, ids, length, width)[0]
    return text, float(log_softmax(step(text[:-1]))[text[-1]])


def _prompt_counted(step, ids, length, width):
    text, total = search(best_of)(step, ids, length, width)
    return text, total + sum(float(log_softmax(step(ids[:i]))[ids[i]]) for i in range(1, len(ids)))


MORE = (
    Mistake(
        "last_log_probability_returned",
        _last_term,
        "The text is right, but you returned the log-probability of its last token. Return the sum over "
        "all new tokens.",
    ),
    Mistake(
        "prompt_counted",
        _prompt_counted,
        "You counted the tokens of the prompt, too. The sum runs over the new tokens alone.",
    ),
    Mistake(
        "last_token_alone_shown",
        lambda step, ids, length, width: search(best_of)(lambda text: step(text[-1:]), ids, length, width),
        "You show step the last token alone. It needs the whole text so far.",
    ),
    Mistake(
        "all_beams_returned",
        all_beams,
        "You returned all texts that stay. Return the best one and its log-probability.",
    ),
)


EXERCISE = Exercise(
    id="10.beam_search",
    title="Beam search",
    reference=beam_search,
    cases=_beam_cases,
    hints=(
        "A beam is a pair: a text, and its log-probability so far. Begin with one: (the prompt, 0.0).",
        "In each round, every beam gives V longer ones. Sort all of them together, keep the best `width`.",
        "longer = [([*text, v], total + new) for text, total in beams for v, new in "
        "enumerate(log_softmax(step(text)))]; beams = sorted(longer, key=lambda b: -b[1])[:width].",
    ),
    mistakes=(*MISTAKES, *MORE),
    alternatives=(search(best_of), _by_products),
    ids=True,
    stars=3,
    minutes=30,
    driver=run_beams,
    given="`step` reads the logits from what_step_gives",
)  # fmt: skip
