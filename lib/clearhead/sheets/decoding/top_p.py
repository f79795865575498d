"""10.top_p: Keep the nucleus."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import sampling
from clearhead.maths.softmax import softmax

from .shared import ranks
from .top_p_wrong import MORE


def top_p(z, p):
    """Return the logits z (V), -inf outside the smallest set of likely tokens with a mass of p or more."""
    return sampling.top_p(z, p)


def _cut(z, count):
    """Return the logits, all but the `count` likeliest set to -inf."""
    return np.where(ranks(z) < count, z, -np.inf)


def _reached(z):
    """Return the mass of the likeliest token, of the likeliest two, and so on."""
    return np.cumsum(-np.sort(-softmax(z)))


def _p_by_loop(z, p):
    """Return the nucleus, taking one token after the other until the mass is there."""
    kept, mass, weights = np.full(len(z), -np.inf), 0.0, softmax(z)
    for v in np.argsort(-z, kind="stable"):
        kept[v] = z[v]
        mass += weights[v]
        if mass >= p - 1e-12:
            break
    return kept


def _overflowing(z, p):
    weights = np.exp(z) / np.exp(z).sum()
    order = np.argsort(-weights, kind="stable")
    kept = order[: np.searchsorted(np.cumsum(weights[order]), p - 1e-12) + 1]
    return np.where(np.isin(np.arange(len(z)), kept), z, -np.inf)


def _p_cases(rng):
    V = int(rng.integers(6, 11))
    z = rng.normal(size=V)
    enough = (
        "what stays has a mass of p or more",
        lambda out, z, p: softmax(z)[np.asarray(out, dtype=float) > -np.inf].sum() > p - 1e-9,
    )
    inf = np.inf
    by_hand = np.log([0.1, 0.6, 0.25, 0.05])
    return [
        Case(
            "four tokens, by hand",
            (by_hand, 0.8),
            "0.6 is not enough; 0.6 + 0.25 = 0.85 is. Two tokens stay, each at its own place.",
            expected=np.where([False, True, True, False], by_hand, -inf),
        ),
        Case("random logits", (z, 0.7), "Sort by probability, add up, stop when p is reached.",
             properties=(enough,)),
        Case("other logits", (1.5 * rng.normal(size=V + 3), 0.93), "Is the token that crosses p still kept?",
             properties=(enough,)),
        Case("one token has it all", (np.array([0.0, 9.0, 1.0]), 0.5), "One token has more than p: it stays.",
             properties=(enough,)),
        Case("four equal tokens", (np.zeros(4), 0.5), "Two of four have exactly 0.5. The first two stay."),
        Case("p = 0", (np.array([0.5, 2.0, 1.0]), 0.0), "The likeliest token is always in the set.",
             expected=np.array([-inf, 2.0, -inf])),
        Case("p = 1", (np.array([0.5, 2.0, 1.0, 0.0]), 1.0), "p = 1 keeps everything."),
        Case("logits near 1,000", (z + 1000, 0.6), "e to the 1,000 is too large for a float: the softmax "
             "must subtract the largest logit first.", properties=(enough,)),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="10.top_p",
    title="Keep the nucleus",
    reference=top_p,
    cases=_p_cases,
    hints=(
        "Softmax, sort, add up. Which token is the last one that is needed?",
        "In the sorted order the first token stays, and each one before which the mass is below p.",
        "order = np.argsort(-z, kind='stable'); w = softmax(z)[order]; keep = order[np.cumsum(w) - w < p]; "
        "the first of `order` always stays. Then as in top_k.",
    ),
    mistakes=(
        Mistake(
            "overflows",
            _overflowing,
            "You raise e to the logits as they are, and e to the 800 overflows. Subtract the largest logit "
            "first: the probabilities stay the same.",
        ),
        Mistake(
            "crossing_token_dropped",
            lambda z, p: _cut(z, (_reached(z) <= p + 1e-12).sum()),
            "Your set ends before its mass would pass p. The token that crosses p belongs to it, or it can "
            "be empty.",
        ),
        Mistake(
            "crossing_token_dropped_but_one_stays",
            lambda z, p: _cut(z, max((_reached(z) <= p + 1e-12).sum(), 1)),
            "At least one token stays. But where a later one takes the mass from below p to above it, that "
            "one is missing.",
        ),
        Mistake(
            "one_too_many",
            lambda z, p: _cut(z, 1 + (_reached(z) <= p + 1e-12).sum()),
            "Where two tokens have exactly p, you took a third one. The set must be the smallest one.",
        ),
        Mistake(
            "not_sorted",
            lambda z, p: np.where(np.cumsum(softmax(z)) - softmax(z) < p - 1e-12, z, -np.inf),
            "You added up in the order of the ids. Begin with the likeliest token: sort first.",
        ),
        Mistake(
            "kept_by_rank",
            lambda z, p: np.where((kept := -np.sort(-softmax(z))).cumsum() - kept < p - 1e-12, z, -np.inf),
            "You counted in sorted order, but kept that many tokens from the beginning. Use the order of "
            "np.argsort as an index: order[...] are the ids that stay.",
        ),
        Mistake(
            "sorted_values",
            lambda z, p: _cut(-np.sort(-z), np.isfinite(sampling.top_p(z, p)).sum()),
            "The right values, but sorted: not all belong to their own tokens now. Keep each at its own id.",
        ),
        Mistake(
            "p_as_a_threshold",
            lambda z, p: np.where(softmax(z) >= p, z, -np.inf),
            "You kept tokens whose own probability is p or more. p is the mass of the whole set.",
        ),
        Mistake(
            "share_of_the_best",
            lambda z, p: np.where(softmax(z) >= (1 - p) * softmax(z).max(), z, -np.inf),
            "You compared each token with the likeliest one. That is another rule (min-p). Add masses up.",
        ),
        Mistake(
            "least_likely_first",
            lambda z, p: np.where(np.isin(np.arange(len(z)), _from_the_bottom(z, p)), z, -np.inf),
            "You began with the least likely tokens. Sort -z, so that the likeliest comes first.",
        ),
        Mistake(
            "zeros_for_the_rest",
            lambda z, p: np.where(np.isneginf(sampling.top_p(z, p)), 0.0, z),
            "You set the others to 0. A logit of 0 can still be drawn: use -inf.",
        ),
        Mistake(
            "probabilities_returned",
            lambda z, p: softmax(sampling.top_p(z, p)),
            "You returned probabilities. Return logits, so that a temperature can still follow.",
        ),
        Mistake(
            "empty_for_p_0",
            lambda z, p: sampling.top_p(z, p) if p > 0 else np.full(len(z), -np.inf),
            "At p = 0 nothing stays, and nothing can be drawn. The likeliest token is always in the set.",
        ),
        Mistake(
            "one_minus_p",
            lambda z, p: top_p(z, 1 - p),
            "You took 1 - p for the mass. The tokens that stay must have the mass p or more.",
        ),
        Mistake(
            "a_share_of_the_vocabulary",
            lambda z, p: sampling.top_k(z, max(1, int(p * len(z)))),
            "You kept about p · V tokens, and at least one. Add up their probabilities; do not count tokens.",
        ),
        Mistake(
            "all_above_the_average",
            lambda z, p: np.where(softmax(z) >= 1 / len(z), z, -np.inf),
            "You kept all tokens with 1/V or more, whatever p is. Add up the likeliest until p is reached.",
        ),
        Mistake(
            "logits_added_up",
            lambda z, p: sampling.top_k(z, 1 + int((np.cumsum(np.sort(z)[::-1]) < p).sum())),
            "You added up logits. Add up probabilities: softmax first.",
        ),
        Mistake(
            "ids_returned",
            lambda z, p: np.flatnonzero(top_p(z, p) > -np.inf),
            "You returned the ids that stay. Return all logits, -inf for the others.",
        ),
        Mistake(
            "larger_id_first",
            lambda z, p: top_p(z[::-1], p)[::-1],
            "Of equal tokens your larger id comes first. The smaller one must.",
        ),
        *MORE,
    ),
    alternatives=(_p_by_loop, lambda z, p: _cut(z, 1 + np.searchsorted(_reached(z), p - 1e-12))),
    stars=2,
    minutes=20,
)  # fmt: skip


def _from_the_bottom(z, p):
    """Return the ids of a set with mass p that begins with the least likely token."""
    order = np.argsort(z, kind="stable")
    weights = softmax(z)[order]
    return order[np.cumsum(weights) - weights < p - 1e-12]
