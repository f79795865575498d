"""More wrong answers of 18.lora_merge."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _written_into(W, A, B, alpha):
    W += alpha / A.shape[1] * (A @ B)
    return W


def _rank_of_the_product(W, A, B, alpha):
    with np.errstate(all="ignore"):
        return W + alpha / np.linalg.matrix_rank(A @ B) * (A @ B)


MORE = (
    Mistake(
        "written_into_w",
        _written_into,
        "The matrix is right, but += wrote it into the caller's W. Return W + ..., a new array.",
    ),
    Mistake(
        "all_divided_by_the_rank",
        lambda W, A, B, alpha: (W + alpha * (A @ B)) / A.shape[1],
        "You divide W by the rank, too. Only the change is divided.",
    ),
    Mistake(
        "scaled_twice",
        lambda W, A, B, alpha: W + (alpha / A.shape[1] * A) @ (alpha / A.shape[1] * B),
        "You scale both A and B, so the factor α/r stands there twice. Once is enough.",
    ),
    Mistake(
        "factor_added",
        lambda W, A, B, alpha: W + alpha / A.shape[1] + A @ B,
        "You add α/r. It multiplies A B.",
    ),
    Mistake(
        "divided_by_alpha",
        lambda W, A, B, alpha: W + A @ B / alpha,
        "You divide the change by α. Multiply it by α/r.",
    ),
    Mistake(
        "one_over_the_rank",
        lambda W, A, B, alpha: W + A @ B / A.shape[1],
        "α is missing: the factor is α/r.",
    ),
    Mistake(
        "multiplied",
        lambda W, A, B, alpha: W * (alpha / A.shape[1] * (A @ B)),
        "You multiply W by the change. Add it.",
    ),
    Mistake(
        "w_scaled_alone",
        lambda W, A, B, alpha: alpha / A.shape[1] * W + A @ B,
        "You scale W by α/r, and not A B. It is the other way round.",
    ),
    Mistake(
        "divided_by_the_size_of_w",
        lambda W, A, B, alpha: W + alpha / W.size * (A @ B),
        "You divide α by how many numbers W has. Divide it by the rank, A.shape[1].",
    ),
    Mistake(
        "divided_by_both_sides",
        lambda W, A, B, alpha: W + alpha / (A.shape[1] + B.shape[0]) * (A @ B),
        "You divide α by twice the rank: A.shape[1] and B.shape[0] are the same r. Divide by one of them.",
    ),
    Mistake(
        "rank_squared",
        lambda W, A, B, alpha: W + alpha / A.shape[1] ** 2 * (A @ B),
        "You divide α by the rank twice. Once is enough.",
    ),
    Mistake(
        "multiplied_into_w",
        lambda W, A, B, alpha: W * (1 + alpha / A.shape[1] * (A @ B)),
        "You multiplied W by the change, number by number. The thin way stands beside W: add it.",
    ),
    Mistake(
        "rank_of_the_example",
        lambda W, A, B, alpha: W + alpha / 2 * (A @ B),
        "You divide α by 2, the rank of the example. The rank is A.shape[1].",
    ),
    Mistake(
        "rank_of_the_numbers",
        _rank_of_the_product,
        "You asked for the rank of B, or of A B, which is 0 where B is 0. Here r is a size: A.shape[1].",
    ),
    Mistake(
        "b_before_a",
        lambda W, A, B, alpha: W + alpha / A.shape[1] * (B @ A),
        "You took B A. A goes down and B up again, so A comes first: A @ B.",
    ),
    Mistake(
        "number_by_number",
        lambda W, A, B, alpha: W + alpha / A.shape[1] * (A * B),
        "You multiplied A and B number by number. It is a product of matrices: A @ B.",
    ),
    Mistake(
        "divided_by_the_shorter_side",
        lambda W, A, B, alpha: W + alpha / min(W.shape) * (A @ B),
        "You divide α by the shorter side of W. The rank is the number that A goes down to: A.shape[1].",
    ),
    Mistake(
        "both_parts_returned",
        lambda W, A, B, alpha: (W, alpha / A.shape[1] * (A @ B)),
        "You returned W and the change. Add them.",
    ),
    Mistake(
        "change_turned",
        lambda W, A, B, alpha: W + alpha / A.shape[1] * (A @ B).T,
        "You turned A B round (.T). It has the shape of W as it is.",
    ),
    Mistake(
        "alpha_squared",
        lambda W, A, B, alpha: W + alpha**2 / A.shape[1] * (A @ B),
        "You multiply by α twice. The factor is α/r.",
    ),
    Mistake(
        "never_below_1",
        lambda W, A, B, alpha: W + max(1.0, alpha / A.shape[1]) * (A @ B),
        "Your factor is never below 1. Take α/r as it is.",
    ),
    Mistake(
        "mixed",
        lambda W, A, B, alpha: W + alpha / A.shape[1] * (A @ B - W),
        "You mixed W with A B. W stays whole, and the change is added.",
    ),
    Mistake(
        "sums_multiplied",
        lambda W, A, B, alpha: W + alpha / A.shape[1] * np.outer(A.sum(axis=1), B.sum(axis=0)),
        "You added up A and B over the rank, and multiplied then. Multiply first: A @ B.",
    ),
)
