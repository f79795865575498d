"""What floats of four bits change in the outputs of the layers of SmolLM2, with and without a rotation."""

import numpy as np

from clearhead.maths.quantization import hadamard, round_to_mxfp4
from clearhead.pretrained import smollm
from smollm_text import TEXT, inputs_of

BLOCKS = (0, 4, 8, 12, 16, 20, 24, 28)


def rotated(x, size=64):
    """Return x (T, D) with every 64 neighbouring columns rotated; twice, it is x again."""
    return (x.reshape(len(x), -1, size) @ hadamard(size)).reshape(x.shape)


def sweep():
    """Return map -> per block [error, with a rotation, largest over rms, both errors without token 0]."""
    model = smollm.load()
    stream, found = model.residual_stream(model.tokens.encode(TEXT)), {}
    for block in BLOCKS:
        for name, (x, weight) in inputs_of(model, stream, block).items():
            x = x.astype(float)
            both = round_to_mxfp4(x), rotated(round_to_mxfp4(rotated(x)))
            row, later = (
                [np.linalg.norm(((y - x) @ weight)[at:]) / np.linalg.norm((x @ weight)[at:]) for y in both]
                for at in (0, 1)
            )
            row += [np.abs(x).max() / np.sqrt((x**2).mean()), *later]
            found.setdefault(name, []).append([round(float(each), 4) for each in row])
    return found


def agrees(recorded, fresh):
    """The two runs are the same up to rounding, and the rotation helps in the query maps."""
    for name, rows in recorded.items():
        assert np.allclose(rows, fresh[name], rtol=0.05), name
    for run in (recorded, fresh):
        plain, turned, *_ = np.array(run["query"]).T
        assert (turned < plain).all()
