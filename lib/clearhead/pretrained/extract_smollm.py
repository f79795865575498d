"""Make the small files of SmolLM2: its tokens, now; what it says in chapter 17, when the chapter is named.

    python -m clearhead.pretrained.extract_smollm [chapters/17_a_real_model.ipynb]

The model itself must be on this computer; README.md beside this file says how. Nothing is downloaded.
"""

import numpy as np

from clearhead.pretrained import smollm


def extract_tokens(model):
    """Write the pieces of the tokenizer, and where each merged one is joined."""
    pieces, lengths = model.tokens.pieces, [len(left) for left, _ in model.tokens.merges]
    joined = ["".join(pair) for pair in model.tokens.merges]
    assert pieces[-len(joined) :] == joined, "The merges are not the last pieces, in order."
    text = "\n".join(pieces).encode("utf-8")
    np.savez_compressed(
        smollm.TOKENS, pieces=np.frombuffer(text, dtype=np.uint8), lengths=np.array(lengths, dtype=np.uint8)
    )
