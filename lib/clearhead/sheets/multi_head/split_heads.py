"""06.split_heads: Split."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.heads import split_heads

from .shared import TWO_TOKENS, sizes, split_by_reshape


def _own_token_only(heads, x, num_heads):
    return all(set(heads[:, t].ravel()) <= set(x[t]) for t in range(len(x)))


def _facts(heads, x, num_heads):
    """Return the heads as they are; a list of them, which has no shape, becomes these words."""
    return f"a list of {len(heads)} came back" if isinstance(heads, list | tuple) else heads


def _split_cases(rng):
    T, H, d = sizes(rng, 3)
    owners = np.repeat(np.arange(1, T + 1)[:, None], H * d, axis=1)
    own_token = ("row t of each head comes from token t, and from no other", _own_token_only)
    return [
        Case(
            "two tokens, three heads, by hand",
            (TWO_TOKENS, 3),
            "Head 0 gets the first two numbers of each token: (1, 2) and (10, 20).",
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


EXERCISE = Exercise(
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
            split_by_reshape,
            "The shape is right, but rows of your heads hold numbers of other tokens: reshape reads the "
            "memory in order. First reshape to (T, H, d), then transpose.",
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
            "reshape to (T, H, d), then transpose to (H, T, d).",
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
        Mistake(
            "last_head_first",
            lambda x, num_heads: split_heads(x, num_heads)[::-1],
            "The heads stand from back to front. Head 0 gets the first columns.",
        ),
        Mistake(
            "number_and_size_of_heads_exchanged",
            lambda x, num_heads: split_heads(x, x.shape[1] // num_heads),
            "You return D / num_heads heads of size num_heads. It is the other way round: num_heads heads, "
            "each of size D / num_heads.",
        ),
        Mistake(
            "heads_not_stacked",
            lambda x, H: np.split(x, H, axis=1),
            "You return a list or a tuple. Return one array, (H, T, D / H): np.array(...) makes it.",
        ),
        Mistake(
            "next_head_one_column_on",
            lambda x, H: np.stack([x[:, h : h + x.shape[1] // H] for h in range(H)]),
            "Your head h begins at column h. It must begin at column h · D / H.",
        ),
        Mistake(
            "always_two_heads",
            lambda x, H: np.stack([x[:, : x.shape[1] // 2], x[:, x.shape[1] // 2 :]]),
            "You make two heads. There are num_heads, each with D / num_heads columns.",
        ),
        Mistake(
            "one_column_too_few",
            lambda x, H: split_heads(x, H)[..., :-1],
            "Each of your heads lacks its last column. A slice ends before its second number: end at "
            "(h + 1) · D / H.",
        ),
    ),
    alternatives=(
        lambda x, H: np.array(np.split(x, H, axis=1)),
        lambda x, H: np.stack([x[:, h * (x.shape[1] // H) : (h + 1) * (x.shape[1] // H)] for h in range(H)]),
        lambda x, H: x.T.reshape(H, -1, len(x)).swapaxes(1, 2),
    ),
    facts=_facts,
    stars=1,
    minutes=10,
)
