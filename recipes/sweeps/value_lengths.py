"""How long the value of the first token of SmolLM2 is, compared with the values of the other tokens."""

import numpy as np

from clearhead.maths.heads import split_heads
from clearhead.maths.layers import linear, rms_norm
from clearhead.pretrained import smollm

TEXTS = (
    "The capital of France is",
    "She sat down to enjoy a warm cup of coffee",
    "12 + 7 =",
    "Rows are tokens",
)


def ratios(model, text):
    """Return the length of the first value, divided by the mean length of the others: (blocks, groups)."""
    stream, blocks = model.residual_stream(model.tokens.encode(text)), model.parameters["blocks"]
    found = []
    for x, block in zip(stream, blocks, strict=False):  # the stream also has what follows the last block
        h = rms_norm(x, **block["attention_norm"])
        V = split_heads(linear(h, **block["attention"]["value"]), model.num_groups)
        length = np.linalg.norm(V, axis=-1)  # (G, T)
        found.append(length[:, 0] / length[:, 1:].mean(axis=-1))
    return np.array(found)


def sweep():
    """Return, for each text, the ratios of all blocks and groups."""
    model = smollm.load()
    return {text: ratios(model, text).round(4).tolist() for text in TEXTS}


def agrees(recorded, fresh):
    """The two runs are the same up to rounding, and most first values are short."""
    for text in TEXTS:
        np.testing.assert_allclose(fresh[text], recorded[text], rtol=0.05)
        assert np.median(fresh[text]) < 0.5
