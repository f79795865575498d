"""Sheet 04, the soft dictionary: six exercises, each with its mistakes, hence longer than 200 lines."""

import numpy as np

from clearhead.maths.lookup import nadaraya_watson, soft_lookup
from clearhead.maths.softmax import softmax

from .exercise import Case, Exercise, Mistake, Sheet

FRUIT_KEYS = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
FRENCH_VALUES = np.array([[-5.0, -4.0], [5.0, -6.0], [5.0, 5.0]])
ORANGE = np.array([0.0, np.log(8)])
GAP = np.log(8)
ONE_WEIGHT = "look at your weights: each must be e^score divided by the sum of all e^score"
BETWEEN = "the answer lies between the smallest and the largest value"


def entries(rng, S, d, e, spread=1.0):
    """Return a random query, keys and values; no two of the sizes are equal."""
    return spread * rng.normal(size=d), rng.normal(size=(S, d)), rng.normal(size=(S, e))


def naive_softmax(scores):
    """Return the softmax as its equation is written, which overflows."""
    positive = np.exp(scores)
    return positive / positive.sum(axis=-1, keepdims=True)


# 04.hard_lookup


def hard_lookup(q, K, V):
    """Return the value (e) whose key has the largest dot product with the query."""
    return V[np.argmax(K @ q)]


def hard_lookup_by_loop(q, K, V):
    best = 0
    for j in range(len(K)):
        if sum(q * K[j]) > sum(q * K[best]):
            best = j
    return V[best].copy()


def began_with_zero(q, K, V):
    """Return the value of the best key, where no negative score can win: the best so far begins at 0."""
    best, highest = 0, 0.0
    for j, score in enumerate(K @ q):
        if score > highest:
            best, highest = j, score
    return V[best]


def hard_lookup_cases(rng):
    is_a_value = (
        "what comes back is one of the rows of V",
        lambda z, q, K, V: np.any(np.all(np.isclose(V, z), axis=1)),
    )
    three = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 9]])
    return [
        Case(
            "the orange among the fruits, worked by hand",
            (np.array([0.0, 2.0]), FRUIT_KEYS.copy(), FRENCH_VALUES.copy()),
            "the scores are 0, 0 and 2, so the lemon wins, and its value is (5, 5)",
            expected=np.array([5.0, 5.0]),
        ),
        Case(
            "every score is negative",
            (np.array([1.0, 1.0]), np.array([[-2.0, -1], [-1, 0], [-2, 0]]), three),
            "the scores are −3, −1 and −2: the largest is −1",
            expected=three[1],
        ),
        Case(
            "a long key against a near one",
            (np.array([1.0, 0.5]), np.array([[1.0, 0.5], [4, 4], [-9, 0]]), three),
            "the scores are 1.25, 6 and −9: compare with the dot product, and with nothing else",
            expected=three[1],
        ),
        Case(
            "a far key in the same direction",
            (np.array([1.0, 0.0]), np.array([[10.0, 0], [1, 1], [0, 20]]), three),
            "the scores are 10, 1 and 0: a key far away can still have the largest dot product",
            expected=three[0],
        ),
        Case(
            "two large scores, and a small gap",
            (np.array([1e3, 0.0]), np.array([[0.8, 0], [0.800001, 0], [-1, 0]]), three),
            "the scores are 800, 800.001 and −1000: compare the scores as they are, without e^score",
            expected=three[1],
        ),
        Case(
            "the lemon stands there twice",
            (np.array([0.0, 2.0]), FRUIT_KEYS[[0, 1, 2, 2]], FRENCH_VALUES[[0, 1, 2, 2]]),
            "two keys share the first place, and both have the value (5, 5): one comes back, not the sum",
            expected=np.array([5.0, 5.0]),
        ),
        Case("fresh numbers", entries(rng, 60, 3, 4), "look at which key wins", 2, properties=(is_a_value,)),
    ]


HARD_LOOKUP = Exercise(
    id="04.hard_lookup",
    title="The hard dictionary",
    reference=hard_lookup,
    cases=hard_lookup_cases,
    hints=(
        "Three things: one score for each key, the place of the largest score, the value at that place.",
        "`K @ q` gives all the scores. `np.argmax` gives the place of the largest number.",
        "`best = np.argmax(K @ q)`; then return row `best` of V.",
    ),
    mistakes=(
        Mistake(
            "returned_the_key",
            lambda q, K, V: K[np.argmax(K @ q)],
            "You gave back the key that won. A dictionary gives back the value that belongs to it: a "
            "row of V.",
        ),
        Mistake(
            "returned_the_place",
            lambda q, K, V: np.argmax(K @ q),
            "You gave back the place of the winner. Use it to pick a row of V.",
        ),
        Mistake(
            "returned_the_score",
            lambda q, K, V: np.max(K @ q),
            "You gave back the largest score. You need its place (`np.argmax`), and then a row of V.",
        ),
        Mistake(
            "smallest_score",
            lambda q, K, V: V[np.argmin(K @ q)],
            "You took the smallest score. A large dot product means alike: take the largest.",
        ),
        Mistake(
            "largest_without_sign",
            lambda q, K, V: V[np.argmax(np.abs(K @ q))],
            "You dropped the sign of the scores. A very negative score means the opposite direction: "
            "it must lose.",
        ),
        Mistake(
            "nearest_key",
            lambda q, K, V: V[np.argmin(np.linalg.norm(K - q, axis=1))],
            "You took the key at the smallest distance. Here we compare with the dot product.",
        ),
        Mistake(
            "cosine_instead_of_dot",
            lambda q, K, V: V[np.argmax(K @ q / np.linalg.norm(K, axis=1))],
            "You divided by the lengths (norms) of the keys. That is the cosine; here we compare with the "
            "plain dot product.",
        ),
        Mistake(
            "began_with_zero",
            began_with_zero,
            "Your best score so far begins at 0, so a negative score can never win. Begin with −∞ "
            "(`-np.inf`), or with the first key.",
        ),
        Mistake(
            "sum_of_the_best",
            lambda q, K, V: (K @ q == (K @ q).max()) @ V,
            "Where two keys share the first place, you add up their values. Give back one row of V.",
        ),
        Mistake(
            "softmax_that_overflows",
            lambda q, K, V: V[np.argmax(naive_softmax(K @ q))],
            "Right for small scores; large ones overflow `np.exp`. Leave it out: the largest score wins.",
        ),
        Mistake(
            "very_cold_softmax",
            lambda q, K, V: softmax(1000 * (K @ q)) @ V,
            "You took a softmax at a very low temperature. Two keys with nearly the same score still mix. "
            "Pick one row of V.",
        ),
    ),
    alternatives=(hard_lookup_by_loop,),
    stars=1,
    minutes=5,
)


# 04.attention_single


def attention_single(q, K, V):
    """Return the answer z (e) and the weights a (S) of one query."""
    a = softmax(K @ q)
    return a @ V, a


def attention_single_by_loop(q, K, V):
    positive = [np.exp(sum(q * key)) for key in K]
    a = np.array([p / sum(positive) for p in positive])
    return sum(weight * value for weight, value in zip(a, V, strict=True)), a


def returns_weights(z_and_a):
    """Return the second of two things, as an array."""
    return np.asarray(z_and_a[1])


def attention_single_cases(rng):
    whole = (
        ("the weights sum to 1", lambda out, q, K, V: np.isclose(returns_weights(out).sum(), 1)),
        ("no weight is negative", lambda out, q, K, V: np.all(returns_weights(out) >= 0)),
    )
    return [
        Case(
            "the orange, worked by hand",
            (ORANGE.copy(), FRUIT_KEYS.copy(), FRENCH_VALUES.copy()),
            "the weights are 0.1, 0.1 and 0.8, and the answer is (4, 3)",
            expected=(np.array([4.0, 3.0]), np.array([0.1, 0.1, 0.8])),
            properties=whole,
        ),
        Case(
            "a query of zeros",
            (np.zeros(2), FRUIT_KEYS.copy(), np.array([[3.0, 0, 6, 9], [3, 3, 0, 0], [3, 0, 0, 0]])),
            "all scores are 0, so all weights are a third",
            expected=(np.array([3.0, 1, 2, 3]), np.full(3, 1 / 3)),
            properties=whole,
        ),
        Case(
            "negative scores", entries(rng, 5, 3, 2), "e^score is positive for every score", properties=whole
        ),
        Case("fresh numbers", entries(rng, 7, 4, 6), ONE_WEIGHT, 2, properties=whole),
    ]


ATTENTION_SINGLE = Exercise(
    id="04.attention_single",
    title="Attention for one query",
    reference=attention_single,
    cases=attention_single_cases,
    hints=(
        "Compare, weigh, mix: three lines, then a `return` with two things.",
        "The scores are `K @ q`. `np.exp` makes them positive; divide by their sum.",
        "With the weights in `a`, the answer is `a @ V`. End with `return a @ V, a`.",
    ),
    mistakes=(
        Mistake(
            "returned_in_the_other_order",
            lambda q, K, V: attention_single(q, K, V)[::-1],
            "Both parts are right, in the wrong order. First the answer z, then the weights a.",
        ),
        Mistake(
            "only_the_answer",
            lambda q, K, V: attention_single(q, K, V)[0],
            "The answer is right, but the weights are missing. Return two things: `z, a`.",
        ),
        Mistake(
            "weights_not_divided",
            lambda q, K, V: (np.exp(K @ q) @ V, np.exp(K @ q)),
            "Your weights are positive, but they do not sum to 1. Divide them by their sum.",
        ),
        Mistake(
            "scores_without_exponential",
            lambda q, K, V: ((K @ q) / (K @ q).sum() @ V, (K @ q) / (K @ q).sum()),
            "You divided the scores by their sum. They can be negative, or sum to 0. Take `np.exp` "
            "of them first.",
        ),
        Mistake(
            "mixed_the_keys",
            lambda q, K, V: (softmax(K @ q) @ K, softmax(K @ q)),
            "Your weights are right, but you mixed the keys. Mix the values: the rows of V.",
        ),
        Mistake(
            "scaled_by_sqrt_d",
            lambda q, K, V: (softmax(K @ q / np.sqrt(len(q))) @ V, softmax(K @ q / np.sqrt(len(q)))),
            "You divided the scores by √d. That comes in chapter 5; here the score is the plain dot product.",
        ),
    ),
    alternatives=(attention_single_by_loop,),
    stars=1,
    minutes=10,
)


# 04.soft_lookup


def soft_lookup_by_loop(q, K, V, temperature):
    scores = [float(np.dot(q, key)) / temperature for key in K]
    positive = [np.exp(score - max(scores)) for score in scores]
    a = np.array([p / sum(positive) for p in positive])
    return sum(weight * value for weight, value in zip(a, V, strict=True)), a


def look_up(scores, V):
    """Return the pair (z, a) for given scores."""
    a = softmax(scores)
    return a @ V, a


def with_weights(a, V):
    """Return the pair (z, a) for given weights."""
    return a @ V, a


def shifted_late(scores):
    """Return weights whose maximum was subtracted after the exponential, which is too late."""
    positive = np.exp(scores) - np.exp(scores).max()
    return positive / positive.sum()


def one_hot_best(scores):
    """Return weight 1 for the largest score, 0 for all others."""
    return np.eye(len(scores))[np.argmax(scores)]


def hard_where_large(scores):
    """Return softmax, but weight 1 for the largest score where any score is above 300."""
    return one_hot_best(scores) if np.abs(scores).max() > 300 else softmax(scores)


def cut_at_700(scores):
    """Return the softmax of scores that were cut off so that e^score stays finite."""
    return naive_softmax(np.clip(scores, -700, 700))


def one_for_nan(scores):
    """Return the softmax that overflows, with 1 in place of every NaN."""
    return np.nan_to_num(naive_softmax(scores), nan=1.0)


def shifted_by_size(scores):
    """Return weights after the largest size |score| was subtracted: nothing is left of negative scores."""
    return naive_softmax(scores - np.abs(scores).max())


def shifted_where_large(scores):
    """Return softmax where a score is above 700, and e^score as it is elsewhere."""
    return softmax(scores) if scores.max() > 700 else naive_softmax(scores)


def soft_lookup_cases(rng):
    whole = (
        (
            "the weights sum to 1",
            lambda out, q, K, V, temperature: np.isclose(returns_weights(out).sum(), 1),
        ),
        (
            BETWEEN,
            lambda out, q, K, V, temperature: (
                np.all(out[0] >= V.min(axis=0) - 1e-9) and np.all(out[0] <= V.max(axis=0) + 1e-9)
            ),
        ),
    )
    order = [2, 0, 1]
    values = rng.normal(size=(5, 4))
    large_q, large_K, large_V = entries(rng, 6, 3, 2)
    return [
        Case(
            "the orange at temperature 1, worked by hand",
            (ORANGE.copy(), FRUIT_KEYS.copy(), FRENCH_VALUES.copy(), 1.0),
            "the weights are 0.1, 0.1 and 0.8",
            expected=(np.array([4.0, 3.0]), np.array([0.1, 0.1, 0.8])),
        ),
        Case(
            "the same entries in another order",
            (ORANGE.copy(), FRUIT_KEYS[order], FRENCH_VALUES[order], 1.0),
            "the answer does not depend on the order of the entries; the weights move with their entries",
            expected=(np.array([4.0, 3.0]), np.array([0.8, 0.1, 0.1])),
        ),
        Case(
            "temperature 3",
            (ORANGE.copy(), FRUIT_KEYS.copy(), FRENCH_VALUES.copy(), 3.0),
            "ln 8 / 3 = ln 2: the weights are 1/4, 1/4 and 2/4",
            expected=(np.array([2.5, 0.0]), np.array([0.25, 0.25, 0.5])),
        ),
        Case(
            "equal keys",
            (rng.normal(size=3), np.ones((5, 3)), values, 0.7),
            "if all keys are equal, so are all weights, and the answer is the mean of the values",
            expected=(values.mean(axis=0), np.full(5, 0.2)),
        ),
        Case(
            "fresh numbers",
            (*entries(rng, 7, 4, 3), float(rng.uniform(0.3, 0.7))),
            ONE_WEIGHT,
            2,
            properties=whole,
        ),
        Case(
            "nearly cold: temperature 0.0001",
            (ORANGE.copy(), FRUIT_KEYS.copy(), FRENCH_VALUES.copy(), 1e-4),
            "the largest score takes everything; subtract it from all scores before the exponential",
            expected=(np.array([5.0, 5.0]), np.array([0.0, 0.0, 1.0])),
        ),
        Case(
            "scores of size 10,000",
            (1e4 * large_q, large_K, large_V, 1.0),
            "subtract the largest score from all scores before the exponential",
            properties=whole,
        ),
        Case(
            "two large scores, and a small gap",
            (
                np.array([1e4, np.log(3)]),
                np.array([[1.0, 0], [1, 1], [-2, 0]]),
                np.array([[0.0, 8, 4], [8, 0, 4], [9, 9, 9]]),
                1.0,
            ),
            "the scores are 10000, 10000 + ln 3 and −20000: only gaps count; the weights are 1/4, 3/4 and 0",
            expected=(np.array([6.0, 2, 4]), np.array([0.25, 0.75, 0])),
        ),
        Case(
            "two very negative scores, and a small gap",
            (
                np.array([-1e4, np.log(3)]),
                np.array([[1.0, 0], [1, 1]]),
                np.array([[0.0, 8, 4], [8, 0, 4]]),
                1.0,
            ),
            "the scores are −10000 and −10000 + ln 3: always subtract the largest score, with its sign",
            expected=(np.array([6.0, 2, 4]), np.array([0.25, 0.75])),
        ),
        Case(
            "nearly cold, and a tiny gap",
            (
                np.array([1.0, 1e-4 * np.log(3)]),
                np.array([[1.0, 0], [1, 1]]),
                np.array([[0.0, 8, 4], [8, 0, 4]]),
                1e-4,
            ),
            "the gap is 0.0001 ln 3; divided by 0.0001 it is ln 3, so the weights are 1/4 and 3/4",
            expected=(np.array([6.0, 2, 4]), np.array([0.25, 0.75])),
        ),
    ]


SOFT_LOOKUP = Exercise(
    id="04.soft_lookup",
    title="The soft dictionary, with a temperature",
    reference=soft_lookup,
    cases=soft_lookup_cases,
    hints=(
        "Start from your `attention_single`. Where does the temperature act: on scores, weights, or values?",
        "Divide the scores by the temperature, then take the softmax. "
        "Large scores overflow `np.exp`: subtract the largest one first.",
        "`s = K @ q / temperature`; `p = np.exp(s - s.max())`; `a = p / p.sum()`; `return a @ V, a`.",
    ),
    mistakes=(
        Mistake(
            "temperature_forgotten",
            lambda q, K, V, temperature: look_up(K @ q, V),
            "Your answer does not depend on the temperature. Divide the scores by it, before the softmax.",
        ),
        Mistake(
            "multiplied_by_temperature",
            lambda q, K, V, temperature: look_up(K @ q * temperature, V),
            "You multiplied the scores by the temperature. Divide: a low one must make the gaps larger.",
        ),
        Mistake(
            "temperature_after_softmax",
            lambda q, K, V, temperature: with_weights(softmax(K @ q) / temperature, V),
            "You divided the weights, so they no longer sum to 1. Divide the scores, before the softmax.",
        ),
        Mistake(
            "overflows",
            lambda q, K, V, temperature: with_weights(naive_softmax(K @ q / temperature), V),
            "Right for small scores; large ones overflow `np.exp`. Subtract the largest score first.",
        ),
        Mistake(
            "shifted_after_exponential",
            lambda q, K, V, temperature: with_weights(shifted_late(K @ q / temperature), V),
            "You subtracted the maximum after the exponential. Subtract the largest *score*, before it.",
        ),
        Mistake(
            "always_hard",
            lambda q, K, V, temperature: with_weights(one_hot_best(K @ q / temperature), V),
            "All your weight goes to the best key. Every value takes part, each with its weight.",
        ),
        Mistake(
            "hard_where_scores_are_large",
            lambda q, K, V, temperature: with_weights(hard_where_large(K @ q / temperature), V),
            "Where the scores are large, you give all the weight to the best key. Two large scores can "
            "lie close together: subtract the largest score, and take the softmax as always.",
        ),
        Mistake(
            "scores_cut_off",
            lambda q, K, V, temperature: with_weights(cut_at_700(K @ q / temperature), V),
            "You cut off large scores, and their gaps are lost. Subtract the largest score from all "
            "of them: the gaps stay.",
        ),
        Mistake(
            "one_in_place_of_nan",
            lambda q, K, V, temperature: with_weights(one_for_nan(K @ q / temperature), V),
            "You put 1 where the result is NaN. That hides the overflow. Prevent it: subtract the "
            "largest score before the exponential.",
        ),
        Mistake(
            "shifted_by_the_largest_size",
            lambda q, K, V, temperature: with_weights(shifted_by_size(K @ q / temperature), V),
            "You subtracted the largest size, without its sign. Very negative scores then all become 0 / 0. "
            "Subtract the largest score itself.",
        ),
        Mistake(
            "shifted_only_where_large",
            lambda q, K, V, temperature: with_weights(shifted_where_large(K @ q / temperature), V),
            "You subtract the largest score only where it is large. Where all scores are very negative, "
            "every e^score is 0: subtract it always.",
        ),
        Mistake(
            "temperature_kept_away_from_zero",
            lambda q, K, V, temperature: look_up(K @ q / max(temperature, 0.01), V),
            "Your temperature cannot fall below a limit. Divide the scores by the temperature itself: a tiny "
            "one makes a tiny gap count.",
        ),
        Mistake(
            "only_the_answer",
            lambda q, K, V, temperature: look_up(K @ q / temperature, V)[0],
            "The answer is right, but the weights are missing. Return two things: `z, a`.",
        ),
        Mistake(
            "scaled_by_sqrt_d",
            lambda q, K, V, temperature: look_up(K @ q / temperature / np.sqrt(len(q)), V),
            "You also divided by √d. That comes in chapter 5; here only the temperature divides the scores.",
        ),
    ),
    alternatives=(soft_lookup_by_loop,),
    stars=2,
    minutes=15,
)


# 04.simple_self_attention


def simple_self_attention(X):
    """Return the new vectors Z (T, D) and the weights A (T, T) when X is queries, keys and values."""
    A = softmax(X @ X.T)
    return A @ X, A


def simple_self_attention_by_loop(X):
    A = np.zeros((len(X), len(X)))
    for i, query in enumerate(X):
        scores = np.array([query @ key for key in X])
        positive = np.exp(scores - scores.max())
        A[i] = positive / positive.sum()
    return np.einsum("ij,jk->ik", A, X), A


def attend(X, scores):
    """Return the pair (Z, A) for given scores."""
    A = softmax(scores)
    return A @ X, A


def without_self(X):
    """Return self-attention in which no token sees itself."""
    return attend(X, np.where(np.eye(len(X), dtype=bool), -np.inf, X @ X.T))


def cosines(X):
    """Return the cosine between every two rows; a row of zeros gives 0."""
    unit = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-12)
    return unit @ unit.T


COLUMNS = "You compared columns. Words are rows: `X @ X.T` has a row and a column for each word."


def columns_compared(X):
    """Return the weights (D, D) between the columns of X."""
    return softmax(X.T @ X)


def self_attention_cases(rng):
    rows = (
        ("each row of A sums to 1", lambda out, X: np.allclose(np.asarray(out[1]).sum(axis=1), 1)),
        ("Z has the shape of X", lambda out, X: np.shape(out[0]) == X.shape),
    )
    apple = np.array([[0.0, 0, 0], [2, 0, 0], [0, 0, 0], [1, 1, 0]])
    return [
        Case(
            "two vectors at a right angle, worked by hand",
            (np.sqrt(np.log(3)) * np.array([[1.0, 0, 0], [0, 0, 1]]),),
            "the scores are ln 3 and 0, so the weights of a row are 3/4 and 1/4",
            expected=(
                np.sqrt(np.log(3)) * np.array([[0.75, 0, 0.25], [0.25, 0, 0.75]]),
                np.array([[0.75, 0.25], [0.25, 0.75]]),
            ),
            properties=rows,
        ),
        Case(
            "I ate an apple",
            (apple,),
            "row i of A belongs to word i: softmax runs along each row",
            1,
            properties=rows,
        ),
        Case(
            "a vector that looks away from itself",
            (np.array([[1.0, 0, 0], [5, 1, 0]]),),
            "the score of the first with itself is 1, with the second 5",
            properties=(*rows, ("the first looks more at the second", lambda out, X: out[1][0][1] > 0.98)),
        ),
        Case("fresh numbers", (rng.normal(size=(5, 3)),), "", 2, properties=rows),
        Case(
            "long vectors",
            (60 * rng.normal(size=(4, 6)),),
            "subtract the largest score of each row before the exponential",
            properties=rows,
        ),
    ]


SIMPLE_SELF_ATTENTION = Exercise(
    id="04.simple_self_attention",
    title="A sentence that looks at itself",
    reference=simple_self_attention,
    cases=self_attention_cases,
    hints=(
        "X is the queries, the keys and the values. Write the matrix form of the chapter, and put X "
        "in three places.",
        "`X @ X.T` holds all scores: row i for query i. The softmax runs along each row, so `axis=-1`.",
        "`A = softmax(X @ X.T)`; `return A @ X, A`.",
    ),
    mistakes=(
        Mistake(
            "softmax_over_columns",
            lambda X: (softmax(X @ X.T).T @ X, softmax(X @ X.T).T),
            "Your columns sum to 1, not your rows. Row i belongs to query i: softmax along the last axis.",
        ),
        Mistake(
            "softmax_over_everything",
            lambda X: _over_everything(X),
            "All your weights together sum to 1. Each query has its own sum: one softmax for each row.",
        ),
        Mistake(
            "mixed_with_the_transpose",
            lambda X: (softmax(X @ X.T).T @ X, softmax(X @ X.T)),
            "Your weights are right, but you mixed with their transpose. Row i of A makes row i of "
            "Z: `A @ X`.",
        ),
        Mistake(
            "columns_compared_then_rows_mixed",
            lambda X: (columns_compared(X) @ X, columns_compared(X)),
            COLUMNS,
        ),
        Mistake(
            "columns_compared_and_mixed", lambda X: (columns_compared(X) @ X.T, columns_compared(X)), COLUMNS
        ),
        Mistake(
            "columns_compared_mixed_from_the_right",
            lambda X: (X @ columns_compared(X), columns_compared(X)),
            COLUMNS,
        ),
        Mistake(
            "left_itself_out",
            without_self,
            "You left each word itself out. A word also meets its own key: keep the diagonal.",
        ),
        Mistake(
            "scaled_by_sqrt_d",
            lambda X: attend(X, X @ X.T / np.sqrt(X.shape[1])),
            "You divided the scores by √d. That comes in chapter 5; here the score is the plain dot product.",
        ),
        Mistake(
            "cosine_scores",
            lambda X: attend(X, cosines(X)),
            "You divided by the lengths (norms) of the vectors. The score is the plain dot product.",
        ),
        Mistake(
            "overflows",
            lambda X: (naive_softmax(X @ X.T) @ X, naive_softmax(X @ X.T)),
            "Right for short vectors, but `np.exp` overflows for long ones. Subtract the largest "
            "score of each row.",
        ),
        Mistake(
            "returned_in_the_other_order",
            lambda X: simple_self_attention(X)[::-1],
            "Both parts are right, in the wrong order. First the new vectors Z, then the weights A.",
        ),
    ),
    alternatives=(simple_self_attention_by_loop,),
    stars=2,
    minutes=10,
)


def _over_everything(X):
    scores = X @ X.T
    positive = np.exp(scores - scores.max())
    A = positive / positive.sum()
    return A @ X, A


# 04.nadaraya_watson


def squares(x, X):
    """Return the squared distance from every query to every measured place."""
    return np.sum((x[:, None, :] - X[None, :, :]) ** 2, axis=-1)


def nadaraya_watson_by_dot_product(x, X, Y, bandwidth):
    scores = (x @ X.T - 0.5 * np.sum(X**2, axis=1)) / bandwidth**2
    return softmax(scores) @ Y


def nadaraya_watson_by_loop(x, X, Y, bandwidth):
    y = np.zeros((len(x), Y.shape[1]))
    for i, place in enumerate(x):
        scores = -np.array([np.sum((place - known) ** 2) for known in X]) / (2 * bandwidth**2)
        positive = np.exp(scores - scores.max())
        y[i] = sum(p * value for p, value in zip(positive, Y, strict=True)) / positive.sum()
    return y


def mean_with(kernel, Y, axis=-1):
    """Return the means of Y, weighted by a kernel that is normalized along an axis."""
    return kernel / kernel.sum(axis=axis, keepdims=True) @ Y


def one_shift_for_all(x, X, Y, bandwidth):
    """Return the guesses after one number, the largest score of all, was subtracted from every row."""
    scores = -squares(x, X) / (2 * bandwidth**2)
    return mean_with(np.exp(scores - scores.max()), Y)


def nearest_far_away(x, X, Y, bandwidth):
    """Return the guesses, and the nearest measurement where 0 was divided by 0."""
    y = mean_with(np.exp(-squares(x, X) / (2 * bandwidth**2)), Y)
    return np.where(np.isnan(y), Y[np.argmin(squares(x, X), axis=1)], y)


def nadaraya_watson_cases(rng):
    between = (
        (
            BETWEEN,
            lambda y, x, X, Y, bandwidth: np.all((y >= Y.min(axis=0) - 1e-9) & (y <= Y.max(axis=0) + 1e-9)),
        ),
    )
    line = np.array([[0.0], [1.0]])
    two = np.array([[0.0, 6.0, 1.0], [8.0, 2.0, 1.0]])
    far = 60 + rng.normal(size=(2, 3))
    return [
        Case(
            "half-way, and at a measured place, worked by hand",
            (np.array([[0.5], [0.0], [0.5]]), line, two, float(np.sqrt(1 / np.log(9)))),
            "half-way the weights are 1/2 and 1/2; at 0 the score is 0 for the one and −ln 3 for the other",
            expected=np.array([[4.0, 4, 1], [2, 5, 1], [4, 4, 1]]),
        ),
        Case(
            "fresh numbers",
            (
                rng.normal(size=(4, 2)),
                rng.normal(size=(6, 2)),
                rng.normal(size=(6, 3)),
                float(rng.uniform(0.4, 2)),
            ),
            "each place in x meets each place in X, so the squared distances have the shape (T, S)",
            2,
            properties=between,
        ),
        Case(
            "a wide bandwidth",
            (rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2)), 9.0),
            "with a wide bandwidth every guess comes near the mean",
            properties=between,
        ),
        Case(
            "far from every measurement",
            (far, rng.normal(size=(4, 3)), rng.normal(size=(4, 5)), 1.0),
            "every e^score is 0 in the computer, and 0/0 is NaN: use the softmax that subtracts the "
            "largest score",
            properties=between,
        ),
        Case(
            "one place near, two far away, worked by hand",
            (
                np.array([[0.0, 0.5], [100.0, 0.5], [100.0, 0.0]]),
                np.array([[0.0, 0.0], [0.0, 1.0]]),
                two,
                float(np.sqrt(1 / np.log(9))),
            ),
            "far away the gaps between the scores are the same as near: 0, 0 and ln 3. Each row needs its "
            "own largest score",
            expected=np.array([[4.0, 4, 1], [4, 4, 1], [2, 5, 1]]),
        ),
    ]


NADARAYA_WATSON = Exercise(
    id="04.nadaraya_watson",
    title="The formula of 1964",
    reference=nadaraya_watson,
    cases=nadaraya_watson_cases,
    hints=(
        "It is attention with another score. First make the (T, S) array of squared distances.",
        "Each place in x meets each place in X: `x[:, None, :] - X` has the shape (T, S, d). Square it, "
        "and sum over the last axis.",
        "`scores = -squared / (2 * bandwidth**2)`; then softmax along each row, then `@ Y`.",
    ),
    mistakes=(
        Mistake(
            "row_against_row",
            lambda x, X, Y, bandwidth: softmax(-((x - X) ** 2).sum(axis=-1) / (2 * bandwidth**2)) @ Y,
            "`x - X` pairs row with row. Each place in x must meet each place in X: `x[:, None, :] - X` "
            "has the shape (T, S, d).",
        ),
        Mistake(
            "distance_not_squared",
            lambda x, X, Y, bandwidth: softmax(-np.sqrt(squares(x, X)) / (2 * bandwidth**2)) @ Y,
            "You used the distance. The score needs its square: leave the root out.",
        ),
        Mistake(
            "two_forgotten",
            lambda x, X, Y, bandwidth: softmax(-squares(x, X) / bandwidth**2) @ Y,
            "The 2 is missing: divide by 2·bandwidth².",
        ),
        Mistake(
            "bandwidth_not_squared",
            lambda x, X, Y, bandwidth: softmax(-squares(x, X) / (2 * bandwidth)) @ Y,
            "You divided by 2·bandwidth. The bandwidth is squared in the formula.",
        ),
        Mistake(
            "minus_sign_forgotten",
            lambda x, X, Y, bandwidth: softmax(squares(x, X) / (2 * bandwidth**2)) @ Y,
            "The minus sign is missing: far measurements now weigh most. The score is *minus* the "
            "squared distance.",
        ),
        Mistake(
            "normalized_over_queries",
            lambda x, X, Y, bandwidth: mean_with(np.exp(-squares(x, X) / (2 * bandwidth**2)), Y, axis=0),
            "Your columns sum to 1. Each query has its own weights: normalize along each row.",
        ),
        Mistake(
            "not_normalized",
            lambda x, X, Y, bandwidth: np.exp(-squares(x, X) / (2 * bandwidth**2)) @ Y,
            "Your weights do not sum to 1. Divide each row by its sum, or use softmax.",
        ),
        Mistake(
            "nothing_left_far_away",
            lambda x, X, Y, bandwidth: mean_with(np.exp(-squares(x, X) / (2 * bandwidth**2)), Y),
            "Right nearby, but far away every e^score is 0 and you divide 0 by 0. Use the softmax "
            "that shifts first.",
        ),
        Mistake(
            "one_shift_for_all",
            one_shift_for_all,
            "You subtracted one number from all scores. Beside a near place, a far one is then 0 / 0. Each "
            "row needs its own largest score.",
        ),
        Mistake(
            "nearest_far_away",
            nearest_far_away,
            "Where the result is NaN, you put the nearest measurement. The others count there, too: use the "
            "softmax that shifts first.",
        ),
    ),
    alternatives=(nadaraya_watson_by_dot_product, nadaraya_watson_by_loop),
    stars=2,
    minutes=15,
)


# 04.temperature_for


def temperature_for(scores, top):
    """Return the temperature at which the largest weight is `top`: halve an interval until it is tiny."""
    gaps = scores - scores.max()
    widest = -gaps.min()
    cold, hot = 1e-9 * widest, 1e9 * widest
    for _ in range(200):
        middle = np.sqrt(cold * hot)
        if np.exp(gaps / middle).sum() < 1 / top:
            cold = middle
        else:
            hot = middle
    return middle


def temperature_for_by_newton(scores, top):
    gaps, coldness = scores - scores.max(), 0.0
    for _ in range(200):
        positive = np.exp(coldness * gaps)
        excess = np.log(positive.sum()) + np.log(top)
        coldness -= excess / (positive @ gaps / positive.sum())
    return 1 / coldness


def runner_up(scores):
    """Return the gap between the largest score and the second largest."""
    first, second = np.sort(scores)[[-1, -2]]
    return first - second


def gap_to_mean(scores):
    """Return the gap between the largest score and the mean of the others."""
    return scores.max() - (scores.sum() - scores.max()) / (len(scores) - 1)


def searched_between(scores, top, cold, hot):
    """Return what halving finds between two temperatures, whether or not the answer lies there."""
    for _ in range(100):
        middle = (cold + hot) / 2
        cold, hot = (middle, hot) if softmax(scores / middle).max() > top else (cold, middle)
    return middle


def temperature_for_cases(rng):
    hits = (
        (
            "with your temperature, the largest weight is `top`",
            lambda found, scores, top: (
                found > 0 and np.isclose(softmax(scores / found).max(), top, atol=1e-6)
            ),
        ),
    )
    drawn = rng.normal(size=6)
    drawn[4] = drawn.max() + rng.uniform(0.2, 1)
    return [
        Case(
            "the orange: which temperature gives 0.8?",
            (np.array([0.0, 0, GAP]), 0.8),
            "at temperature 1 these scores give 0.1, 0.1 and 0.8 already",
            expected=1.0,
            properties=hits,
        ),
        Case(
            "a colder lemon: 0.96",
            (np.array([0.0, 0, GAP]), 0.96),
            "0.96 and twice 0.02: the gap must become ln 48",
            expected=float(GAP / np.log(48)),
            properties=hits,
        ),
        Case(
            "two entries, 0.9",
            (np.array([1.0, 4.0]), 0.9),
            "the weights are 0.1 and 0.9, so the gap must become ln 9; the gap of the scores is 3",
            expected=float(3 / np.log(9)),
            properties=hits,
        ),
        Case(
            "six scores, all different",
            (drawn, float(rng.uniform(0.4, 0.9))),
            "search: the largest weight falls as the temperature rises",
            2,
            properties=hits,
        ),
        Case(
            "scores near 10,000",
            (1e4 + np.array([0.5, 2, 1, 0.25]), 0.7),
            "only gaps matter: subtract the largest score before you begin",
            properties=hits,
        ),
        Case(
            "scores 500 times as large",
            (np.array([0.0, 0, 500 * GAP]), 0.8),
            "the temperature is 500: begin the search with limits far below and far above the gap",
            expected=500.0,
            properties=hits,
        ),
        Case(
            "scores a billion times as large",
            (np.array([0.0, 0, 1e9 * GAP]), 0.8),
            "the temperature is 1e9: let both limits of the search grow with the gap",
            expected=1e9,
            properties=hits,
        ),
        Case(
            "scores a billion times as small",
            (np.array([0.0, 0, 1e-9 * GAP]), 0.8),
            "the temperature is 1e-9: let both limits of the search shrink with the gap",
            expected=1e-9,
            properties=hits,
        ),
    ]


TEMPERATURE_FOR = Exercise(
    id="04.temperature_for",
    title="Which temperature was it?",
    reference=temperature_for,
    cases=temperature_for_cases,
    hints=(
        "When all other scores are equal, you can solve for the temperature with a logarithm. When they "
        "differ, there is no such formula in general: search.",
        "The largest weight falls whenever the temperature rises. So guess a temperature, look at the "
        "largest weight, and go up or down.",
        "Keep `cold` and `hot` around the answer. Begin far away: `gap = scores.max() - scores.min()`, "
        "`cold = 1e-6 * gap`, `hot = 1e6 * gap`. Two hundred times: `middle = np.sqrt(cold * hot)`; if the "
        "largest weight at `middle` is above `top`, it is too cold, so `cold = middle`; else "
        "`hot = middle`.",
    ),
    mistakes=(
        Mistake(
            "inverse_temperature",
            lambda scores, top: 1 / temperature_for(scores, top),
            "This is 1 divided by the temperature. The scores are *divided* by the temperature.",
        ),
        Mistake(
            "as_if_two_entries",
            lambda scores, top: runner_up(scores) / np.log(top / (1 - top)),
            "You solved for two entries. What is left, 1 − top, is shared by all the other entries.",
        ),
        Mistake(
            "as_if_the_others_were_equal",
            lambda scores, top: runner_up(scores) / np.log((len(scores) - 1) * top / (1 - top)),
            "Right when all other scores are equal. When they differ, you must search.",
        ),
        Mistake(
            "logarithm_of_top_alone",
            lambda scores, top: -runner_up(scores) / np.log(top),
            "You solved e^(−gap/τ) = top. The weights are fractions of a sum: compare the top weight "
            "with the others.",
        ),
        Mistake(
            "searched_below_5",
            lambda scores, top: searched_between(scores, top, 0, 5),
            "Your search cannot leave the interval from 0 to 5, and the scores may have any size. Begin "
            "with limits that grow with the gap: 1e-6 and 1e6 times the gap.",
        ),
        Mistake(
            "searched_between_fixed_limits",
            lambda scores, top: searched_between(scores, top, 1e-3, 1e3),
            "Your search cannot leave the interval from 0.001 to 1000, and the scores may have any size. "
            "Begin with limits that grow with the gap: 1e-6 and 1e6 times the gap.",
        ),
        Mistake(
            "gap_to_the_mean_of_the_others",
            lambda scores, top: gap_to_mean(scores) / np.log((len(scores) - 1) * top / (1 - top)),
            "You replaced the other scores by their mean. But e^score is not a straight line: search.",
        ),
        Mistake(
            "logarithm_to_base_10",
            lambda scores, top: temperature_for(scores, top) * np.log(10),
            "Your logarithm has base 10. Softmax uses powers of e, which belong to `np.log`.",
        ),
    ),
    alternatives=(temperature_for_by_newton,),
    stars=3,
    minutes=25,
)


SHEET = Sheet(
    "04",
    "Attention is a soft dictionary",
    exercises=(
        HARD_LOOKUP,
        ATTENTION_SINGLE,
        SOFT_LOOKUP,
        SIMPLE_SELF_ATTENTION,
        NADARAYA_WATSON,
        TEMPERATURE_FOR,
    ),
)
