"""09.masked_attention: Masked attention."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import masks
from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.softmax import softmax

from .masked_attention_wrong import MORE
from .repair_weights import repair_weights
from .shared import divided, sizes


def masked_attention(Q, K, V, mask):
    """Return Z (T, e) for queries Q (T, d), keys K (S, d), values V (S, e) and a mask (T, S)."""
    return scaled_dot_product_attention(Q, K, V, mask)[0]


def _naive_softmax(scores):
    """Return softmax with the shift, but without care for a row of -inf alone."""
    with np.errstate(all="ignore"):
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)


def _infinity_times_false(scores, mask):
    """Return weights after a product of the mask with infinity: NaN wherever the mask allows."""
    with np.errstate(all="ignore"):
        return softmax(scores + ~mask * -np.inf)


def _masked_with(weigh):
    """Return a masked attention whose weights come from weigh(scores, mask)."""
    return lambda Q, K, V, mask: weigh(Q @ K.T / np.sqrt(Q.shape[-1]), mask) @ V


def _by_rows(Q, K, V, mask):
    """Return masked attention row by row, from the allowed keys alone."""
    rows = [softmax(K[may] @ q / np.sqrt(len(q))) @ V[may] for q, may in zip(Q, mask, strict=True)]
    return np.array(rows)


def _blind_to(Z, V, mask):
    """Return whether each row lies between the smallest and largest values that it may see."""
    for z, may in zip(np.asarray(Z), mask, strict=True):
        seen = V[may] if may.any() else np.zeros((1, V.shape[1]))
        if not (np.all(z >= seen.min(axis=0) - 1e-9) and np.all(z <= seen.max(axis=0) + 1e-9)):
            return False
    return True


def _masked_cases(rng):
    T, S, d, e = sizes(rng, 4)
    T, S = (S, T) if S == 2 else (T, S)
    Q, K, V = rng.normal(size=(T, d)), rng.normal(size=(S, d)), rng.normal(size=(S, e))
    mask = rng.random((T, S)) < 0.6
    mask[:, 0], mask[1, -1] = True, True  # a token of the future may be seen: the mask need not be causal
    mask[0, 1:] = False
    inside = (
        "each row is a mixture of the values that it may see",
        lambda Z, Q, K, V, mask: _blind_to(Z, V, mask),
    )
    square = rng.normal(size=(6, d + 1))
    surprise = np.concatenate([V[:1] * 0 + 1, V[:1] * 0 + 1000])
    empty = mask.copy()
    empty[-1] = False
    q, keys = np.zeros((2, 4)), np.zeros((4, 4))
    q[0, 0], q[1, 1], keys[0, 0], keys[1:3, 1] = 400, 1024, -100, (2, 2 + 2 / 1024)
    return [
        Case(
            "two tokens, by hand",
            (np.zeros((2, 3)), np.zeros((2, 3)), np.array([[4.0], [8.0]]), masks.causal_mask(2)),
            "All scores are 0. The first row sees the value 4 only. The second sees both: the mean is 6.",
            expected=np.array([[4.0], [6.0]]),
        ),
        Case("a random mask", (Q, K, V, mask), "The mask acts on the scores, before the softmax.",
             properties=(inside,)),
        Case(
            "a causal mask: the first row is the first value",
            (square, 2 * square, rng.normal(size=(6, e)), masks.causal_mask(6)),
            "Is something of the future in your rows?",
            properties=(inside,),
        ),
        Case(
            "a large value in the future",
            (Q[:2], K[:2], surprise, masks.causal_mask(2)),
            "The first row may not see the 1000.",
            properties=(inside,),
        ),
        Case("a row with nowhere to look", (Q, K, V, empty), "The last row must be zeros, not NaN."),
        Case(
            "a very low score is the only one allowed",
            (q, keys, np.array([[5.0], [1], [3], [7]]),
             np.array([[True, False, False, False], [True, True, True, False]])),
            "The first row may see -20,000 alone: what is hidden must be lower. The second: 0, 1024, 1025.",
        ),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="09.masked_attention",
    title="Masked attention",
    reference=masked_attention,
    cases=_masked_cases,
    hints=(
        "Four steps become five: compare, scale, mask, weigh, mix. What must a forbidden score be, so that "
        "its weight is 0?",
        "np.where(mask, scores, -np.inf) keeps what is allowed. Softmax comes after it.",
        "A = softmax(np.where(mask, Q @ K.T / np.sqrt(Q.shape[-1]), -np.inf)), then A @ V.",
    ),
    mistakes=(
        Mistake(
            "mask_after_softmax",
            _masked_with(lambda s, m: np.where(m, softmax(s), 0)),
            "Your weights no longer sum to 1: hidden tokens took a part. Mask the scores before the softmax.",
        ),
        Mistake(
            "masked_scores_are_zero",
            _masked_with(lambda s, m: softmax(np.where(m, s, 0))),
            "You set forbidden scores to 0, but e to the 0 is 1. They must be minus infinity.",
        ),
        Mistake(
            "mask_upside_down",
            _masked_with(lambda s, m: softmax(np.where(m, -np.inf, s))),
            "You hid what is allowed, and showed what is hidden. In this book True means may look.",
        ),
        Mistake(
            "mask_not_used",
            _masked_with(lambda s, m: softmax(s)),
            "Your result does not depend on the mask. Fill the forbidden scores with -inf.",
        ),
        Mistake(
            "mask_added_as_numbers",
            _masked_with(lambda s, m: softmax(s + m)),
            "Adding booleans adds 1 to the allowed scores. That favours them; it does not hide the others.",
        ),
        Mistake(
            "filled_with_a_number_too_high",
            _masked_with(lambda s, m: softmax(np.where(m, s, -1e4))),
            "You filled in a number like -10,000. A score can be lower, and an empty row sees all: -np.inf.",
        ),
        Mistake(
            "mean_for_an_empty_row",
            _masked_with(lambda s, m: softmax(np.where(m, s, -1e9))),
            "A row with nowhere to look gets the mean of all values, and must give zeros. If you filled in a "
            "finite number, such as -1,000,000,000, all scores are alike there: use -np.inf.",
        ),
        Mistake(
            "nan_for_an_empty_row",
            _masked_with(lambda s, m: _naive_softmax(np.where(m, s, -np.inf))),
            "A row with nowhere to look became NaN. The softmax of the library gives zeros there.",
        ),
        Mistake(
            "scaled_by_number_of_keys",
            lambda Q, K, V, mask: masked_attention(Q * np.sqrt(Q.shape[1] / len(K)), K, V, mask),
            "You took the root of the number of keys. A score adds up d terms: take the root of Q.shape[-1].",
        ),
        Mistake(
            "a_number_for_the_root",
            lambda Q, K, V, mask: masked_attention(Q * np.sqrt(Q.shape[1] / 2), K, V, mask),
            "You divided by the root of 2, the d of the page. Here d has other values: np.sqrt(Q.shape[-1]).",
        ),
        Mistake(
            "scaled_by_value_width",
            lambda Q, K, V, mask: masked_attention(Q * np.sqrt(Q.shape[1] / V.shape[1]), K, V, mask),
            "You took the root of the size of a value. A score adds up d terms: np.sqrt(Q.shape[-1]).",
        ),
        Mistake(
            "infinity_times_false",
            _masked_with(_infinity_times_false),
            "0 times infinity is NaN, so a product with the mask spoils every allowed score. Choose instead "
            "of multiplying: np.where(mask, scores, -np.inf).",
        ),
        Mistake(
            "empty_row_sees_all",
            _masked_with(lambda s, m: softmax(np.where(m | ~m.any(axis=1, keepdims=True), s, -np.inf))),
            "A row with nowhere to look looks everywhere in yours. It must give zeros.",
        ),
        Mistake(
            "nothing_left_of_low_scores",
            _masked_with(lambda s, m: repair_weights(softmax(s), m)),
            "Where all allowed scores are very low, nothing was left of them. Mask before the softmax, and "
            "take the largest score of each row away first, as the softmax of the library does.",
        ),
        Mistake(
            "nothing_left_to_divide",
            _masked_with(lambda s, m: divided(np.where(m, softmax(s), 0))),
            "Nothing was left to divide in a row. Either you masked after the softmax, or e to the score was "
            "taken without the largest allowed score of the row away: mask first, then use softmax.",
        ),
        *MORE,
    ),
    alternatives=(
        _by_rows,
        _masked_with(lambda s, m: softmax(s + np.where(m, 0, -np.inf))),
    ),
    stars=2,
    minutes=20,
)
