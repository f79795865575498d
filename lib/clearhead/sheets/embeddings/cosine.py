"""02.cosine: How alike are two directions?"""

import math

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.embeddings import cosine


def _over(bottom):
    """Return a cosine with another divisor."""
    return lambda x, y: x @ y / bottom(x, y)


def _lengths(x, y):
    return np.linalg.norm(x) * np.linalg.norm(y)


def _cosine_cases(rng):
    D = int(rng.integers(3, 12))
    x, y = rng.normal(size=(2, D))
    flat = np.append(x, 0.0)
    bounded = ("it lies between -1 and 1", lambda c, x, y: -1 - 1e-9 <= c <= 1 + 1e-9)
    return [
        Case(
            "cat and apple, by hand",
            (np.array([4.0, 1.0]), np.array([1.0, 4.0])),
            "The dot product is 8, and both lengths are √17.",
            expected=8 / 17,
            properties=(bounded,),
        ),
        Case("random", (x, y), "Divide by both lengths.", properties=(bounded,)),
        Case("one of them ten times as long", (10 * x, y), "Length must not count.", properties=(bounded,)),
        Case("opposite directions", (flat, -0.3 * flat), "Opposite directions have -1.", expected=-1.0),
        Case("very short vectors", (1e-9 * x, 1e-9 * y), "A small number added below is not small here.", 2),
        Case(
            "numbers that sum to 0",
            (np.array([1.0, -1]), np.array([3.0, -3])),
            "It has a direction: not all its numbers are 0.",
            expected=1.0,
        ),
        Case("a vector of zeros", (np.zeros(D), y), "It has no direction: return 0.", expected=0.0),
        Case("zeros on the right", (x, np.zeros(D)), "Either of the two may be all zeros.", expected=0.0),
    ]


EXERCISE = Exercise(
    "02.cosine",
    "How alike are two directions?",
    cosine,
    _cosine_cases,
    hints=(
        "A dot product, divided by two lengths.",
        "np.linalg.norm(x) is the length of x. When a length is 0, return 0.",
        "lengths = np.linalg.norm(x) * np.linalg.norm(y), then x @ y / lengths if lengths > 0, else 0.",
    ),
    mistakes=(
        Mistake(
            "dot_product",
            lambda x, y: x @ y,
            "This is the dot product. Divide it by both lengths, so that only the direction counts.",
        ),
        Mistake(
            "divided_by_one_length",
            lambda x, y: x @ y / (np.linalg.norm(x) or 1),
            "You divided by one length only. Both vectors may be long.",
        ),
        Mistake(
            "divided_by_squared_lengths",
            lambda x, y: x @ y / ((x @ x) * (y @ y) or 1),
            "x @ x is the squared length. Take its square root.",
        ),
        Mistake(
            "lengths_added",
            lambda x, y: x @ y / (np.linalg.norm(x) + np.linalg.norm(y)),
            "You added the lengths. Multiply them.",
        ),
        Mistake(
            "zero_divided_by_zero",
            _over(_lengths),
            "A vector of zeros gives 0/0. It has no direction: return 0.",
        ),
        Mistake(
            "a_small_number_below",
            lambda x, y: x @ y / (_lengths(x, y) + 1e-8),
            "Short vectors come out wrong: a small number, added below or taken for 0, is not small beside "
            "them. Test for exactly 0.",
        ),
        Mistake(
            "sign_lost",
            lambda x, y: abs(float(cosine(x, y))),
            "Opposite directions must give -1. Do not take the absolute value.",
        ),
        Mistake(
            "the_angle",
            lambda x, y: float(np.arccos(np.clip(cosine(x, y), -1, 1))),
            "This is the angle. Its cosine is wanted, so leave out arccos.",
        ),
        Mistake(
            "one_for_zeros",
            lambda x, y: cosine(x, y) if np.any(x) and np.any(y) else 1.0,
            "Right, but for a vector of zeros: it has no direction, so return 0.",
        ),
        Mistake(
            "mean_taken_away",
            lambda x, y: cosine(x - np.mean(x), y - np.mean(y)),
            "You subtracted the means first. That is a correlation; the cosine takes the vectors as "
            "they are.",
        ),
        Mistake(
            "only_the_first_tested_for_zeros",
            lambda x, y: 0.0 if not x.any() else x @ y / (np.linalg.norm(x) * np.linalg.norm(y)),
            "You test only x for zeros. y may be all zeros, too.",
        ),
        Mistake(
            "one_minus_the_cosine",
            lambda x, y: 1 - float(cosine(x, y)),
            "You returned 1 minus the cosine, a distance. Return the cosine itself.",
        ),
        Mistake(
            "lengths_without_squares",
            lambda x, y: x @ y / (np.abs(x).sum() * np.abs(y).sum() or 1),
            "You added sizes for the lengths. A length is the root of the sum of squares.",
        ),
        Mistake(
            "root_of_the_sum_of_both_lengths",
            lambda x, y: x @ y / (math.sqrt(x @ x + y @ y) or 1),
            "You took one root of both squared lengths, added. Take a root of each, and multiply.",
        ),
        Mistake(
            "length_of_the_products",
            lambda x, y: x @ y / n if (n := np.linalg.norm(x * y)) > 0 else 0.0,
            "You divided by the length of x * y. Divide by the length of x and by the length of y.",
        ),
        Mistake(
            "one_zero_taken_for_all",
            lambda x, y: cosine(x, y) if np.all(x) and np.all(y) else 0.0,
            "You return 0 as soon as one number of a vector is 0. Ask whether all of them are.",
        ),
        Mistake(
            "sum_asked_for_zeros",
            lambda x, y: cosine(x, y) if np.sum(x) and np.sum(y) else 0.0,
            "You return 0 where the numbers of a vector sum to 0. They can do so without being 0: look at "
            "the length.",
        ),
        Mistake(
            "the_sine",
            lambda x, y: math.sqrt(max(0, 1 - float(cosine(x, y)) ** 2)) if np.any(x) and np.any(y) else 0.0,
            "This is the sine of the angle. Return its cosine: the dot product, divided by both lengths.",
        ),
        Mistake(
            "brought_between_0_and_1",
            lambda x, y: (1 + float(cosine(x, y))) / 2 if np.any(x) and np.any(y) else 0.0,
            "You brought the cosine between 0 and 1. Return it as it is: opposite directions have -1.",
        ),
    ),
    alternatives=(
        lambda x, y: 0.0 if not x.any() or not y.any() else np.sum(x / _norm(x) * (y / _norm(y))),
        lambda x, y: x @ y / math.sqrt((x @ x) * (y @ y)) if x.any() and y.any() else 0,
    ),
    stars=1,
    minutes=5,
)


def _norm(x):
    return math.sqrt(sum(number**2 for number in x))
