"""An argument that does not fit gets one sentence, with both shapes, in both twins."""

# ruff: noqa: E501 -- a table: one wrong call a line

import pickle
import re

import numpy as np
import pytest
import torch

from support.discovery import MATHS, NETS, members

ONES = np.ones


def ids(*values):
    return np.array(values)


# function, arguments, the kind of error, and what the sentence must say (one line each, however long)
WRONG = [
    ("scaled_dot_product_attention", (ONES((2, 3)), ONES((5, 4)), ONES((5, 6))), ValueError, "K has shape (5, 4) and Q has shape (2, 3): both end in d, so their last axes must be equal."),
    ("scaled_dot_product_attention", (ONES((2, 3)), ONES((5, 3)), ONES((4, 6))), ValueError, "V has shape (4, 6) and K has shape (5, 3): S is 4 in V (..., S, e), but 5 by K (..., S, d)."),
    ("scaled_dot_product_attention", (ONES(3), ONES((5, 3)), ONES((5, 6))), ValueError, "Q has shape (3,), but needs the axes (..., T, d): for a single row write Q[None, :]."),
    ("scaled_dot_product_attention", (ONES((2, 0)), ONES((5, 0)), ONES((5, 6))), ValueError, "Q has shape (2, 0): d is 0, and must be at least 1."),
    ("scaled_dot_product_attention", (ONES((2, 2, 3)), ONES((4, 5, 3)), ONES((4, 5, 6))), ValueError, "K has shape (4, 5, 3) and Q has shape (2, 2, 3): their leading axes must be equal or 1."),
    ("scaled_dot_product_attention", (ONES((2, 3)), ONES((5, 3)), ONES((5, 6)), ONES((2, 5))), TypeError, "mask must be boolean, with True where attention is allowed; got float64"),
    ("scaled_dot_product_attention", (ONES((2, 3)), ONES((5, 3)), ONES((5, 6)), ONES((5, 2), bool)), ValueError, "mask has shape (5, 2) and Q has shape (2, 3): T is 5 in mask (..., T, S), but 2 by Q (..., T, d)."),
    ("scaled_dot_product_attention", (ONES((2, 3)), ONES((5, 3)), ONES((5, 6)), ONES((3, 7, 5), bool)), ValueError, "mask has shape (3, 7, 5) and Q has shape (2, 3): T is 7 in mask (..., T, S), but 2 by Q (..., T, d)."),
    ("scaled_dot_product_attention", (ONES((2, 3)), ONES((4, 5, 3)), ONES((4, 5, 6)), ONES((3, 2, 5), bool)), ValueError, "mask has shape (3, 2, 5) and K has shape (4, 5, 3): their leading axes must be equal or 1."),
    ("self_attention", (ONES((4, 3)), ONES((3, 2)), ONES((4, 2)), ONES((3, 2))), ValueError, "W_k has shape (4, 2) and x has shape (4, 3): D is 4 in W_k (D, d), but 3 by x (..., T, D)."),
    ("soft_lookup", (ONES((1, 3)), ONES((5, 3)), ONES((5, 6))), ValueError, "q has shape (1, 3), but needs the axes (d,)."),
    ("soft_lookup", (ONES(4), ONES((5, 3)), ONES((5, 6))), ValueError, "K has shape (5, 3) and q has shape (4,): both end in d, so their last axes must be equal."),
    ("soft_lookup", (ONES(3), ONES((5, 3)), ONES((4, 6))), ValueError, "V has shape (4, 6) and K has shape (5, 3): S is 4 in V (S, e), but 5 by K (S, d)."),
    ("soft_lookup", (ONES(3), ONES((0, 3)), ONES((0, 6))), ValueError, "K has shape (0, 3): S is 0, and must be at least 1."),
    ("soft_lookup", (ONES(3), ONES((5, 3)), ONES((5, 6)), -1.0), ValueError, "temperature must be at least 0, got -1.0."),
    ("soft_lookup", (ONES(3), ONES((5, 3)), ONES((5, 6)), float("nan")), ValueError, "temperature must be at least 0, got nan."),
    ("soft_lookup", (ONES(3), ONES((5, 3)), ONES((5, 6)), "hot"), TypeError, "temperature must be one number, got str"),
    ("causal_mask", (-1,), ValueError, "length must be at least 0, got -1"),
    ("causal_mask", (2.5,), TypeError, "length must be an integer, got 2.5"),
    ("causal_mask", (True,), TypeError, "length must be an integer, got True"),
    ("padding_mask", (ids(2, 5), 4), ValueError, "from 0 to 4, got 2 to 5"),
    ("padding_mask", (ids(-1, 3), 4), ValueError, "from 0 to 4, got -1 to 3"),
    ("sliding_window_mask", (4, 0), ValueError, "window must be at least 1, got 0"),
    ("embed", (ids(0, 5), ONES((5, 2))), ValueError, "ids must be from 0 to 4, got 0 to 5; table is (5, 2)."),
    ("embed", (ids(0, 9), ONES((5, 2))), ValueError, "ids must be from 0 to 4, got 0 to 9; table is (5, 2)."),
    ("embed", (ids(-1, 2), ONES((5, 2))), ValueError, "ids must be from 0 to 4, got -1 to 2; table is (5, 2)."),
    ("embed", (ONES(2), ONES((5, 2))), TypeError, "ids must be integers, got float64"),
    ("linear", (ONES((4, 3)), ONES((2, 3))), ValueError, "weight has shape (2, 3) and x has shape (4, 3): D is 2 in weight (D, F), but 3 by x (..., D)."),
    ("linear", (np.array(1.0), ONES((2, 3))), ValueError, "x has shape (), but needs the axes (..., D)."),
    ("linear", (ONES((4, 3)), ONES((3, 2)), ONES(3)), ValueError, "bias has shape (3,) and weight has shape (3, 2): both end in F, so their last axes must be equal."),
    ("layer_norm", (ONES((4, 3)), ONES(4), ONES(3)), ValueError, "gain has shape (4,) and x has shape (4, 3): both end in D, so their last axes must be equal."),
    ("layer_norm", (ONES((4, 3)), ONES(1), ONES(3)), ValueError, "gain has shape (1,) and x has shape (4, 3): both end in D, so their last axes must be equal."),
    ("rms_norm", (ONES((4, 3)), ONES(4)), ValueError, "gain has shape (4,) and x has shape (4, 3): both end in D, so their last axes must be equal."),
    ("split_heads", (ONES((4, 6)), 4), ValueError, "num_heads is 4 and x has shape (4, 6): D/H is 6/4, which is not an integer."),
    ("split_heads", (ONES(6), 2), ValueError, "x has shape (6,), but needs the axes (..., T, D): for a single row write x[None, :]."),
    ("sinusoidal", (4, 5), ValueError, "d_model is 5: D/2 is 5/2, which is not an integer."),
    ("sinusoidal", (-4, 6), ValueError, "length must be at least 0, got -4"),
    ("sinusoidal_shift", (1, 5), ValueError, "d_model is 5: D/2 is 5/2, which is not an integer."),
    ("learned_positions", (6, ONES((5, 2))), ValueError, "length is 6 and table has shape (5, 2): T is 6, and must be from 0 to 5."),
    ("relative_bias", (ONES((2, 4)), 3), ValueError, "table has shape (2, 4): 2R+1 is 4 in table (H, 2R+1), which no integer gives."),
    ("relative_bias", (ONES((2, 5)), -1), ValueError, "length must be at least 0, got -1"),
    ("alibi_bias", (0, 3), ValueError, "num_heads must be at least 1, got 0"),
    ("rotary_angles", (4, 3), ValueError, "d_k is 3: d/2 is 3/2, which is not an integer. d: the width of one head, an even number."),
    ("apply_rotary", (ONES((4, 6)), ONES((4, 2))), ValueError, "angles has shape (4, 2) and x has shape (4, 6): d/2 is 2 in angles (T, d/2), but 3 by x (..., T, d)."),
    ("apply_rotary", (ONES((4, 5)), ONES((4, 2))), ValueError, "angles has shape (4, 2) and x has shape (4, 5): d/2 is 2 in angles (T, d/2), but 5/2 by x (..., T, d)."),
    ("dilated_window_mask", (4, 0), ValueError, "window must be at least 1, got 0"),
    ("dilated_window_mask", (4, 2, 0), ValueError, "dilation must be at least 1, got 0"),
    ("dilated_window_mask", (-1, 2), ValueError, "length must be at least 0, got -1"),
    ("global_mask", (4, -1), ValueError, "num_global must be at least 0, got -1"),
    ("layers_to_full_receptive_field", (ONES((2, 3), bool),), ValueError, "mask has shape (2, 3): T stands for 2 and for 3 in mask (T, T)."),
    ("online_softmax", (ONES((2, 3)), 0), ValueError, "chunk must be at least 1, got 0"),
    ("chunked_attention", (ONES((2, 3)), ONES((5, 3)), ONES((5, 6)), None, 0), ValueError, "chunk must be at least 1, got 0"),
    ("chunked_attention", (ONES((2, 3)), ONES((5, 4)), ONES((5, 6))), ValueError, "K has shape (5, 4) and Q has shape (2, 3): both end in d, so their last axes must be equal."),
    ("sliding_window_attention", (ONES((2, 3)), ONES((2, 3)), ONES((2, 6)), 0), ValueError, "window must be at least 1, got 0"),
    ("sliding_window_attention", (ONES((2, 3)), ONES((4, 3)), ONES((4, 6)), 2), ValueError, "K has shape (4, 3) and Q has shape (2, 3): T is 4 in K (..., T, d), but 2 by Q (..., T, d)."),
    ("cross_attention", (ONES((2, 3)), ONES((5, 4)), ONES((3, 6)), ONES((3, 6)), ONES((4, 7))), ValueError, "context has shape (5, 4) and x has shape (2, 3): both end in D, so their last axes must be equal."),
    ("linear_attention", (ONES((2, 3)), ONES((5, 4)), ONES((5, 6))), ValueError, "K has shape (5, 4) and Q has shape (2, 3): both end in d, so their last axes must be equal."),
    ("causal_linear_attention", (ONES((2, 3)), ONES((4, 3)), ONES((4, 6))), ValueError, "K has shape (4, 3) and Q has shape (2, 3): T is 4 in K (..., T, d), but 2 by Q (..., T, d)."),
    ("cross_entropy", (ONES((3, 4)), ids(1, 2)), ValueError, "targets has shape (2,) and logits has shape (3, 4): T is 2 in targets (..., T), but 3 by logits (..., T, V)."),
    ("cross_entropy", (ONES((2, 4)), ids(1, 4)), ValueError, "targets must be from 0 to 3 (or -100, which is not counted), got 1 to 4; logits is (2, 4)."),
    ("perplexity", (ONES((2, 4)), ids(1, -1)), ValueError, "got -1 to 1"),
    ("info_nce", (ONES((3, 4)), ONES((2, 4))), ValueError, "y has shape (2, 4) and x has shape (3, 4): B is 2 in y (B, D), but 3 by x (B, D)."),
    ("info_nce", (ONES((3, 4)), ONES((3, 4)), 0.0), ValueError, "temperature must be above 0, got 0.0"),
    ("retrieve", (ONES((3, 4)), ONES((2, 5))), ValueError, "y has shape (2, 5) and x has shape (3, 4): both end in D, so their last axes must be equal."),
    ("retrieve", (ONES((3, 4)), ONES((2, 4, 4))), ValueError, "y has shape (2, 4, 4), but needs the axes (S, D)."),
    ("retrieve", (ONES((3, 4)), ONES((0, 4))), ValueError, "y has shape (0, 4): S is 0, and must be at least 1."),
    ("conv1d", (ONES((2, 3)), ONES((3, 3, 4)), ONES(4)), ValueError, "weight has shape (3, 3, 4) and x has shape (2, 3): W is 3, and must be from 1 to 2."),
    ("toeplitz", (ONES((3, 3, 4)), 2), ValueError, "length is 2 and weight has shape (3, 3, 4): T is 2, and must be at least 3."),
    ("patchify", (ONES((9, 8, 1)), 4), ValueError, "patch_size is 4 and images has shape (9, 8, 1): R/P is 9/4, which is not an integer."),
    ("unpatchify", (ONES((5, 16)), 8, 8, 4), ValueError, "patches has shape (5, 16), height is 8, patch_size is 4 and width is 8: R/P·C/P is 5 in patches (..., R/P·C/P, P·P·c), but 4 by height and patch_size and width."),
    ("unpatchify", (ONES((4, 15)), 8, 8, 4), ValueError, "patches has shape (4, 15) and patch_size is 4: P·P·c is 15 in patches (..., R/P·C/P, P·P·c), but P is 4: this does not divide."),
    ("attention_gradients", (ONES((2, 6)), ONES((2, 3)), ONES((5, 4)), ONES((5, 6)), ONES((2, 5))), ValueError, "K has shape (5, 4) and Q has shape (2, 3): both end in d, so their last axes must be equal."),
    ("cross_entropy_gradient", (ONES((3, 4)), ids(1, 2)), ValueError, "targets has shape (2,) and logits has shape (3, 4): T is 2 in targets (..., T), but 3 by logits (..., T, V)."),
    ("layer_norm_gradients", (ONES((4, 3)), ONES((4, 3)), {"gain": ONES(4)}), ValueError, 'parameters["gain"] has shape (4,) and dy has shape (4, 3): both end in D'),
    ("layer_norm_gradients", (ONES((5, 3)), ONES((4, 3)), {"gain": ONES(3)}), ValueError, "x has shape (4, 3) and dy has shape (5, 3): T is 4 in x (..., T, D), but 5 by dy (..., T, D)."),
    ("linear_gradients", (ONES((4, 2)), ONES((4, 3)), {"weight": ONES((2, 2))}), ValueError, 'parameters["weight"] has shape (2, 2) and x has shape (4, 3): D is 2 in'),
    ("linear_gradients", (ONES((5, 2)), ONES((4, 3)), {"weight": ONES((3, 2))}), ValueError, "x has shape (4, 3) and dy has shape (5, 2): T is 4 in x (..., T, D), but 5 by dy (..., T, F)."),
    ("embed_gradient", (ONES((2, 3)), ids(0, 5), 5), ValueError, "ids must be from 0 to 4, got 0 to 5"),
    ("embed_gradient", (ONES((3, 3)), ids(0, 1), 5), ValueError, "ids has shape (2,) and dx has shape (3, 3): T is 2 in ids (..., T), but 3 by dx (..., T, D)."),
    ("unbroadcast", (ONES((5, 3)), ONES((4, 3))), ValueError, "x has shape (4, 3) and gradient has shape (5, 3): their leading axes must be equal or 1."),
    ("unbroadcast", (ONES(3), ONES((4, 3))), ValueError, "A gradient (3,) cannot belong to an array (4, 3)"),
    ("feed_forward_gradients", (ONES((5, 2)), ONES((4, 2)), {}), ValueError, "x has shape (4, 2) and dy has shape (5, 2)"),
    ("embed_gradient", (ONES((2, 3)), ids(0, 1), -5), ValueError, "vocab_size must be at least 0, got -5"),
]  # fmt: skip


def found(name, modules):
    """Return the function of this name of a layer, None where it has no such function."""
    return next((vars(module)[name] for module in modules.values() if name in members(module)), None)


def both():
    for name, arguments, kind, says in WRONG:
        for layer, modules in (("maths", MATHS), ("nets", NETS)):
            function = found(name, modules)
            assert function or layer == "nets", f"maths has no {name}"
            given = [
                torch.from_numpy(a) if layer == "nets" and isinstance(a, np.ndarray) else a for a in arguments
            ]
            if function:
                yield pytest.param(function, given, kind, says, id=f"{layer}.{name}: {says}")


@pytest.mark.parametrize(("function", "arguments", "kind", "says"), list(both()))
def test_one_sentence_with_both_shapes(function, arguments, kind, says):
    with pytest.raises(kind, match=re.escape(says)) as raised:
        function(*arguments)
    sentence = str(raised.value)
    assert sentence[-1] == "."
    assert len(sentence) < 300


def test_lists_are_refused_by_name():
    attend = MATHS["attention"].scaled_dot_product_attention
    with pytest.raises(TypeError, match="Q must be an array, got list"):
        attend([[1.0]], ONES((1, 1)), ONES((1, 1)))
    with pytest.raises(
        TypeError, match="mask must be boolean, with True where attention is allowed; got list"
    ):
        attend(ONES((1, 1)), ONES((1, 1)), ONES((1, 1)), [[True]])


def test_softmax_takes_lists_and_whole_numbers():
    softmax = MATHS["softmax"].softmax
    np.testing.assert_allclose(softmax([0, 0]), [0.5, 0.5])
    np.testing.assert_allclose(softmax(np.array([1, 1, 1])), 1 / 3)
    assert softmax(np.float32([1, 2])).dtype == np.float32


def test_models_say_what_is_wrong():
    from clearhead.nets.heads import GroupedQueryAttention, MultiHeadAttention
    from clearhead.nets.models import GPT, EncoderDecoder, VisionTransformer

    with pytest.raises(ValueError, match="d_model 6 and num_heads 4"):
        MultiHeadAttention(6, 4)
    with pytest.raises(ValueError, match="num_heads 4 and num_groups 3"):
        GroupedQueryAttention(8, 4, 3)
    with pytest.raises(ValueError, match=r"length is 5 and table has shape \(4, 8\)"):
        GPT(9, 4, 8, 2, 1)(torch.zeros(1, 5, dtype=torch.long))
    with pytest.raises(ValueError, match="image_size 8 and patch_size 5"):
        VisionTransformer(8, 5, 1, 10, 8, 2, 1)
    with pytest.raises(ValueError, match="d_model is 9"):
        EncoderDecoder(9, 9, 3, 1)(torch.zeros(1, 2, dtype=torch.long), torch.zeros(1, 2, dtype=torch.long))
    with pytest.raises(TypeError, match="mask must be boolean"):
        MultiHeadAttention(8, 2)(torch.ones(3, 8), torch.ones(3, 8), torch.ones(3, 3))


def test_a_check_leaves_the_transforms_of_pytorch_alone():
    linear, Q, K, V = NETS["layers"].linear, torch.ones(4, 2, 3), torch.ones(4, 5, 3), torch.ones(4, 5, 6)
    compiled = torch.compile(linear, backend="eager", fullgraph=True)
    assert compiled(Q, torch.ones(3, 7)).shape == (4, 2, 7)
    assert torch.func.grad(lambda weight: linear(Q, weight).sum())(torch.ones(3, 7)).shape == (3, 7)
    assert torch.func.vmap(NETS["attention"].fast_attention)(Q, K, V).shape == (4, 2, 6)
    with pytest.raises(ValueError, match=r"K has shape \(5, 4\) and Q has shape \(2, 3\)"):
        torch.func.vmap(NETS["attention"].fast_attention)(Q, torch.ones(4, 5, 4), V)


def test_traceback_ends_at_the_call():
    """An error ends in the call not in the reader of the table."""
    linear = MATHS["layers"].linear
    assert pickle.loads(pickle.dumps(linear)) is linear
    with pytest.raises(ValueError) as raised:
        linear(ONES((4, 3)), ONES((2, 3)))
    assert len(str(raised.value).splitlines()) == 1
    assert [entry.name for entry in raised.traceback][1:] == ["keeping_the_contract"]
