"""The text of chapter 17 and the inputs of SmolLM2's layers for it, for sweeps that need the real model."""

from clearhead.maths.layers import linear, rms_norm, silu
from clearhead.maths.llama import llama_attention
from clearhead.maths.positions import rotary_angles

TEXT = """A transformer reads all words of a text at once. Each word asks a question,
and every other word offers a key. Where the two fit, a value is passed on. After
many such layers, the last vector is compared with a table of all words, and the
most likely one is written. Then the model reads its own word, and all begins again."""


def inputs_of(model, stream, block):
    """Return the inputs of the query, up and down projections of a block, and their weights."""
    x, weights = stream[block], model.parameters["blocks"][block]
    h = rms_norm(x, **weights["attention_norm"])
    nothing = h[:0].reshape(model.num_groups, 0, model.d_k)
    angles = rotary_angles(len(x), model.d_k, model.base)
    Z, *_ = llama_attention(h, weights["attention"], model.num_heads, angles, nothing, nothing)
    below = rms_norm(x + Z, **weights["feed_forward_norm"])
    part = weights["feed_forward"]
    hidden = silu(linear(below, **part["gate"])) * linear(below, **part["up"])
    return {
        "query": (h, weights["attention"]["query"]["weight"]),
        "up": (below, part["up"]["weight"]),
        "down": (hidden, part["down"]["weight"]),
    }
