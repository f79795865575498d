"""15.numpy_gpt2: GPT-2 in NumPy."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.layers import gelu, relu
from clearhead.maths.softmax import softmax

from .numpy_gpt2_wrong import MORE
from .shared import gpt2, random_gpt2


def numpy_gpt2(ids, w, num_heads):
    """Return the logits (T, V) of GPT-2 for ids (T,), with the tensors of its file in w."""
    return gpt2(ids, w, num_heads)


def _up_to(w, count):
    """Return the tensors of the first blocks alone, and of what stands before and after them."""
    return {name: each for name, each in w.items() if name[:2] != "h." or int(name.split(".")[1]) < count}


def _silent(w, part):
    """Return block 0 alone, one part of which, "attn" or "mlp", writes zeros."""
    last = (f"h.0.{part}.c_proj.weight", f"h.0.{part}.c_proj.bias")
    return {name: 0 * each if name in last else each for name, each in _up_to(w, 1).items()}


def _with_large_keys(rng, w):
    """Return the tensors with a bias of the keys that adds a large number to all scores of a query."""
    bias = w["h.0.attn.c_attn.bias"].copy()
    D = len(bias) // 3
    bias[D : 2 * D] += 3000 * rng.normal(size=D)
    return w | {"h.0.attn.c_attn.bias": bias}


def _gpt2_cases(rng):
    V, S = (int(n) for n in rng.permutation(np.arange(9, 14))[:2])
    H, d = (int(n) for n in rng.permutation([2, 3, 4])[:2])
    w = random_gpt2(rng, V, S, H * d, 2)
    ids = rng.integers(V, size=S - 2)
    deep = random_gpt2(rng, V, S, H * (d + 1), 11)
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
        Case("no block, many tokens", (ids, _up_to(w, 0), H),
             "Rows of wte and wpe, then ln_f, then the table of tokens turned round."),
        Case("block 0, its feed-forward part alone", (ids, _silent(w, "attn"), H),
             "Attention writes zeros here. ln_2, c_fc, gelu_tanh, c_proj; then the stream is added."),
        Case("block 0, its attention alone, one head", (ids, _silent(w, "mlp"), 1),
             "The MLP writes zeros here. ln_1; c_attn in three; scores by √d, masked before the softmax; "
             "c_proj as it lies in the file; then the stream is added."),
        Case(f"block 0, its attention alone, {H} heads", (ids, _silent(w, "mlp"), H),
             "One head is right. Each head has its own d columns of Q, K and V. Merging undoes the split."),
        Case("block 0, whole", (ids, _up_to(w, 1), H),
             "Each part alone is right: the MLP reads the stream to which attention was added."),
        Case("blocks 0 and 1", (ids, w, H),
             "Block 0 is right: block 1 reads what it wrote, with the tensors h.1."),
        Case("another last token", (later, w, H), "Earlier rows must not change."),
        Case("the longest text", (rng.integers(V, size=S), w, H), "All rows of wpe are used."),
        Case(
            "eleven blocks",
            (ids, deep, H),
            "There may be any number of blocks: h.0, h.1, ..., h.9, h.10, in this order.",
        ),
        Case(
            "scores in the thousands",
            (ids, _with_large_keys(rng, _up_to(w, 1)), H),
            "e to the 1,000 is too large for a float: the softmax must subtract the largest score first.",
        ),
    ]  # fmt: skip


def _variant(**options):
    return lambda ids, w, num_heads: gpt2(ids, w, num_heads, **options)


def _scaled_by_model(ids, w, num_heads):
    return gpt2(ids, w, num_heads, scale=w["wte.weight"].shape[1])


EXERCISE = Exercise(
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
            _variant(activation=gelu),
            "Nearly: GPT-2 was trained with the approximate GELU, `gelu_tanh`. The exact one differs a "
            "little.",
        ),
        Mistake(
            "relu_instead_of_gelu",
            _variant(activation=relu),
            "Your activation is ReLU. GPT-2 has `gelu_tanh`.",
        ),
        Mistake(
            "key_query_value",
            _variant(order="kqv"),
            "Query and key have changed places: c_attn holds the query first, then the key. The scores are "
            "Q times the transposed K.",
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
        Mistake(
            "last_row_alone",
            lambda ids, w, num_heads: numpy_gpt2(ids, w, num_heads)[-1],
            "Only the last row came back. Return the logits of all tokens.",
        ),
        Mistake(
            "probabilities_returned",
            lambda ids, w, num_heads: softmax(numpy_gpt2(ids, w, num_heads)),
            "You made probabilities of them. Return the logits.",
        ),
        Mistake(
            "silu_in_place_of_gelu",
            _variant(activation=lambda h: h / (1 + np.exp(-h))),
            "You bent with SiLU. GPT-2 uses gelu_tanh.",
        ),
        Mistake(
            "always_divided_by_8",
            _variant(scale=64),
            "You always divide by 8. That is the root of 64, the width of a head in the real GPT-2: divide "
            "by √d.",
        ),
        Mistake(
            "first_norm_twice",
            lambda ids, w, num_heads: numpy_gpt2(
                ids, {name: w[name.replace("ln_2", "ln_1")] for name in w}, num_heads
            ),
            "You used ln_1 twice. The norm before the MLP is ln_2.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda ids, w, num_heads: np.stack([gpt2(ids[: t + 1], w, num_heads)[-1] for t in range(len(ids))]),
        _variant(
            norm=lambda x, g, b: (
                (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * g + b
            )
        ),
    ),
    stars=3,
    minutes=40,
)
