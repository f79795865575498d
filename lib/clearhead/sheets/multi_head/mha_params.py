"""06.mha_params: Count the parameters."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake


def mha_params(D, H, d_k, d_v):
    """Return how many parameters H heads have, W_o included and biases left out."""
    return H * (2 * D * d_k + D * d_v) + H * d_v * D


def _params_cases(rng):
    D, H, d_k, d_v = (int(size) for size in rng.permutation(np.arange(6, 20))[:4])
    four_squares = (
        "with d_k = d_v = D / H the count is 4 D²",
        lambda count, D, H, d_k, d_v: count == 4 * D * D,
    )
    return [
        Case(
            "the example of the chapter: D = 4, five heads of size 3",
            (4, 5, 3, 3),
            "Each head has three matrices of 4 × 3. W_o has 15 × 4. In all 5 · 36 + 60.",
            expected=240,
        ),
        Case(
            "D = 64, sixteen heads",
            (64, 16, 4, 4),
            "Sixteen small heads share one width.",
            expected=16_384,
            properties=(four_squares,),
        ),
        Case("values of another size", (D, H, d_k, d_v), "d_v enters twice: in W_v and in W_o."),
        Case("one head", (D, 1, d_v, d_k), "Even one head has a W_o."),
    ]


EXERCISE = Exercise(
    id="06.mha_params",
    title="Count the parameters",
    reference=mha_params,
    cases=_params_cases,
    hints=(
        "Write the shape of each matrix of one head. How many heads are there? Which matrix is there once?",
        "W_q and W_k are (D, d_k), W_v is (D, d_v). The heads side by side have H · d_v columns.",
        "H times (D d_k + D d_k + D d_v), plus H d_v times D for W_o.",
    ),
    mistakes=(
        Mistake(
            "one_key_matrix_forgotten",
            lambda D, H, d_k, d_v: H * (D * d_k + D * d_v) + H * d_v * D,
            "One D × d_k a head is missing: queries and keys have a matrix each.",
        ),
        Mistake(
            "output_or_values_missing",
            lambda D, H, d_k, d_v: H * (2 * D * d_k + D * d_v),
            "H · d_v · D are missing: W_o (H · d_v rows, D columns), or the matrices of the values.",
        ),
        Mistake(
            "output_or_values_of_one_head",
            lambda D, H, d_k, d_v: H * (2 * D * d_k + D * d_v) + d_v * D,
            "You counted d_v · D for one head alone, in W_o or in the matrices of the values. Every head has "
            "such a block in both.",
        ),
        Mistake(
            "output_matrix_for_each_head",
            lambda D, H, d_k, d_v: H * (2 * D * d_k + D * d_v + H * d_v * D),
            "You counted W_o once for each head. There is one W_o for all of them, with H · d_v rows.",
        ),
        Mistake(
            "output_matrix_square",
            lambda D, H, d_k, d_v: H * (2 * D * d_k + D * d_v) + D * D,
            "Your W_o has D rows. It has as many rows as the heads have columns together: H · d_v.",
        ),
        Mistake(
            "one_head_only",
            lambda D, H, d_k, d_v: 2 * D * d_k + 2 * D * d_v,
            "This is one head. Every head has its own three matrices and its own block of W_o.",
        ),
        Mistake(
            "values_as_wide_as_keys",
            lambda D, H, d_k, d_v: 4 * H * D * d_k,
            "You used d_k for the values, too. W_v and W_o have the size d_v.",
        ),
        Mistake(
            "always_four_squares",
            lambda D, H, d_k, d_v: 4 * D * D,
            "4 D² holds where H · d_k = H · d_v = D. Here the sizes are free.",
        ),
        Mistake(
            "biases_counted",
            lambda D, H, d_k, d_v: mha_params(D, H, d_k, d_v) + H * (2 * d_k + d_v) + D,
            "You counted the biases as well. Here we count the matrices alone.",
        ),
        Mistake(
            "values_counted_as_wide_as_keys",
            lambda D, H, d_k, d_v: H * (2 * D * d_k + D * d_v) + H * d_k * D,
            "You counted d_k where a value has d_v numbers: look at W_v or at W_o.",
        ),
        Mistake(
            "queries_and_keys_shared",
            lambda D, H, d_k, d_v: 2 * D * d_k + H * D * d_v + H * d_v * D,
            "You counted the queries and keys of one head. Each head has its own.",
        ),
        Mistake(
            "sizes_added",
            lambda D, H, d_k, d_v: H * (2 * (D + d_k) + D + d_v) + H * d_v + D,
            "You added the two sizes of a matrix. A matrix of n rows and m columns has n · m numbers.",
        ),
        Mistake(
            "two_value_matrices",
            lambda D, H, d_k, d_v: H * (D * d_k + 2 * D * d_v) + H * d_v * D,
            "You counted one matrix of width d_k and two of width d_v. Query and key have width d_k, "
            "the value d_v.",
        ),
        Mistake(
            "embedding_divided_among_heads",
            lambda D, H, d_k, d_v: H * (2 * (D // H) * d_k + (D // H) * d_v) + H * d_v * D,
            "You divided the embedding among the heads. Every head reads all D numbers.",
        ),
        Mistake(
            "one_head_alone",
            lambda D, H, d_k, d_v: D * (2 * d_k + d_v) + H * d_v * D,
            "You counted queries, keys and values of one head. There are H.",
        ),
        Mistake(
            "output_matrix_as_wide_as_the_heads",
            lambda D, H, d_k, d_v: H * (2 * D * d_k + D * d_v) + (H * d_v) ** 2,
            "Your W_o has H · d_v columns. It brings each token back to D numbers: H · d_v rows and D "
            "columns.",
        ),
        Mistake(
            "keys_as_wide_as_values",
            lambda D, H, d_k, d_v: 4 * H * D * d_v,
            "You used d_v for queries and keys, too. W_q and W_k have the size d_k.",
        ),
        Mistake(
            "queries_or_keys_shared",
            lambda D, H, d_k, d_v: H * (D * d_k + D * d_v) + D * d_k + H * d_v * D,
            "You counted queries or keys for one head alone. Every head has its own D × d_k for both.",
        ),
        Mistake(
            "bias_of_the_output",
            lambda D, H, d_k, d_v: mha_params(D, H, d_k, d_v) + D,
            "You counted D numbers too many, as a bias of W_o has. Here there are no biases.",
        ),
    ),
    alternatives=(
        lambda D, H, d_k, d_v: 2 * H * D * (d_k + d_v),
        lambda D, H, d_k, d_v: sum(D * d_k + D * d_k + D * d_v + d_v * D for _ in range(H)),
    ),
    stars=1,
    minutes=10,
)
