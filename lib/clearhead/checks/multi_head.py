"""Sheet 06, multi-head attention (over 200 lines: each mistake stands beside its exercise)."""

import numpy as np

from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.heads import merge_heads, multi_head_attention, split_heads
from clearhead.maths.softmax import softmax

from .exercise import Case, Exercise, Mistake, Sheet


def _sizes(rng, count):
    """Return that many sizes from 2 to 7, all different."""
    return [int(size) for size in rng.permutation(np.arange(2, 8))[:count]]


def _layer(rng):
    """Return X (T, D), W_q, W_k (D, H·d), W_v (D, H·e), W_o (H·e, D) and H, with T, D, H, d, e different."""
    T, D, H, d, e = _sizes(rng, 5)
    shapes = (T, D), (D, H * d), (D, H * d), (D, H * e), (H * e, D)
    return *(rng.normal(size=shape) for shape in shapes), H


def _blocks(W, num_heads):
    """Return the columns of a wide matrix as one matrix a head, (H, D, d)."""
    return np.array(np.split(W, num_heads, axis=1))


def _split_by_reshape(x, num_heads):
    return x.reshape(num_heads, len(x), -1)


def _merge_by_reshape(x):
    return x.reshape(x.shape[1], -1)


# split_heads -----------------------------------------------------------------------------------------------

_TWO_TOKENS = np.array([[1, 2, 3, 4, 5, 6], [10, 20, 30, 40, 50, 60]])


def _own_token_only(heads, x, num_heads):
    return all(set(heads[:, t].ravel()) <= set(x[t]) for t in range(len(x)))


def _split_cases(rng):
    T, H, d = _sizes(rng, 3)
    owners = np.repeat(np.arange(1, T + 1)[:, None], H * d, axis=1)
    own_token = ("row t of each head comes from token t, and from no other", _own_token_only)
    return [
        Case(
            "two tokens, three heads, by hand",
            (_TWO_TOKENS, 3),
            "Head 1 gets the first two numbers of each token: (1, 2) and (10, 20).",
            expected=np.array([[[1, 2], [10, 20]], [[3, 4], [30, 40]], [[5, 6], [50, 60]]]),
        ),
        Case(
            "every number names its token",
            (owners, H),
            "Print the answer: which token does each row of each head come from?",
            properties=(own_token,),
        ),
        Case("random tokens", (rng.normal(size=(T, H * d)), H), "Write the shape beside each step."),
        Case("one head", (rng.normal(size=(T, d)), 1), "One head gets everything: shape (1, T, D)."),
        Case("heads of one number", (rng.normal(size=(T, H)), H), "As many heads as columns: (D, T, 1)."),
    ]


SPLIT_HEADS = Exercise(
    id="06.split_heads",
    title="Split",
    reference=split_heads,
    cases=_split_cases,
    hints=(
        "Two steps: first cut each row into pieces, then bring the axis of the heads to the front.",
        "x.reshape(T, H, d) has the axes token, head, number. Which two must change places?",
        "x.reshape(T, num_heads, D // num_heads).transpose(1, 0, 2)",
    ),
    mistakes=(
        Mistake(
            "reshaped_without_transpose",
            _split_by_reshape,
            "The shape is right, but your heads hold the rows of other tokens: reshape reads the memory in "
            "order. First reshape to (T, H, d), then transpose.",
        ),
        Mistake(
            "not_transposed",
            lambda x, H: x.reshape(len(x), H, -1),
            "Each token is cut into its pieces. One step is missing: the heads must come first, (H, T, d).",
        ),
        Mistake(
            "columns_dealt_like_cards",
            lambda x, H: x.reshape(len(x), -1, H).transpose(2, 0, 1),
            "You dealt the columns one by one, like cards. Each head gets a block of neighbouring columns: "
            "reshape to (T, H, d), not (T, d, H).",
        ),
        Mistake(
            "tokens_last",
            lambda x, H: x.reshape(len(x), H, -1).transpose(1, 2, 0),
            "Your axes are head, number, token. Tokens are rows: head, token, number.",
        ),
        Mistake(
            "every_head_gets_all",
            lambda x, H: np.stack([x] * H),
            "Each of your heads has all D columns. A split deals them out: D / H columns for each.",
        ),
        Mistake(
            "first_head_only",
            lambda x, H: x[:, : x.shape[1] // H],
            "This is the first head alone. Return all heads, along a new first axis.",
        ),
    ),
    alternatives=(
        lambda x, H: np.array(np.split(x, H, axis=1)),
        lambda x, H: np.stack([x[:, h * (x.shape[1] // H) : (h + 1) * (x.shape[1] // H)] for h in range(H)]),
        lambda x, H: x.T.reshape(H, -1, len(x)).swapaxes(1, 2),
    ),
    stars=1,
    minutes=10,
)

# merge_heads -----------------------------------------------------------------------------------------------


def _merge_cases(rng):
    H, T, d = _sizes(rng, 3)
    owners = np.tile(np.arange(1, T + 1)[:, None], (H, 1, d))
    by_hand = np.array([[[1, 2], [10, 20]], [[3, 4], [30, 40]], [[5, 6], [50, 60]]])
    one_token_a_row = (
        "each row holds the numbers of one token",
        lambda merged, x: np.all(merged == np.arange(1, x.shape[1] + 1)[:, None]),
    )
    return [
        Case("three heads of two tokens, by hand", (by_hand,), "This must undo the split.", 1, _TWO_TOKENS),
        Case(
            "every number names its token",
            (owners,),
            "Print the answer: a row should hold one name only.",
            properties=(one_token_a_row,),
        ),
        Case("random heads", (rng.normal(size=(H, T, d)),), "Go the two steps of the split backwards."),
        Case("one head", (rng.normal(size=(1, T, d)),), "With one head, only the first axis goes."),
    ]


MERGE_HEADS = Exercise(
    id="06.merge_heads",
    title="Merge",
    reference=merge_heads,
    cases=_merge_cases,
    hints=(
        "It undoes the split: the same two steps, backwards.",
        "First bring the tokens to the front again: (T, H, d). Then make one row of the last two axes.",
        "x.transpose(1, 0, 2).reshape(T, H * d), with H, T, d = x.shape",
    ),
    mistakes=(
        Mistake(
            "reshaped_without_transpose",
            _merge_by_reshape,
            "The shape is right, but each row mixes several tokens. Transpose to (T, H, d) before "
            "the reshape.",
        ),
        Mistake(
            "numbers_before_heads",
            lambda x: x.transpose(1, 2, 0).reshape(x.shape[1], -1),
            "Each row holds the right token, but its numbers are shuffled: all numbers of head 1 come first. "
            "Transpose to (T, H, d), not to (T, d, H).",
        ),
        Mistake(
            "heads_below_each_other",
            lambda x: x.reshape(-1, x.shape[2]),
            "Your heads stand below each other. They must stand side by side: one row a token.",
        ),
        Mistake(
            "heads_added",
            lambda x: x.sum(axis=0),
            "You added the heads up. Concatenate them: a row has H times as many numbers as one head.",
        ),
        Mistake(
            "not_reshaped",
            lambda x: x.transpose(1, 0, 2),
            "The transpose is right. Now make one row of the last two axes: (T, H · d).",
        ),
        Mistake(
            "tokens_as_columns",
            lambda x: x.transpose(0, 2, 1).reshape(-1, x.shape[1]),
            "Your tokens came back as columns. Tokens are rows: shape (T, H · d).",
        ),
    ),
    alternatives=(
        lambda x: np.hstack(list(x)),
        lambda x: np.concatenate([head for head in x], axis=-1),
        lambda x: np.einsum("htd->thd", x).reshape(x.shape[1], -1),
    ),
    stars=1,
    minutes=10,
)

# mha_forward -----------------------------------------------------------------------------------------------


def mha_forward(X, W_q, W_k, W_v, W_o, num_heads):
    """Return Z (T, D) for X (T, D), wide W_q, W_k (D, H·d), W_v (D, H·e), and W_o (H·e, D)."""
    named = {"query": W_q, "key": W_k, "value": W_v, "output": W_o}
    return multi_head_attention(X, X, {name: {"weight": W} for name, W in named.items()}, num_heads)[0]


def _forward_with(split=split_heads, merge=merge_heads, weigh=None, output=True):
    """Return an answer that splits, merges or weighs in its own way."""

    def weigh_rightly(Q, K, D):
        return softmax(Q @ K.mT / np.sqrt(Q.shape[-1]))

    def forward(X, W_q, W_k, W_v, W_o, num_heads):
        Q, K, V = (split(X @ W, num_heads) for W in (W_q, W_k, W_v))
        merged = merge((weigh or weigh_rightly)(Q, K, X.shape[1]) @ V)
        return merged @ W_o if output else merged

    return forward


CHAPTER = tuple(
    np.array(rows, dtype=float)
    for rows in (
        [[1, 0, 0, 1], [0, 2, 0, 0], [2, 0, 0, 0], [0, 1, 2, 0]],
        [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]],
        [[1, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 1], [0, 0, -1, 0]],
        [[1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 0], [0, 0, 0, 1]],
        [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 2]],
    )
)


def _forward_cases(rng):
    X, W_q, W_k, W_v, W_o, H = _layer(rng)
    twins = np.concatenate([X, X[:1]])
    order = rng.permutation(H)
    mixed = [np.hstack(_blocks(W, H)[order]) for W in (W_q, W_k, W_v)]
    mixed.append(np.vstack(_blocks(W_o.T, H)[order].swapaxes(1, 2)))
    alike = (
        "the first and the last token are equal, so their new vectors are equal",
        lambda Z, X, *rest: np.allclose(Z[0], Z[-1]),
    )
    return [
        Case(
            "the two heads of the chapter",
            (*CHAPTER, 2),
            "The chapter prints this table. In its last row stand 0.564, 1.448, 1.931 and 0.11.",
            expected=np.array(
                [
                    [1.86671333995, 1.25956952983, 0.42174812361, 2.0],
                    [1.9240869762, 0.09320938487, 1.74898122371, 0.40163004206],
                    [1.48742889123, 1.64774129341, 0.15061126577, 2.0],
                    [0.56443450478, 1.44793750627, 1.93112129697, 0.11020592484],
                ]
            ),
        ),
        Case("random weights", (X, W_q, W_k, W_v, W_o, H), "Print each shape: split, attend, merge, W_o."),
        Case(
            "a token that comes twice",
            (twins, W_q, W_k, W_v, W_o, H),
            "Does a row of each head still belong to one token?",
            properties=(alike,),
        ),
        Case(
            "the heads in another order, with their blocks of W_o",
            (X, *mixed, H),
            "Which rows of W_o belong to which head?",
        ),
        Case("large embeddings", (20 * X, W_q, W_k, W_v, W_o, H), "Does softmax survive large scores?"),
    ]


def _forward_by_loop(X, W_q, W_k, W_v, W_o, num_heads):
    """Return the same, one head at a time, each with its block of W_o."""
    each = zip(*(_blocks(W, num_heads) for W in (W_q, W_k, W_v)), np.split(W_o, num_heads), strict=True)
    return sum(scaled_dot_product_attention(X @ q, X @ k, X @ v)[0] @ block for q, k, v, block in each)


MHA_FORWARD = Exercise(
    id="06.mha_forward",
    title="All heads at once",
    reference=mha_forward,
    cases=_forward_cases,
    hints=(
        "Project, split, attend, merge, bring together. You have written the second and the fourth step.",
        "softmax and @ work on the last two axes, so all heads go in one call. K.mT transposes each head.",
        "Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v)); the scale is "
        "np.sqrt(Q.shape[-1]), taken after the split; then merge_heads(A @ V) @ W_o.",
    ),
    mistakes=(
        Mistake(
            "split_by_reshape",
            _forward_with(split=_split_by_reshape),
            "Your split mixes tokens: reshape to (T, H, d) first, then transpose. Check "
            "06.split_heads again.",
        ),
        Mistake(
            "merge_by_reshape",
            _forward_with(merge=_merge_by_reshape),
            "Your merge mixes tokens: transpose back to (T, H, d) before the reshape. Such a model "
            "would still "
            "learn some tasks.",
        ),
        Mistake(
            "split_and_merge_by_reshape",
            _forward_with(split=_split_by_reshape, merge=_merge_by_reshape),
            "Your split and your merge both mix tokens. One undoes the other, but in between each head meets "
            "the wrong rows.",
        ),
        Mistake(
            "one_large_head",
            lambda X, W_q, W_k, W_v, W_o, H: _forward_by_loop(X, W_q, W_k, W_v, W_o, 1),
            "This is one head of full width. Split Q, K and V before the softmax, so that each head has its "
            "own weights.",
        ),
        Mistake(
            "scaled_by_all_heads",
            lambda X, W_q, W_k, W_v, W_o, H: _forward_with(
                weigh=lambda Q, K, D: softmax(Q @ K.mT / np.sqrt(Q.shape[-1] * H))
            )(X, W_q, W_k, W_v, W_o, H),
            "You scaled by the width of all heads together. A score adds up d terms, the size of one head: "
            "take the root after the split.",
        ),
        Mistake(
            "scaled_by_d_model",
            _forward_with(weigh=lambda Q, K, D: softmax(Q @ K.mT / np.sqrt(D))),
            "You divided by √D, the width of the embedding. The scale is √d, the size of one head.",
        ),
        Mistake(
            "no_scale",
            _forward_with(weigh=lambda Q, K, D: softmax(Q @ K.mT)),
            "The scale is missing: divide the scores by √d, the size of one head.",
        ),
        Mistake(
            "softmax_over_heads",
            _forward_with(weigh=lambda Q, K, D: softmax((Q @ K.mT / np.sqrt(Q.shape[-1])).T).T),
            "Your softmax runs over the heads. Each query shares its attention among the keys: the "
            "last axis.",
        ),
        Mistake(
            "softmax_over_queries",
            _forward_with(weigh=lambda Q, K, D: softmax((Q @ K.mT / np.sqrt(Q.shape[-1])).mT).mT),
            "Your softmax runs down the columns. Each query, a row, shares out its attention: the last axis.",
        ),
        Mistake(
            "output_matrix_forgotten",
            _forward_with(output=False),
            "These are the heads side by side. One step is missing: W_o brings them together.",
        ),
        Mistake(
            "keys_ask",
            _forward_with(weigh=lambda Q, K, D: softmax(K @ Q.mT / np.sqrt(Q.shape[-1]))),
            "Your scores are K Qᵀ: there the keys ask, and the queries answer. Each row belongs to a "
            "query: Q Kᵀ.",
        ),
        Mistake(
            "tokens_added",
            lambda X, *rest: X + mha_forward(X, *rest),
            "You added X to the result. Return what the heads write, alone; the block of chapter 8 adds it.",
        ),
    ),
    alternatives=(
        _forward_by_loop,
        lambda X, W_q, W_k, W_v, W_o, H: (
            np.hstack(
                [
                    scaled_dot_product_attention(X @ q, X @ k, X @ v)[0]
                    for q, k, v in zip(*(_blocks(W, H) for W in (W_q, W_k, W_v)), strict=True)
                ]
            )
            @ W_o
        ),
    ),
    stars=2,
    minutes=20,
)

# mha_params ------------------------------------------------------------------------------------------------


def mha_params(D, H, d_k, d_v):
    """Return how many parameters H heads have, W_o included and biases left out."""
    return H * (2 * D * d_k + D * d_v) + H * d_v * D


def _params_cases(rng):
    D, H, d_k, d_v = _sizes(rng, 4)
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


MHA_PARAMS = Exercise(
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
            "no_output_matrix",
            lambda D, H, d_k, d_v: H * (2 * D * d_k + D * d_v),
            "You counted the heads. W_o is missing: H · d_v rows and D columns.",
        ),
        Mistake(
            "output_matrix_of_one_head",
            lambda D, H, d_k, d_v: H * (2 * D * d_k + D * d_v) + d_v * D,
            "Your W_o reads one head only. It reads all of them, side by side: H · d_v rows.",
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
            "4 D² holds only where H · d_k = H · d_v = D. Here the sizes are free.",
        ),
        Mistake(
            "biases_counted",
            lambda D, H, d_k, d_v: mha_params(D, H, d_k, d_v) + H * (2 * d_k + d_v) + D,
            "You counted the biases as well. Here we count the matrices alone.",
        ),
    ),
    alternatives=(
        lambda D, H, d_k, d_v: 2 * H * D * (d_k + d_v),
        lambda D, H, d_k, d_v: sum(D * d_k + D * d_k + D * d_v + d_v * D for _ in range(H)),
    ),
    stars=1,
    minutes=10,
)

# head_ablation ---------------------------------------------------------------------------------------------


def head_ablation(X, W_q, W_k, W_v, W_o, num_heads, h):
    """Return the output Z (T, D) of a layer whose head h, counted from 0, writes nothing."""
    silent = W_o.reshape(num_heads, -1, W_o.shape[1]).copy()
    silent[h] = 0
    return mha_forward(X, W_q, W_k, W_v, silent.reshape(W_o.shape), num_heads)


def _head_alone(X, W_q, W_k, W_v, W_o, num_heads, h):
    """Return what head h writes."""
    q, k, v = (_blocks(W, num_heads)[h] for W in (W_q, W_k, W_v))
    return scaled_dot_product_attention(X @ q, X @ k, X @ v)[0] @ np.split(W_o, num_heads)[h]


def _without_block(which):
    """Return an answer that sets head h's columns of W_q, W_k or W_v to zero, which=0, 1, 2."""

    def ablate(X, W_q, W_k, W_v, W_o, num_heads, h):
        matrices = [W_q, W_k, W_v]
        blocks = _blocks(matrices[which], num_heads)
        blocks[h] = 0
        matrices[which] = np.hstack(list(blocks))
        return mha_forward(X, *matrices, W_o, num_heads)

    return ablate


def _columns_of_W_o(X, W_q, W_k, W_v, W_o, num_heads, h):
    size, silent = len(W_o) // num_heads, W_o.copy()
    silent[:, h * size : (h + 1) * size] = 0
    return mha_forward(X, W_q, W_k, W_v, silent, num_heads)


def _one_row_of_W_o(X, W_q, W_k, W_v, W_o, num_heads, h):
    silent = W_o.copy()
    silent[h] = 0
    return mha_forward(X, W_q, W_k, W_v, silent, num_heads)


def _ablation_cases(rng):
    layer = _layer(rng)
    X, W_q, W_k, W_v, W_o, H = layer
    single = [W[:, : W.shape[1] // H] for W in (W_q, W_k, W_v)]
    nothing = ("without its only head a layer writes zeros", lambda Z, *rest: not np.any(Z))
    return [
        Case(
            "the chapter, without its first head",
            (*CHAPTER, 2, 0),
            "What is left is what the second head writes. For the last token: 0.055, 0, 1.931, 0.11.",
            expected=np.array(
                [
                    [1.0, 0.0, 0.42174812361, 2.0],
                    [0.20081502103, 0.0, 1.74898122371, 0.40163004206],
                    [1.0, 0.0, 0.15061126577, 2.0],
                    [0.05510296242, 0.0, 1.93112129697, 0.11020592484],
                ]
            ),
        ),
        Case("random, without the first head", (*layer, 0), "Heads are counted from 0 here."),
        Case("random, without the last head", (*layer, H - 1), "The last head is number H − 1."),
        Case(
            "one head alone",
            (X, *single, W_o[: len(W_o) // H], 1, 0),
            "Nobody is left to write.",
            properties=(nothing,),
        ),
    ]


HEAD_ABLATION = Exercise(
    id="06.head_ablation",
    title="Switch a head off",
    reference=head_ablation,
    cases=_ablation_cases,
    hints=(
        "The output is a sum of what the heads write. Which term do you leave out?",
        "A head writes through its own block of rows of W_o. Its block has len(W_o) // num_heads rows.",
        "Copy W_o, set the rows h * size to (h + 1) * size to zero, and call mha_forward with the copy.",
    ),
    mistakes=(
        Mistake(
            "queries_set_to_zero",
            _without_block(0),
            "With a query of zeros the head looks at all tokens alike, and still writes their mean. "
            "Silence what "
            "it writes: its block of W_o.",
        ),
        Mistake(
            "this_head_alone",
            _head_alone,
            "This is what head h writes. We want the opposite: all the others.",
        ),
        Mistake(
            "nothing_switched_off",
            lambda X, W_q, W_k, W_v, W_o, H, h: mha_forward(X, W_q, W_k, W_v, W_o, H),
            "All heads still write. Leave out the term of head h.",
        ),
        Mistake(
            "columns_of_the_output_matrix",
            _columns_of_W_o,
            "You set columns of W_o to zero. That silences some numbers of every head. Head h has a "
            "block of rows.",
        ),
        Mistake(
            "one_row_instead_of_a_block",
            _one_row_of_W_o,
            "You set one row of W_o to zero. Head h has a whole block: from h · size to (h + 1) · size.",
        ),
        Mistake(
            "counted_from_one",
            lambda X, W_q, W_k, W_v, W_o, H, h: head_ablation(X, W_q, W_k, W_v, W_o, H, h - 1),
            "You switched off the neighbour: heads are counted from 0, so head h begins at row h · size.",
        ),
        Mistake(
            "the_rest_made_louder",
            lambda X, W_q, W_k, W_v, W_o, H, h: (
                head_ablation(X, W_q, W_k, W_v, W_o, H, h) * (H / max(1, H - 1))
            ),
            "You made the other heads louder to fill the gap. Nobody does this in the model: leave "
            "them as they are.",
        ),
    ),
    alternatives=(
        lambda *given: mha_forward(*given[:-1]) - _head_alone(*given),
        _without_block(2),
        lambda X, W_q, W_k, W_v, W_o, H, h: sum(
            (_head_alone(X, W_q, W_k, W_v, W_o, H, other) for other in range(H) if other != h),
            np.zeros((len(X), W_o.shape[1])),
        ),
    ),
    stars=2,
    minutes=15,
)

# expand_to_full_bilinear -----------------------------------------------------------------------------------


def expand_to_full_bilinear(W_q, W_k, W_v, W_o, num_heads):
    """Return M and N, both (H, D, D): head h has the scaled scores X M_h Xᵀ and writes A_h X N_h."""
    q, k, v = (_blocks(W, num_heads) for W in (W_q, W_k, W_v))
    return q @ k.mT / np.sqrt(q.shape[-1]), v @ np.array(np.split(W_o, num_heads))


def _rebuilds_the_layer(found, W_q, W_k, W_v, W_o, num_heads):
    X = np.random.default_rng(0).normal(size=(3, len(W_q)))
    rebuilt = sum(softmax(X @ M @ X.T) @ X @ N for M, N in zip(*found, strict=True))
    return np.allclose(rebuilt, mha_forward(X, W_q, W_k, W_v, W_o, num_heads))


def _expanded(M=None, N=None):
    """Return an answer with its own M or N."""

    def expand(W_q, W_k, W_v, W_o, num_heads):
        right = expand_to_full_bilinear(W_q, W_k, W_v, W_o, num_heads)
        q, k, v = (_blocks(W, num_heads) for W in (W_q, W_k, W_v))
        o = np.array(np.split(W_o, num_heads))
        return right[0] if M is None else M(q, k), right[1] if N is None else N(v, o, W_o)

    return expand


def _expand_cases(rng):
    _, *weights, H = _layer(rng)
    small = [np.array(rows, dtype=float) for rows in ([[1, 0], [0, 2]], [[3, 1], [0, 1]], [[1, 2], [0, 1]])]
    W_o = np.array([[1.0, 0], [4, 5]])
    by_hand = [
        np.array([[[3, 0], [0, 0]], [[0, 0], [2, 2]]]),
        np.array([[[1, 0], [0, 0]], [[8, 10], [4, 5]]]),
    ]
    sum_is_the_layer = (
        "for any X, the sum over heads of softmax(X M_h Xᵀ) X N_h is the output of the layer",
        _rebuilds_the_layer,
    )
    return [
        Case(
            "two heads of size 1, by hand",
            (*small, W_o, 2),
            "The first head has the query column (1, 0) and the key column (3, 0): M is their table "
            "of products.",
            expected=by_hand,
        ),
        Case(
            "random weights",
            (*weights, H),
            "Put your M and N back into the sum.",
            properties=(sum_is_the_layer,),
        ),
        Case("other weights", (*_layer(rng)[1:],), "Every M_h has D rows and D columns."),
    ]


EXPAND = Exercise(
    id="06.expand_to_full_bilinear",
    title="Two matrices a head",
    reference=expand_to_full_bilinear,
    cases=_expand_cases,
    hints=(
        "In chapter 5 the scores were X M Xᵀ with M = W_q W_kᵀ. Now each head has its own M.",
        "What head h writes is A_h (X W_v^h) W_o^h. Change the brackets: A_h X (W_v^h W_o^h).",
        "np.split(W_q, num_heads, axis=1) gives the heads' columns, np.split(W_o, num_heads) their rows. "
        "Do not forget √d in M.",
    ),
    mistakes=(
        Mistake(
            "no_scale",
            _expanded(M=lambda q, k: q @ k.mT),
            "N is right. Put the scale into M: divide by √d, the size of one head.",
        ),
        Mistake(
            "scaled_by_d_model",
            _expanded(M=lambda q, k: q @ k.mT / np.sqrt(q.shape[1])),
            "N is right. You scaled M by √D; a score adds up d products, the size of one head.",
        ),
        Mistake(
            "keys_ask_queries",
            _expanded(M=lambda q, k: k @ q.mT / np.sqrt(q.shape[-1])),
            "Your M is transposed: rows of X M Xᵀ must be queries, so W_q stands on the left.",
        ),
        Mistake(
            "all_heads_in_one",
            _expanded(
                M=lambda q, k: (q @ k.mT / np.sqrt(q.shape[-1])).sum(0), N=lambda v, o, W_o: (v @ o).sum(0)
            ),
            "You added the heads up. Softmax stands between M and N, so each head must keep its own "
            "two tables.",
        ),
        Mistake(
            "every_head_writes_with_the_first_block",
            _expanded(N=lambda v, o, W_o: v @ o[0]),
            "M is right. Each head writes with its own block of rows of W_o, not with the first one.",
        ),
        Mistake(
            "output_matrix_forgotten",
            _expanded(N=lambda v, o, W_o: v),
            "M is right. N needs both steps: W_v of the head, then its block of W_o.",
        ),
        Mistake(
            "blocks_of_W_o_dealt_like_cards",
            _expanded(N=lambda v, o, W_o: v @ np.array([W_o[h :: len(v)] for h in range(len(v))])),
            "M is right. A head owns neighbouring rows of W_o: a block, not every H-th row.",
        ),
    ),
    alternatives=(
        lambda W_q, W_k, W_v, W_o, H: (
            np.einsum("dhk,ehk->hde", W_q.reshape(len(W_q), H, -1), W_k.reshape(len(W_k), H, -1))
            / np.sqrt(W_q.shape[1] / H),
            np.einsum("dhv,hve->hde", W_v.reshape(len(W_v), H, -1), W_o.reshape(H, -1, W_o.shape[1])),
        ),
        lambda W_q, W_k, W_v, W_o, H: tuple(
            [
                [q @ k.T / len(q.T) ** 0.5 for q, k in zip(_blocks(W_q, H), _blocks(W_k, H), strict=True)],
                [v @ o for v, o in zip(_blocks(W_v, H), np.split(W_o, H), strict=True)],
            ]
        ),
    ),
    stars=3,
    minutes=20,
)

# MultiHeadAttention ----------------------------------------------------------------------------------------


def _torch_split(x, num_heads):
    return x.reshape(*x.shape[:-1], num_heads, -1).transpose(-3, -2)


def _torch_merge(x):
    return x.transpose(-3, -2).flatten(-2)


def _layer_with(split=_torch_split, merge=_torch_merge, scale=None, output=True, axis=-1, detached=False):
    """Return a class, nearly: called with (d_model, num_heads) it makes a layer that goes its own way."""

    def make(d_model, num_heads):
        from torch import nn

        class Layer(nn.Module):
            def __init__(self):
                super().__init__()
                self.query, self.key, self.value, self.output = (
                    nn.Linear(d_model, d_model, bias=False) for _ in range(4)
                )

            def forward(self, x):
                x = x.detach() if detached else x
                Q, K, V = (split(each(x), num_heads) for each in (self.query, self.key, self.value))
                divisor = (scale or (lambda d, D: d))(Q.shape[-1], d_model) ** 0.5
                merged = merge((Q @ K.mT / divisor).softmax(axis) @ V)
                return self.output(merged) if output else merged

        return Layer()

    return make


def _by_pytorch(d_model, num_heads):
    """Return a layer that calls PyTorch's own attention, one head at a time."""
    from torch import cat, nn
    from torch.nn.functional import scaled_dot_product_attention as fast

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.query, self.key = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
            self.value, self.output = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

        def forward(self, x):
            each = zip(
                *(made(x).chunk(num_heads, -1) for made in (self.query, self.key, self.value)), strict=True
            )
            return self.output(cat([fast(*head) for head in each], -1))

    return Layer()


def _run_layer(answer, X, W_q, W_k, W_v, W_o, num_heads):
    """Return what a layer with these weights does with a batch, and how the loss reaches its input."""
    import torch

    layer = answer(X.shape[-1], num_heads).double()
    with torch.no_grad():
        for name, W in {"query": W_q, "key": W_k, "value": W_v, "output": W_o}.items():
            linear = getattr(layer, name)
            linear.weight.copy_(torch.tensor(W.T))
            if linear.bias is not None:
                linear.bias.zero_()
    x = torch.tensor(X, requires_grad=True)
    Z = layer(x)
    weights = sum(p.numel() for p in layer.parameters() if p.ndim == 2)
    if Z.requires_grad:
        (Z**2).sum().backward()
    reached = torch.zeros_like(x) if x.grad is None else x.grad
    return {"Z": Z, "weights that learn": weights, "gradient of the sum of Z squared": reached}


def _class_cases(rng):
    B, T, H, d = _sizes(rng, 4)
    D = H * d

    def drawn(*shape):
        return (rng.normal(size=shape), *(rng.normal(size=(D, D)) / np.sqrt(D) for _ in range(4)), H)

    X, *weights, _ = drawn(B, T, D)
    twins = np.concatenate([X, X[:, :1]], axis=1)
    alike = (
        "the first and the last token are equal, so their new vectors are equal",
        lambda found, *rest: np.allclose(found["Z"][:, 0], found["Z"][:, -1]),
    )
    return [
        Case("the two heads of the chapter", (CHAPTER[0][None], *CHAPTER[1:], 2), "The chapter has this Z."),
        Case("a batch of sentences", (X, *weights, H), "The batch stays the first axis all the way."),
        Case(
            "a token that comes twice",
            (twins, *weights, H),
            "Does a row of each head still belong to one token?",
            properties=(alike,),
        ),
        Case("one sentence of other tokens", drawn(1, T + 1, D), "Nothing may depend on the length."),
    ]


MULTI_HEAD_ATTENTION = Exercise(
    id="06.MultiHeadAttention",
    title="A layer that learns",
    reference=_layer_with(),
    cases=_class_cases,
    driver=_run_layer,
    needs=("torch",),
    hints=(
        "It is mha_forward with nn.Linear in place of the matrices, and with a batch axis in front.",
        "x has shape (B, T, D). Reshape to (B, T, H, d), then transpose the axes 1 and 2.",
        "Attend over the last two axes; go back with .transpose(1, 2).reshape(B, T, D); last "
        "self.output(...).",
    ),
    mistakes=(
        Mistake(
            "split_by_reshape",
            _layer_with(split=lambda x, H: x.reshape(len(x), H, x.shape[1], -1)),
            "Your split mixes tokens: reshape to (B, T, H, d), then transpose the axes 1 and 2.",
        ),
        Mistake(
            "merge_by_reshape",
            _layer_with(merge=lambda x: x.reshape(len(x), x.shape[2], -1)),
            "Your merge mixes tokens: transpose back to (B, T, H, d) before the reshape.",
        ),
        Mistake(
            "heads_attend_to_each_other",
            _layer_with(split=lambda x, H: x.reshape(*x.shape[:-1], H, -1), merge=lambda x: x.flatten(-2)),
            "Your axes are (B, T, H, d), so inside each token the heads look at each other, and no "
            "token looks at "
            "another. Transpose before you attend.",
        ),
        Mistake(
            "scaled_by_d_model",
            _layer_with(scale=lambda d, D: D),
            "You divided by √D. The scale is √d, with d = D / H: the size of one head.",
        ),
        Mistake(
            "no_scale",
            _layer_with(scale=lambda d, D: 1),
            "The scale is missing: divide the scores by √d, the size of one head.",
        ),
        Mistake(
            "softmax_over_queries",
            _layer_with(axis=-2),
            "Your softmax runs over the queries. Each query shares its attention among the keys: dim=-1.",
        ),
        Mistake(
            "softmax_over_heads",
            _layer_with(axis=1),
            "Your softmax runs over the heads: axis 1. Each query shares its attention among the "
            "keys: dim=-1.",
        ),
        Mistake(
            "output_layer_forgotten",
            _layer_with(output=False),
            "You return the heads side by side. self.output is made, but never used.",
        ),
        Mistake(
            "cut_off_from_learning",
            _layer_with(detached=True),
            "Z is right, but no gradient reaches x: the layers below could not learn. Leave out "
            "detach, numpy and "
            "no_grad.",
        ),
    ),
    alternatives=(_by_pytorch,),
    stars=3,
    minutes=25,
)

SHEET = Sheet(
    "06",
    "Multi-head attention",
    exercises=(
        SPLIT_HEADS,
        MERGE_HEADS,
        MHA_FORWARD,
        MHA_PARAMS,
        HEAD_ABLATION,
        EXPAND,
        MULTI_HEAD_ATTENTION,
    ),
)
