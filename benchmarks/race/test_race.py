"""Test the fast code against slow, obvious code: python -m pytest benchmarks/race."""

import itertools
from collections import Counter

import choose
import numpy as np
import pytest
import torch
import training
from recipe import Recipe, build, epochs, least

from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.optimizers import muon_step
from clearhead.maths.softmax import softmax
from clearhead.nets.layers import gelu, gelu_tanh
from clearhead.nets.models import GPT

from .cache import LaidOutCache
from .interpolated import InterpolatedGPT
from .modern import ModernGPT, SquaredReLU, causal_attention, rotary_cos_sin, shifted
from .muon import NEWTON_SCHULZ, POLAR_EXPRESS, StackedMuon, orthogonal
from .ngrams import NGrams

V, ORDER, PARTS, DISCOUNT = 4, 4, 3, 0.6
TEXT = np.random.default_rng(0).choice(V, size=200, p=[0.5, 0.3, 0.15, 0.05])


def shaken(model):
    """Return a model in float64 in which all parameters are random, including those that start at zero."""
    with torch.no_grad():
        for weight in model.double().parameters():
            weight.normal_(std=0.5, generator=torch.Generator().manual_seed(weight.numel()))
    return model


def slowly(text, row, left_out, order, least):
    """Return P(next | row) from counts in a dict, and the length of the longest context that was stored."""
    part = [1 + i * PARTS // len(text) for i in range(len(text))]
    text, row = [int(token) for token in text], [int(token) for token in row]
    chances, longest = np.full(V, 1 / V), 0
    for k in range(min(order, len(row)) + 1):
        context = row[len(row) - k :]
        after = [i for i in range(k, len(text)) if text[i - k : i] == context]
        if k and len(after) < least:
            break
        longest = k
        counts = Counter(text[i] for i in after if part[i] != left_out)
        n = max(counts.total(), 1)
        own = np.array([max(counts[x] - DISCOUNT, 0) / n for x in range(V)])
        chances = own + (1 - own.sum()) * chances
    return chances, longest


@pytest.mark.parametrize("least", [1, 3])
@pytest.mark.parametrize("left_out", range(PARTS + 1))
def test_the_counts_are_those_of_a_slow_loop(left_out, least):
    ngrams = NGrams(TEXT, V, ORDER, PARTS, DISCOUNT, least)
    rows = np.stack([np.random.default_rng(1).integers(V, size=9), TEXT[100:109]])
    P, length = ngrams.probabilities(rows + V * left_out, (0, 2, ORDER))
    for b, t in np.ndindex(rows.shape):
        for i, order in enumerate((0, 2, ORDER)):
            expected, longest = slowly(TEXT, rows[b, : t + 1], left_out, order, least)
            assert np.abs(P[b, t, i] - expected).max() < 1e-6
        assert length[b, t] == longest


def norm(x):
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5)


def brought(x, back):
    """Return rows with a quarter of the columns from each of `back` earlier rows, entry by entry."""
    quarter, found = x.shape[-1] // 4, np.zeros_like(x)
    for t, column in np.ndindex(*x.shape):
        n = column // quarter + 1 if column < back * quarter else 0
        found[t, column] = x[t - n, column] if t >= n else 0
    return found


@pytest.mark.parametrize("back", [0, 1, 2, 3])
def test_a_quarter_of_the_columns_comes_from_each_row_before(back):
    x = torch.randn(3, 6, 9, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    for rows, found in zip(x, shifted(x, back), strict=True):
        assert np.array_equal(found, brought(rows.numpy(), back))


@pytest.mark.parametrize("shape", [{}, {"d_k": 2, "d_v": 3, "d_ff": 10}, {"back": 2}])
def test_a_block_is_its_equations(shape):
    block, T, d, e = (
        shaken(ModernGPT(7, 12, 3, 2, **shape)).blocks[0],
        6,
        shape.get("d_k", 4),
        shape.get("d_v", 4),
    )
    x = torch.randn(T, 12, dtype=torch.float64, generator=torch.Generator().manual_seed(3))
    turns_a_token = torch.tensor([1.0, 0.01], dtype=torch.float64)[: d // 2]
    angles = torch.arange(T, dtype=torch.float64)[:, None] * turns_a_token
    got = block(x, *rotary_cos_sin(angles)).detach().numpy()

    weight = {name: p.detach().numpy().T for name, p in block.named_parameters()}
    x, z = x.numpy(), angles.numpy()
    y = brought(norm(x), shape.get("back", 0))
    QK, values = y @ weight["query_key.weight"], y @ weight["value.weight"]
    heads = []
    for h in range(3):
        q, k = (norm(QK[:, start : start + d]) for start in (h * d, (3 + h) * d))
        turn = [np.exp(1j * z) * (y[:, : d // 2] + 1j * y[:, d // 2 :]) for y in (q, k)]
        S = (turn[0] @ turn[1].conj().T).real / np.sqrt(d)
        heads.append(softmax(np.where(np.tri(T) > 0, S, -np.inf)) @ values[:, h * e : (h + 1) * e])
    assert weight["up.weight"].shape == (12, shape.get("d_ff", 48))
    y = x + np.concatenate(heads, axis=-1) @ weight["output.weight"]
    up = brought(norm(y), shape.get("back", 0)) @ weight["up.weight"]
    y = y + np.maximum(up, 0) ** 2 @ weight["down.weight"]
    assert np.abs(got - y).max() < 1e-10


def test_without_attention_a_block_sees_the_tokens_that_the_shift_brings_and_no_other():
    block = shaken(ModernGPT(7, 12, 3, 1, back=2, attention=False)).blocks[0]
    x = torch.randn(6, 12, dtype=torch.float64, generator=torch.Generator().manual_seed(3))
    other = x.clone()
    other[1] += torch.arange(12.0)
    moved = (block(x, None, None) != block(other, None, None)).any(dim=-1)
    assert moved.tolist() == [False, True, True, True, False, False]
    assert {name for name, _ in block.named_parameters()} == {"up.weight", "down.weight"}


@pytest.mark.parametrize("kind", ["learnt", "with counts"])
def test_no_token_sees_its_future(kind):
    ngrams = NGrams(TEXT, V, ORDER, PARTS)
    model = (
        ModernGPT(V, 12, 3, 2, pairs=True, back=2)
        if kind == "learnt"
        else InterpolatedGPT(ngrams, 12, 3, 2, (1, 4))
    )
    ids = torch.as_tensor(TEXT[:12])[None]
    other, model = ids.clone(), shaken(model)
    other[:, 7] = (other[:, 7] + 1) % V
    assert torch.equal(model(ids)[:, :7], model(other)[:, :7])
    assert not torch.allclose(model(ids)[:, 7:], model(other)[:, 7:])


@pytest.mark.parametrize("believed", [0, 1, 2])
def test_a_gate_that_believes_one_of_them_gives_that_one(believed):
    ngrams = NGrams(TEXT, V, ORDER, PARTS)
    model = shaken(InterpolatedGPT(ngrams, 12, 3, 2, orders=(1, 4)))
    with torch.no_grad():
        for layer in (model.said, model.gate, model.lengths):
            layer.weight.zero_()
        model.lengths.weight[:, believed] = 500.0
    marked = torch.as_tensor(ngrams.marked[:12])[None]  # read with the counts of the other parts
    P = torch.from_numpy(ngrams.probabilities(marked.numpy(), (1, 4))[0]).double()
    plain = ModernGPT.forward(model, marked % V).softmax(-1)
    assert torch.allclose(model(marked).exp(), [plain, P[:, :, 0], P[:, :, 1]][believed], atol=1e-9)


@pytest.mark.parametrize("activation", [gelu, gelu_tanh])
@pytest.mark.parametrize("texts", [1, 2])
def test_the_cache_writes_what_the_model_says(texts, activation):
    """Pieces of many sizes go beyond the space for 64 tokens, and a second text follows.

    One token of one text goes through NumPy.
    """
    model = shaken(GPT(11, 150, 8, 2, 3, activation=activation))
    cache = LaidOutCache(model)
    for seed in (1, 2):
        ids, found = torch.randint(11, (texts, 150), generator=torch.Generator().manual_seed(seed)), []
        cache.crop(0)
        for start, end in [(0, 10), (10, 64), (64, 65), (65, 128), (128, 129), (129, 150)]:
            alone = end - start == 1
            found.append(
                cache.next_logits(ids[:, start:end])[:, None] if alone else cache.extend(ids[:, start:end])
            )
        expected = model(ids).detach()
        torch.testing.assert_close(torch.cat(found, dim=1), expected, rtol=1e-10, atol=1e-10)
        for start, end in [(0, 10), (10, 64), (64, 149)]:  # of several tokens, the last alone is asked for
            cache.crop(start)
            found = cache.next_logits(ids[:, start:end])
            torch.testing.assert_close(found, expected[:, end - 1], rtol=1e-10, atol=1e-10)
        torch.testing.assert_close(cache.next_logits(ids[:, 149:]), expected[:, -1], rtol=1e-10, atol=1e-10)
        with pytest.raises(ValueError, match="context is full"):
            cache.next_logits(ids[:, :1])


def test_the_way_back_through_squared_relu_is_its_slope():
    x = torch.linspace(-2, 2, 8, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(SquaredReLU.apply, x)


@pytest.mark.parametrize("decay", [0.0, 0.5])
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_stacked_muon_is_that_of_numpy_and_of_pytorch(dtype, decay):
    """It equals NumPy's in float64, and PyTorch's in bfloat16 up to the order of sums.

    PyTorch's weights have the shape (outputs, inputs), and those of `muon_step` are transposed.
    """
    generator = torch.Generator().manual_seed(0)
    shapes = [(24, 16), (16, 24), (24, 16), (5, 20)]
    matrices = [torch.randn(shape, generator=generator, dtype=torch.float64) for shape in shapes]
    start = [matrix.clone() for matrix in matrices]
    theirs = [matrix.clone().requires_grad_() for matrix in matrices]
    weights, buffers = [m.numpy().T.copy() for m in matrices], [np.zeros(shape[::-1]) for shape in shapes]
    ours = [matrix.requires_grad_() for matrix in matrices]
    stacked = StackedMuon(ours, 0.02, [NEWTON_SCHULZ] * 5, dtype, decay=decay)
    pytorchs = torch.optim.Muon(theirs, 0.02, weight_decay=decay)
    for _ in range(5):
        for n, shape in enumerate(shapes):
            gradient = torch.randn(shape, generator=generator, dtype=torch.float64)
            ours[n].grad, theirs[n].grad = gradient, gradient.clone()
            weights[n], buffers[n] = muon_step(weights[n], gradient.numpy().T, buffers[n], weight_decay=decay)
        stacked.step()
        pytorchs.step()
    for mine, numpys, other, begun in zip(ours, weights, theirs, start, strict=True):
        assert (mine - other).norm() < 0.02 * (mine - begun).norm()
        exactly = np.abs(mine.detach().numpy().T - numpys).max() < 1e-8
        assert exactly == (dtype == torch.float64)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_attention_sees_the_past_alone_by_the_kernel_and_by_the_product(dtype):
    """PyTorch's kernel is used only in float32; NumPy is the witness of both ways."""
    generator = torch.Generator().manual_seed(0)
    Q, K, V = (torch.randn(2, 3, 6, 4, generator=generator).to(dtype) for _ in range(3))
    past = np.tril(np.ones((6, 6), dtype=bool))
    expected, _ = scaled_dot_product_attention(*(x.double().numpy() for x in (Q, K, V)), past)
    found = causal_attention(Q, K, V).double().numpy()
    assert np.abs(found - expected).max() < (0.03 if dtype == torch.bfloat16 else 1e-6)


def test_under_autocast_the_model_says_nearly_the_same():
    model = shaken(ModernGPT(V, 12, 3, 2, back=2)).float()
    ids = torch.as_tensor(TEXT[:12])[None]
    with torch.autocast("cpu", torch.bfloat16):
        found = model(ids)
    assert found.dtype == torch.bfloat16
    assert 1e-6 < (found.float() - model(ids)).norm() / model(ids).norm() < 0.05


def test_windows_hold_all_of_the_text_before_any_comes_again():
    drawn = epochs(np.arange(201), 10, 3, np.random.default_rng(0))
    inputs, targets = (np.concatenate(each) for each in zip(*itertools.islice(drawn, 14), strict=True))
    assert np.array_equal(inputs, inputs[:, :1] + np.arange(10))  # the text counts up
    assert np.array_equal(targets, inputs + 1)
    starts = inputs[:, 0]
    count = (200 - starts[0] % 10) // 10  # as many as have room, with a target behind the last
    first, second = starts[:count], starts[count : 2 * count - 1]
    for each in (first, second):
        assert len(set(each)) == len(each)
        assert len(set(each % 10)) == 1
        assert not np.array_equal(each, sorted(each))
    assert first[0] % 10 != second[0] % 10


@pytest.mark.parametrize(("late", "steps"), [(0, 180), (2, 163)])
def test_a_run_gets_as_many_steps_as_fit_into_a_time(late, steps, monkeypatch):
    """With 1 s and 0.1 s per step, 180 steps take 19 of 20 s; if one seed takes 21 s, all run again."""
    tried = []

    def ours(recipe, _text, seeds=(0, 1)):
        assert recipe.steps not in tried  # else it would try for ever
        tried.append(recipe.steps)
        return [{"wall": 1 + recipe.steps / 10 + late * seed, "steps": recipe.steps} for seed in seeds]

    monkeypatch.setattr(training, "ours", ours)
    assert [run["steps"] for run in training.in_time(Recipe(), "text", 20.0)] == [steps, steps]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("rank", [1, 128])
def test_three_best_polynomials_lift_small_directions_more_than_three_of_pytorchs(rank, dtype):
    """Singular values from 0.001 end between 0.13 and 1.87, the paper's bound."""
    generator = torch.Generator().manual_seed(0)
    left, right = (torch.linalg.qr(torch.randn(4, n, rank, generator=generator))[0] for n in (128, 512))
    values = torch.logspace(0, -3, rank)
    stack = (left * values / values.norm()) @ right.mT
    found, others = (
        torch.linalg.svdvals(orthogonal(stack, polynomials, dtype))[:, :rank]
        for polynomials in (POLAR_EXPRESS, [NEWTON_SCHULZ] * 3)
    )
    large = values / values.norm() > 1e-3
    assert found[:, large].min() > 0.13
    assert found.max() < 1.88
    assert rank == 1 or others[:, large].min() < 0.06


def test_the_scores_of_words_have_a_rate_of_their_own_and_embeddings_their_spread():
    """The first step of AdamW is as long as its learning rate, whatever the gradient is."""
    sizes = {"width": 12, "heads": 3, "layers": 2, "bfloat16": False}
    recipe = Recipe(**sizes, others_rate=0.02, words_factor=0.5, spread=0.25)
    model, optimizer, _ = build(recipe, None, 500)
    assert abs(model.tokens.weight.std().item() - 0.25) < 0.02
    before = {name: weight.detach().clone() for name, weight in model.named_parameters()}
    for weight in model.parameters():
        weight.grad = torch.randn_like(weight)
    optimizer.step()
    moved = {name: (weight - before[name]).abs().mean().item() for name, weight in model.named_parameters()}
    rates = {name: moved[name] for name in ("tokens.weight", "words.weight")}
    assert rates == pytest.approx({"tokens.weight": 0.02, "words.weight": 0.01}, rel=1e-3)
    assert min(moved.values()) > 0


def test_the_best_of_a_search_are_those_tried_with_most_seeds():
    rows = [{"rate": n, "loss": 2.0 - 0.1 * n} for n in range(choose.LEAST_TRIES)]
    assert choose.untried(rows[:-1]) == []  # of a short search nothing is tried again
    best = choose.untried(rows)
    assert [row["rate"] for row in best] == [7, 6, 5, 4]
    best[0] |= {"loss": 1.9, "seeds": 3}
    best[1] |= {"loss": 1.5, "seeds": 3}
    assert least(rows) == best[1]  # not the luckier one with a single seed
    assert choose.untried(rows) == best[2:]
