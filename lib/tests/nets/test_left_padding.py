"""A padded batch gives the answer of each text by itself: NumPy, PyTorch, cache, Llama, `transformers`."""

import numpy as np
import pytest
import torch

from clearhead.maths import llama, models
from clearhead.maths.masks import causal_padding_mask
from clearhead.maths.positions import padded_positions
from clearhead.nets.cache import KeyValueCache
from clearhead.nets.gpt_variant import MODERN, GPTVariant, GPTVariantConfig
from clearhead.nets.models import GPT
from clearhead.pretrained.convert import load, to_arrays
from support.shape_tables import Maker, entries

V, LONGEST = 11, 9
TEXTS = [[3, 1, 4, 1, 5], [2, 7], [9], [2, 6, 5, 3, 5, 8]]


def padded(left=True, extra=0):
    """Return ids and which of them are real, for texts of different length in one rectangle."""
    width = max(map(len, TEXTS)) + extra
    ids, real = np.zeros((len(TEXTS), width), int), np.zeros((len(TEXTS), width), bool)
    for row, text in enumerate(TEXTS):
        place = slice(width - len(text), None) if left else slice(len(text))
        ids[row, place], real[row, place] = text, True
    return ids, real


def small_gpt():
    generator = torch.Generator().manual_seed(0)
    model = GPT(V, LONGEST, 8, 2, 2, generator=generator).double()
    with torch.no_grad():
        for p in model.parameters():
            p += 0.3 * torch.randn(p.shape, generator=generator)
    return model.eval()


@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("extra", [0, 2, 5])
def test_a_batch_gives_the_answers_of_single_texts(left, extra):
    """Whatever is written at the padding, and also where the rectangle is wider than the context."""
    model = small_gpt()
    weights, (ids, real) = to_arrays(model), padded(left, extra)
    for noise in (0, 7):
        ids = np.where(real, ids, noise)
        in_numpy = models.gpt(ids, weights, 2, attention_mask=real)
        with torch.no_grad():
            in_torch = model(torch.from_numpy(ids), torch.from_numpy(real)).numpy()
        for row, text in enumerate(TEXTS):
            alone = models.gpt(np.array(text), weights, 2)
            np.testing.assert_allclose(in_numpy[row][real[row]], alone, atol=1e-12)
            np.testing.assert_allclose(in_torch[row][real[row]], alone, atol=1e-12)


def test_positions_count_the_real_tokens():
    real = np.array([[False, False, True, True], [True, True, False, False], [False] * 4])
    expected = [[0, 0, 0, 1], [0, 1, 1, 1], [0, 0, 0, 0]]
    np.testing.assert_array_equal(padded_positions(real), expected)
    mask = causal_padding_mask(real)
    assert mask.shape == (3, 1, 4, 4)
    for b, i, j in np.ndindex(3, 4, 4):
        assert mask[b, 0, i, j] == (j <= i and real[b, j])


def test_mask_and_positions_are_both_needed():
    """With learned positions, the mask alone changes about nothing: the tokens are read at other places."""
    model, (ids, real) = small_gpt(), padded(extra=2)
    ids, real = torch.from_numpy(ids), torch.from_numpy(real)
    where = torch.arange(ids.shape[1]).expand_as(ids)
    alone = [torch.log_softmax(model(torch.tensor([text]))[0, -1], -1) for text in TEXTS]

    def distance(**given):
        found = model(ids, **given)[:, -1].softmax(-1)
        return float(sum((found[i] - alone[i].exp()).abs().sum() / 2 for i in range(len(TEXTS))))

    with torch.no_grad():
        nothing, mask_alone = distance(), distance(attention_mask=real, position_ids=where)
        positions_alone = distance(position_ids=(real.cumsum(-1) - 1).clamp(min=0))
        both = distance(attention_mask=real)
    assert both < 1e-12 < 0.01 < min(nothing, mask_alone, positions_alone)


def test_positions_that_are_given_are_used():
    model = small_gpt()
    ids, turned = torch.tensor([[1, 2, 3]]), torch.tensor([[2, 1, 0]])
    weights = to_arrays(model)
    expected = models.gpt(ids.numpy(), weights, 2, position_ids=turned.numpy())
    np.testing.assert_allclose(model(ids, position_ids=turned).detach().numpy(), expected, atol=1e-12)
    assert not torch.allclose(model(ids, position_ids=turned), model(ids))
    torch.testing.assert_close(model(ids, position_ids=torch.arange(3)[None]), model(ids))


def test_attention_is_shown_for_a_padded_batch():
    model, (ids, real) = small_gpt(), padded()
    A = model.attention_weights(torch.from_numpy(ids), torch.from_numpy(real))
    hidden = ~torch.from_numpy(real)[None, :, None, None, :].expand(A.shape)
    assert not A[hidden].any()
    rows = torch.from_numpy(real)[None, :, None, :].expand(A.shape[:-1])
    torch.testing.assert_close(A.sum(-1)[rows], torch.ones(int(rows.sum()), dtype=torch.float64))


@pytest.mark.parametrize("chunks", [(6,), (3, 3), (1,) * 6, (5, 1)])
def test_a_cache_continues_a_padded_batch(chunks):
    model, (ids, real) = small_gpt(), padded()
    ids, real = torch.from_numpy(ids), torch.from_numpy(real)
    cache, start = KeyValueCache(model), 0
    for size in chunks:
        logits = cache.next_logits(ids[:, start : start + size], real[:, start : start + size])
        start += size
    texts = [list(text) for text in TEXTS]
    for _ in range(3):
        for row, text in enumerate(texts):
            torch.testing.assert_close(logits[row], model(torch.tensor([text]))[0, -1].detach())
            text.append(int(logits[row].argmax()))
        logits = cache.next_logits(torch.tensor([[text[-1]] for text in texts]))
    cache.crop(6)
    again = cache.next_logits(torch.tensor([[text[-3]] for text in texts]))
    torch.testing.assert_close(again[3], model(torch.tensor([texts[3][:-2]]))[0, -1].detach())
    cache.crop(0)
    torch.testing.assert_close(cache.extend(ids), model(ids).detach())


def test_a_cache_is_full_when_a_text_is():
    model, (ids, real) = small_gpt(), padded(extra=8)  # wider than the context, though no text is
    cache = KeyValueCache(model)
    cache.extend(torch.from_numpy(ids), torch.from_numpy(real))
    one = torch.ones(len(TEXTS), 1, dtype=torch.long)
    for _ in range(LONGEST - max(map(len, TEXTS))):
        cache.extend(one)
    with pytest.raises(ValueError, match="The context is full"):
        cache.extend(one)


def test_a_llama_needs_the_mask_only():
    weights = Maker(dict(V=V, D=12, H=4, G=2, d=6, F=7)).entries(entries("llama"))
    ids, real = padded(extra=3)
    found = llama.llama(ids, weights, 4, 2, attention_mask=real)
    without = llama.llama(ids, weights, 4, 2)
    for row, text in enumerate(TEXTS):
        alone = llama.llama(np.array(text), weights, 4, 2)
        np.testing.assert_allclose(found[row][real[row]], alone, atol=1e-9)
    assert not np.allclose(without[1][real[1]], llama.llama(np.array(TEXTS[1]), weights, 4, 2), atol=1e-3)


@pytest.mark.parametrize("changes", [GPTVariantConfig(), MODERN])
def test_a_changed_gpt_takes_a_padded_batch(changes):
    model = GPTVariant(V, 16, 8, 4, 2, changes, torch.Generator().manual_seed(0)).double().eval()
    ids, real = map(torch.from_numpy, padded(extra=3))
    found = model(ids, real)
    for row, text in enumerate(TEXTS):
        torch.testing.assert_close(found[row][real[row]], model(torch.tensor([text]))[0])
    if changes.rotary:
        with pytest.raises(ValueError, match="takes no position_ids"):
            model(ids, position_ids=ids)


def test_transformers_gives_the_same_for_a_padded_batch(tmp_path):
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=V, n_positions=LONGEST, n_embd=8, n_layer=2, n_head=2, initializer_range=0.5
    )
    theirs = transformers.GPT2LMHeadModel(config).eval()
    theirs.save_pretrained(tmp_path)
    ours, (ids, real) = load(tmp_path), padded(extra=2)
    ids, real = torch.from_numpy(ids), torch.from_numpy(real)
    positions = (real.cumsum(-1) - 1).clamp(min=0)
    with torch.no_grad():
        expected = theirs(ids, attention_mask=real.long(), position_ids=positions).logits
        found = ours(ids, attention_mask=real, position_ids=positions)
        torch.testing.assert_close(found[real], expected[real], rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(ours(ids, real)[real], expected[real], rtol=1e-4, atol=1e-5)
        for row, text in enumerate(TEXTS):
            alone = theirs(torch.tensor([text])).logits[0]
            torch.testing.assert_close(found[row][real[row]], alone, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("version", ["numpy", "torch"])
@pytest.mark.parametrize(
    ("mask", "says"),
    [
        (np.ones((4, 5), bool), "attention_mask"),
        (np.ones(6, bool), "attention_mask"),
        (np.ones((4, 6), int), "must be boolean"),
    ],
)
def test_a_mask_of_another_shape_or_dtype_is_refused(version, mask, says):
    model, (ids, _) = small_gpt(), padded()
    in_numpy, in_torch = to_arrays(model), [torch.from_numpy(x) for x in (ids, mask)]
    with pytest.raises((ValueError, TypeError), match=says):
        models.gpt(ids, in_numpy, 2, attention_mask=mask) if version == "numpy" else model(*in_torch)


def test_an_id_that_is_out_of_range_is_named():
    model = small_gpt()
    for wrong in (11, 400, -1):
        ids = torch.tensor([[1, wrong]])
        with pytest.raises(
            IndexError, match=f"Id {wrong} is out of range: the table has 11 rows, for ids 0 to 10"
        ):
            model(ids)
        with pytest.raises(ValueError, match=f"Id {wrong} is out of range"):
            KeyValueCache(model).extend(ids)
        with pytest.raises(ValueError, match=f"got -?1? ?t?o? ?{wrong}"):
            models.gpt(ids.numpy(), to_arrays(model), 2)
    with pytest.raises(ValueError, match="Id 9 is out of range: the table has 9 rows"):
        model(torch.tensor([[1]]), position_ids=torch.tensor([[9]]))
    with pytest.raises(TypeError, match="ids must be integers, got float32"):
        model(torch.ones(1, 2))


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.int16, torch.int32, torch.uint16])
def test_ids_of_every_width(dtype):
    model, ids = small_gpt(), torch.tensor([[1, 2, 3]])
    torch.testing.assert_close(model(ids.to(dtype)), model(ids))


def test_a_compiled_model_takes_ids():
    model, ids = small_gpt(), torch.tensor([[1, 2, 3]])
    compiled = torch.compile(model, backend="eager", fullgraph=True)
    torch.testing.assert_close(compiled(ids), model(ids))
