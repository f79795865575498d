"""More wrong answers of 10.top_p."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths import sampling
from clearhead.maths.softmax import log_softmax, softmax


def _own(rule):
    """Return an answer that keeps the likeliest token and those of which rule(probability, p) holds."""
    return lambda z, p: np.where(rule(softmax(z), p) | (np.arange(len(z)) == z.argmax()), z, -np.inf)


def _needed(weights, p):
    needed = np.cumsum(weights) - weights < p - 1e-12
    needed[0] = True
    return needed


def _by_rank(z, p):
    return np.where(_needed(-np.sort(-softmax(z)), p), z, -np.inf)


def _from_the_least(z, p):
    order = np.argsort(z, kind="stable")
    kept = np.full(len(z), -np.inf)
    stays = order[_needed(softmax(z)[order], p)]
    kept[stays] = z[stays]
    return kept


def _in_order_of_ids(z, p):
    return np.where(_needed(softmax(z), p), z, -np.inf)


def _ties_stay(z, p):
    kept = sampling.top_p(z, p)
    return np.where(z >= kept[kept > -np.inf].min(), z, -np.inf)


def _hidden(z, p):
    return np.where(np.isneginf(sampling.top_p(z, p)), z, -np.inf)


def _powers_added_up(z, p):
    order = np.argsort(-z, kind="stable")
    kept = np.full(len(z), -np.inf)
    stays = order[_needed(np.exp(z)[order], p)]
    kept[stays] = z[stays]
    return kept


MORE = (
    Mistake(
        "own_share_of_one_minus_p",
        _own(lambda w, p: w >= 1 - p),
        "You compare each probability with 1 - p. Add up the likeliest ones until their sum reaches p.",
    ),
    Mistake(
        "own_share_and_the_likeliest",
        _own(lambda w, p: w >= p),
        "You compare each probability with p. Add up the likeliest ones until their sum reaches p.",
    ),
    Mistake(
        "kept_by_rank_and_the_first",
        _by_rank,
        "You counted in sorted order, but kept that many tokens from the beginning. Use the order of "
        "np.argsort "
        "as an index: order[...] are the ids that stay.",
    ),
    Mistake(
        "least_likely_first_and_one_stays",
        _from_the_least,
        "You began with the least likely tokens. Sort -z, so that the likeliest comes first.",
    ),
    Mistake(
        "not_sorted_and_the_first",
        _in_order_of_ids,
        "You added up in the order of the ids. Begin with the likeliest token: sort first.",
    ),
    Mistake(
        "ties_stay",
        _ties_stay,
        "You kept every token that is as likely as the last one needed. Of equal tokens the smaller ids "
        "stay, "
        "as many as p needs.",
    ),
    Mistake(
        "nucleus_hidden",
        _hidden,
        "You set the nucleus to -inf, and kept the others. It is the other way round.",
    ),
    Mistake(
        "powers_added_up",
        _powers_added_up,
        "You added up e to the logits. Divide by their sum first: softmax.",
    ),
    Mistake(
        "likeliest_alone",
        _own(lambda w, p: w < 0),
        "You kept the likeliest alone. Add tokens until their sum reaches p.",
    ),
    Mistake(
        "one_more_always",
        lambda z, p: np.where(
            np.isin(
                np.arange(len(z)), np.argsort(-z, kind="stable")[: (sampling.top_p(z, p) > -np.inf).sum() + 1]
            ),
            z,
            -np.inf,
        ),
        "Unless all must stay, one token too many does: the set is the smallest that reaches p.",
    ),
    Mistake(
        "nan_for_the_rest",
        lambda z, p: np.where(np.isneginf(sampling.top_p(z, p)), np.nan, z),
        "The rest became NaN. It is -inf, which softmax turns into 0.",
    ),
    Mistake(
        "a_large_number_for_infinity",
        lambda z, p: np.where(np.isneginf(sampling.top_p(z, p)), -1e9, z),
        "You set the others to -1,000,000,000. Here they must be -inf.",
    ),
    Mistake(
        "true_and_false",
        lambda z, p: sampling.top_p(z, p) > -np.inf,
        "That says which tokens stay. Return the logits, -inf for the others.",
    ),
    Mistake(
        "values_alone",
        lambda z, p: -np.sort(-z)[: (sampling.top_p(z, p) > -np.inf).sum()],
        "You returned only the logits that stay. Return all V, so that an id still means its token.",
    ),
    Mistake(
        "log_probabilities_returned",
        lambda z, p: log_softmax(z) + (sampling.top_p(z, p) - z),
        "The right tokens stay, but with their log-probabilities. Return the logits z as they are.",
    ),
    Mistake(
        "largest_sum_below_p",
        lambda z, p: sampling.top_k(z, max((sampling.top_p(z, p) > -np.inf).sum() - 1, 1)) if p < 1 else z,
        "The token with which the mass reaches p is missing, unless it is the first or p is 1. It belongs to "
        "the set.",
    ),
    Mistake(
        "none_above_p",
        lambda z, p: sampling.top_p(z, p if p < 1 else 0),
        "At p = 1 the likeliest alone stays. Rounded sums can end just below 1, and np.argmax(sums >= p) "
        "then finds no True and says 0: count the sums that are below p.",
    ),
    Mistake(
        "share_p_of_the_best",
        _own(lambda w, p: w >= p * w.max()),
        "You compared each probability with p times the largest. Add up the likeliest ones until their sum "
        "reaches p.",
    ),
)
