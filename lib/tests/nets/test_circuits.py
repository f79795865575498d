"""What heads do is measured right, and the small net that the book ships does what is said of it."""

import hashlib

import numpy as np
import pytest
import torch

import train_induction
from clearhead.checks import registry
from clearhead.maths.circuits import (
    ablate_head,
    attention_only,
    attention_weights,
    decompose_residual_stream,
    feature_recovery,
    induction_score,
    prefix_matching_score,
    previous_token_score,
    sparse_autoencoder,
)
from clearhead.maths.models import gpt
from clearhead.nets.circuits import AttentionOnly, SparseAutoencoder
from clearhead.nets.models import GPT
from clearhead.pretrained import induction
from clearhead.pretrained.convert import to_arrays

SMALL = dict(vocab_size=7, context_length=9, d_model=12, num_heads=3, num_layers=2)


def made(kind, seed=0):
    model = kind(**SMALL, generator=torch.Generator().manual_seed(seed)).double()
    ids = np.random.default_rng(seed).integers(7, size=(2, 9))
    return model, to_arrays(model), ids


def test_scores_by_a_slow_loop():
    A = np.random.default_rng(0).random((2, 3, 9, 9))
    np.testing.assert_allclose(
        previous_token_score(A), np.mean([A[..., t, t - 1] for t in range(1, 9)], axis=0)
    )
    for period in range(2, 9):
        looks = [A[..., t, t - period + 1] for t in range(period, 9)]
        np.testing.assert_allclose(induction_score(A, period), np.mean(looks, axis=0))


def test_prefix_matching_equals_induction_score_without_repeats():
    """Prefix matching is the induction score where letters come once a period."""
    A, rng = np.random.default_rng(1).random((3, 10, 10)), np.random.default_rng(2)
    ids = np.tile(rng.permutation(8)[:6], 2)[:10]
    np.testing.assert_allclose(prefix_matching_score(A, ids), induction_score(A, 6))
    assert prefix_matching_score(A, np.arange(10)).tolist() == [0, 0, 0]
    by_loop = sum(
        A[:, t, s] for t in range(10) for s in range(1, t + 1) if ids[s - 1] == ids[t] and s - 1 < t
    )
    np.testing.assert_allclose(prefix_matching_score(A, ids), by_loop / 4)


@pytest.mark.parametrize(("period", "length"), [(1, 8), (8, 8), (3, 3)])
def test_a_period_that_says_nothing_is_refused(period, length):
    with pytest.raises(ValueError, match=f"period must be from 2 to {length - 1}, got {period}"):
        induction_score(np.zeros((length, length)), period)


def test_the_residual_stream_is_the_sum_of_what_was_written():
    model, parameters, ids = made(AttentionOnly)
    parts = decompose_residual_stream(ids, parameters, 3)
    assert len(parts) == 2 + 2 * (3 + 1)
    np.testing.assert_allclose(
        parts.sum(axis=0) @ parameters["unembed"]["weight"], model(torch.as_tensor(ids)).detach(), atol=1e-12
    )


def test_numpy_and_pytorch_have_the_same_attention_weights():
    model, parameters, ids = made(AttentionOnly)
    np.testing.assert_allclose(
        attention_weights(ids, parameters, 3),
        model.attention_weights(torch.as_tensor(ids)).detach(),
        atol=1e-12,
    )


def test_ablated_head_of_last_block_is_missing_from_sum():
    """A silent head of the last block is missing from the sum."""
    _, parameters, ids = made(AttentionOnly)
    parts, U = decompose_residual_stream(ids, parameters, 3), parameters["unembed"]["weight"]
    for head in range(3):
        silent = attention_only(ids, ablate_head(parameters, 1, head, 3), 3)
        np.testing.assert_allclose(silent, (parts.sum(axis=0) - parts[6 + head]) @ U, atol=1e-12)


def test_head_of_gpt_can_be_ablated():
    """A head of a gpt can be silent too and nothing else changes."""
    model, parameters, ids = made(GPT)
    silent = ablate_head(parameters, 1, 2, 3)
    with torch.no_grad():
        model.blocks[1].attention.output.weight[:, 8:12] = 0
    np.testing.assert_allclose(gpt(ids, silent, 3), model(torch.as_tensor(ids)).detach(), atol=1e-12)
    assert silent["tokens"] is parameters["tokens"]
    assert parameters["blocks"][1]["attention"]["output"]["weight"].all()
    for head in (-1, 3, 9):
        with pytest.raises(IndexError, match=f"no head {head}: the heads are 0 to 2"):
            ablate_head(parameters, 0, head, 3)


def test_a_head_of_a_model_without_positions_can_be_silenced():
    """The real model of chapter 17 rotates its queries and keys, and has no table of positions."""
    attention = {name: {"weight": np.ones((6, 6))} for name in ("query", "key", "value", "output")}
    silent = ablate_head({"tokens": np.ones((5, 6)), "blocks": [{"attention": attention}]}, 0, 1, 3)
    weight = silent["blocks"][0]["attention"]["output"]["weight"]
    assert weight.sum(axis=1).tolist() == [6, 6, 0, 0, 6, 6]


def test_the_shipped_net_reaches_what_is_said_of_it():
    found = induction.checkpoints()
    assert found["steps"].tolist() == list(train_induction.MOMENTS)
    for moment in (0, 8, 19):
        accuracy, loss = train_induction.measure(induction.induction_parameters(moment))
        assert accuracy == pytest.approx(found["accuracy"][moment], abs=0.003)
        assert loss == pytest.approx(found["loss"][moment], abs=0.01)
    assert found["accuracy"][0] < 0.1 < 0.25 < found["accuracy"][3] < 0.3
    assert found["accuracy"][-1] > 0.98


def test_the_shipped_net_is_the_recorded_file_and_small():
    readme = induction.CHECKPOINTS.with_name("README.md").read_text("utf-8")
    assert hashlib.sha256(induction.CHECKPOINTS.read_bytes()).hexdigest() in readme
    found = induction.checkpoints()
    assert found["codes"].nbytes + found["scales"].nbytes < 120_000
    assert found["codes"].shape == (20, 4320)


def test_packing_keeps_each_number_within_half_a_step():
    parameters = to_arrays(AttentionOnly(**induction.SIZES, generator=torch.Generator().manual_seed(0)))
    codes, scales = induction.packed(parameters)
    again = induction.unpacked(codes, scales)
    assert again.keys() == parameters.keys()
    difference = again["blocks"][1]["output"]["weight"] - parameters["blocks"][1]["output"]["weight"]
    assert np.abs(difference).max() <= 0.5001 * scales[-2]


def test_javascript_and_pytorch_agree_on_the_shipped_weights(page):
    from clearhead.widgets import InductionHead

    figure = InductionHead()
    state = {name: getattr(figure, name) for name in ("tensors", "codes", "scales")}
    ids = np.random.default_rng(0).integers(16, size=24)
    code = """async ([text, state, ids]) => {
        const module = await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
        const { compute, unpacked } = module.default, model = { get: (name) => state[name] };
        return Array.from({ length: 20 }, (_, moment) =>
            compute({ parameters: unpacked(model, moment), ids, num_heads: 2 }).logits); }"""
    shown = np.array(page.evaluate(code, [figure._esm, state, ids.tolist()]))
    for moment in range(20):
        model = AttentionOnly(**induction.SIZES)
        load(model, induction.induction_parameters(moment))
        logits = model(torch.as_tensor(ids)[None]).detach().numpy()[0]
        np.testing.assert_allclose(shown[moment], logits, atol=1e-4)


def load(model, parameters):
    """Put arrays of `maths` into the twin of PyTorch."""
    with torch.no_grad():
        model.tokens.weight.copy_(torch.as_tensor(parameters["tokens"]))
        model.positions.weight.copy_(torch.as_tensor(parameters["positions"]))
        model.unembed.weight.copy_(torch.as_tensor(parameters["unembed"]["weight"]).mT)
        for block, arrays in zip(model.blocks, parameters["blocks"], strict=True):
            for name, part in arrays.items():
                getattr(block, name).weight.copy_(torch.as_tensor(part["weight"]).mT)


def test_gpt2_of_sheet_15_equals_transformers(monkeypatch):
    """The GPT-2 that sheet 15 asks for is the one of transformers."""
    from clearhead.sheets.capstone.shared import random_gpt2

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    transformers = pytest.importorskip("transformers")
    w = random_gpt2(np.random.default_rng(0), 11, 9, 12, 2)
    sizes = dict(vocab_size=11, n_positions=9, n_embd=12, n_layer=2, n_head=3)
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes, bos_token_id=0, eos_token_id=0))
    model = model.double().eval()
    with torch.no_grad():
        for name, weight in model.transformer.named_parameters():
            weight.copy_(torch.as_tensor(w[name]))
        ids = np.arange(9) % 11
        logits = model(torch.as_tensor(ids)[None]).logits[0].numpy()
    np.testing.assert_allclose(registry.exercise("15.numpy_gpt2").reference(ids, w, 3), logits, atol=1e-8)


def random_autoencoder(num_active, seed=0):
    module = SparseAutoencoder(6, 20, num_active, generator=torch.Generator().manual_seed(seed)).double()
    torch.nn.init.normal_(module.encoder.bias, generator=torch.Generator().manual_seed(seed + 1))
    torch.nn.init.normal_(module.decoder.bias, generator=torch.Generator().manual_seed(seed + 2))
    return module


@pytest.mark.parametrize("num_active", [1, 3, 25])
def test_sparse_autoencoder_against_a_loop_over_features(num_active):
    """For each state, the features are visited from the most active one, as the definition says."""
    module, x = random_autoencoder(num_active), np.random.default_rng(0).normal(size=(7, 6))
    parameters = to_arrays(module)
    encoder, decoder = parameters["encoder"], parameters["decoder"]
    reconstructed, codes = sparse_autoencoder(x, parameters, num_active)
    for row, found, activations in zip(x, reconstructed, codes, strict=True):
        expected, scores = (
            decoder["bias"].copy(),
            (row - decoder["bias"]) @ encoder["weight"] + encoder["bias"],
        )
        for feature in sorted(range(20), key=lambda i: -scores[i])[:num_active]:
            if scores[feature] > 0:
                expected += scores[feature] * decoder["weight"][feature]
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        assert 0 < np.count_nonzero(activations) <= num_active
    np.testing.assert_allclose(module(torch.tensor(x)).detach(), reconstructed, rtol=1e-12)
    np.testing.assert_allclose(module.codes(torch.tensor(x)).detach(), codes, rtol=1e-12)


def test_directions_of_a_dictionary_have_length_1():
    module = random_autoencoder(3)
    assert np.allclose(module.decoder.weight.detach().norm(dim=0), 1)
    with torch.no_grad():
        module.decoder.weight *= 3
    module.normalize()
    assert np.allclose(module.decoder.weight.detach().norm(dim=0), 1)


def test_feature_recovery_against_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics.pairwise")
    planted, found = (np.random.default_rng(seed).normal(size=(n, 4)) for seed, n in ((0, 9), (1, 5)))
    expected = metrics.cosine_similarity(planted, found).max(axis=1)
    np.testing.assert_allclose(feature_recovery(planted, found), expected)
    assert np.allclose(feature_recovery(planted, 3 * planted[::-1]), 1)
    assert (feature_recovery(planted, found[:0]) == -1).all()
