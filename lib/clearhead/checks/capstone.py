"""Sheet 15, the capstone (over 200 lines: each mistake stands beside its exercise)."""

import numpy as np

from clearhead.maths.activations import gelu, gelu_tanh, relu
from clearhead.maths.circuits import induction_score as library_induction_score
from clearhead.maths.circuits import previous_token_score
from clearhead.maths.masks import causal_mask
from clearhead.maths.norms import layer_norm
from clearhead.maths.softmax import softmax

from .exercise import Case, Exercise, Mistake, Sheet


def _weights(rng, T, causal=True):
    """Return random attention weights (T, T)."""
    scores = 2 * rng.normal(size=(T, T))
    return softmax(np.where(causal_mask(T), scores, -np.inf) if causal else scores)


# prev_token_score ------------------------------------------------------------------------------------------


def prev_token_score(A):
    """Return the mean weight () on the token just before, for weights A (T, T)."""
    return previous_token_score(A)


def _previous_cases(rng):
    small, large = (int(n) for n in rng.permutation(np.arange(4, 11))[:2])
    by_hand = np.array([[1.0, 0, 0], [0.75, 0.25, 0], [0.5, 0.25, 0.25]])
    perfect = np.eye(6, k=-1)
    perfect[0, 0] = 1
    return [
        Case(
            "three tokens, by hand",
            (by_hand,),
            "Token 1 gives 0.75 to token 0, token 2 gives 0.25 to token 1. Their mean is 0.5.",
            expected=0.5,
        ),
        Case("a head that always looks one back", (perfect,), "This head has the score 1.", expected=1.0),
        Case(f"{small} tokens, causal", (_weights(rng, small),), "Which entries A[t, t - 1] are there?"),
        Case(f"{large} tokens, no mask", (_weights(rng, large, False),), "Rows are the tokens that look."),
        Case("two tokens", (_weights(rng, 2),), "There is one entry to look at: A[1, 0]."),
    ]


PREV_TOKEN_SCORE = Exercise(
    id="15.prev_token_score",
    title="Does a head look one back?",
    reference=prev_token_score,
    cases=_previous_cases,
    hints=(
        "Token t looks with row t. Which column is the token just before it? Which token has none?",
        "You need A[1, 0], A[2, 1], A[3, 2] and so on: T - 1 numbers, on the line just below the diagonal.",
        "np.diagonal(A, -1).mean()",
    ),
    mistakes=(
        Mistake(
            "looks_at_itself",
            lambda A: np.diagonal(A).mean(),
            "You took the diagonal: how much each token looks at itself. The token before stands one column "
            "to the left.",
        ),
        Mistake(
            "next_token",
            lambda A: np.diagonal(A, 1).mean(),
            "You took A[t, t + 1], the token after. Row t is the one that looks, so you need A[t, t - 1].",
        ),
        Mistake(
            "first_token_counts",
            lambda A: np.diagonal(A, -1).sum() / len(A),
            "You divided by T. Token 0 has no token before it, so there are T - 1 numbers.",
        ),
        Mistake(
            "sum_not_mean",
            lambda A: np.diagonal(A, -1).sum(),
            "You added the weights up. The score is their mean, so that it does not grow with the text.",
        ),
        Mistake(
            "where_it_looks_most",
            lambda A: (A[1:].argmax(axis=1) == np.arange(len(A) - 1)).mean(),
            "You counted how often the token before gets the largest weight. The score is the mean weight.",
        ),
        Mistake(
            "everything_before",
            lambda A: np.tril(A, -1).sum(axis=1)[1:].mean(),
            "You added all tokens in the past. Only the one just before counts.",
        ),
    ),
    alternatives=(
        lambda A: sum(A[t, t - 1] for t in range(1, len(A))) / (len(A) - 1),
        lambda A: np.mean(A[1:, :-1][np.eye(len(A) - 1, dtype=bool)]),
    ),
    stars=1,
    minutes=5,
)

# induction_score -------------------------------------------------------------------------------------------


def induction_score(A, period):
    """Return the mean weight () on what came next one period ago, for A (T, T) and a period p."""
    return library_induction_score(A, period)


def _induction_cases(rng):
    small, large = (int(n) for n in rng.permutation(np.arange(3, 7))[:2])
    by_hand = np.array(
        [
            [1.0, 0, 0, 0, 0],
            [0.5, 0.5, 0, 0, 0],
            [0.25, 0.5, 0.25, 0, 0],
            [0.125, 0.625, 0, 0.25, 0],
            [0.25, 0.25, 0.375, 0, 0.125],
        ]
    )
    return [
        Case(
            "five tokens, period 3, by hand",
            (by_hand, 3),
            "In A B C A B token 3 should look at 1 and token 4 at 2: 0.625 and 0.375, so 0.5.",
            expected=0.5,
        ),
        Case(f"period {small}", (_weights(rng, 2 * small + 1), small), "From t, look at t - p + 1."),
        Case(
            f"period {large}, no mask",
            (_weights(rng, 3 * large, False), large),
            "Tokens of the first period have nothing to repeat: begin with t = p.",
        ),
        Case("a text just one longer than its period", (_weights(rng, 8), 7), "Only t = 7 counts: A[7, 1]."),
        Case("period 2", (_weights(rng, 7), 2), "With p = 2 a token looks at the one just before: t - 1."),
    ]


def _stripe(A, offset, start):
    """Return the mean of A[t, t - offset] from t = start on, as far as the columns go."""
    T = len(A)
    return np.mean([A[t, t - offset] for t in range(start, T) if 0 <= t - offset < T])


INDUCTION_SCORE = Exercise(
    id="15.induction_score",
    title="Is it an induction head?",
    reference=induction_score,
    cases=_induction_cases,
    hints=(
        "At token t the same token stood at t - p. Which one came after it? From which t on is there one?",
        "The mean of A[t, t - p + 1] for t = p, p + 1, ..., T - 1. Write it as a loop first.",
        "np.mean([A[t, t - period + 1] for t in range(period, len(A))])",
    ),
    mistakes=(
        Mistake(
            "same_token",
            lambda A, period: _stripe(A, period, period),
            "You took A[t, t - p]: the place of the same token. The answer stands one place further, "
            "at t - p + 1.",
        ),
        Mistake(
            "two_further",
            lambda A, period: np.mean([A[t, t - period + 2] for t in range(period, len(A))]),
            "You took t - p + 2. The token after t - p is t - p + 1.",
        ),
        Mistake(
            "last_of_the_first_period_counts",
            lambda A, period: np.diagonal(A, 1 - period).mean(),
            "You begin at t = p - 1. There the text has not begun again, so nothing can be known: begin "
            "at t = p.",
        ),
        Mistake(
            "rows_and_columns_exchanged",
            lambda A, period: np.mean([A[t - period + 1, t] for t in range(period, len(A))]),
            "You exchanged rows and columns. Row t is the token that looks.",
        ),
        Mistake(
            "divided_by_all",
            lambda A, period: np.sum([A[t, t - period + 1] for t in range(period, len(A))]) / len(A),
            "You divided by T. Only T - p tokens have something to repeat.",
        ),
        Mistake(
            "sum_not_mean",
            lambda A, period: np.sum([A[t, t - period + 1] for t in range(period, len(A))]) + 0.0,
            "You added the weights up. The score is their mean.",
        ),
    ),
    alternatives=(
        lambda A, period: np.diagonal(A, 1 - period)[1:].mean(),
        lambda A, period: A[np.arange(period, len(A)), np.arange(1, len(A) - period + 1)].mean(),
    ),
    stars=2,
    minutes=10,
)

# ablate_head_effect ----------------------------------------------------------------------------------------


def ablate_head_effect(Z, W_o, U, head):
    """Return how the logits (T, V) change when a head is silent: Z (H, T, d), W_o (H d, D), U (D, V)."""
    d = Z.shape[-1]
    return -Z[head] @ W_o[head * d : (head + 1) * d] @ U


def _logits(Z, W_o, U):
    """Return what all heads write, as logits."""
    return np.concatenate(list(Z), axis=-1) @ W_o @ U


def _ablation_cases(rng):
    def drawn(H, T, d, D, V, head):
        sizes = (H, T, d), (H * d, D), (D, V)
        return (*(rng.normal(size=size) for size in sizes), head)

    by_hand = (
        np.array([[[1.0], [2.0]], [[10.0], [20.0]]]),
        np.array([[1.0, 0.0], [0.0, 3.0]]),
        np.eye(2),
        1,
    )
    H, d = (int(n) for n in rng.permutation([2, 3, 4])[:2])
    T, V = (int(n) for n in rng.permutation([5, 6, 7])[:2])
    return [
        Case(
            "two heads of one number, by hand",
            by_hand,
            "Head 1 gives 10 and 20. Its row of W_o is (0, 3), so the second logit loses 30 and 60.",
            expected=np.array([[0.0, -30.0], [0.0, -60.0]]),
        ),
        Case(f"{H} heads, the first", drawn(H, T, d, 8, V, 0), "Which rows of W_o belong to head 0?"),
        Case(f"{H} heads, the last", drawn(H, T, d, 9, V, H - 1), "Head h has rows h d to (h + 1) d."),
        Case("as many heads as columns of each", drawn(3, T, 3, 9, V, 1), "H = d = 3: mind what is which."),
        Case("a single head", drawn(1, 4, 5, 6, 3, 0), "Without its only head nothing is written at all."),
    ]


def _wrong_rows(Z, W_o, U, head):
    d, silent = Z.shape[-1], W_o.copy()
    silent[:, head * d : (head + 1) * d] = 0
    return _logits(Z, silent, U) - _logits(Z, W_o, U)


def _in_place(Z, W_o, U, head):
    d, before = Z.shape[-1], _logits(Z, W_o, U)
    W_o[head * d : (head + 1) * d] = 0
    return _logits(Z, W_o, U) - before


ABLATE_HEAD_EFFECT = Exercise(
    id="15.ablate_head_effect",
    title="Silence a head",
    reference=ablate_head_effect,
    cases=_ablation_cases,
    hints=(
        "What the heads write is a sum, one term a head. Which term is missing when a head is silent?",
        "With d = Z.shape[-1], head h owns the rows h d to (h + 1) d of W_o. It writes Z[h] @ those rows.",
        "-Z[head] @ W_o[head * d : (head + 1) * d] @ U",
    ),
    mistakes=(
        Mistake(
            "sign_exchanged",
            lambda Z, W_o, U, head: -ablate_head_effect(Z, W_o, U, head),
            "This is what the head adds. The effect of silencing it is the new logits minus the old ones.",
        ),
        Mistake(
            "columns_of_W_o",
            _wrong_rows,
            "You set columns of W_o to zero. Its columns are the stream; its rows belong to the heads.",
        ),
        Mistake(
            "every_Hth_row",
            lambda Z, W_o, U, head: -Z[head] @ W_o[head :: len(Z)] @ U,
            "You took every H-th row. The rows of one head lie side by side: h d to (h + 1) d.",
        ),
        Mistake(
            "keeps_only_this_head",
            lambda Z, W_o, U, head: -_logits(Z, W_o, U) - ablate_head_effect(Z, W_o, U, head),
            "You silenced all the others and kept this one.",
        ),
        Mistake(
            "logits_not_their_change",
            lambda Z, W_o, U, head: _logits(Z, W_o, U) + ablate_head_effect(Z, W_o, U, head),
            "These are the logits without the head. Subtract those with it to get the effect.",
        ),
        Mistake(
            "changes_the_weights",
            _in_place,
            "Your numbers are right, but you wrote zeros into the caller's W_o, and the head stays silent "
            "for ever. Work on a copy.",
        ),
    ),
    alternatives=(
        lambda Z, W_o, U, head: (
            _logits(np.where(np.arange(len(Z))[:, None, None] == head, 0, Z), W_o, U) - _logits(Z, W_o, U)
        ),
        lambda Z, W_o, U, head: -(Z[head] @ W_o.reshape(len(Z), Z.shape[-1], -1)[head]) @ U,
    ),
    stars=2,
    minutes=15,
)

# numpy_gpt2 ------------------------------------------------------------------------------------------------


def _gpt2(
    ids, w, num_heads, norm=layer_norm, bend=gelu_tanh, order="qkv", positions=True, masked=True, last=True,
    residual=True, merged=True, scale=None, first=True, blocks=lambda count: range(count),
):  # fmt: skip
    """Return the logits of GPT-2; each option can be set wrong, for the mistakes."""
    T, D = len(ids), w["wte.weight"].shape[1]
    d = D // num_heads
    x = w["wte.weight"][ids] + (w["wpe.weight"][:T] if positions else 0)
    for i in blocks(sum(name.endswith(".ln_1.weight") for name in w)):
        part = {name.removeprefix(f"h.{i}."): each for name, each in w.items() if name.startswith(f"h.{i}.")}
        h = norm(x, part["ln_1.weight"], part["ln_1.bias"]) if first else x
        parts = np.split(h @ part["attn.c_attn.weight"] + part["attn.c_attn.bias"], 3, axis=-1)
        named = dict(zip(order, parts, strict=True))
        Q, K, V = (named[name].reshape(T, num_heads, d).swapaxes(0, 1) for name in "qkv")
        scores = Q @ K.swapaxes(1, 2) / np.sqrt(scale or d)
        Z = softmax(np.where(causal_mask(T), scores, -np.inf) if masked else scores) @ V
        Z = (Z.swapaxes(0, 1) if merged else Z).reshape(T, D)
        x = x + Z @ part["attn.c_proj.weight"] + part["attn.c_proj.bias"]
        h = norm(x, part["ln_2.weight"], part["ln_2.bias"]) if first else x
        h = bend(h @ part["mlp.c_fc.weight"] + part["mlp.c_fc.bias"])
        x = (x if residual else 0) + h @ part["mlp.c_proj.weight"] + part["mlp.c_proj.bias"]
    x = norm(x, w["ln_f.weight"], w["ln_f.bias"]) if last else x
    return x @ w["wte.weight"].T


def numpy_gpt2(ids, w, num_heads):
    """Return the logits (T, V) of GPT-2 for ids (T,), with the tensors of its file in w."""
    return _gpt2(ids, w, num_heads)


def random_gpt2(rng, V, S, D, L):
    """Return tensors of a GPT-2 with random numbers, under the names of its file and as they lie there."""
    shapes = {"wte.weight": (V, D), "wpe.weight": (S, D)}
    for i in range(L):
        shapes |= {
            f"h.{i}.ln_1.weight": (D,),
            f"h.{i}.ln_1.bias": (D,),
            f"h.{i}.attn.c_attn.weight": (D, 3 * D),
            f"h.{i}.attn.c_attn.bias": (3 * D,),
            f"h.{i}.attn.c_proj.weight": (D, D),
            f"h.{i}.attn.c_proj.bias": (D,),
            f"h.{i}.ln_2.weight": (D,),
            f"h.{i}.ln_2.bias": (D,),
            f"h.{i}.mlp.c_fc.weight": (D, 4 * D),
            f"h.{i}.mlp.c_fc.bias": (4 * D,),
            f"h.{i}.mlp.c_proj.weight": (4 * D, D),
            f"h.{i}.mlp.c_proj.bias": (D,),
        }
    shapes |= {"ln_f.weight": (D,), "ln_f.bias": (D,)}
    w = {name: rng.normal(size=shape) / np.sqrt(D) for name, shape in shapes.items()}
    w["wte.weight"] *= np.sqrt(D) / 2
    w["wpe.weight"] *= np.sqrt(D)
    return {name: each + 1 if "ln_" in name and name.endswith("weight") else each for name, each in w.items()}


def _gpt2_cases(rng):
    V, S = (int(n) for n in rng.permutation(np.arange(9, 14))[:2])
    H, d = (int(n) for n in rng.permutation([2, 3, 4])[:2])
    w = random_gpt2(rng, V, S, H * d, 2)
    ids = rng.integers(V, size=S - 2)
    deep = random_gpt2(rng, V, S, H * d, 11)
    later = np.append(ids[:-1], (ids[-1] + 1) % V)
    plain = random_gpt2(rng, 3, 4, 2, 0)
    plain |= {"wte.weight": np.array([[1.0, 0], [0, 1], [1, 1]]), "wpe.weight": np.zeros((4, 2))}
    plain |= {"ln_f.weight": np.array([1.0, 1]), "ln_f.bias": np.array([0.0, 0])}
    r = 0.5 / np.sqrt(0.25 + 1e-5)
    return [
        Case(
            "no block at all, by hand",
            (np.array([0, 1]), plain, 1),
            "The norm makes (1, 0) into about (1, -1). Times the table of tokens: 1, -1 and 0.",
            expected=np.array([[r, -r, 0], [-r, r, 0]]),
        ),
        Case("one token, two blocks", (ids[:1], w, H), "A single token looks at itself only."),
        Case(
            f"{len(ids)} tokens, two blocks, {H} heads", (ids, w, H), "Compare block by block with the page."
        ),
        Case("another last token", (later, w, H), "Earlier rows must not change."),
        Case("the longest text", (rng.integers(V, size=S), w, H), "All rows of wpe are used."),
        Case(
            "eleven blocks",
            (ids, deep, H),
            "There may be any number of blocks: h.0, h.1, ..., h.9, h.10, in this order.",
        ),
    ]


def _variant(**options):
    return lambda ids, w, num_heads: _gpt2(ids, w, num_heads, **options)


def _scaled_by_model(ids, w, num_heads):
    return _gpt2(ids, w, num_heads, scale=w["wte.weight"].shape[1])


NUMPY_GPT2 = Exercise(
    id="15.numpy_gpt2",
    title="GPT-2 in NumPy",
    reference=numpy_gpt2,
    cases=_gpt2_cases,
    hints=(
        "Rows of wte and wpe are added. Then for each block: norm, attention, add; norm, feed-forward, add. "
        "At the end a norm, and the product with wte transposed.",
        "c_attn gives query, key and value side by side: np.split(..., 3, axis=-1). Split each into heads by "
        "reshape(T, H, d).swapaxes(0, 1), and merge back the same way.",
        "x = x + merge(softmax(where(causal, Q @ K.swapaxes(1, 2) / sqrt(d), -inf)) @ V) @ c_proj + bias; "
        "then x = x + gelu_tanh(norm(x) @ c_fc + bias) @ mlp.c_proj + bias.",
    ),
    mistakes=(
        Mistake(
            "no_mask",
            _variant(masked=False),
            "Your tokens see the future: an earlier row changes when the last token does. Mask the scores.",
        ),
        Mistake(
            "no_positions",
            _variant(positions=False),
            "Your model does not know the order of the tokens: add the rows of wpe.",
        ),
        Mistake(
            "no_last_norm",
            _variant(last=False),
            "The norm ln_f after the last block is missing.",
        ),
        Mistake(
            "no_norm_in_the_blocks",
            _variant(first=False),
            "ln_1 and ln_2 are missing: each part of a block reads the normed stream.",
        ),
        Mistake(
            "exact_gelu",
            _variant(bend=gelu),
            "Nearly: GPT-2 was trained with the approximate GELU, `gelu_tanh`. The exact one differs in the "
            "fourth digit.",
        ),
        Mistake(
            "relu_instead_of_gelu",
            _variant(bend=relu),
            "You bend with ReLU. GPT-2 has `gelu_tanh`.",
        ),
        Mistake(
            "key_query_value",
            _variant(order="kqv"),
            "c_attn holds query, key and value in this order. You read the key first.",
        ),
        Mistake(
            "scaled_by_d_model",
            _scaled_by_model,
            "You divide the scores by √D. Each head has d = D / H columns: divide by √d.",
        ),
        Mistake(
            "merged_without_transpose",
            _variant(merged=False),
            "You merged the heads by a reshape alone, so numbers land in the rows of other tokens. Swap the "
            "axes back first.",
        ),
        Mistake(
            "no_residual_around_the_mlp",
            _variant(residual=False),
            "The feed-forward part must be added to the stream; you replaced the stream by it.",
        ),
        Mistake(
            "two_blocks_at_most",
            _variant(blocks=lambda count: range(min(count, 2))),
            "You run two blocks at most. Go on as long as the file has a block of the next number.",
        ),
        Mistake(
            "blocks_in_alphabetical_order",
            _variant(blocks=lambda count: sorted(range(count), key=str)),
            "You sorted the names, so h.10 runs before h.2. Count upwards: i = 0, 1, 2, ...",
        ),
    ),
    alternatives=(
        lambda ids, w, num_heads: np.stack([_gpt2(ids[: t + 1], w, num_heads)[-1] for t in range(len(ids))]),
        _variant(
            norm=lambda x, g, b: (
                (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * g + b
            )
        ),
    ),
    stars=3,
    minutes=40,
)

# copy_weights ----------------------------------------------------------------------------------------------

TRANSPOSED = ("c_attn.weight", "c_proj.weight", "c_fc.weight")


def copy_weights(file, wanted):
    """Return a dict of the arrays in the shapes that are wanted, for a file (name -> array) of GPT-2."""
    if missing := sorted(set(wanted) - set(file)):
        raise ValueError(f"The file has no tensor {missing[0]}.")
    if extra := sorted(set(file) - set(wanted)):
        raise ValueError(f"Nobody wants the tensor {extra[0]}.")
    found = {name: file[name].T if name.endswith(TRANSPOSED) else file[name] for name in wanted}
    for name, shape in wanted.items():
        if found[name].shape != tuple(shape):
            raise ValueError(f"{name} has shape {found[name].shape}, wanted is {tuple(shape)}.")
    return found


def _copied(answer, file, wanted):
    """Return what an answer copied, or which tensor it named when it refused."""
    try:
        return answer(file, wanted)
    except ValueError as refusal:
        names = sorted(set(file) | set(wanted), key=len, reverse=True)
        said = [name for name in names if name in str(refusal)]
        return f"refused, and named {said[0] if said else 'no tensor'}"


def _copy_cases(rng):
    D, V = (int(n) for n in rng.permutation([3, 4, 5])[:2])
    file = random_gpt2(rng, V, 6, D, 1)
    wanted = {
        name: array.T.shape if name.endswith(TRANSPOSED) else array.shape for name, array in file.items()
    }
    shuffled = {str(name): file[str(name)] for name in rng.permutation(sorted(file))}
    broken = str(rng.choice(["h.0.mlp.c_fc.weight", "h.0.attn.c_attn.weight"]))
    lost = str(rng.choice(["h.0.ln_2.bias", "wpe.weight", "h.0.attn.c_proj.bias"]))
    squares = ("wte.weight", "h.0.attn.c_proj.weight", "lm_head.weight")
    square = {name: rng.normal(size=(D, D)) for name in squares}
    tiny = {"wte.weight": np.array([[1.0, 2], [3, 4]]), "c_fc.weight": np.array([[1.0, 2, 3], [4, 5, 6]])}
    return [
        Case(
            "two tensors, by hand",
            (tiny, {"wte.weight": (2, 2), "c_fc.weight": (3, 2)}),
            "wte stays as it is; c_fc is stored as (in, out) and wanted as (out, in).",
            expected={"wte.weight": tiny["wte.weight"], "c_fc.weight": np.array([[1.0, 4], [2, 5], [3, 6]])},
        ),
        Case(
            "square tensors",
            (square, {name: (D, D) for name in square}),
            "A square Conv1D is transposed, too. The other two squares stay as they are.",
        ),
        Case("a whole block, in another order", (shuffled, wanted), "Go by the names, not by the order."),
        Case(
            "one tensor is missing",
            ({name: file[name] for name in file if name != lost}, wanted),
            f"Raise a ValueError that names {lost}.",
        ),
        Case(
            "one tensor too many",
            (file | {"h.9.attn.masked_bias": np.zeros(1)}, wanted),
            "Raise a ValueError that names h.9.attn.masked_bias.",
        ),
        Case(
            "one tensor has another shape",
            (file | {broken: rng.normal(size=(D + 1, 2))}, wanted),
            f"Raise a ValueError that names {broken}, and both shapes.",
        ),
        Case(
            "the right count of numbers in the wrong shape",
            (file | {broken: file[broken].reshape(-1, D)}, wanted),
            f"{broken} has as many numbers as wanted, but not (in, out). Raise a ValueError that names it.",
        ),
    ]


def _by_shape(file, wanted):
    """Transpose only where the shape does not fit as it is."""
    return _strict(file, wanted, lambda name, array: array if array.shape == tuple(wanted[name]) else array.T)


def _strict(file, wanted, turned, missing=True, extra=True, shapes=True):
    if missing and (lost := sorted(set(wanted) - set(file))):
        raise ValueError(lost[0])
    if extra and (more := sorted(set(file) - set(wanted))):
        raise ValueError(more[0])
    found = {name: turned(name, file[name]) for name in wanted if name in file}
    for name, array in found.items():
        if shapes and array.shape != tuple(wanted[name]):
            raise ValueError(name)
    return found


def _turn(name, array):
    return array.T if name.endswith(TRANSPOSED) else array


def _nameless(file, wanted):
    try:
        return copy_weights(file, wanted)
    except ValueError:
        raise ValueError("These weights do not fit.") from None


def _in_order(file, wanted):
    if len(file) != len(wanted):
        return copy_weights(file, wanted)
    pairs = zip(wanted, file.items(), strict=True)
    return {ours: _turn(theirs, array) for ours, (theirs, array) in pairs}


COPY_WEIGHTS = Exercise(
    id="15.copy_weights",
    title="Copy weights, strictly",
    reference=copy_weights,
    cases=_copy_cases,
    hints=(
        "First compare the two sets of names. Then turn what must be turned. Then compare shapes. Each "
        "refusal says the name of the tensor.",
        "set(wanted) - set(file) is missing, set(file) - set(wanted) is too many. name.endswith(...) takes a "
        "tuple of endings.",
        "found = {name: file[name].T if name.endswith(CONV1D) else file[name] for name in wanted}; then "
        "`if found[name].shape != tuple(shape): raise ValueError(...)`.",
    ),
    mistakes=(
        Mistake(
            "transposed_by_shape",
            _by_shape,
            "You transpose where the shape does not fit. A square Conv1D fits both ways, and stays wrong. "
            "Go by the name.",
        ),
        Mistake(
            "nothing_transposed",
            lambda file, wanted: _strict(file, wanted, lambda name, array: array),
            "Conv1D keeps (in, out), wanted is (out, in): transpose the tensors whose names end in "
            "c_attn.weight, c_proj.weight and c_fc.weight.",
        ),
        Mistake(
            "everything_transposed",
            lambda file, wanted: _strict(file, wanted, lambda name, array: array.T),
            "You transposed the tables of tokens and positions as well. Only Conv1D is stored as (in, out).",
        ),
        Mistake(
            "every_matrix_but_the_two_tables",
            lambda file, wanted: _strict(
                file,
                wanted,
                lambda name, array: array.T if array.ndim == 2 and name[:3] not in ("wte", "wpe") else array,
            ),
            "You transposed every matrix but wte and wpe. Others may stay as well, as lm_head does: go by "
            "the three endings.",
        ),
        Mistake(
            "reshaped",
            lambda file, wanted: _strict(
                file,
                wanted,
                lambda name, array: (
                    array.reshape(wanted[name]) if array.size == np.prod(wanted[name]) else array
                ),
            ),
            "reshape keeps the order of the numbers, so every row becomes a mixture. Use .T for these "
            "tensors.",
        ),
        Mistake(
            "missing_is_no_error",
            lambda file, wanted: _strict(file, wanted, _turn, missing=False),
            "A tensor that the file lacks is left out in silence. The model would keep random numbers there.",
        ),
        Mistake(
            "extra_is_no_error",
            lambda file, wanted: _strict(file, wanted, _turn, extra=False),
            "A tensor that nobody wants is dropped in silence. Perhaps it belongs to a model of another "
            "size.",
        ),
        Mistake(
            "shape_not_checked",
            lambda file, wanted: _strict(file, wanted, _turn, shapes=False),
            "A tensor of another shape passes. Compare with tuple(wanted[name]) after transposing.",
        ),
        Mistake(
            "refusal_without_a_name",
            _nameless,
            "You refuse, but do not say which tensor. With 148 of them nobody will find it.",
        ),
        Mistake(
            "copied_in_order",
            _in_order,
            "You went by the order of the two dicts. Files keep their own order: go by the names.",
        ),
    ),
    alternatives=(
        lambda file, wanted: _strict(file, wanted, _turn),
        lambda file, wanted: {name: np.array(array) for name, array in copy_weights(file, wanted).items()},
    ),
    stars=2,
    minutes=20,
    driver=_copied,
)

# train_step ------------------------------------------------------------------------------------------------


def train_step(model, optimizer, inputs, targets):
    """Return the loss () before one update of the model; inputs and targets are (B, T), -100 is not asked."""
    from torch.nn import functional as F

    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


class _Descent:
    """Plain gradient descent with the two methods that an answer calls: torch.optim loads for a second."""

    def __init__(self, weights, rate):
        self.weights, self.rate = weights, rate

    def zero_grad(self, set_to_none=True):
        """Forget the gradients."""
        for weight in self.weights:
            weight.grad = None

    def step(self):
        """Move each weight against its gradient."""
        import torch

        with torch.no_grad():
            for weight in self.weights:
                if weight.grad is not None:
                    weight -= self.rate * weight.grad


def _three_steps(answer, inputs, targets, table):
    """Return the losses of three steps on the same batch, and the weights afterwards."""
    import torch
    from torch import nn

    V, D = table.shape
    model = nn.Sequential(nn.Embedding(V, D), nn.Tanh(), nn.Linear(D, V, bias=False)).double()
    with torch.no_grad():
        model[0].weight.copy_(torch.tensor(table))
        model[2].weight.copy_(torch.tensor(table[::-1].copy()))
    optimizer = _Descent(list(model.parameters()), 0.3)
    batch = torch.tensor(inputs), torch.tensor(targets)
    losses = [answer(model, optimizer, *batch) for _ in range(3)]
    plain = not any(isinstance(loss, torch.Tensor) for loss in losses)
    found = {"losses": [float(loss) for loss in losses], "a plain number": plain}
    return found | {"weights": model[2].weight, "table": model[0].weight}


def _training_cases(rng):
    B, T, V, D = (int(n) for n in rng.permutation(np.arange(3, 8))[:4])
    ids = rng.integers(V, size=(B, T + 1))
    hidden = ids[:, 1:].copy()
    hidden[np.arange(T) <= np.arange(B)[:, None] % (T - 1)] = -100  # not as many in each row
    falls = (
        "the loss falls from step to step",
        lambda found, inputs, targets, table: found["losses"][0] > found["losses"][1] > found["losses"][2],
    )
    even = np.zeros((4, 2))
    return [
        Case(
            "all words alike: the first loss is ln 4",
            (np.array([[0, 1, 2]]), np.array([[1, 2, 3]]), even),
            "With a table of zeros all logits are 0, so the first loss must be ln 4 = 1.386.",
        ),
        Case(
            f"{B} sentences of {T}",
            (ids[:, :-1], ids[:, 1:], rng.normal(size=(V, D))),
            "Zero, backward, step.",
            properties=(falls,),
        ),
        Case(
            "some places are not asked",
            (ids[:, :-1], hidden, rng.normal(size=(V, D))),
            "cross_entropy leaves out -100 by itself.",
            properties=(falls,),
        ),
    ]


def _step(model, optimizer, inputs, targets, loss=None, zero=True, step=True):
    from torch.nn import functional as F

    logits = model(inputs).flatten(0, 1)
    value = F.cross_entropy(logits, targets.flatten()) if loss is None else loss(F, logits, targets.flatten())
    if zero:
        optimizer.zero_grad()
    value.backward()
    if step:
        optimizer.step()
    return value.item()


def _late(model, optimizer, inputs, targets):
    from torch.nn import functional as F

    value = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    optimizer.step()
    optimizer.zero_grad()
    value.backward()
    return value.item()


def _after(model, optimizer, inputs, targets):
    from torch.nn import functional as F

    _step(model, optimizer, inputs, targets)
    return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten()).item()


def _with(**options):
    return lambda model, optimizer, inputs, targets: _step(model, optimizer, inputs, targets, **options)


def _tensor(model, optimizer, inputs, targets):
    import torch

    return torch.tensor(_step(model, optimizer, inputs, targets), dtype=torch.float64)


def _mean_of_means(model, optimizer, inputs, targets):
    import torch
    from torch.nn import functional as F

    pairs = zip(model(inputs), targets, strict=True)
    value = torch.stack([F.cross_entropy(z, right) for z, right in pairs]).mean()
    optimizer.zero_grad()
    value.backward()
    optimizer.step()
    return value.item()


def _upwards(model, optimizer, inputs, targets):
    from torch.nn import functional as F

    value = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    optimizer.zero_grad()
    (-value).backward()
    optimizer.step()
    return value.item()


def _zero_at_the_end(model, optimizer, inputs, targets):
    value = _step(model, optimizer, inputs, targets)
    for weight in model.parameters():
        weight.grad = None
    return value


TRAIN_STEP = Exercise(
    id="15.train_step",
    title="One step of training",
    reference=train_step,
    cases=_training_cases,
    hints=(
        "Five lines: logits, loss, forget old gradients, new gradients, update. Which order?",
        "F.cross_entropy wants (N, V) and (N,): flatten the batch and the places together. It leaves out "
        "-100.",
        "loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten()); optimizer.zero_grad(); "
        "loss.backward(); optimizer.step(); return loss.item()",
    ),
    mistakes=(
        Mistake(
            "gradients_pile_up",
            _with(zero=False),
            "From the second step on your update holds the old gradients, too. Call optimizer.zero_grad() "
            "before backward().",
        ),
        Mistake(
            "weights_never_change",
            _with(step=False),
            "Your weights do not change. Either optimizer.step() is missing, or the gradients are set to "
            "zero between backward() and step().",
        ),
        Mistake(
            "one_step_late",
            _late,
            "You update before backward(). The first step has no gradient; at the second PyTorch refuses, as "
            "the weights changed after the logits were computed. The order is zero_grad, backward, step.",
        ),
        Mistake(
            "probabilities_not_logits",
            _with(loss=lambda F, logits, targets: F.cross_entropy(logits.softmax(-1), targets)),
            "F.cross_entropy takes logits and does the softmax itself. You gave it probabilities, so it "
            "did it twice.",
        ),
        Mistake(
            "sum_instead_of_mean",
            _with(loss=lambda F, logits, targets: F.cross_entropy(logits, targets, reduction="sum")),
            "Your loss is the sum over all places, so it and the step grow with the batch. Take the mean.",
        ),
        Mistake(
            "unasked_places_count",
            _with(loss=lambda F, logits, targets: F.cross_entropy(logits, targets.clamp(min=0))),
            "Places with the target -100 are not asked. You made a word of them; leave -100 as it is.",
        ),
        Mistake(
            "unasked_places_divide",
            _with(
                loss=lambda F, logits, targets: (
                    F.cross_entropy(logits, targets, reduction="sum") / len(targets)
                )
            ),
            "You divide by all places, also by those that are not asked. F.cross_entropy takes the right "
            "mean.",
        ),
        Mistake(
            "mean_of_sentence_means",
            _mean_of_means,
            "You take the mean of each sentence, then the mean of those. A sentence with few places asked "
            "then weighs too much: take one mean over all places.",
        ),
        Mistake(
            "a_tensor_comes_back",
            _tensor,
            "Your numbers are right, but you return a tensor. It keeps all that was computed in memory: "
            "return loss.item().",
        ),
        Mistake(
            "loss_after_the_update",
            _after,
            "You compute the loss again after the update. Return the one whose gradient you used.",
        ),
        Mistake(
            "uphill",
            _upwards,
            "The loss grows: you follow the gradient upwards. Call backward() on the loss itself.",
        ),
    ),
    alternatives=(
        _zero_at_the_end,
        lambda model, optimizer, inputs, targets: _step(
            model,
            optimizer,
            inputs,
            targets,
            loss=lambda F, logits, targets: (
                -F.log_softmax(logits, -1)[targets >= 0].gather(-1, targets[targets >= 0][:, None]).mean()
            ),
        ),
    ),
    stars=2,
    minutes=25,
    driver=_three_steps,
    needs=("torch",),
)

SHEET = Sheet(
    "15",
    "A GPT that you can explain",
    (PREV_TOKEN_SCORE, INDUCTION_SCORE, ABLATE_HEAD_EFFECT, NUMPY_GPT2, COPY_WEIGHTS, TRAIN_STEP),
)
