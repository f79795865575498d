"""06.MultiHeadAttention: A layer that learns."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise

from .drivers import run_layer
from .multi_head_attention_wrong import MISTAKES, layer_with
from .shared import CHAPTER, sizes


def _by_pytorch(d_model, num_heads):
    """Return a layer that calls PyTorch's own attention, one head at a time."""
    from torch import cat, nn
    from torch.nn.functional import scaled_dot_product_attention as fast

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.query, self.key = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
            self.value, self.output = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

        def forward(self, x):
            each = zip(
                *(made(x).chunk(num_heads, -1) for made in (self.query, self.key, self.value)), strict=True
            )
            return self.output(cat([fast(*head) for head in each], -1))

    return Layer()


def _class_cases(rng):
    B, T, H, d = sizes(rng, 4)

    def drawn(*shape):
        D = shape[-1]
        return (rng.normal(size=shape), *(rng.normal(size=(D, D)) / np.sqrt(D) for _ in range(4)))

    X, *weights = drawn(B, T, H * d)
    twins = np.concatenate([X, X[:, :1]], axis=1)
    alike = (
        "the first and the last token are equal, so their new vectors are equal",
        lambda found, *rest: np.allclose(found["Z"][:, 0], found["Z"][:, -1]),
    )
    return [
        Case("the two heads of the chapter", (CHAPTER[0][None], *CHAPTER[1:], 2), "The chapter has this Z."),
        Case("a batch of sentences", (X, *weights, H), "The batch stays the first axis all the way."),
        Case(
            "layers with biases",
            (X, *weights, H, rng.normal(size=(4, H * d))),
            "self.query(x) adds a bias, and so does each of the other three.",
        ),
        Case(
            "a token that comes twice",
            (twins, *weights, H),
            "Does a row of each head still belong to one token?",
            properties=(alike,),
        ),
        Case(
            "one sentence of other tokens",
            (*drawn(1, T + 1, d * (H + 1)), d),
            "No size is a fixed number: neither the length, nor that of a head.",
        ),
    ]


EXERCISE = Exercise(
    id="06.MultiHeadAttention",
    title="A layer that learns",
    reference=layer_with(),
    cases=_class_cases,
    driver=run_layer,
    returns={
        "Z": "the output of `forward` (Z)",
        "weights that learn": "the number of parameters that learn",
        "gradient of the sum of Z squared": "the gradient of the sum of Z squared",
    },
    needs=("torch",),
    hints=(
        "It is mha_forward with nn.Linear in place of the matrices, and with a batch axis in front.",
        "x has shape (B, T, D). Reshape to (B, T, H, d), then transpose the axes 1 and 2.",
        "Attend over the last two axes; go back with .transpose(1, 2).reshape(B, T, D); last "
        "self.output(...).",
    ),
    mistakes=MISTAKES,
    alternatives=(_by_pytorch,),
    stars=3,
    minutes=25,
)
