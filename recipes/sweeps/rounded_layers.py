"""The effect of three-bit weights on the outputs of SmolLM2's layers, for their real inputs."""

import numpy as np

from clearhead.maths.quantization import round_to_bits
from clearhead.pretrained import smollm
from smollm_text import TEXT, inputs_of

BLOCKS = (0, 4, 8, 12, 16, 20, 24, 28)


def sweep():
    """Return relative errors: projection -> for each block [weight, output, output without token 0]."""
    model = smollm.load()
    ids = model.tokens.encode(TEXT)
    stream, found = model.residual_stream(ids), {}
    for block in BLOCKS:
        for name, (x, weight) in inputs_of(model, stream, block).items():
            error = round_to_bits(weight.T, 3, 32).T - weight
            pairs = (error, weight), (x @ error, x @ weight), (x[1:] @ error, x[1:] @ weight)
            row = [round(float(np.linalg.norm(one) / np.linalg.norm(other)), 4) for one, other in pairs]
            found.setdefault(name, []).append(row)
    return found


def agrees(recorded, fresh):
    """Assert that both runs agree; queries have smaller errors than their weights, up projections larger."""
    for name, rows in recorded.items():
        assert np.allclose(rows, fresh[name], rtol=0.02), name
    ratio = {name: np.divide(*np.array(rows).T[[1, 0]]) for name, rows in fresh.items()}
    assert np.median(ratio["query"]) < 0.85
    assert ratio["up"].min() > 1
