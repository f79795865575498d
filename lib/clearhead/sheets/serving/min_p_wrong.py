"""More wrong answers of 19.min_p."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _kept(rule):
    """Return logits, -inf where rule(P, share) does not hold."""
    return lambda logits, share: np.where(rule(softmax(logits), share), logits, -np.inf)


def _top(P):
    return P.max(axis=-1, keepdims=True) * (1 - 1e-12)


def _right(P, share):
    return share * _top(P) <= P


def _by_exponentials(logits, share):
    powers = np.exp(np.asarray(logits, dtype=float))
    return np.where(share * _top(powers) <= powers, logits, -np.inf)


def _summed(logits, share):
    P = softmax(np.asarray(logits, dtype=float))
    order, keep = np.argsort(-P, axis=-1), np.zeros(P.shape, dtype=bool)
    summed = np.cumsum(np.take_along_axis(P, order, axis=-1), axis=-1)
    np.put_along_axis(keep, order, summed <= share, axis=-1)
    return np.where(keep, logits, -np.inf)


def _off_the_logit(logits, share):
    z = np.asarray(logits, dtype=float)
    return np.where(z >= z.max(axis=-1, keepdims=True) - share, logits, -np.inf)


def _by_quotients(logits, share):
    with np.errstate(all="ignore"):
        powers = np.exp(np.asarray(logits, dtype=float))
        return _kept_of(powers / powers.sum(axis=-1, keepdims=True), logits, share)


def _kept_of(P, logits, share):
    return np.where(_right(P, share), logits, -np.inf)


def _top_p(logits, share):
    P = softmax(np.asarray(logits, dtype=float))
    before = ((P[..., None, :] > P[..., None]) * P[..., None, :]).sum(axis=-1)
    return np.where(before < share, logits, -np.inf)


def _shared_anew(logits, share):
    P = softmax(np.asarray(logits, dtype=float))
    kept = np.where(_right(P, share), P, 0)
    return kept / kept.sum(axis=-1, keepdims=True)


MORE = (
    Mistake(
        "one_minus_the_share",
        _kept(lambda P, share: (1 - share) * _top(P) <= P),
        "Your limit is 1 - share of the largest. It is `share` of it.",
    ),
    Mistake(
        "nothing_cut",
        _kept(lambda P, share: share * P.min(axis=-1, keepdims=True) <= P),
        "You cut nothing, as with a share of the smallest P. The limit is share times the largest P.",
    ),
    Mistake(
        "limit_of_each_column",
        _kept(lambda P, share: share * P.max(axis=0) * (1 - 1e-12) <= P),
        "Your largest P is that of a column. Each row has its own: axis=-1, keepdims=True.",
    ),
    Mistake(
        "largest_divided_by_the_share",
        _kept(lambda P, share: _top(P) <= share * P),
        "With a share below 1 even the likeliest word is cut. The limit is share times the largest P.",
    ),
    Mistake(
        "limit_squared",
        _kept(lambda P, share: share * _top(P) ** 2 <= P),
        "The largest P stands twice in your limit. It is share times the largest, once.",
    ),
    Mistake(
        "share_squared",
        _kept(lambda P, share: share**2 * _top(P) <= P),
        "You squared the share. The limit is share times the largest P.",
    ),
    Mistake(
        "one_minus_the_share_fixed",
        _kept(lambda P, share: 1 - share <= P),
        "You compare P with 1 - share. The limit is share times the largest P of the row.",
    ),
    Mistake(
        "true_and_false",
        lambda logits, share: _right(softmax(logits), share),
        "That says which words stay. Return the logits, -inf for the others.",
    ),
    Mistake(
        "words_returned",
        lambda logits, share: np.flatnonzero(_right(softmax(logits), share)),
        "You returned which words stay. Return all logits, -inf for the others.",
    ),
    Mistake(
        "likeliest_alone",
        _kept(lambda P, share: _top(P) <= P),
        "You keep the likeliest word alone. All with P at least `share` of its P stay.",
    ),
    Mistake(
        "a_share_of_the_words",
        lambda logits, share: np.where(
            np.argsort(np.argsort(-logits, axis=-1), axis=-1) < max(1, round(share * np.shape(logits)[-1])),
            logits,
            -np.inf,
        ),
        "You keep a share of the words. Compare each P with the largest.",
    ),
    Mistake(
        "nan_for_what_is_cut",
        lambda logits, share: np.where(_right(softmax(logits), share), logits, np.nan),
        "What is cut became NaN. It is -inf, which softmax turns into 0.",
    ),
    Mistake(
        "share_of_the_powers",
        lambda logits, share: np.where(np.exp(logits) >= share, logits, -np.inf),
        "You compare e to the logit with the share. Logits have no fixed zero: subtract the largest.",
    ),
    Mistake(
        "distance_of_logits",
        lambda logits, share: np.where(
            logits
            >= logits.max(axis=-1, keepdims=True)
            - (1 - share) * np.ptp(logits, axis=-1, keepdims=True)
            - 1e-12,
            logits,
            -np.inf,
        ),
        "You take a share of the way from the smallest logit to the largest. Compare probabilities.",
    ),
    Mistake(
        "exponential_overflows",
        _by_exponentials,
        "Your exponentials overflow where logits are large. Take the largest logit off first, as "
        "softmax does.",
    ),
    Mistake(
        "summed_as_top_p",
        _summed,
        "You added up the likeliest words until `share` was reached: that is top-p. Min-p compares each "
        "P with the largest.",
    ),
    Mistake(
        "share_taken_off_the_logit",
        _off_the_logit,
        "You keep what lies within `share` of the largest logit. The limit is a share of the largest P.",
    ),
    Mistake(
        "share_of_the_second",
        _kept(lambda P, share: share * np.sort(P, axis=-1)[..., -2:-1] * (1 - 1e-12) <= P),
        "You take a share of the second largest P. Take it of the largest.",
    ),
    Mistake(
        "quotient_of_overflows",
        _by_quotients,
        "Your exponentials overflow where logits are large, and infinity over infinity is no number. Take "
        "the largest logit off first, as softmax does.",
    ),
    Mistake(
        "top_p",
        _top_p,
        "You added up the likeliest words until `share` was reached: that is top-p. Min-p compares each "
        "P with the largest.",
    ),
    Mistake(
        "the_others_dropped",
        lambda logits, share: logits[_right(softmax(logits), share)],
        "You dropped what is cut, so your array is shorter. Keep every place, with -inf for what is cut.",
    ),
    Mistake(
        "shared_out_anew",
        _shared_anew,
        "You return probabilities, shared out anew. Return logits: the old ones, and -inf for what is cut.",
    ),
)
