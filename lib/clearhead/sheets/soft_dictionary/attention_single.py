"""04.attention_single: Attention for one query."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import softmax

from .shared import FRENCH_VALUES, FRUIT_KEYS, ONE_WEIGHT, ORANGE, entries, returns_weights


def attention_single(q, K, V):
    """Return the answer z (e) and the weights a (S) of one query."""
    a = softmax(K @ q)
    return a @ V, a


def attention_single_by_loop(q, K, V):
    positive = [np.exp(sum(q * key)) for key in K]
    a = np.array([p / sum(positive) for p in positive])
    return sum(weight * value for weight, value in zip(a, V, strict=True)), a


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


EXERCISE = Exercise(
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
        Mistake(
            "divided_by_the_number",
            lambda q, K, V: (lambda e: (e @ V / len(e), e / len(e)))(np.exp(K @ q)),
            "You divided by how many entries there are. Divide by the sum of the exponentials.",
        ),
        Mistake(
            "divided_by_the_norm",
            lambda q, K, V: (lambda e: (e @ V / np.linalg.norm(e), e / np.linalg.norm(e)))(np.exp(K @ q)),
            "You divided by the length (norm). Weights sum to 1, so divide by the sum.",
        ),
        Mistake(
            "powers_of_two",
            lambda q, K, V: attention_single(q * np.log(2), K, V),
            "You took powers of 2. Softmax takes powers of e: np.exp.",
        ),
        Mistake(
            "scores_in_place_of_weights",
            lambda q, K, V: (attention_single(q, K, V)[0], K @ q),
            "You returned the scores beside the answer. Return the weights.",
        ),
        Mistake(
            "values_not_added_up",
            lambda q, K, V: (softmax(K @ q)[:, None] * V, softmax(K @ q)),
            "You multiplied each value by its weight, but did not add them up: a @ V does both.",
        ),
        Mistake(
            "cosines_for_products",
            lambda q, K, V: attention_single(
                q / (np.linalg.norm(q) or 1),
                K / np.maximum(np.linalg.norm(K, axis=1, keepdims=True), 1e-12),
                V,
            ),
            "You compared by cosine. Here lengths count: the scores are the products K @ q.",
        ),
        Mistake(
            "sigmoid_in_place_of_softmax",
            lambda q, K, V: (1 / (1 + np.exp(-(K @ q))) @ V, 1 / (1 + np.exp(-(K @ q)))),
            "You took a sigmoid of each score. The weights then do not sum to 1: take e to the "
            "scores, divided by their sum.",
        ),
        Mistake(
            "always_hard",
            lambda q, K, V: (V[np.argmax(K @ q)], np.eye(len(K))[np.argmax(K @ q)]),
            "All your weight goes to the best key. Every value takes part, each with its weight.",
        ),
        Mistake(
            "distances_in_place_of_products",
            lambda q, K, V: (lambda a: (a @ V, a))(softmax(-((K - q) ** 2).sum(axis=1))),
            "You compared by distance. Here the score is the dot product: K @ q.",
        ),
        Mistake(
            "exponential_of_the_keys",
            lambda q, K, V: (lambda s: (s / s.sum() @ V, s / s.sum()))(np.exp(K) @ q),
            "You raised e to the keys. Make the scores K @ q first, and raise e to them.",
        ),
        Mistake(
            "sizes_of_the_scores_shared",
            lambda q, K, V: (lambda s: (s / s.sum() @ V, s / s.sum()))(np.abs(K @ q)),
            "You dropped the signs of the scores, and divided by their sum. Take `np.exp` of them: it is "
            "positive, and a negative score gets little.",
        ),
        Mistake(
            "answer_not_divided",
            lambda q, K, V: (np.exp(K @ q) @ V, softmax(K @ q)),
            "Your weights are right, but z was mixed before they were divided by their sum. Mix with "
            "the weights: a @ V.",
        ),
    ),
    alternatives=(attention_single_by_loop,),
    stars=1,
    minutes=10,
)
