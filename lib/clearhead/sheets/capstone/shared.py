"""What exercises of this sheet share."""

import numpy as np

from clearhead.maths.layers import gelu_tanh, layer_norm
from clearhead.maths.masks import causal_mask
from clearhead.maths.softmax import softmax


def random_weights(rng, T, causal=True):
    """Return random attention weights (T, T)."""
    scores = 2 * rng.normal(size=(T, T))
    return softmax(np.where(causal_mask(T), scores, -np.inf) if causal else scores)


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


def _split(x, H):
    return x.reshape(len(x), H, -1).swapaxes(0, 1)


def _cut(x, H):
    return np.split(x, 3, axis=-1)


def _weigh(scores):
    return softmax(np.where(causal_mask(scores.shape[-1]), scores, -np.inf))


def gpt2(
    ids, w, num_heads, norm=layer_norm, activation=gelu_tanh, order="qkv", positions=True, masked=True,
    last=True, residual=True, merged=True, scale=None, first=True, blocks=lambda count: range(count),
    place=lambda ids, w: w["wpe.weight"][: len(ids)], split=_split, weigh=_weigh, without=(), about=True,
    second="sum", inner=True, post=False, back=None, token=1, every=False, cut=_cut, kept=(),
):  # fmt: skip
    """Return the logits of GPT-2; each option can be set wrong, for the mistakes."""
    T, D = len(ids), w["wte.weight"].shape[1]
    w = {name: 0 * each if name.endswith(without) else each for name, each in w.items()} if without else w
    x = token * w["wte.weight"][ids] + (place(ids, w) if positions else 0)
    for i in blocks(sum(name.endswith(".ln_1.weight") for name in w)):
        part = {name.removeprefix(f"h.{i}."): each for name, each in w.items() if name.startswith(f"h.{i}.")}
        start = x
        h = norm(x, part["ln_1.weight"], part["ln_1.bias"]) if first and not post else x
        x = h if "attn" in kept else x
        parts = cut(h @ part["attn.c_attn.weight"] + part["attn.c_attn.bias"], num_heads)
        named = dict(zip(order, parts, strict=True))
        Q, K, V = (split(named[name], num_heads) for name in "qkv")
        scores = Q @ K.swapaxes(1, 2) / np.sqrt(scale or Q.shape[-1])
        Z = (weigh(scores) if masked else softmax(scores)) @ V
        Z = (Z.swapaxes(0, 1) if merged else Z).reshape(T, D)
        x = (x if about else 0) + Z @ part["attn.c_proj.weight"] + part["attn.c_proj.bias"]
        x = norm(x, part["ln_1.weight"], part["ln_1.bias"]) if post else x
        h = start if second == "parallel" else x
        h = norm(h, part["ln_2.weight"], part["ln_2.bias"]) if first and inner and not post else h
        x = h if "mlp" in kept else x
        h = activation(h @ part["mlp.c_fc.weight"] + part["mlp.c_fc.bias"])
        x = (start if second == "lost" else x) if residual else 0
        x = x + h @ part["mlp.c_proj.weight"] + part["mlp.c_proj.bias"]
        x = norm(x, part["ln_2.weight"], part["ln_2.bias"]) if post else x
        x = norm(x, w["ln_f.weight"], w["ln_f.bias"]) if every else x
    x = norm(x, w["ln_f.weight"], w["ln_f.bias"]) if last and not every else x
    return x @ w["wte.weight"].T if back is None else back(x, w)
