"""More wrong answers of 10.top_k."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _order(z):
    return np.argsort(-z, kind="stable")


def _ids_as_values(z, k):
    kept = np.full(len(z), -np.inf)
    kept[_order(z)[:k]] = _order(z)[:k]
    return kept


def _smallest_by_order(z, k):
    kept = z.astype(float).copy()
    kept[_order(z)[:k]] = -np.inf
    return kept


def _values_at_their_ranks(z, k):
    kept = np.full(len(z), -np.inf)
    kept[_order(z)[:k]] = z[:k]
    return kept


MORE = (
    Mistake(
        "ties_stay_and_k_must_fit",
        lambda z, k: np.where(z >= np.sort(z)[-k], z, -np.inf),
        "You kept everything that is as large as the k-th: of equal logits that can be more than k. And "
        "where k is larger than V there is no k-th.",
    ),
    Mistake(
        "later_of_equals_and_k_must_fit",
        lambda z, k: np.where(np.isin(np.arange(len(z)), np.argpartition(z, -k)[-k:]), z, -np.inf),
        "np.argpartition keeps no order among equal logits, and fails where k is larger than V. Sort -z, "
        "with kind='stable'.",
    ),
    Mistake(
        "only_larger_than_the_kth",
        lambda z, k: np.where(z > np.sort(z)[-min(k, len(z))], z, -np.inf),
        "You keep what is larger than the k-th largest (or the last, for a large k). That one stays, too.",
    ),
    Mistake(
        "only_larger_than_the_next",
        lambda z, k: np.where(z > np.sort(z)[-k - 1], z, -np.inf) if k < len(z) else z * 1.0,
        "You keep what is larger than the next after the k-th. Of equal logits that can be fewer than k.",
    ),
    Mistake(
        "largest_hidden",
        _smallest_by_order,
        "You set the k largest to -inf, and kept the others. It is the other way round.",
    ),
    Mistake(
        "ids_for_logits",
        _ids_as_values,
        "You put ids in the places of the k likeliest. Put their logits there: z[ids].",
    ),
    Mistake(
        "first_values_at_their_places",
        _values_at_their_ranks,
        "The right places stay, but they hold the first k logits. Each keeps its own: kept[ids] = z[ids].",
    ),
    Mistake(
        "above_the_mean",
        lambda z, k: np.where(z >= z.mean(), z, -np.inf),
        "You kept what is above the mean, whatever k is. Keep the k largest.",
    ),
    Mistake(
        "likeliest_alone",
        lambda z, k: np.where(np.arange(len(z)) == z.argmax(), z, -np.inf),
        "You kept the likeliest alone. Keep k of them.",
    ),
    Mistake(
        "less_the_largest",
        lambda z, k: np.where(np.isin(np.arange(len(z)), _order(z)[:k]), z - z.max(), -np.inf),
        "You took the largest logit off. Each logit that stays keeps its value.",
    ),
    Mistake(
        "k_different_values",
        lambda z, k: np.where(np.isin(z, np.unique(z)[-k:]), z, -np.inf),
        "You kept the k largest different values, and a value can stand twice. Exactly k tokens stay.",
    ),
)
