"""Numbers between NumPy and PyTorch: every dtype, every layout."""

import numpy as np
import pytest
import torch

from clearhead.nets.arrays import to_array, to_tensor
from clearhead.nets.models import GPT
from clearhead.pretrained.convert import to_arrays
from clearhead.text.batches import random_batches, sequential_batches
from clearhead.training import evaluate, train

REAL = [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.float8_e4m3fn, torch.float8_e5m2]
WHOLE = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint16]


@pytest.mark.parametrize("dtype", REAL + WHOLE)
def test_each_dtype_comes_back_with_its_numbers(dtype):
    tensor = torch.tensor([0, 1, 2, 3]).to(dtype)
    array = to_array(tensor)
    np.testing.assert_array_equal(array.astype(float), [0, 1, 1, 1] if dtype == torch.bool else [0, 1, 2, 3])
    again = to_tensor(array)
    assert again.dtype == (torch.int64 if array.dtype.kind in "iu" else torch.from_numpy(array).dtype)


def test_an_array_of_a_tensor_is_its_own():
    tensor = torch.ones(3, 2, requires_grad=True)
    array = to_array(tensor.mT)
    array += 1
    assert tensor.sum() == 6
    assert to_array(torch.ones(2, dtype=torch.cfloat).conj()).dtype == np.complex64


def read_only(array):
    array.flags.writeable = False
    return array


LAYOUTS = {
    "read-only": lambda x: read_only(x.copy()),
    "backwards": lambda x: x[::-1].copy()[::-1],
    "a column": lambda x: np.stack([x, x], axis=1)[:, 0],
    "another order of bytes": lambda x: x.astype(x.dtype.newbyteorder("S")),
    "broadcast": lambda x: np.broadcast_to(x, (3, len(x)))[1],
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8", "?"])
def test_each_layout_becomes_a_tensor_of_its_own(layout, dtype):
    array = np.array([0, 1, 0, 3]).astype(dtype)
    tensor = to_tensor(LAYOUTS[layout](array))
    np.testing.assert_array_equal(tensor.numpy().astype(dtype), array)
    assert tensor.dtype == (torch.int64 if array.dtype.kind in "iu" else torch.from_numpy(array).dtype)
    tensor.zero_()
    assert array.any()


def test_what_is_no_number_is_refused():
    with pytest.raises(TypeError, match="dtype <U1"):
        to_tensor(np.array(["a"]))
    with pytest.raises(ValueError, match="holds 18446744073709551615"):
        to_tensor(np.array([2**64 - 1], np.uint64))


def small_gpt(seed=0):
    return GPT(9, 4, 8, 2, 1, generator=torch.Generator().manual_seed(seed))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int16, np.int32, np.uint32, np.uint64, np.int64])
def test_a_model_learns_from_a_memory_map_of_every_width(tmp_path, dtype):
    numbers = np.random.default_rng(0).integers(9, size=99).astype(dtype)
    numbers.tofile(tmp_path / "ids")
    ids = np.memmap(tmp_path / "ids", dtype=dtype, mode="r")
    found = []
    for text in (ids, numbers.astype(np.int64)):
        model = small_gpt()
        train(model, random_batches(text, 4, 5, np.random.default_rng(1)), 3)
        found.append(evaluate(model, sequential_batches(text, 4, 8)))
    assert found[0] == found[1]


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int16, torch.int32, torch.uint16])
def test_a_model_learns_from_tensors_of_every_width(dtype):
    rows = torch.arange(8).reshape(2, 4).to(dtype)
    assert len(train(small_gpt(), [(rows, rows)], 1).losses) == 1


@pytest.mark.parametrize(
    ("dtype", "kind"),
    [(torch.bfloat16, np.float32), (torch.float16, np.float16), (torch.float64, np.float64)],
)
def test_the_weights_of_a_model_in_each_precision(dtype, kind):
    model = small_gpt().to(dtype)
    arrays = to_arrays(model)
    np.testing.assert_array_equal(arrays["tokens"], model.tokens.weight.detach().double().numpy())
    assert arrays["tokens"].dtype == kind
