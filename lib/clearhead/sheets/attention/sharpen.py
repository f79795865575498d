"""05.sharpen: Not a cosine."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import softmax

from .sharpen_wrong import MORE


def sharpen(q, k_near, k_far, weight):
    """Return the factor c for which c q gives k_near that weight, beside k_far as the only other key."""
    return np.log(weight / (1 - weight)) * np.sqrt(len(q)) / (q @ k_near - q @ k_far)


def _sharpen_cases(rng):
    def given(d, weight):
        q, other = rng.normal(size=d), rng.normal(size=d)
        near, far = q + 0.3 * rng.normal(size=d), other - q
        return (q, near, far, weight) if q @ near > q @ far else (q, far, near, weight)

    reached = (
        "with c q as the query, softmax gives k_near the weight asked for",
        lambda c, q, near, far, weight: np.isclose(
            softmax(c * np.stack([near, far]) @ q / np.sqrt(len(q)))[0], weight
        ),
    )
    exact = (
        "c is exact to six digits, neither rounded nor searched in coarse steps",
        lambda c, q, near, far, weight: (
            not 1e-6
            < abs(softmax(c * np.stack([near, far]) @ q / np.sqrt(len(q)))[0] - weight)
            < min(0.002, (1 - weight) / 2)
        ),
    )
    easy = np.array([1.0, 0, 0, 0]), np.array([3.0, 0, 0, 1]), np.array([1.0, 2, 0, 0])
    return [
        Case(
            "by hand: gap 2, d = 4, weight 0.9",
            (*easy, 0.9),
            "The scaled gap is 2 / √4 = 1, and 0.9 / 0.1 = 9, so c = ln 9.",
            expected=2.1972245773,
            properties=(exact, reached),
        ),
        Case("weight one half", (*given(6, 0.5),), "Equal weights need equal scores: what must c be?"),
        Case(
            "nearly all of it",
            given(7, 0.999),
            "Put your c back. A weight near 1 is not to be cut off.",
            properties=(exact, reached),
        ),
        Case(
            "two keys with nearly the same score",
            (easy[0], easy[1], easy[1] - np.array([1e-4, 0, 0, 0]), 0.9),
            "The scaled gap is 0.00005, so c is about 44,000. Fixed limits are too near.",
            properties=(reached,),
        ),
        Case("less than half", given(8, 0.2), "Which sign must c have?", properties=(reached,)),
    ]


EXERCISE = Exercise(
    id="05.sharpen",
    title="Not a cosine",
    reference=sharpen,
    cases=_sharpen_cases,
    hints=(
        "With two keys, only the difference of the two scores matters. Multiplying q by c multiplies "
        "it by c.",
        "The ratio of the two weights is e to the scaled gap: weight / (1 - weight) = exp(c (q·k_near - "
        "q·k_far) / √d).",
        "Take the logarithm of both sides and solve for c. The root of d goes to the other side.",
    ),
    mistakes=(
        Mistake(
            "no_scale",
            lambda q, near, far, w: np.log(w / (1 - w)) / (q @ near - q @ far),
            "You forgot that the scores are divided by √d. To make up for it, multiply your c by √d.",
        ),
        Mistake(
            "root_on_the_wrong_side",
            lambda q, near, far, w: np.log(w / (1 - w)) / (q @ near - q @ far) / np.sqrt(len(q)),
            "The root of d stands under the gap. When you solve for c, it goes to the top: multiply.",
        ),
        Mistake(
            "d_in_place_of_its_root",
            lambda q, near, far, w: np.sqrt(len(q)) * sharpen(q, near, far, w),
            "You multiplied by d. The scores are divided by its square root: np.sqrt(len(q)).",
        ),
        Mistake(
            "logarithm_to_base_10",
            lambda q, near, far, w: sharpen(q, near, far, w) / np.log(10),
            "You took the logarithm to base 10. Softmax raises e, so take the natural one: np.log.",
        ),
        Mistake(
            "logarithm_forgotten",
            lambda q, near, far, w: w / (1 - w) * np.sqrt(len(q)) / (q @ near - q @ far),
            "The ratio weight / (1 - weight) is e to the gap, not the gap itself. Take its logarithm.",
        ),
        Mistake(
            "keys_added",
            lambda q, near, far, w: np.log(w / (1 - w)) * np.sqrt(len(q)) / (q @ near + q @ far),
            "You added the two scores. The ratio of two exponentials is e to their difference: subtract.",
        ),
        Mistake(
            "log_of_the_weight",
            lambda q, near, far, w: np.log(w) * np.sqrt(len(q)) / (q @ near - q @ far),
            "The logarithm of the weight alone forgets the other key. Take that of the ratio of the two "
            "weights: weight / (1 - weight).",
        ),
        Mistake(
            "sign_turned",
            lambda q, near, far, w: np.log((1 - w) / w) * np.sqrt(len(q)) / (q @ near - q @ far),
            "Your c has the wrong sign. The ratio is weight / (1 - weight), and the gap is near minus far.",
        ),
        Mistake(
            "sign_dropped",
            lambda *given: abs(sharpen(*given)),
            "Your c has lost its sign. A weight below 1/2 needs a negative c, which turns the query round.",
        ),
        Mistake(
            "the_new_query",
            lambda q, near, far, w: sharpen(q, near, far, w) * q,
            "You returned the new query, c q. Return the factor c alone.",
        ),
        Mistake(
            "only_the_near_key",
            lambda q, near, far, w: np.log(w / (1 - w)) * np.sqrt(len(q)) / (q @ near),
            "Softmax sees differences between scores. Subtract the score of the far key.",
        ),
        Mistake(
            "cosine_scores",
            lambda q, near, far, w: (
                np.log(w / (1 - w))
                * np.sqrt(len(q))
                / (
                    q @ near / np.linalg.norm(q) / np.linalg.norm(near)
                    - q @ far / np.linalg.norm(q) / np.linalg.norm(far)
                )
            ),
            "You divided by the lengths, as a cosine does. Attention does not: that is why c can "
            "sharpen it at all.",
        ),
        Mistake(
            "searched_between_fixed_limits",
            lambda *given: float(np.clip(sharpen(*given), -100, 100)),
            "Your c stops at a limit, as in a search. A small gap needs a large c: solve the equation.",
        ),
        Mistake(
            "multiplied_by_the_gap",
            lambda q, near, far, weight: (
                np.log(weight / (1 - weight)) * (q @ near - q @ far) / np.sqrt(len(q))
            ),
            "You multiplied by the gap of the scores. c times the gap is the logarithm: divide.",
        ),
        Mistake(
            "weight_over_gap",
            lambda q, near, far, weight: weight * np.sqrt(len(q)) / (q @ near - q @ far),
            "You divided the weight itself by the gap. It is the logarithm of the ratio of the "
            "weights that c times the gap must reach.",
        ),
        Mistake(
            "logarithm_to_base_2",
            lambda q, near, far, weight: sharpen(q, near, far, weight) / np.log(2),
            "You took the logarithm to base 2. Softmax takes powers of e: np.log.",
        ),
        Mistake(
            "logarithm_of_the_rest",
            lambda q, near, far, weight: -np.log(1 - weight) * np.sqrt(len(q)) / (q @ near - q @ far),
            "That is minus the logarithm of the other weight, 1 - weight. Take that of the ratio: weight / "
            "(1 - weight).",
        ),
        Mistake(
            "gap_over_logarithm",
            lambda q, near, far, weight: 1 / sharpen(q, near, far, weight),
            "Your fraction stands upside down: c is the logarithm divided by the gap.",
        ),
        Mistake(
            "distance_of_the_keys",
            lambda q, near, far, weight: np.log(weight / (1 - weight)) / np.linalg.norm(near - far),
            "You divided by the distance of the keys. What counts is the gap of their scores with q.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda q, near, far, w: (np.log(w) - np.log(1 - w)) / ((near - far) @ q / len(q) ** 0.5),
        lambda q, near, far, w: float(np.arctanh(2 * w - 1) * 2 / ((near - far) @ q) * np.sqrt(len(q))),
    ),
    stars=2,
    minutes=15,
)
