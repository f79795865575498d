"""10.beam_search: Beam search."""

from itertools import product

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import decoding
from clearhead.maths.softmax import log_softmax, softmax

from .drivers import run_beams


def beam_search(step, ids, length, width):
    """Return the best text (S+length) that `width` beams find after the prompt ids (S), and its log P."""
    best, score = decoding.beam_search(step, ids, length, width)[0]
    return best, score


def _beams(
    keep, score=lambda total, new: total + new, log_p=log_softmax, finish=lambda text, total: (text, total)
):
    """Return a beam search with its own rule for what is kept, added up and returned."""

    def answer(step, ids, length, width):
        beams = [(list(ids), 0.0)]
        for i in range(length):
            longer = [
                ([*text, v], score(total, new))
                for text, total in beams
                for v, new in enumerate(log_p(np.asarray(step(text))))
            ]
            beams = keep(longer, width, i)
        return finish(*beams[0])

    return answer


def _best(beams, width, _=0):
    return sorted(beams, key=lambda beam: -beam[1])[:width]


def _one_child_each(beams, width, i):
    """Return the best beams of the first step, then for each beam its best child alone."""
    if i == 0:
        return _best(beams, width)
    parents = {tuple(text[:-1]) for text, _ in beams}
    return _best([_best([b for b in beams if tuple(b[0][:-1]) == p], 1)[0] for p in sorted(parents)], width)


def _two_children_each(step, ids, length, width):
    """Return what a search finds in which each beam offers its two best children alone."""

    def likeliest(z):
        log_p = log_softmax(z)
        return np.where(log_p >= np.sort(log_p)[-2], log_p, -1e9)

    return _beams(_best, log_p=likeliest)(step, ids, length, width)


def _by_products(step, ids, length, width):
    """Return the best text by products of probabilities, and the logarithm of its product."""
    products = _beams(_best, score=lambda total, new: (total or 1.0) * new, log_p=softmax)
    text, probability = products(step, ids, length, width)
    return text, float(np.log(probability))


def _exhaustive(step, ids, length, width):
    """Return the likeliest of all V^length texts."""
    V = len(step(ids))
    found = []
    for new in product(range(V), repeat=length):
        total = sum(log_softmax(step([*ids, *new[:i]]))[v] for i, v in enumerate(new))
        found.append(([*ids, *new], float(total)))
    return max(found, key=lambda beam: beam[1])


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


def _beam_cases(rng):
    V = int(rng.integers(3, 5))
    table = 2 * rng.normal(size=(V, V, V))
    prompt = rng.integers(0, V, size=2)

    def optimal(out, table, ids, length, width):
        return run_beams(_exhaustive, table, ids, length, width)[1] <= out[1] + 1e-9

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
            "three beams, and a third child that wins",
            (THIRD, np.array([1]), 2, 3),
            "0.25 · 0.98 beats 0.4 · 0.34: the third child of the prompt must stay.",
            expected=[np.array([1, 2, 0]), float(np.log(0.25 * 0.98))],
        ),
        Case("as many beams as texts", (table[::-1].copy(), prompt[:1], 3, V**3),
             "With V^n beams nothing is missed: the best of all texts.",
             properties=(("no text is likelier", optimal),)),
    ]  # fmt: skip


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
    mistakes=(
        Mistake(
            "greedy",
            _beams(lambda beams, width, _: _best(beams, 1)),
            "You follow one beam only, whatever the width. A beam that is second now may win later.",
        ),
        Mistake(
            "everything_kept",
            _exhaustive,
            "More than `width` beams stay: all of them, or some. More beams find a likelier text here, but all of "
            "them cost V^n: after each step keep `width`.",
        ),
        Mistake(
            "last_step_only",
            _beams(_best, score=lambda total, new: new),
            "You compare beams by their last token. Add its log-probability to that of the beam.",
        ),
        Mistake(
            "one_child_each",
            _beams(_one_child_each),
            "After the first step each beam keeps its own best child. Let all children compete: two may have "
            "the same parent.",
        ),
        Mistake(
            "logits_added",
            _beams(_best, log_p=lambda z: z),
            "You added logits. They are no log-probabilities until log_softmax has made them comparable.",
        ),
        Mistake(
            "probabilities_added",
            _beams(_best, log_p=softmax),
            "You added probabilities. They multiply; it is their logarithms that add up.",
        ),
        Mistake(
            "probability_returned",
            _beams(_best, finish=lambda text, total: (text, float(np.exp(total)))),
            "The text is right, but you returned its probability. Return the log-probability.",
        ),
        Mistake(
            "mean_returned",
            lambda step, ids, length, width: _beams(
                _best, finish=lambda text, total: (text, total / length)
            )(step, ids, length, width),
            "You divided by the length. Here all texts are equally long: return the sum.",
        ),
        Mistake(
            "prompt_missing",
            lambda step, ids, length, width: _beams(
                _best, finish=lambda text, total: (text[len(ids) :], total)
            )(step, ids, length, width),
            "You returned the new tokens alone. The text begins with the prompt.",
        ),
        Mistake(
            "worst_kept",
            _beams(lambda beams, width, _: sorted(beams, key=lambda beam: beam[1])[:width]),
            "You kept the worst beams. sorted goes upwards: use reverse=True, or sort by the negative.",
        ),
        Mistake(
            "two_children_each",
            _two_children_each,
            "You offer only the two best children of each beam. Let all V compete: the third may win later.",
        ),
    ),
    alternatives=(_beams(_best), _by_products),
    ids=True,
    stars=3,
    minutes=30,
    driver=run_beams,
)  # fmt: skip
