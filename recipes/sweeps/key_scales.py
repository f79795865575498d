"""Quantize the keys of SmolLM2 to eight bits, with one scale per token and with one scale per column."""

import numpy as np

from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.heads import split_heads
from clearhead.maths.layers import linear, rms_norm
from clearhead.maths.positions import apply_rotary, rotary_angles
from clearhead.pretrained import smollm
from smollm_text import TEXT
from sweep import chapter_code

BLOCKS = range(0, 30, 3)


def sweep():
    """Return, for each of ten blocks, how much worse a scale per token is, and the sizes of the columns.

    "token / column": the ratio of the root mean square errors of all heads' outputs. "largest / median
    column": of the mean size of a column of the keys after the rotation, in the group where it is largest.
    """
    in_8_bits, model = chapter_code("key_scales")["in_8_bits"], smollm.load()
    ids = model.tokens.encode(TEXT)
    stream, angles = model.residual_stream(ids), rotary_angles(len(ids), model.d_k, model.base)
    mask, together = np.tri(len(ids), dtype=bool), model.num_heads // model.num_groups
    found = {"token / column": [], "largest / median column": []}
    for block in BLOCKS:
        weights = model.parameters["blocks"][block]
        h = rms_norm(stream[block], **weights["attention_norm"])
        Q, K, V = (
            split_heads(linear(h, **weights["attention"][name]), heads)
            for name, heads in (
                ("query", model.num_heads),
                ("key", model.num_groups),
                ("value", model.num_groups),
            )
        )
        Q, K = apply_rotary(Q, angles), apply_rotary(K, angles)
        errors = []
        for axis in (1, 0):
            lost = 0.0
            for head in range(model.num_heads):
                group = head // together
                Z, _ = scaled_dot_product_attention(Q[head], K[group], V[group], mask)
                short, _ = scaled_dot_product_attention(Q[head], in_8_bits(K[group], axis), V[group], mask)
                lost += np.square(Z - short).sum()
            errors.append(lost**0.5)
        size = np.abs(K).mean(axis=1)  # (G, d)
        found["token / column"].append(round(float(errors[0] / errors[1]), 3))
        found["largest / median column"].append(
            round(float((size.max(axis=1) / np.median(size, axis=1)).max()), 3)
        )
    return found


def agrees(recorded, fresh):
    """Assert that the two runs are equal up to rounding."""
    for name, row in recorded.items():
        assert np.allclose(row, fresh[name], rtol=0.05), name
