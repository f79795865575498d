"""10.top_k: Keep the k likeliest."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import sampling

from .shared import ranks
from .top_k_wrong import MORE


def top_k(z, k):
    """Return the logits z (V), all but the k largest set to -inf; of equal ones the smaller id stays."""
    return sampling.top_k(z, k)


def _by_counting(z, k):
    """Return the k largest, found by counting for each token who comes before it."""
    before = [sum(b > a or (b == a and j < i) for j, b in enumerate(z)) for i, a in enumerate(z)]
    return [float(a) if n < k else -np.inf for a, n in zip(z, before, strict=True)]


def _k_cases(rng):
    V = int(rng.integers(6, 11))
    z = rng.normal(size=V)
    counted = (
        "exactly k tokens stay",
        lambda out, z, k: (np.asarray(out, dtype=float) > -np.inf).sum() == min(k, len(z)),
    )
    inf = np.inf
    return [
        Case(
            "four logits, by hand",
            (np.array([1.0, 4.0, -2.0, 3.0]), 2),
            "The two largest are 4 and 3. They stay where they are; the others become -inf.",
            expected=np.array([-inf, 4, -inf, 3]),
        ),
        Case("random logits", (z, 3), "Do the k largest keep their values and their places?",
             properties=(counted,)),
        Case("other logits", (5 - 3 * rng.random(V + 2), 4), "Compare the places.", properties=(counted,)),
        Case("equal logits", (np.array([2.0, 5.0, 2.0, 2.0]), 2), "Of equal logits the smaller id stays.",
             properties=(counted,)),
        Case("many equal logits", (rng.integers(0, 3, size=600).astype(float), 250),
             "The smaller ids of equal logits stay. np.argsort needs kind='stable'; np.argpartition cannot.",
             properties=(counted,)),
        Case("far below zero", (np.array([-9.0, 1.0, 4.0, -7.0]), 2), "-9 is small: the sign counts.",
             properties=(counted,)),
        Case("k larger than V", (z, V + 3), "Then everything stays."),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="10.top_k",
    title="Keep the k likeliest",
    reference=top_k,
    cases=_k_cases,
    hints=(
        "Which ids have the k largest logits? A sorting function that gives ids, not values, helps.",
        "np.argsort(-z, kind='stable') gives the ids, largest logit first; equal ones stay in order.",
        "out = np.full(len(z), -np.inf); keep = np.argsort(-z, kind='stable')[:k]; out[keep] = z[keep].",
    ),
    mistakes=(
        Mistake(
            "ties_stay",
            lambda z, k: np.where(z >= np.sort(z)[-min(k, len(z))], z, -np.inf),
            "You kept everything that is as large as the k-th. Of equal logits that can be more than k.",
        ),
        Mistake(
            "later_of_equals",
            lambda z, k: sampling.top_k(z[::-1], k)[::-1],
            "Of equal logits you kept the later id, as np.argsort(z)[-k:] can. Sort -z, with kind='stable'.",
        ),
        Mistake(
            "smallest_kept",
            lambda z, k: -sampling.top_k(-z, k) * 1.0,
            "You kept the smallest logits, and the others became +inf. Keep the largest.",
        ),
        Mistake(
            "smallest_kept_by_id",
            lambda z, k: np.where(np.argsort(np.argsort(z, kind="stable")) < k, z, -np.inf),
            "You kept the k smallest, as np.argsort(z)[:k] does: it sorts upwards. Sort -z.",
        ),
        Mistake(
            "zeros_for_the_rest",
            lambda z, k: np.where(ranks(z) < k, z, 0.0),
            "You set the others to 0. A logit of 0 can still be drawn, since e to the 0 is 1: use -inf.",
        ),
        Mistake(
            "order_of_argsort",
            lambda z, k: np.where(np.argsort(-z, kind="stable") < k, z, -np.inf),
            "np.argsort tells which id is at each rank, not the rank of each id. Use it to index.",
        ),
        Mistake(
            "sorted_values",
            lambda z, k: np.where(np.arange(len(z)) < k, -np.sort(-z), -np.inf),
            "The right values, but sorted: not all belong to their own tokens now. Keep each at its own id.",
        ),
        Mistake(
            "a_large_number_for_infinity",
            lambda z, k: np.where(ranks(z) < k, z, -1e9),
            "You set the others to -1,000,000,000. Here they must be -inf, which no logit can be below.",
        ),
        Mistake(
            "ids_returned",
            lambda z, k: np.argsort(-z, kind="stable")[:k],
            "You returned the ids of the k likeliest. Return all V logits, and -inf for the others.",
        ),
        Mistake(
            "values_alone",
            lambda z, k: -np.sort(-z)[:k],
            "You returned the k values alone. Return all V logits, so that an id still means its token.",
        ),
        Mistake(
            "one_short",
            lambda z, k: sampling.top_k(z, k - 1) if k > 1 else np.full(len(z), -np.inf),
            "Where k is V or less, one token too few stays. Exactly k are left.",
        ),
        Mistake(
            "largest_in_size",
            lambda z, k: np.where(top_k(np.abs(z), k) > -np.inf, z, -np.inf),
            "You compared sizes without the sign. -9 is smaller than 1.",
        ),
        Mistake(
            "first_k_ids",
            lambda z, k: np.where(np.arange(len(z)) < k, z, -np.inf),
            "You kept the first k ids. Keep the k largest logits, wherever they stand.",
        ),
        Mistake(
            "one_too_many",
            lambda z, k: top_k(z, k + 1),
            "Where k is less than V, one token too many stays. Exactly k are left.",
        ),
        Mistake(
            "true_and_false",
            lambda z, k: top_k(z, k) > -np.inf,
            "That says which tokens stay. Return the logits, -inf for the others.",
        ),
        Mistake(
            "probabilities_returned",
            lambda z, k: np.exp(top_k(z, k) - z.max()) / np.exp(top_k(z, k) - z.max()).sum(),
            "You made probabilities of them. Return logits; the softmax comes later.",
        ),
        Mistake(
            "nan_for_the_rest",
            lambda z, k: np.where(top_k(z, k) > -np.inf, z, np.nan),
            "The rest became NaN. It is -inf, which softmax turns into 0.",
        ),
        *MORE,
    ),
    alternatives=(_by_counting, lambda z, k: np.where(ranks(z) < k, z, -np.inf)),
    stars=1,
    minutes=10,
)
