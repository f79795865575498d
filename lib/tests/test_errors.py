"""An argument that does not fit gets one sentence, with both shapes, in both twins."""

# ruff: noqa: E501 -- a table: one wrong call a line

import inspect
import re

import numpy as np
import pytest
import torch

from clearhead.maths import shapes
from discovery import MATHS, NETS, members

ONES = np.ones


def ids(*values):
    return np.array(values)


# module, function, arguments, the kind of error, and what the sentence must say (one line each, however long)
WRONG = [
    ("attention", "scaled_dot_product_attention", (ONES((2, 3)), ONES((5, 4)), ONES((5, 6))), ValueError, "same width, got Q (2, 3) and K (5, 4)"),
    ("attention", "scaled_dot_product_attention", (ONES((2, 3)), ONES((5, 3)), ONES((4, 6))), ValueError, "one value, got K (5, 3) and V (4, 6)"),
    ("attention", "scaled_dot_product_attention", (ONES(3), ONES((5, 3)), ONES((5, 6))), ValueError, "rows and columns, got shape (3,): for one single row write Q[None, :]"),
    ("attention", "scaled_dot_product_attention", (ONES((2, 0)), ONES((5, 0)), ONES((5, 6))), ValueError, "at least one column, got Q (2, 0)"),
    ("attention", "scaled_dot_product_attention", (ONES((2, 2, 3)), ONES((4, 5, 3)), ONES((4, 5, 6))), ValueError, "got (2, 2, 3), (4, 5, 3), (4, 5, 6)"),
    ("attention", "scaled_dot_product_attention", (ONES((2, 3)), ONES((5, 3)), ONES((5, 6)), ONES((2, 5))), TypeError, "mask must be boolean: True = may look; got float64"),
    ("attention", "scaled_dot_product_attention", (ONES((2, 3)), ONES((5, 3)), ONES((5, 6)), ONES((5, 2), bool)), ValueError, "got mask (5, 2) for scores (2, 5)"),
    ("attention", "scaled_dot_product_attention", (ONES((2, 3)), ONES((5, 3)), ONES((5, 6)), ONES((3, 7, 5), bool)), ValueError, "got mask (3, 7, 5)"),
    ("attention", "scaled_dot_product_attention", (ONES((2, 3)), ONES((4, 5, 3)), ONES((4, 5, 6)), ONES((3, 2, 5), bool)), ValueError, "got mask (3, 2, 5) for scores (4, 2, 5)"),
    ("attention", "biased_attention", (ONES((2, 3)), ONES((5, 4)), ONES((5, 6)), ONES((2, 5))), ValueError, "got Q (2, 3) and K (5, 4)"),
    ("attention", "self_attention", (ONES((4, 3)), ONES((3, 2)), ONES((4, 2)), ONES((3, 2))), ValueError, "got W_k (4, 2) and x (4, 3)"),
    ("attention", "soft_lookup", (ONES((1, 3)), ONES((5, 3)), ONES((5, 6))), ValueError, "one query (d,), keys (S, d) and values (S, e), got q (1, 3)"),
    ("attention", "soft_lookup", (ONES(4), ONES((5, 3)), ONES((5, 6))), ValueError, "as wide as the keys, got q (4,), K (5, 3)"),
    ("attention", "soft_lookup", (ONES(3), ONES((5, 3)), ONES((4, 6))), ValueError, "one value, got q (3,), K (5, 3) and V (4, 6)"),
    ("attention", "soft_lookup", (ONES(3), ONES((0, 3)), ONES((0, 6))), ValueError, "at least one key, got q (3,), K (0, 3)"),
    ("attention", "soft_lookup", (ONES(3), ONES((5, 3)), ONES((5, 6)), -1.0), ValueError, "0 or above and finite, got -1.0"),
    ("attention", "soft_lookup", (ONES(3), ONES((5, 3)), ONES((5, 6)), float("nan")), ValueError, "0 or above and finite, got nan"),
    ("attention", "soft_lookup", (ONES(3), ONES((5, 3)), ONES((5, 6)), "hot"), TypeError, "temperature must be one number, got str"),
    ("masks", "causal_mask", (-1,), ValueError, "length must be at least 0, got -1"),
    ("masks", "causal_mask", (2.5,), TypeError, "length must be a whole number, got 2.5"),
    ("masks", "causal_mask", (True,), TypeError, "length must be a whole number, got True"),
    ("masks", "padding_mask", (ids(2, 5), 4), ValueError, "from 0 to 4, got 2 to 5"),
    ("masks", "padding_mask", (ids(-1, 3), 4), ValueError, "from 0 to 4, got -1 to 3"),
    ("masks", "sliding_window_mask", (4, 0), ValueError, "window must be at least 1, got 0"),
    ("layers", "embed", (ids(0, 5), ONES((5, 2))), ValueError, "ids go from 0 to 5, but the table has 5 rows"),
    ("layers", "embed", (ids(0, 9), ONES((5, 2))), ValueError, "ids go from 0 to 9, but the table has 5 rows"),
    ("layers", "embed", (ids(-1, 2), ONES((5, 2))), ValueError, "give ids from 0 to 4"),
    ("layers", "embed", (ONES(2), ONES((5, 2))), TypeError, "ids must be whole numbers, got float64"),
    ("layers", "linear", (ONES((4, 3)), ONES((2, 3))), ValueError, "got x (4, 3) and weight (2, 3)"),
    ("layers", "linear", (np.array(1.0), ONES((2, 3))), ValueError, "got x () and weight (2, 3)"),
    ("layers", "linear", (ONES((4, 3)), ONES((3, 2)), ONES(3)), ValueError, "got bias (3,) and weight (3, 2)"),
    ("layers", "layer_norm", (ONES((4, 3)), ONES(4), ONES(3)), ValueError, "got gain (4,) and x (4, 3)"),
    ("layers", "layer_norm", (ONES((4, 3)), ONES(1), ONES(3)), ValueError, "got gain (1,) and x (4, 3)"),
    ("layers", "rms_norm", (ONES((4, 3)), ONES(4)), ValueError, "got gain (4,) and x (4, 3)"),
    ("heads", "split_heads", (ONES((4, 6)), 4), ValueError, "d_model must be a multiple of num_heads, got d_model 6 and num_heads 4"),
    ("heads", "split_heads", (ONES(6), 2), ValueError, "x must have rows and columns, got shape (6,)"),
    ("positions", "sinusoidal", (4, 5), ValueError, "d_model must be a multiple of columns_of_a_pair, got d_model 5"),
    ("positions", "sinusoidal", (-4, 6), ValueError, "length must be at least 0, got -4"),
    ("positions", "sinusoidal_shift", (1, 5), ValueError, "d_model 5"),
    ("positions", "learned", (6, ONES((5, 2))), ValueError, "5 positions, got 6 tokens"),
    ("relative_positions", "relative_bias", (ONES((2, 4)), 3), ValueError, "odd number of columns, got (2, 4)"),
    ("relative_positions", "relative_bias", (ONES((2, 5)), -1), ValueError, "length must be at least 0, got -1"),
    ("relative_positions", "alibi_bias", (0, 3), ValueError, "num_heads must be at least 1, got 0"),
    ("relative_positions", "rotary_angles", (4, 3), ValueError, "got d_model 3"),
    ("relative_positions", "rotate", (ONES((4, 6)), ONES((4, 2))), ValueError, "got x (4, 6) and angles (4, 2)"),
    ("relative_positions", "rotate", (ONES((4, 5)), ONES((4, 2))), ValueError, "columns_of_x 5"),
    ("sparse_masks", "dilated_window_mask", (4, 0), ValueError, "window must be at least 1, got 0"),
    ("sparse_masks", "dilated_window_mask", (4, 2, 0), ValueError, "dilation must be at least 1, got 0"),
    ("sparse_masks", "dilated_window_mask", (-1, 2), ValueError, "length must be at least 0, got -1"),
    ("sparse_masks", "global_mask", (4, -1), ValueError, "num_global must be at least 0, got -1"),
    ("sparse_masks", "layers_until", (ONES((2, 3), bool),), ValueError, "must be square, got (2, 3)"),
    ("long_attention", "online_softmax", (ONES((2, 3)), 0), ValueError, "chunk must be at least 1, got 0"),
    ("long_attention", "chunked_attention", (ONES((2, 3)), ONES((5, 3)), ONES((5, 6)), None, 0), ValueError, "chunk must be at least 1, got 0"),
    ("long_attention", "chunked_attention", (ONES((2, 3)), ONES((5, 4)), ONES((5, 6))), ValueError, "got Q (2, 3) and K (5, 4)"),
    ("long_attention", "sliding_window_attention", (ONES((2, 3)), ONES((2, 3)), ONES((2, 6)), 0), ValueError, "window must be at least 1, got 0"),
    ("long_attention", "sliding_window_attention", (ONES((2, 3)), ONES((4, 3)), ONES((4, 6)), 2), ValueError, "as many keys as queries, got Q (2, 3) and K (4, 3)"),
    ("cross_attention", "cross_attention", (ONES((2, 3)), ONES((5, 4)), ONES((3, 6)), ONES((3, 6)), ONES((4, 7))), ValueError, "each of the 4 columns of x, got W_k (3, 6)"),
    ("linear_attention", "linear_attention", (ONES((2, 3)), ONES((5, 4)), ONES((5, 6))), ValueError, "got Q (2, 3) and K (5, 4)"),
    ("linear_attention", "causal_linear_attention", (ONES((2, 3)), ONES((4, 3)), ONES((4, 6))), ValueError, "as many keys as queries, got Q (2, 3) and K (4, 3)"),
    ("losses", "cross_entropy", (ONES((3, 4)), ids(1, 2)), ValueError, "got logits (3, 4) and targets (2,)"),
    ("losses", "cross_entropy", (ONES((2, 4)), ids(1, 4)), ValueError, "from 0 to 3 (or be -100, which is not counted), got 1 to 4"),
    ("losses", "perplexity", (ONES((2, 4)), ids(1, -1)), ValueError, "got -1 to 1"),
    ("losses", "info_nce", (ONES((3, 4)), ONES((2, 4))), ValueError, "got (3, 4) and (2, 4)"),
    ("losses", "info_nce", (ONES((3, 4)), ONES((3, 4)), 0.0), ValueError, "temperature must be above 0, got 0.0"),
    ("multimodal", "retrieve", (ONES((3, 4)), ONES((2, 5))), ValueError, "got x (3, 4) and y (2, 5)"),
    ("multimodal", "retrieve", (ONES((3, 4)), ONES((2, 4, 4))), ValueError, "got x (3, 4) and y (2, 4, 4)"),
    ("multimodal", "retrieve", (ONES((3, 4)), ONES((0, 4))), ValueError, "at least one row of y"),
    ("recurrent", "conv1d", (ONES((2, 3)), ONES((3, 3, 4)), ONES(4)), ValueError, "window of 3 does not fit into 2 tokens"),
    ("recurrent", "toeplitz", (ONES((3, 3, 4)), 2), ValueError, "window of 3 does not fit into 2 tokens"),
    ("vision", "patchify", (ONES((9, 8, 1)), 4), ValueError, "Patches of 4 × 4 do not fill 9 × 8 pixels"),
    ("vision", "unpatchify", (ONES((5, 16)), 8, 8, 4), ValueError, "has 4 patches of a multiple of 16 numbers, got patches (5, 16)"),
    ("vision", "unpatchify", (ONES((4, 15)), 8, 8, 4), ValueError, "got patches (4, 15)"),
    ("gradients", "attention_gradients", (ONES((2, 6)), ONES((2, 3)), ONES((5, 4)), ONES((5, 6)), ONES((2, 5))), ValueError, "got Q (2, 3) and K (5, 4)"),
    ("gradients", "cross_entropy_gradient", (ONES((3, 4)), ids(1, 2)), ValueError, "got logits (3, 4) and targets (2,)"),
    ("gradients", "layer_norm_gradients", (ONES((4, 3)), ONES((4, 3)), {"gain": ONES(4)}), ValueError, "got gain (4,)"),
    ("gradients", "linear_gradients", (ONES((4, 2)), ONES((4, 3)), {"weight": ONES((2, 2))}), ValueError, "got x (4, 3) and weight (2, 2)"),
    ("gradients", "embed_gradient", (ONES((2, 3)), ids(0, 5), 5), ValueError, "ids go from 0 to 5"),
    ("gradients", "linear_gradients", (ONES((5, 2)), ONES((4, 3)), {"weight": ONES((3, 2))}), ValueError, "got dy (5, 2) for an output (4, 2)"),
    ("gradients", "layer_norm_gradients", (ONES((5, 3)), ONES((4, 3)), {"gain": ONES(3)}), ValueError, "got dy (5, 3) for an output (4, 3)"),
    ("gradients", "summed_to", (ONES((5, 3)), ONES((4, 3))), ValueError, "A gradient (5, 3) cannot belong to an array (4, 3)"),
    ("gradients", "summed_to", (ONES(3), ONES((4, 3))), ValueError, "A gradient (3,) cannot belong to an array (4, 3)"),
    ("gradients", "embed_gradient", (ONES((3, 3)), ids(0, 1), 5), ValueError, "got dx (3, 3) for an output (2, 3)"),
    ("gradients", "embed_gradient", (ONES((2, 3)), ids(0, 1), -5), ValueError, "vocab_size must be at least 0, got -5"),
]  # fmt: skip


def both():
    for subject, name, arguments, kind, says in WRONG:
        for layer, modules in (("maths", MATHS), ("nets", NETS)):
            if subject in modules and hasattr(modules[subject], name):
                given = [
                    torch.from_numpy(a) if layer == "nets" and isinstance(a, np.ndarray) else a
                    for a in arguments
                ]
                yield pytest.param(
                    getattr(modules[subject], name), given, kind, says, id=f"{layer}.{name}: {says}"
                )


@pytest.mark.parametrize(("function", "arguments", "kind", "says"), list(both()))
def test_one_sentence_with_both_shapes(function, arguments, kind, says):
    with pytest.raises(kind, match=re.escape(says)) as raised:
        function(*arguments)
    sentence = str(raised.value)
    assert sentence[-1] == "."
    assert len(sentence) < 200


def test_lists_are_refused_by_name():
    with pytest.raises(TypeError, match="Q must be an array, got list"):
        shapes.check_attention_shapes([[1.0]], ONES((1, 1)), ONES((1, 1)))
    with pytest.raises(TypeError, match="mask must be boolean: True = may look; got list"):
        shapes.check_attention_shapes(ONES((1, 1)), ONES((1, 1)), ONES((1, 1)), [[True]])


def test_softmax_takes_lists_and_whole_numbers():
    softmax = MATHS["softmax"].softmax
    np.testing.assert_allclose(softmax([0, 0]), [0.5, 0.5])
    np.testing.assert_allclose(softmax(np.array([1, 1, 1])), 1 / 3)
    assert softmax(np.float32([1, 2])).dtype == np.float32


def test_every_check_is_called_somewhere():
    everything = "".join(inspect.getsource(module) for module in (*MATHS.values(), *NETS.values()))
    for name in members(shapes):
        assert len(re.findall(rf"\b{name}\(", everything)) >= 2, f"{name} is never called"


def test_models_say_what_is_wrong():
    from clearhead.nets.heads import GroupedQueryAttention, MultiHeadAttention
    from clearhead.nets.models import GPT, EncoderDecoder, VisionTransformer

    with pytest.raises(ValueError, match="d_model 6 and num_heads 4"):
        MultiHeadAttention(6, 4)
    with pytest.raises(ValueError, match="num_heads 4 and num_groups 3"):
        GroupedQueryAttention(8, 4, 3)
    with pytest.raises(ValueError, match="4 positions, got 5 tokens"):
        GPT(9, 4, 8, 2, 1)(torch.zeros(1, 5, dtype=torch.long))
    with pytest.raises(ValueError, match="5 × 5 do not fill 8 × 8"):
        VisionTransformer(8, 5, 1, 10, 8, 2, 1)
    with pytest.raises(ValueError, match="d_model 9"):
        EncoderDecoder(9, 9, 3, 1)(torch.zeros(1, 2, dtype=torch.long), torch.zeros(1, 2, dtype=torch.long))
    with pytest.raises(TypeError, match="mask must be boolean"):
        MultiHeadAttention(8, 2)(torch.ones(3, 8), torch.ones(3, 8), torch.ones(3, 3))
