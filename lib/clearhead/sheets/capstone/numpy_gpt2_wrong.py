"""More wrong answers of 15.numpy_gpt2."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.masks import causal_mask
from clearhead.maths.softmax import softmax

from .shared import gpt2


def _cut_by_head(x, H):
    return np.moveaxis(x.reshape(len(x), H, 3, -1), 2, 0).reshape(3, len(x), -1)


def _with(**options):
    return lambda ids, w, num_heads: gpt2(ids, w, num_heads, **options)


def _of(change):
    """Return GPT-2 with the tensors that change(name, tensor) gives."""
    return lambda ids, w, num_heads: gpt2(ids, {name: change(name, w[name]) for name in w}, num_heads)


def _mlp_first(ids, w, num_heads):
    """Run each block as two, of which one part writes zeros."""
    halves = {name: each for name, each in w.items() if name[:2] != "h."}
    for name in w.keys() - halves.keys():
        _, i, part = name.split(".", 2)
        for half, silent in enumerate(("attn.c_proj", "mlp.c_proj")):
            halves[f"h.{2 * int(i) + half}.{part}"] = (not part.startswith(silent)) * w[name]
    return gpt2(ids, halves, num_heads)


def _hidden_by_zero(scores):
    return softmax(np.where(causal_mask(scores.shape[-1]), scores, 0))


def _masked_last(scores):
    return softmax(scores) * causal_mask(scores.shape[-1])


def _future_alone(scores):
    return softmax(np.where(causal_mask(scores.shape[-1]).T, scores, -np.inf))


def _seen(below, hidden):
    """Return a softmax of what is on the diagonal `below` and left of it; `hidden` stands elsewhere."""
    return lambda scores: softmax(np.where(np.tri(*scores.shape[-2:], below, bool), scores, hidden))


def _over_queries(scores):
    masked = np.where(causal_mask(scores.shape[-1]), scores, -np.inf)
    return softmax(masked.swapaxes(-1, -2)).swapaxes(-1, -2)


_SAYS = {
    "attention_not_added": (
        "Attention must be added to the stream; you replaced the stream by it.", {"about": False}),
    "sum_of_attention_lost": (
        "The feed-forward part is added to what the block began with, so the stream loses what attention "
        "wrote. Add it to the stream after attention.", {"second": "lost"}),
    "both_parts_side_by_side": (
        "Your feed-forward part reads what the block began with. It reads the stream after attention.",
        {"second": "parallel"}),
    "norm_before_the_mlp_forgotten": (
        "The norm ln_2 before the feed-forward part is missing.", {"inner": False}),
    "norms_after_the_parts": (
        "You norm after each part, as the first transformer did. GPT-2 norms what a part reads, not the "
        "stream.", {"post": True}),
    "last_norm_after_each_block": (
        "You used ln_f after each block. It comes once, after the loop.", {"every": True}),
    "bias_of_c_attn_forgotten": ("The bias of c_attn is missing.", {"without": ("attn.c_attn.bias",)}),
    "bias_of_attention_forgotten": (
        "The bias of attn.c_proj is missing.", {"without": ("attn.c_proj.bias",)}),
    "bias_of_c_fc_forgotten": ("The bias of mlp.c_fc is missing.", {"without": ("mlp.c_fc.bias",)}),
    "bias_of_the_mlp_forgotten": ("The bias of mlp.c_proj is missing.", {"without": ("mlp.c_proj.bias",)}),
    "biases_of_the_maps_forgotten": (
        "The biases of the linear maps are missing: x @ weight + bias.",
        {"without": ("c_attn.bias", "c_proj.bias", "c_fc.bias")}),
    "biases_of_the_norms_forgotten": (
        "The biases of the norms are missing.", {"without": ("ln_1.bias", "ln_2.bias", "ln_f.bias")}),
    "normed_over_the_tokens": (
        "Your norm runs over the tokens. Each row has its own mean and variance: axis=-1, keepdims=True.",
        {"norm": lambda x, g, b: (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-5) * g + b}),
    "not_scaled": ("The scores are not divided by √d.", {"scale": 1}),
    "gelu_forgotten": ("GELU is missing between c_fc and c_proj.", {"activation": lambda h: h}),
    "tanh_in_place_of_gelu": ("Your activation is tanh. GPT-2 has `gelu_tanh`.", {"activation": np.tanh}),
    "query_value_key": (
        "c_attn holds query, key and value in this order. You read the value second.", {"order": "qvk"}),
    "value_first": (
        "c_attn holds query, key and value in this order. You read the value first.", {"order": "vkq"}),
    "split_without_swap": (
        "You cut rows into heads by a reshape to (H, T, d) alone, so numbers of other tokens mix. Reshape "
        "to (T, H, d), then swap the axes.", {"split": lambda x, H: x.reshape(H, len(x), -1)}),
    "every_Hth_column": (
        "You gave each head every H-th column. Head 0 has the first D/H columns: reshape to (T, H, d).",
        {"split": lambda x, H: x.reshape(len(x), -1, H).transpose(2, 0, 1)}),
    "one_head": ("You used one head, whatever num_heads is.", {"split": lambda x, H: x[None]}),
    "hidden_scores_are_zero": (
        "You set hidden scores to 0, and e to the 0 is 1. Set them to -inf.", {"weigh": _hidden_by_zero}),
    "masked_after_softmax": (
        "You masked after the softmax, so only the last row of weights sums to 1. Mask the scores.",
        {"weigh": _masked_last}),
    "sees_the_future_alone": (
        "Your mask is turned round: a token sees itself and what comes after.", {"weigh": _future_alone}),
    "sees_one_ahead": (
        "Each token sees the one after it. It sees itself and the past.", {"weigh": _seen(1, -np.inf)}),
    "itself_hidden": (
        "Your mask hides the token itself, so token 0 sees nothing and gets NaN. It sees itself and the "
        "past.", {"weigh": _seen(-1, -np.inf)}),
    "itself_hidden_by_a_large_number": (
        "Your mask hides the token itself. It sees itself and the past.", {"weigh": _seen(-1, -1e9)}),
    "query_key_value_of_each_head": (
        "You cut c_attn into heads first, and each into query, key and value. Cut it into three first; then "
        "each third into heads.", {"cut": _cut_by_head}),
    "normed_stream_kept": (
        "You add both parts to the normed stream. The norm is for what a part reads: add to the stream "
        "itself.", {"kept": ("attn", "mlp")}),
    "normed_stream_kept_by_attention": (
        "You add attention to what ln_1 gave. The norm is for what it reads: add to the stream itself.",
        {"kept": ("attn",)}),
    "normed_stream_kept_by_the_mlp": (
        "You add the feed-forward part to what ln_2 gave. The norm is for what it reads: add to the stream "
        "itself.", {"kept": ("mlp",)}),
    "softmax_over_queries": (
        "Your softmax runs over the queries. It runs over the keys, the last axis.",
        {"weigh": _over_queries}),
    "positions_by_id": (
        "You took the rows of wpe by the ids. A position is the place in the text: the first T rows.",
        {"place": lambda ids, w: w["wpe.weight"][ids % len(w["wpe.weight"])]}),
    "first_position_for_all": (
        "All tokens get the first row of wpe. Token t gets row t.",
        {"place": lambda ids, w: w["wpe.weight"][0]}),
    "positions_from_one": (
        "Your positions begin at row 1. The first token stands at row 0.",
        {"place": lambda ids, w: np.roll(w["wpe.weight"], -1, axis=0)[: len(ids)]}),
    "last_block_left_out": ("The last block is missing.", {"blocks": lambda count: range(count - 1)}),
    "first_block_alone": ("You run the first block alone.", {"blocks": lambda count: range(min(count, 1))}),
    "last_block_first": (
        "You run the blocks from the last to the first.", {"blocks": lambda count: range(count)[::-1]}),
    "stream_returned": (
        "You returned the stream. Multiply it by the transposed table of tokens.", {"back": lambda x, w: x}),
}  # fmt: skip
MORE = (
    Mistake(
        "attention_output_transposed",
        _of(lambda name, each: each.T if name.endswith("attn.c_proj.weight") else each),
        "You transposed attn.c_proj.weight. It is square, so nothing fails: take it as it lies in the file.",
    ),
    *(Mistake(name, _with(**options), says) for name, (says, options) in _SAYS.items()),
    Mistake(
        "mlp_before_attention", _mlp_first, "Your feed-forward part comes before attention. It comes after."
    ),
    Mistake(
        "weights_turned",
        _of(lambda name, each: each.T if name[:2] == "h." else each),
        "You transpose the weights, as nn.Linear does. In this file they are (in, out): x @ weight.",
    ),
    Mistake(
        "projection_forgotten",
        _of(
            lambda name, each: (
                np.eye(len(each))
                if name.endswith("attn.c_proj.weight")
                else 0 * each
                if name.endswith("attn.c_proj.bias")
                else each
            )
        ),
        "attn.c_proj is missing: what the heads mixed goes through it, and is added to the stream then.",
    ),
    Mistake(
        "gains_and_biases_forgotten",
        _of(lambda name, each: each**0 * name.endswith("weight") if "ln_" in name else each),
        "The weights and biases of the norms are missing: norm, times weight, plus bias.",
    ),
    Mistake(
        "divided_by_d",
        lambda ids, w, num_heads: gpt2(ids, w, num_heads, scale=(w["wte.weight"].shape[1] // num_heads) ** 2),
        "You divide the scores by d. Divide by √d.",
    ),
    Mistake(
        "more_blocks_than_there_are",
        lambda ids, w, num_heads: [w[f"h.{i}.ln_1.weight"] for i in range(12)],
        "You ask for a block that the file does not have. There may be any number: look for its name in w.",
    ),
)
