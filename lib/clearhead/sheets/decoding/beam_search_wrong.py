"""The wrong answers of 10.beam_search."""

from itertools import product

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import log_softmax, softmax


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


def _last_beam(step, ids, length, width):
    found = []

    def keep(beams, width, i):
        found[:] = _best(beams, width)
        return found

    _beams(keep)(step, ids, length, width)
    return found[-1]


def _worst_kept(step, ids, length, width):
    found = []

    def keep(beams, width, i):
        found[:] = sorted(beams, key=lambda beam: beam[1])[:width]
        return found

    _beams(keep)(step, ids, length, width)
    return found[-1]


MISTAKES = (
    Mistake(
        "greedy",
        _beams(lambda beams, width, _: _best(beams, 1)),
        "You follow one beam only, whatever the width. A beam that is second now may win later.",
    ),
    Mistake(
        "everything_kept",
        _exhaustive,
        "More beams stay than `width` and one, perhaps all. More find a likelier text here, but all of them "
        "cost V^n: after each step keep `width`.",
    ),
    Mistake(
        "one_beam_too_many",
        lambda step, ids, length, width: _beams(_best)(step, ids, length, width + 1),
        "One beam too many stays. Keep `width` of them after each step: [:width] ends in time.",
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
        lambda step, ids, length, width: _beams(_best, finish=lambda text, total: (text, total / length))(
            step, ids, length, width
        ),
        "You divided by the length. Here all texts are equally long: return the sum.",
    ),
    Mistake(
        "prompt_missing",
        lambda step, ids, length, width: _beams(_best, finish=lambda text, total: (text[len(ids) :], total))(
            step, ids, length, width
        ),
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
    Mistake(
        "one_beam_too_few",
        lambda step, ids, length, width: _beams(_best)(step, ids, length, max(width - 1, 1)),
        "One beam too few stays. Keep `width` of them after each step.",
    ),
    Mistake(
        "one_round_too_few",
        lambda step, ids, length, width: _beams(_best)(step, ids, length - 1, width),
        "One token is missing: there are `length` rounds.",
    ),
    Mistake(
        "last_of_the_beams",
        _last_beam,
        "You returned the last of the beams that stay. The best one stands first.",
    ),
    Mistake(
        "worst_kept_best_returned",
        _worst_kept,
        "You kept the worst beams, and returned the best of them. sorted goes upwards: keep the last, or "
        "sort by "
        "the negative.",
    ),
    Mistake(
        "prompt_shown_to_all",
        lambda step, ids, length, width: _beams(_best)(lambda text: step(ids), ids, length, width),
        "You ask step for the prompt each time. Each beam has its own text: step(text).",
    ),
    Mistake(
        "length_counts_the_prompt",
        lambda step, ids, length, width: _beams(_best)(step, ids, max(length - len(ids), 0), width),
        "`length` is how many tokens are added; you took it for the length of the whole text.",
    ),
    Mistake(
        "sorted_by_the_text",
        _beams(lambda beams, width, _: sorted(beams, key=lambda beam: beam[0])[:width]),
        "Your beams are sorted by their texts. Sort by the log-probability: the second of each pair.",
    ),
    Mistake(
        "logits_less_the_largest",
        _beams(_best, log_p=lambda z: z - z.max()),
        "You took the largest off the logits, but they are no log-probabilities yet: log_softmax.",
    ),
)
