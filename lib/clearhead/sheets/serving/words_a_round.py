"""19.words_a_round: What a draft is worth."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .words_a_round_wrong import MORE


def words_a_round(shares, cost):
    """Return the words for one reading: drafts kept with shares (k,), each of them at `cost` readings."""
    return (1 + np.cumprod(shares).sum()) / (1 + len(shares) * cost)


def _by_loop(shares, cost):
    words, alive = 1.0, 1.0
    for share in shares:
        alive *= share
        words += alive
    return words / (1 + cost * len(shares))


def _cases(rng):
    k = int(rng.integers(4, 9))
    return [
        Case(
            "one draft, by hand",
            (np.array([0.5]), 0.0),
            "Half of the rounds bring two words: 1.5.",
            expected=1.5,
        ),
        Case(
            "two drafts, by hand",
            (np.array([0.5, 0.5]), 0.25),
            "1 + 1/2 + 1/4 words for 1 + 2/4 readings.",
            expected=1.75 / 1.5,
        ),
        Case("a perfect draft", (np.ones(k), 0.0), "Every word is kept, and one more comes."),
        Case("a useless draft", (np.zeros(k), 0.1), "One word a round, and the drafts still cost."),
        Case("no draft", (np.ones(0), 0.1), "One reading, one word.", expected=1.0),
        Case("each place with its own share", (rng.uniform(0.3, 0.95, size=k), 0.05), "The shares multiply."),
        Case("a dear draft", (rng.uniform(0.3, 0.6, size=k), 0.5), "A draft that costs half can be a loss."),
    ]


EXERCISE = Exercise(
    id="19.words_a_round",
    title="What a draft is worth",
    reference=words_a_round,
    cases=_cases,
    hints=(
        "How many words come in a round? The first refusal ends it, and one word comes in any case.",
        "The second draft counts only if the first was kept: its chance is the product of both shares.",
        "return (1 + np.cumprod(shares).sum()) / (1 + len(shares) * cost)",
    ),
    mistakes=(
        Mistake(
            "shares_added",
            lambda shares, cost: (1 + np.sum(shares)) / (1 + len(shares) * cost),
            "You add the shares. A draft behind a refused one is lost: multiply them along the way.",
        ),
        Mistake(
            "the_last_word_forgotten",
            lambda shares, cost: np.cumprod(shares).sum() / (1 + len(shares) * cost),
            "One word comes in any case, from the large model: add 1.",
        ),
        Mistake(
            "the_drafts_are_free",
            lambda shares, cost: 1 + np.cumprod(shares).sum(),
            "Each draft costs `cost` readings. Divide by 1 + k · cost.",
        ),
        Mistake(
            "the_reading_is_free",
            lambda shares, cost: (1 + np.cumprod(shares).sum()) / max(len(shares) * cost, 1),
            "A round also costs one reading of the large model: 1 + k · cost.",
        ),
        Mistake(
            "all_or_nothing",
            lambda shares, cost: (1 + len(shares) * np.prod(shares)) / (1 + len(shares) * cost),
            "You count only rounds in which every draft is kept. The kept ones before a refusal count, too.",
        ),
        Mistake(
            "one_reading_a_draft",
            lambda shares, cost: (1 + np.cumprod(shares).sum()) / (1 + len(shares)),
            "The large model reads all drafts at once: one reading a round, not one a draft.",
        ),
        Mistake(
            "one_draft_paid",
            lambda shares, cost: (1 + np.cumprod(shares).sum()) / (1 + cost),
            "You pay for one draft. Each of the k drafts costs, kept or not.",
        ),
        Mistake(
            "kept_drafts_paid",
            lambda shares, cost: (1 + np.cumprod(shares).sum()) / (1 + cost * np.cumprod(shares).sum()),
            "You pay for the kept drafts only. The refused ones have been written, too.",
        ),
        Mistake(
            "cost_taken_off",
            lambda shares, cost: 1 + np.cumprod(shares).sum() - cost * len(shares),
            "You take the cost of the drafts off the words. Divide the words by the readings, 1 + k · cost.",
        ),
        Mistake(
            "the_mean_share",
            lambda shares, cost: (
                (1 + sum(np.mean(shares) ** (i + 1) for i in range(len(shares)))) / (1 + len(shares) * cost)
            ),
            "You put the mean share everywhere. Each place has its own, and they multiply along the way.",
        ),
        Mistake(
            "a_reading_for_each_word",
            lambda shares, cost: (1 + np.cumprod(shares).sum()) / (1 + len(shares) + cost * len(shares)),
            "You count a reading of the large model for each draft. It reads all of them at once.",
        ),
        *MORE,
    ),
    alternatives=(_by_loop,),
    stars=1,
    minutes=10,
)
