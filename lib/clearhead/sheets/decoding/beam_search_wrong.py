"""The wrong answers of 10.beam_search."""

from itertools import chain

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import log_softmax, softmax

from .shared import best_of, exhaustive, search


def _one_child_each(beams, width, i):
    """Return the best beams of the first step, then for each beam its best child alone."""
    if i == 0:
        return best_of(beams, width)
    parents = {tuple(text[:-1]) for text, _ in beams}
    return best_of(
        [best_of([b for b in beams if tuple(b[0][:-1]) == p], 1)[0] for p in sorted(parents)], width
    )


def _cut_inside_each_beam(beams, width, i):
    """Return the best `width` children of each beam: more and more texts."""
    parents = {tuple(text[:-1]) for text, _ in beams}
    parts = [best_of([b for b in beams if tuple(b[0][:-1]) == p], width) for p in sorted(parents)]
    return sorted(chain(*parts), key=lambda beam: -beam[1])


def _newest_word_decides(step, ids, length, width):
    """Return what a search finds that ranks by the newest word, and adds up as it should."""
    beams = [(list(ids), 0.0, 0.0)]
    for _ in range(length):
        longer = [
            ([*text, v], total + new, new)
            for text, total, _ in beams
            for v, new in enumerate(log_softmax(np.asarray(step(text))))
        ]
        beams = sorted(longer, key=lambda beam: -beam[2])[:width]
    return beams[0][:2]


def _two_children_each(step, ids, length, width):
    """Return what a search finds in which each beam offers its two best children alone."""

    def likeliest(z):
        log_p = log_softmax(z)
        return np.where(log_p >= np.sort(log_p)[-2], log_p, -1e9)

    return search(best_of, log_p=likeliest)(step, ids, length, width)


def all_beams(step, ids, length, width):
    """Return all the texts that stay, each with its log-probability."""
    found = []

    def keep(beams, width, i):
        found[:] = best_of(beams, width)
        return found

    search(keep)(step, ids, length, width)
    return found


def _worst_kept(step, ids, length, width):
    found = []

    def keep(beams, width, i):
        found[:] = sorted(beams, key=lambda beam: beam[1])[:width]
        return found

    search(keep)(step, ids, length, width)
    return found[-1]


MISTAKES = (
    Mistake(
        "greedy",
        search(lambda beams, width, _: best_of(beams, 1)),
        "You follow one beam only, whatever the width. A beam that is second now may win later.",
    ),
    Mistake(
        "cut_inside_each_beam",
        search(_cut_inside_each_beam),
        "Each of your beams keeps `width` texts: with 2 or more their number grows. Cut once, over all "
        "together.",
    ),
    Mistake(
        "newest_word_decides",
        _newest_word_decides,
        "You keep the texts whose newest word is likeliest. Keep those with the largest sum, of all their "
        "words.",
    ),
    Mistake(
        "everything_kept",
        exhaustive,
        "More than `width` + 1 beams stay, perhaps all. More find a likelier text here, but all of them "
        "cost V^length: after each step keep `width`.",
    ),
    Mistake(
        "one_beam_too_many",
        lambda step, ids, length, width: search(best_of)(step, ids, length, width + 1),
        "One beam too many stays. Keep `width` of them after each step: [:width] ends in time.",
    ),
    Mistake(
        "last_step_only",
        search(best_of, score=lambda total, new: new),
        "You compare beams by their last token. Add its log-probability to that of the beam.",
    ),
    Mistake(
        "one_child_each",
        search(_one_child_each),
        "After the first step each beam keeps its own best child. Let all children compete: two may have "
        "the same parent.",
    ),
    Mistake(
        "logits_added",
        search(best_of, log_p=lambda z: z),
        "You added logits. They are no log-probabilities until log_softmax has made them comparable.",
    ),
    Mistake(
        "probabilities_added",
        search(best_of, log_p=softmax),
        "You added probabilities. They multiply; it is their logarithms that add up.",
    ),
    Mistake(
        "probability_returned",
        search(best_of, finish=lambda text, total: (text, float(np.exp(total)))),
        "The text is right, but you returned its probability. Return the log-probability.",
    ),
    Mistake(
        "mean_returned",
        lambda step, ids, length, width: search(best_of, finish=lambda text, total: (text, total / length))(
            step, ids, length, width
        ),
        "You divided by the length. Here all texts are equally long: return the sum.",
    ),
    Mistake(
        "prompt_missing",
        lambda step, ids, length, width: search(
            best_of, finish=lambda text, total: (text[len(ids) :], total)
        )(step, ids, length, width),
        "You returned the new tokens alone. The text begins with the prompt.",
    ),
    Mistake(
        "worst_kept",
        search(lambda beams, width, _: sorted(beams, key=lambda beam: beam[1])[:width]),
        "You kept the worst beams. sorted and np.argsort go upwards: sort by the negative.",
    ),
    Mistake(
        "two_children_each",
        _two_children_each,
        "You offer only the two best children of each beam. Let all V compete: the third may win later.",
    ),
    Mistake(
        "one_beam_too_few",
        lambda step, ids, length, width: search(best_of)(step, ids, length, max(width - 1, 1)),
        "With a `width` above 1, one beam too few stays. Keep `width` of them after each step.",
    ),
    Mistake(
        "one_round_too_few",
        lambda step, ids, length, width: search(best_of)(step, ids, length - 1, width),
        "One token is missing: there are `length` rounds.",
    ),
    Mistake(
        "worst_of_the_beams",
        lambda *given: all_beams(*given)[-1],
        "Of the beams that stay you returned the one with the smallest sum. Return the one with the largest.",
    ),
    Mistake(
        "worst_kept_best_returned",
        _worst_kept,
        "You kept the worst beams, and returned the best of them. sorted and np.argsort go upwards: keep "
        "the last, or sort by the negative.",
    ),
    Mistake(
        "prompt_shown_to_all",
        lambda step, ids, length, width: search(best_of)(lambda text: step(ids), ids, length, width),
        "You show step the prompt each time. Each beam has a text of its own: show step that.",
    ),
    Mistake(
        "length_counts_the_prompt",
        lambda step, ids, length, width: search(best_of)(step, ids, max(length - len(ids), 0), width),
        "`length` is how many tokens are added; you took it for the length of the whole text.",
    ),
    Mistake(
        "sorted_by_the_text",
        search(lambda beams, width, _: sorted(beams, key=lambda beam: beam[0])[:width]),
        "Your beams stand in the order of their texts. Sort by the log-probability, the largest first.",
    ),
    Mistake(
        "logits_less_the_largest",
        search(best_of, log_p=lambda z: z - z.max()),
        "You took the largest off the logits, but they are no log-probabilities yet: log_softmax.",
    ),
)
