"""Random inputs for the cases of several exercises of this sheet."""

import numpy as np

from clearhead.maths.masks import causal_mask
from clearhead.maths.softmax import softmax


def random_weights(rng, T, causal=True):
    """Return random attention weights (T, T)."""
    scores = 2 * rng.normal(size=(T, T))
    return softmax(np.where(causal_mask(T), scores, -np.inf) if causal else scores)


def random_gpt2(rng, V, S, D, L):
    """Return random tensors of a GPT-2 with the names and layouts of its published file."""
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
