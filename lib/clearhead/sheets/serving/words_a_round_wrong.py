"""More wrong answers of 19.words_a_round."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _round(words, readings=lambda shares, cost: 1 + len(shares) * cost):
    """Return words(shares) over readings(shares, cost)."""
    return lambda shares, cost: words(np.asarray(shares, dtype=float)) / readings(shares, cost)


def _right(shares):
    return 1 + np.cumprod(shares).sum()


def _reached(shares):
    """Return how many drafts are reached, in the mean."""
    return np.cumprod(np.append(1, shares))[: len(shares)].sum()


def _reading_a_draft(shares, cost):
    with np.errstate(all="ignore"):
        return np.float64(_right(shares)) / (len(shares) * (1 + cost))


MORE = (
    Mistake(
        "all_kept_or_one",
        _round(lambda shares: 1 + np.prod(shares)),
        "You added the chance that all drafts are kept. Add the chance of each: shares[0], shares[0] · "
        "shares[1], and so on.",
    ),
    Mistake(
        "one_place_late",
        _round(lambda shares: 1 + (_reached(shares) if len(shares) else 0)),
        "You counted how often a draft is reached. It brings a word only where it is kept, too.",
    ),
    Mistake(
        "first_share_for_all",
        _round(lambda shares: 1 + sum(shares[0] ** (i + 1) for i in range(len(shares)))),
        "You used the first share for every draft. Each has its own.",
    ),
    Mistake(
        "only_the_first_draft",
        _round(lambda shares: 1 + (shares[0] if len(shares) else 0)),
        "You counted the first draft alone. Those behind it bring words, too.",
    ),
    Mistake(
        "last_draft_left_out",
        _round(lambda shares: 1 + np.cumprod(shares[:-1]).sum()),
        "The last draft brings no word in yours, or no further word comes where all are kept. Both count.",
    ),
    Mistake(
        "no_word_after_all_kept",
        _round(lambda shares: _right(shares) - np.prod(shares)),
        "Where all drafts are kept you count no further word. One word comes in any case.",
    ),
    Mistake(
        "one_word_only_after_all_kept",
        _round(lambda shares: np.cumprod(shares).sum() + np.prod(shares)),
        "You count the further word only where all drafts are kept. It comes after a refusal, too.",
    ),
    Mistake(
        "refusals_counted",
        _round(lambda shares: 1 + np.cumprod(1 - shares).sum()),
        "You multiplied the chances of refusal. Multiply the shares.",
    ),
    Mistake(
        "reached_drafts_paid",
        _round(_right, lambda shares, cost: 1 + cost * _reached(shares)),
        "You pay for the drafts that are reached. All k are drafted before the large model reads: k · cost.",
    ),
    Mistake(
        "readings_a_word",
        lambda shares, cost: (1 + len(shares) * cost) / _right(shares),
        "That is how many readings a word takes. Turn it over: words for a reading.",
    ),
    Mistake(
        "words_times_readings",
        lambda shares, cost: _right(shares) * (1 + len(shares) * cost),
        "You multiplied by the readings. Divide by them.",
    ),
    Mistake(
        "costs_multiplied",
        _round(_right, lambda shares, cost: (1 + cost) ** len(shares)),
        "You multiplied 1 + cost for each draft. The costs add up: 1 + k · cost.",
    ),
    Mistake(
        "one_draft_more_paid",
        _round(_right, lambda shares, cost: 1 + (len(shares) + 1) * cost),
        "You pay for one draft more than there are. The further word comes from the large model's reading.",
    ),
    Mistake(
        "one_not_divided",
        lambda shares, cost: 1 + np.cumprod(shares).sum() / (1 + len(shares) * cost),
        "The 1 is not divided by the readings: put brackets around all the words.",
    ),
    Mistake(
        "products_of_all_before_summed_twice",
        _round(lambda shares: 1 + np.cumsum(np.cumprod(shares)).sum()),
        "You added the sums up once more. Add the products once: np.cumprod(shares).sum().",
    ),
    Mistake(
        "reading_of_the_large_model_forgotten",
        lambda shares, cost: _right(shares) / (len(shares) * cost) if len(shares) * cost else np.inf,
        "You paid for the drafts alone. A round costs one reading of the large model besides: 1 + "
        "len(shares) · cost.",
    ),
    Mistake(
        "running_sums_added",
        _round(lambda shares: 1 + np.cumsum(shares).sum()),
        "You added running sums. A draft is reached only if all before it were kept: np.cumprod.",
    ),
    Mistake(
        "largest_share_for_all",
        _round(lambda shares: 1 + sum(shares.max(initial=0) ** (i + 1) for i in range(len(shares)))),
        "You used the largest share for every draft. Each has its own.",
    ),
    Mistake(
        "one_plus_each_share",
        _round(lambda shares: np.prod(1 + shares)),
        "You multiplied 1 + each share. Add: 1, then shares[0], then shares[0] · shares[1], and so on.",
    ),
    Mistake(
        "reading_for_each_draft",
        _round(_right, lambda shares, cost: len(shares) + cost),
        "You paid a reading for each draft, and the cost once. A round costs one reading and "
        "len(shares) · cost.",
    ),
    Mistake(
        "a_large_reading_for_each_draft",
        _reading_a_draft,
        "You paid a reading of the large model for each draft. It reads all of them at once: 1 + k · cost.",
    ),
    Mistake(
        "rounds_without_a_refusal_forgotten",
        _round(lambda shares: _right(shares) - (len(shares) + 1) * np.prod(shares)),
        "You left out the rounds in which all drafts are kept. They bring k + 1 words.",
    ),
    Mistake(
        "mean_share_added",
        _round(lambda shares: 1 + (shares.mean() if len(shares) else 0)),
        "You added the mean share. Add the products: shares[0], shares[0] · shares[1], and so on.",
    ),
    Mistake(
        "without_end",
        _round(
            lambda shares: 1 / (1 - shares.mean()) if len(shares) and shares.mean() < 1 else len(shares) + 1
        ),
        "You took the sum of infinitely many drafts, 1 / (1 - share). There are k, each with its own share.",
    ),
    Mistake(
        "cost_of_each_word",
        _round(_right, lambda shares, cost: 1 + cost * _right(shares)),
        "You pay for each word that comes. Pay for each draft, kept or not: k · cost.",
    ),
    Mistake(
        "shares_paid",
        _round(_right, lambda shares, cost: 1 + cost * np.sum(shares)),
        "You pay for the sum of the shares. Each of the k drafts costs, kept or not.",
    ),
    Mistake(
        "whole_words",
        _round(lambda shares: int(_right(shares))),
        "You cut the number of words to a whole one. A mean need not be whole.",
    ),
    Mistake(
        "brackets_forgotten",
        lambda shares, cost: _right(shares) / 1 + len(shares) * cost,
        "You divide by 1, and add the cost to the words. Put brackets around 1 + k · cost.",
    ),
    Mistake(
        "one_added_twice",
        _round(lambda shares: 1 + _right(shares)),
        "You added 1 twice. One word comes in any case, and only one.",
    ),
    Mistake(
        "at_least_one",
        lambda shares, cost: max(1.0, _right(shares) / (1 + len(shares) * cost)),
        "Your result is never below 1. Dear drafts that are refused give less than one word for a reading.",
    ),
    Mistake(
        "last_share_for_all",
        _round(lambda shares: 1 + sum(shares[-1] ** (i + 1) for i in range(len(shares)))),
        "You used the last share for every draft. Each has its own.",
    ),
    Mistake(
        "smallest_share_for_all",
        _round(lambda shares: 1 + sum(shares.min(initial=1) ** (i + 1) for i in range(len(shares)))),
        "You used the smallest share for every draft. Each has its own.",
    ),
)
