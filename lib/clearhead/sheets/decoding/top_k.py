"""Cases of 10.top_k."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    V = int(rng.integers(6, 11))
    z = rng.normal(size=V)
    counted = (
        "exactly k tokens are kept",
        lambda out, z, k: (np.asarray(out, dtype=float) > -np.inf).sum() == min(k, len(z)),
    )
    inf = np.inf
    return [
        Case(
            "four logits, by hand",
            (np.array([1.0, 4.0, -2.0, 3.0]), 2),
            "The two largest logits are 4 and 3. They keep their positions, and the others become -inf.",
            expected=np.array([-inf, 4, -inf, 3]),
        ),
        Case("random logits", (z, 3), "The k largest logits keep their values and their positions.",
             properties=(counted,)),
        Case("other logits", (5 - 3 * rng.random(V + 2), 4),
             "The k largest logits keep their values and their positions.", properties=(counted,)),
        Case("some equal logits", (np.array([2.0, 5.0, 2.0, 2.0]), 2),
             "Among equal logits, those with the smaller ids are kept.",
             properties=(counted,)),
        Case("many equal logits", (rng.integers(0, 3, size=600).astype(float), 250),
             "Among equal logits, those with the smaller ids are kept: np.argsort needs kind='stable', "
             "and np.argpartition cannot do it.",
             properties=(counted,)),
        Case("negative logits", (np.array([-9.0, 1.0, 4.0, -7.0]), 2),
             "The sign counts: -9 is smaller than 1.",
             properties=(counted,)),
        Case("a k larger than V", (z, V + 3), "If k is larger than V, every logit is kept."),
        Case("integer logits, by hand", (np.array([3, 1, 2]), 2),
             "No integer is minus infinity, so the result must be an array of floats.",
             expected=np.array([3, -inf, 2])),
    ]  # fmt: skip


EXERCISE = exercise_from_text(__file__, cases)
