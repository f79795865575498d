"""Ablate all 270 heads of SmolLM2, one at a time, while it predicts the capital of a country."""

import numpy as np

from clearhead.maths.circuits import ablate_head
from clearhead.maths.softmax import softmax
from clearhead.pretrained import smollm

CASES = {"France": " Paris", "Germany": " Berlin"}


def sweep():
    """Return country -> {"whole": p of the capital, "silenced": (30, 9) the same without each head}."""
    model, found = smollm.load(), {}
    for country, capital in CASES.items():
        ids = model.tokens.encode(f"The capital of {country} is")
        word, stream = model.tokens.encode(capital)[0], model.residual_stream(ids)
        silenced = np.zeros((30, 9))
        for block, head in np.ndindex(silenced.shape):
            less = model.with_parameters(ablate_head(model.parameters, block, head, 9))
            last = less.forward_from(stream[block], block)[-1]
            silenced[block, head] = softmax(less.unembed(last))[word]
        whole = softmax(model.unembed(stream[-1, -1]))[word]
        found[country] = {"whole": round(float(whole), 4), "silenced": silenced.round(4).tolist()}
    return found


def agrees(recorded, fresh):
    """Assert that head 4 of block 23 lowers the capital most, and that both runs agree up to rounding."""
    for country, rows in recorded.items():
        again = np.array(fresh[country]["silenced"])
        assert np.allclose(rows["silenced"], again, atol=0.02), country
        assert divmod(int(again.argmin()), 9) == (23, 4), country
