"""06.MultiHeadAttention: A layer that learns."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .drivers import run_layer
from .shared import CHAPTER, sizes


def _torch_split(x, num_heads):
    return x.reshape(*x.shape[:-1], num_heads, -1).transpose(-3, -2)


def _torch_merge(x):
    return x.transpose(-3, -2).flatten(-2)


def _layer_with(split=_torch_split, merge=_torch_merge, scale=None, output=True, axis=-1, detached=False):
    """Return a class, nearly: called with (d_model, num_heads) it makes a layer that goes its own way."""

    def make(d_model, num_heads):
        from torch import nn

        class Layer(nn.Module):
            def __init__(self):
                super().__init__()
                self.query, self.key, self.value, self.output = (
                    nn.Linear(d_model, d_model, bias=False) for _ in range(4)
                )

            def forward(self, x):
                x = x.detach() if detached else x
                Q, K, V = (split(each(x), num_heads) for each in (self.query, self.key, self.value))
                divisor = (scale or (lambda d, D: d))(Q.shape[-1], d_model) ** 0.5
                merged = merge((Q @ K.mT / divisor).softmax(axis) @ V)
                return self.output(merged) if output else merged

        return Layer()

    return make


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
    reference=_layer_with(),
    cases=_class_cases,
    driver=run_layer,
    needs=("torch",),
    hints=(
        "It is mha_forward with nn.Linear in place of the matrices, and with a batch axis in front.",
        "x has shape (B, T, D). Reshape to (B, T, H, d), then transpose the axes 1 and 2.",
        "Attend over the last two axes; go back with .transpose(1, 2).reshape(B, T, D); last "
        "self.output(...).",
    ),
    mistakes=(
        Mistake(
            "split_by_reshape",
            _layer_with(split=lambda x, H: x.reshape(len(x), H, x.shape[1], -1)),
            "Your split mixes tokens: reshape to (B, T, H, d), then transpose the axes 1 and 2.",
        ),
        Mistake(
            "merge_by_reshape",
            _layer_with(merge=lambda x: x.reshape(len(x), x.shape[2], -1)),
            "Your merge mixes tokens: transpose back to (B, T, H, d) before the reshape.",
        ),
        Mistake(
            "heads_attend_to_each_other",
            _layer_with(split=lambda x, H: x.reshape(*x.shape[:-1], H, -1), merge=lambda x: x.flatten(-2)),
            "Your axes are (B, T, H, d), so inside each token the heads look at each other, and no token "
            "looks at another. Transpose before you attend.",
        ),
        Mistake(
            "scaled_by_d_model",
            _layer_with(scale=lambda d, D: D),
            "You divided by √D. The scale is √d, with d = D / H: the size of one head.",
        ),
        Mistake(
            "no_scale",
            _layer_with(scale=lambda d, D: 1),
            "The scale is missing: divide the scores by √d, the size of one head.",
        ),
        Mistake(
            "softmax_over_queries",
            _layer_with(axis=-2),
            "Your softmax runs over the queries. Each query shares its attention among the keys: dim=-1.",
        ),
        Mistake(
            "softmax_over_heads",
            _layer_with(axis=1),
            "Your softmax runs over the heads: axis 1. Each query shares its attention among the "
            "keys: dim=-1.",
        ),
        Mistake(
            "output_layer_forgotten",
            _layer_with(output=False),
            "You return the heads side by side. self.output is made, but never used.",
        ),
        Mistake(
            "cut_off_from_learning",
            _layer_with(detached=True),
            "Z is right, but no gradient reaches x: the layers below could not learn. Leave out detach, "
            "numpy and no_grad.",
        ),
        Mistake(
            "a_number_for_the_root",
            _layer_with(scale=lambda d, D: 2),
            "You divided by the root of 2, the d of the page. Here d has other values: Q.shape[-1] ** 0.5.",
        ),
        Mistake(
            "divided_by_d",
            _layer_with(scale=lambda d, D: d**2),
            "You divided by d. Divide by its square root.",
        ),
        Mistake(
            "split_and_merge_by_reshape",
            _layer_with(
                lambda x, H: x.reshape(x.shape[0], H, x.shape[1], -1),
                lambda x: x.reshape(x.shape[0], x.shape[2], -1),
            ),
            "You reshaped to (B, H, T, d) and back at once, so each head holds numbers of other "
            "tokens. Reshape to (B, T, H, d), then transpose.",
        ),
    ),
    alternatives=(_by_pytorch,),
    stars=3,
    minutes=25,
)
