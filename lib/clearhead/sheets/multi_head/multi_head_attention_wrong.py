"""The wrong answers of 06.MultiHeadAttention, and the way to make a layer."""

from clearhead.checks.exercise import Mistake


def _torch_split(x, num_heads):
    return x.reshape(*x.shape[:-1], num_heads, -1).transpose(-3, -2)


def _torch_merge(x):
    return x.transpose(-3, -2).flatten(-2)


def layer_with(
    split=_torch_split,
    merge=_torch_merge,
    scale=None,
    output=True,
    axis=-1,
    detached=False,
    biased=4,
    after=None,
    fixed=False,
    scores=lambda Q, K: Q @ K.mT,
):
    """Return a class, nearly: called with (d_model, num_heads) it makes a layer that goes its own way.

    Of its four maps the first `biased` use their biases. `fixed` weights let no gradient through;
    scores(Q, K) are
    not yet scaled; after(Z, x) is a last step.
    """

    def make(d_model, num_heads):
        from torch import nn

        class Layer(nn.Module):
            def __init__(self):
                super().__init__()
                self.query, self.key, self.value, self.output = (
                    nn.Linear(d_model, d_model) for _ in range(4)
                )

            def forward(self, x):
                x = x.detach() if detached else x
                maps = [
                    each if i < biased else lambda x, each=each: x @ each.weight.mT
                    for i, each in enumerate((self.query, self.key, self.value, self.output))
                ]
                Q, K, V = (split(each(x), num_heads) for each in maps[:3])
                divisor = (scale or (lambda d, D: d))(Q.shape[-1], d_model) ** 0.5
                A = (scores(Q, K) / divisor).softmax(axis)
                merged = merge((A.detach() if fixed else A) @ V)
                Z = maps[3](merged) if output else merged
                return after(Z, x) if after else Z

        return Layer()

    return make


def _looking_back(Q, K):
    S = Q @ K.mT
    return S.masked_fill(S.new_ones(S.shape).triu(1) > 0, float("-inf"))


def _all_sentences_in_one(d_model, num_heads):
    """Return a layer for which all tokens of a batch are one long sentence."""
    from torch.nn import Module

    one = layer_with()(d_model, num_heads)

    class Layer(Module):
        def __init__(self):
            super().__init__()
            self.query, self.key, self.value, self.output = one.query, one.key, one.value, one.output

        def forward(self, x):
            return one(x.reshape(1, -1, x.shape[-1])).reshape(x.shape)

    return Layer()


MISTAKES = (
    Mistake(
        "split_by_reshape",
        layer_with(split=lambda x, H: x.reshape(len(x), H, x.shape[1], -1)),
        "Your split mixes tokens: reshape to (B, T, H, d), then transpose the axes 1 and 2.",
    ),
    Mistake(
        "merge_by_reshape",
        layer_with(merge=lambda x: x.reshape(len(x), x.shape[2], -1)),
        "Your merge mixes tokens: transpose back to (B, T, H, d) before the reshape.",
    ),
    Mistake(
        "heads_attend_to_each_other",
        layer_with(split=lambda x, H: x.reshape(*x.shape[:-1], H, -1), merge=lambda x: x.flatten(-2)),
        "Your axes are (B, T, H, d), so inside each token the heads look at each other, and no token "
        "looks at another. Transpose before you attend.",
    ),
    Mistake(
        "scaled_by_d_model",
        layer_with(scale=lambda d, D: D),
        "You divided by √D. The scale is √d, with d = D / H: the size of one head.",
    ),
    Mistake(
        "no_scale",
        layer_with(scale=lambda d, D: 1),
        "The scale is missing: divide the scores by √d, where d is the size of one head.",
    ),
    Mistake(
        "softmax_over_queries",
        layer_with(axis=-2),
        "Your softmax runs over the queries. Each query shares its attention among the keys: dim=-1.",
    ),
    Mistake(
        "softmax_over_heads",
        layer_with(axis=1),
        "Your softmax runs over the heads: axis 1. Each query shares its attention among the keys: dim=-1.",
    ),
    Mistake(
        "output_layer_forgotten",
        layer_with(output=False),
        "You return the heads side by side. self.output is made, but never used.",
    ),
    Mistake(
        "bias_of_output_forgotten",
        layer_with(biased=3),
        "The bias of self.output is missing. Call the layer: it multiplies and adds its bias.",
    ),
    Mistake(
        "biases_of_value_and_output_forgotten",
        layer_with(biased=2),
        "The biases of self.value and self.output are missing. Call the layers: they add them.",
    ),
    Mistake(
        "all_biases_forgotten",
        layer_with(biased=0),
        "You used the weights alone, without biases. Call the layers, self.query(x): they add theirs.",
    ),
    Mistake(
        "cut_off_from_learning",
        layer_with(detached=True),
        "Z is right, but no gradient reaches x: the layers below could not learn. Leave out detach, "
        "numpy and no_grad.",
    ),
    Mistake(
        "a_number_for_the_root",
        layer_with(scale=lambda d, D: 2),
        "You divided by the root of 2, the d of the page. Here d has other values: Q.shape[-1] ** 0.5.",
    ),
    Mistake(
        "divided_by_d",
        layer_with(scale=lambda d, D: d**2),
        "You divided by d. Divide by its square root.",
    ),
    Mistake(
        "split_and_merge_by_reshape",
        layer_with(
            lambda x, H: x.reshape(x.shape[0], H, x.shape[1], -1),
            lambda x: x.reshape(x.shape[0], x.shape[2], -1),
        ),
        "You reshaped to (B, H, T, d) and back at once, so each head holds numbers of other "
        "tokens. Reshape to (B, T, H, d), then transpose.",
    ),
    Mistake(
        "tokens_added",
        layer_with(after=lambda Z, x: x + Z),
        "You added x to the result. Return what the heads write, alone; the block of chapter 8 adds it.",
    ),
    Mistake(
        "no_gradient_through_the_weights",
        layer_with(fixed=True),
        "Z is right, but the loss does not reach queries and keys, so they could not learn. Leave out "
        "detach, .data, numpy and no_grad.",
    ),
    Mistake(
        "scaled_by_another_axis",
        lambda d_model, H: layer_with(scale=lambda d, D: H)(d_model, H),
        "You divided by the root of H, the number of heads, or of another axis of that length. The scale is "
        "√d, with d = Q.shape[-1] after the split.",
    ),
    Mistake(
        "sentences_mixed",
        _all_sentences_in_one,
        "Your tokens look at those of other sentences, too. The batch stays an axis of its own: attend "
        "inside each sentence.",
    ),
    Mistake(
        "keys_ask",
        layer_with(scores=lambda Q, K: K @ Q.mT),
        "Your scores are K Qᵀ, or self.query and self.key are exchanged: the keys ask. Each row belongs to "
        "a query: Q Kᵀ.",
    ),
    Mistake(
        "looks_back_only",
        layer_with(scores=_looking_back),
        "Tokens do not see later ones. Here is no mask: each token looks at all.",
    ),
)
