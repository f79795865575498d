"""Layouts: arrays go to the order of axes that a function wants, and come back."""

import numpy as np
import pytest

from clearhead.errors import UserError
from clearhead.verify import adapt
from clearhead.verify.entry_points import entry_points
from clearhead.verify.layout import parse, to_ours, to_theirs
from clearhead.verify.verifying import verify

X = np.arange(24).reshape(2, 3, 4)
AXES = ("H", "T", "d")
SIZES = {"H": 2, "T": 3, "d": 4}


@pytest.mark.parametrize(
    ("theirs", "shape"),
    [
        ("H T d", (2, 3, 4)),
        ("1 T H d", (1, 3, 2, 4)),
        ("T (H d)", (3, 8)),
        ("(d H) T 1", (8, 3, 1)),
        ("T B (1 H) d", (3, 2, 2, 4)),
    ],
)
def test_an_array_goes_there_and_back(theirs, shape):
    there = to_theirs(X, AXES, theirs)
    assert there.shape == shape
    assert np.array_equal(to_ours(there, AXES, theirs, SIZES), X)


def test_two_axes_that_share_one_are_in_order():
    assert to_theirs(X, AXES, "T (H d)")[0].tolist() == [0, 1, 2, 3, 12, 13, 14, 15]


def test_a_batch_has_another_second_item():
    there = to_theirs(X, AXES, "B H T d")
    assert np.array_equal(there[0], X)
    assert not np.array_equal(there[1], X)


def test_a_result_of_another_shape_is_refused():
    with pytest.raises(ValueError, match="4 axes"):
        to_ours(X, AXES, "1 H T d", SIZES)
    with pytest.raises(ValueError, match="does not fit"):
        to_ours(X, ("T", "d"), "1 T d", SIZES)


@pytest.mark.parametrize("text", ["", "T, d", "(T", "T (H (d))"])
def test_what_is_no_layout_is_refused(text):
    with pytest.raises(UserError, match="not a list of axes"):
        parse(text)


def test_a_layout_without_an_axis_is_refused():
    with pytest.raises(UserError, match="must contain the axes H T d"):
        to_theirs(X, AXES, "T d")


def softmax_over_the_batch(Q, K, V, mask):
    scores = Q @ K.mT / np.sqrt(Q.shape[-1])
    A = np.exp(np.where(mask, scores, -np.inf))
    return A / A.sum(axis=0) @ V


def test_mixing_the_items_of_a_batch_is_found():
    layout = {"Q": "B T d", "K": "B S d", "V": "B S e", "mask": "B T S", "result": "B T e"}
    found = verify(entry_points()["attention"], adapt(softmax_over_the_batch, layout=layout))
    assert not found.passed


@pytest.mark.parametrize("mask", ["blocked", "additive", "integers", lambda mask: 1 - mask])
def test_each_sense_of_a_mask_is_understood(mask):
    def attention(Q, K, V, mask):
        scores = Q @ K.T / np.sqrt(Q.shape[1])
        bias = {"b": lambda: np.where(mask, -np.inf, 0), "f": lambda: mask}.get(mask.dtype.kind)
        allowed = mask if kind == "integers" else 1 - mask
        scores = scores + (bias() if bias else np.where(allowed, 0, -np.inf))
        highest = np.maximum(scores.max(axis=1, keepdims=True), -1e300)
        e = np.exp(scores - highest)
        return e / np.maximum(e.sum(axis=1, keepdims=True), 1e-300) @ V

    kind = mask
    assert verify(entry_points()["attention"], adapt(attention, mask=mask)).status == "holds"


def unmasked_attention(q, k, v):
    scores = q @ k.T / np.sqrt(q.shape[1])
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ v


@pytest.mark.parametrize("arguments", [None, {"q": "Q", "k": "K", "v": "V"}])
def test_attention_without_a_mask_gets_unmasked_cases(arguments):
    entry = entry_points()["attention"]
    found = verify(entry, adapt(unmasked_attention, arguments))
    assert found.status == "holds"
    assert found.cases == 2 * 3 * 2
    assert any("a causal mask" in each for each in found.not_tried)
    unscaled = adapt(lambda q, k, v: unmasked_attention(q * np.sqrt(q.shape[1]), k, v), arguments)
    assert verify(entry, unscaled).mistake.name == "no_scaling"


def test_axes_that_must_be_equal_are_equal():
    def kernel(Q, K, V):
        assert Q.shape[1] == V.shape[1]
        return unmasked_attention(Q, K, V)

    entry = entry_points()["attention"]
    assert not verify(entry, adapt(kernel)).passed
    assert verify(entry, adapt(kernel, equal="d e")).status == "holds"
    unscaled = adapt(lambda Q, K, V: kernel(Q * np.sqrt(Q.shape[1]), K, V), equal="d e")
    assert verify(entry, unscaled).mistake.name == "no_scaling"


def test_plain_lists_are_understood():
    def softmax(z, axis):
        assert isinstance(z, list)
        z = np.array(z)
        e = np.exp(z - z.max(axis=axis, keepdims=True))
        return (e / e.sum(axis=axis, keepdims=True)).tolist()

    assert verify(entry_points()["softmax"], adapt(softmax, arrays="list")).status == "holds"


def test_cases_that_a_layout_cannot_express_are_told():
    right = entry_points()["layer_norm"].exercise.reference
    found = verify(entry_points()["layer_norm"], adapt(right, layout={"x": "T D", "result": "T D"}))
    assert found.status == "holds"
    assert any("a batch of sequences" in each for each in found.not_tried)
