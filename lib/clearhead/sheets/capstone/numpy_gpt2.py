"""Cases of 15.numpy_gpt2."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes

from .shared import random_gpt2


def _up_to(w, count):
    """Return the tensors of the first blocks, of the embeddings, and of the final layer norm."""
    return {name: each for name, each in w.items() if name[:2] != "h." or int(name.split(".")[1]) < count}


def _silent(w, part):
    """Return block 0 with zeros for the output of one sublayer, "attn" or "mlp"."""
    last = (f"h.0.{part}.c_proj.weight", f"h.0.{part}.c_proj.bias")
    return {name: 0 * each if name in last else each for name, each in _up_to(w, 1).items()}


def _with_large_keys(rng, w):
    """Return the tensors with a key bias that adds the same large number to all scores of a query."""
    bias = w["h.0.attn.c_attn.bias"].copy()
    D = len(bias) // 3
    bias[D : 2 * D] += 3000 * rng.normal(size=D)
    return w | {"h.0.attn.c_attn.bias": bias}


def cases(rng):
    V, S = different_sizes(rng, 2, 9, 13)
    H, d = different_sizes(rng, 2, 2, 4)
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
            "no blocks, by hand",
            (np.array([0, 1]), plain, 1),
            "The norm turns (1, 0) into about (1, -1). Its dot products with the rows of the token "
            "table are about 1, -1 and 0.",
            expected=np.array([[r, -r, 0], [-r, r, 0]]),
        ),
        Case(
            "no blocks, many tokens",
            (ids, _up_to(w, 0), H),
            "Add the rows of wte and wpe, apply ln_f, and multiply by the transposed token table.",
        ),
        Case(
            "block 0 with only its feed-forward network",
            (ids, _silent(w, "attn"), H),
            "Attention adds zeros here. The feed-forward network is ln_2, c_fc, gelu_tanh and c_proj, "
            "and its output is added to the residual stream.",
        ),
        Case(
            "block 0 with only its attention, and one head",
            (ids, _silent(w, "mlp"), 1),
            "The MLP adds zeros here. Attention is ln_1, c_attn split into three, scores divided by "
            "√d and masked before the softmax, and c_proj as it is in the file. Its output is added "
            "to the residual stream.",
        ),
        Case(
            f"block 0 with only its attention, and {H} heads",
            (ids, _silent(w, "mlp"), H),
            "Each head has its own d columns of Q, K and V, and merging the heads undoes the split.",
        ),
        Case(
            "the whole block 0",
            (ids, _up_to(w, 1), H),
            "The MLP reads the residual stream to which the output of attention has been added.",
        ),
        Case(
            "blocks 0 and 1",
            (ids, w, H),
            "Block 1 reads the output of block 0, and its tensors have names that begin with h.1.",
        ),
        Case(
            "another last token",
            (later, w, H),
            "Only the last token differs from the tokens of the case before, so the earlier rows must "
            "not change.",
        ),
        Case(
            "the longest possible text",
            (rng.integers(V, size=S), w, H),
            "The text is as long as wpe, so all rows of wpe are used.",
        ),
        Case(
            "eleven blocks",
            (ids, deep, H),
            "There may be any number of blocks, in the order h.0, h.1, ..., h.9, h.10.",
        ),
        Case(
            "scores in the thousands",
            (ids, _with_large_keys(rng, _up_to(w, 1)), H),
            "The exponential of a score in the thousands overflows, so the softmax must subtract the "
            "largest score first.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
