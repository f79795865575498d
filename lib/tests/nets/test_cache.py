"""With keys and values kept, a GPT says what it says when it computes everything again."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from clearhead.maths.architectures import GPTConfig
from clearhead.maths.counting import kv_cache_bytes
from clearhead.maths.decoding import beam_search, generate
from clearhead.nets.cache import KeyValueCache, cached_step
from clearhead.nets.models import GPT

V, CONTEXT = 11, 9


def a_model(seed=0):
    """Return a GPT in float64 with weights so large that every token matters."""
    generator = torch.Generator().manual_seed(seed)
    model = GPT(V, CONTEXT, 8, 2, 3, generator=generator).double()
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(torch.randn(weight.shape, generator=generator, dtype=torch.float64) / 2)
    return model


MODEL = a_model()


def whole(ids):
    """Return the logits (V,) after a NumPy text, all computed again."""
    with torch.no_grad():
        return MODEL(torch.from_numpy(np.asarray(ids)))[-1].numpy()


def assert_close(found, expected):
    torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-10)


@given(st.lists(st.integers(1, CONTEXT), min_size=1, max_size=CONTEXT), st.integers(0, 3), st.integers(0, 99))
def test_a_text_in_pieces_is_the_whole_text(pieces, batch, seed):
    ids = torch.randint(V, (batch, CONTEXT), generator=torch.Generator().manual_seed(seed))
    cache, found = KeyValueCache(MODEL), []
    for piece in pieces:
        if cache.length < CONTEXT:
            new = ids[:, cache.length : cache.length + piece]
            found.append(cache.extend(new))
    assert_close(torch.cat(found, dim=1), MODEL(ids[:, : cache.length]).detach())


@given(st.integers(0, CONTEXT - 1), st.integers(1, CONTEXT), st.integers(0, 2), st.integers(0, 99))
def test_the_last_row_alone_is_the_last_row(kept, new, batch, seed):
    """Whether nothing is kept or much, whether one token is new or many: three ways to mask."""
    new = min(new, CONTEXT - kept)
    ids = torch.randint(V, (batch, kept + new), generator=torch.Generator().manual_seed(seed))
    cache, other = KeyValueCache(MODEL), KeyValueCache(MODEL)
    cache.extend(ids[:, :kept])
    other.extend(ids[:, :kept])
    found = cache.next_logits(ids[:, kept:])
    assert_close(found, other.extend(ids[:, kept:])[:, -1])
    assert_close(found, MODEL(ids)[:, -1].detach())


@given(st.integers(1, CONTEXT), st.integers(0, CONTEXT), st.integers(0, 99))
def test_forgetting_the_end_leaves_the_beginning(length, kept, seed):
    first, second = torch.randint(V, (2, CONTEXT), generator=torch.Generator().manual_seed(seed))
    cache, kept = KeyValueCache(MODEL), min(kept, length)
    cache.extend(first[:length])
    cache.crop(kept)
    if kept < CONTEXT:
        mixed = torch.cat([first[:kept], second[kept:]])
        assert_close(cache.extend(second[kept:]), MODEL(mixed)[kept:].detach())


def test_an_emptied_cache_takes_texts_of_another_shape():
    first, second = torch.arange(10).reshape(2, 5), torch.arange(8).reshape(4, 2)
    cache = KeyValueCache(MODEL)
    cache.extend(first)
    cache.crop(0)
    assert_close(cache.extend(second), MODEL(second).detach())


@given(st.lists(st.lists(st.integers(0, 1), min_size=1, max_size=CONTEXT), min_size=1, max_size=5))
def test_a_step_is_right_for_any_text_after_any_other(texts):
    step = cached_step(MODEL)
    for ids in texts:
        np.testing.assert_allclose(step(np.array(ids)), whole(ids), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("length", [0, 1, 20])
def test_generated_texts_are_equal(length):
    """Also past the context length, where the window slides and every position changes."""
    texts = [
        generate(step, [3, 1], length, np.random.default_rng(5), context_length=CONTEXT)
        for step in (whole, cached_step(MODEL))
    ]
    np.testing.assert_array_equal(*texts)
    assert len(texts[0]) == 2 + length


def test_beams_are_equal():
    for (a, p), (b, q) in zip(
        beam_search(whole, [3, 1], 5, 4), beam_search(cached_step(MODEL), [3, 1], 5, 4), strict=True
    ):
        np.testing.assert_array_equal(a, b)
        assert p == pytest.approx(q, abs=1e-9)


def test_a_step_computes_only_what_is_new(monkeypatch):
    lengths, next_logits = [], KeyValueCache.next_logits
    monkeypatch.setattr(
        KeyValueCache, "next_logits", lambda cache, ids: lengths.append(len(ids)) or next_logits(cache, ids)
    )
    generate(cached_step(MODEL), [3, 1, 4], 4, np.random.default_rng(0))
    assert lengths == [3, 1, 1, 1]


def test_the_cache_is_as_large_as_counted():
    cache = KeyValueCache(MODEL)
    cache.extend(torch.zeros(1, 5, dtype=torch.long))
    size = sum(rows.nbytes for rows in cache.keys + cache.values)
    assert size == kv_cache_bytes(GPTConfig(8, 2, 3, V, CONTEXT), 5, bytes_per_element=8)
    assert not any(rows.requires_grad for rows in cache.keys + cache.values)


def test_a_model_trained_further_needs_a_new_cache():
    """What is kept was made with the old weights."""
    model, ids = a_model(seed=3), torch.arange(4)
    cache = KeyValueCache(model)
    cache.extend(ids[:2])
    model.blocks[0].attention.key.weight.data.mul_(-1)
    assert (cache.extend(ids[2:]) - model(ids)[2:]).abs().max() > 1e-3
    assert_close(KeyValueCache(model).extend(ids), model(ids).detach())


def test_a_full_context_is_said():
    cache = KeyValueCache(MODEL)
    cache.extend(torch.zeros(CONTEXT - 1, dtype=torch.long))
    cache.extend(torch.zeros(1, dtype=torch.long))
    with pytest.raises(ValueError, match="full: it holds at most 9 tokens, 9 are kept and 1 more"):
        cache.extend(torch.zeros(1, dtype=torch.long))
    cache.crop(0)
    assert_close(cache.extend(torch.tensor([2])), MODEL(torch.tensor([2])).detach())


def test_wrong_use_is_said():
    cache = KeyValueCache(MODEL)
    cache.extend(torch.zeros(2, 3, dtype=torch.long))
    with pytest.raises(ValueError, match=r"texts of shape \(2,\), got ids \(3, 1\)"):
        cache.extend(torch.zeros(3, 1, dtype=torch.long))
    with pytest.raises(ValueError, match="holds 3 tokens, so it cannot keep 4"):
        cache.crop(4)
    with pytest.raises(ValueError, match=r"at least one, got ids \(2, 0\)"):
        cache.next_logits(torch.zeros(2, 0, dtype=torch.long))


def test_half_precision_steps():
    model = GPT(V, CONTEXT, 8, 2, 1).bfloat16()
    assert cached_step(model)([1, 2]).dtype == np.float32


def test_a_cache_without_its_past_is_found():
    """The proof can fail: kept keys that are lost give other logits."""
    cache, ids = KeyValueCache(MODEL), torch.arange(6)
    cache.extend(ids[:4])
    for rows in cache.keys:
        rows.zero_()
    assert (cache.extend(ids[4:]) - MODEL(ids)[4:]).abs().max() > 1e-3
