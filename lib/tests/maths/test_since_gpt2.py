"""The parts of chapter 16: optimizers, experts, recurrences, bfloat16, scaling, the evaluator, the record."""

import numpy as np
import pytest
import torch

from clearhead.maths import linear_attention, llama, optimizers, quantization
from clearhead.maths.linear_attention import causal_linear_attention
from clearhead.maths.losses import fit_irreducible_loss, power_law
from clearhead.maths.softmax import softmax
from clearhead.maths.transformer import gated_feed_forward
from clearhead.nets.gpt_variant import (
    MODERN,
    GatedFeedForward,
    GPTVariant,
    GPTVariantBlock,
    GPTVariantConfig,
    scale_residual_init,
)
from clearhead.nets.models import GPT
from clearhead.pretrained.since_gpt2 import CHAIN_ENTROPY, chain_runs, record
from clearhead.text.chains import chain_entropy, sample_chains, zipf_chain
from clearhead.text.corpora import grammar
from clearhead.text.grammar import Grammar
from clearhead.training.excess import ExactEvaluator

RNG = np.random.default_rng(0)
COIN = Grammar({"SENTENCE": [("0.75", "a"), ("0.25", "b c")]})


@pytest.mark.parametrize("wrong", [None, "decay", "correction"])
def test_adamw_is_pytorchs_and_a_wrong_one_is_not(wrong):
    w, m, v = RNG.normal(size=(3, 4)), np.zeros((3, 4)), np.zeros((3, 4))
    theirs = torch.tensor(w, requires_grad=True)
    optimizer = torch.optim.AdamW([theirs], 0.05, (0.9, 0.99), weight_decay=0.3)
    for t in range(1, 8):
        g = RNG.normal(size=(3, 4))
        decay, count = (0.0 if wrong == "decay" else 0.3), (t + 5 if wrong == "correction" else t)
        w, m, v = optimizers.adamw_step(w, g, m, v, count, 0.05, decay)
        theirs.grad = torch.tensor(g)
        optimizer.step()
    assert np.allclose(w, theirs.detach(), atol=1e-12) == (wrong is None)


def test_clipping_is_pytorchs():
    for scale in (0.1, 10.0):
        g = scale * RNG.normal(size=(3, 4))
        theirs = torch.zeros(3, 4, dtype=torch.float64, requires_grad=True)
        theirs.grad = torch.tensor(g)
        torch.nn.utils.clip_grad_norm_([theirs], 1.0)
        assert np.allclose(optimizers.clip_grad_norm(g), theirs.grad, rtol=1e-5)


@pytest.mark.parametrize("shape", [(6, 9), (9, 6), (7, 7), (2, 5, 3)])
def test_newton_schulz_acts_on_singular_values_alone(shape):
    M = RNG.normal(size=shape)
    U, s, Vt = np.linalg.svd(M, full_matrices=False)
    s = s / np.sqrt((s**2).sum(axis=-1, keepdims=True))
    for _ in range(5):
        s = 3.4445 * s - 4.7750 * s**3 + 2.0315 * s**5
    assert np.allclose(optimizers.newton_schulz(M), (U * s[..., None, :]) @ Vt, atol=1e-5)


@pytest.mark.parametrize(("inputs", "outputs"), [(16, 64), (64, 16), (24, 16), (16, 24)])
def test_muon_steps_as_far_as_pytorchs_on_a_linear_layer(inputs, outputs):
    """PyTorch keeps (out, in) and the book (in, out): on the same map, the step must be the same."""
    W, B = RNG.normal(size=(inputs, outputs)), np.zeros((inputs, outputs))
    layer = torch.nn.Linear(inputs, outputs, bias=False, dtype=torch.float64)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor(W).mT)
    optimizer = torch.optim.Muon(layer.parameters(), lr=0.02, weight_decay=0.1)
    start = W
    for _ in range(5):
        G = RNG.normal(size=W.shape)
        W, B = optimizers.muon_step(W, G, B, weight_decay=0.1)
        layer.weight.grad = torch.tensor(G).mT
        optimizer.step()
    theirs = layer.weight.detach().mT.numpy()
    gap, way = np.abs(W - theirs).max(), np.abs(W - start).max()
    assert gap < 0.02 * way


def test_bfloat16_is_pytorchs_also_half_way_and_at_the_ends():
    bits = np.random.default_rng(1).integers(0, 2**32, size=20_000, dtype=np.uint64).astype(np.uint32)
    half = (bits & np.uint32(0xFFFF0000)) | np.uint32(0x8000)
    x = np.concatenate([bits, half]).view(np.float32)
    x = np.concatenate([x, np.array([0, -0.0, np.inf, -np.inf, np.nan, 3.4e38, 1e-45], dtype=np.float32)])
    theirs = torch.from_numpy(x).bfloat16().float().numpy()
    assert np.array_equal(quantization.to_bfloat16(x), theirs, equal_nan=True)


def test_experts_that_are_all_chosen_are_a_weighted_sum():
    x, E, D, F = RNG.normal(size=(5, 4)), 3, 4, 6
    p = {"router": (D, E), "up": (E, D, F), "down": (E, F, D)}
    p = {name: {"weight": RNG.normal(size=size)} for name, size in p.items()}
    y, gates = llama.mixture_of_experts(x, p, E)
    assert np.allclose(gates, softmax(x @ p["router"]["weight"]))
    by_loop = sum(
        gates[:, [e]] * (np.maximum(x @ p["up"]["weight"][e], 0) @ p["down"]["weight"][e]) for e in range(E)
    )
    assert np.allclose(y, by_loop)


def test_top_k_takes_k_even_where_scores_are_equal():
    assert (llama.top_k_gates(np.zeros((4, 6)), 2) == [0.5, 0.5, 0, 0, 0, 0]).all()


def test_balance_is_1_for_equal_use_and_e_for_one():
    turns = 40 * np.eye(6)[np.arange(12) % 6]
    assert np.isclose(llama.load_balancing_loss(turns, llama.top_k_gates(turns, 1)), 1)
    alone = 40 * np.eye(6)[np.zeros(12, dtype=int)]
    assert np.isclose(llama.load_balancing_loss(alone, llama.top_k_gates(alone, 1)), 6)


@pytest.mark.parametrize("k", [1, 2, 4])
def test_load_balancing_loss_is_that_of_transformers_divided_by_k(k):
    mixtral = pytest.importorskip("transformers.models.mixtral.modeling_mixtral")
    scores = RNG.normal(size=(50, 8))
    theirs = mixtral.load_balancing_loss_func((torch.tensor(scores),), 8, k)
    assert np.isclose(k * llama.load_balancing_loss(scores, llama.top_k_gates(scores, k)), theirs.item())


@pytest.mark.parametrize("k", [1, 2, 4])
def test_load_balancing_loss_of_k_busy_experts(k):
    alone = np.tile(40.0 * (np.arange(8) < k), (5, 1))
    assert np.isclose(llama.load_balancing_loss(alone, llama.top_k_gates(alone, k)), 8 / k)


@pytest.mark.parametrize("length", [1, 2, 3, 8, 13, 64])
def test_the_scan_is_the_recurrence(length):
    decay, x = RNG.uniform(-1, 1, size=(2, 3, length, 5))
    assert np.allclose(linear_attention.linear_scan(decay, x), linear_attention.linear_recurrence(decay, x))


def test_the_delta_rule_replaces_what_stood_under_a_key():
    K, V = np.eye(3)[[0, 1, 0]], RNG.normal(size=(3, 4))
    read = linear_attention.delta_rule(K, K, V, np.ones(3))
    assert np.allclose(read, V)  # the sum would give V[0] + V[2] in the last row
    assert np.allclose(linear_attention.delta_rule(K, K, V, np.zeros(3)), 0)


def test_linear_attention_is_a_linear_recurrence_without_decay():
    Q, K, V = RNG.normal(size=(3, 6, 4))
    from clearhead.maths.linear_attention import feature_map as phi

    table = (phi(K)[:, :, None] * V[:, None, :]).reshape(6, -1)
    kept = linear_attention.linear_scan(np.ones_like(table), table).reshape(6, 4, 4)
    total = linear_attention.linear_scan(np.ones((6, 4)), phi(K))
    Z = np.einsum("td,tde->te", phi(Q), kept) / (phi(Q) * total).sum(axis=-1, keepdims=True)
    assert np.allclose(Z, causal_linear_attention(Q, K, V))


def test_a_power_law_is_found_again_and_its_floor_too():
    sizes = np.array([10.0, 30, 100, 300, 1000])
    losses = 1.5 + 4 * sizes**-0.4
    assert np.allclose(power_law(sizes, losses, 1.5), (4, 0.4))
    assert abs(fit_irreducible_loss(sizes, losses) - 1.5) < 0.01
    assert power_law(sizes, losses, 1.0)[1] < 0.3  # a wrong floor, a wrong exponent
    with pytest.raises(ValueError, match="not above the floor"):
        power_law(sizes, losses, 2.0)


def test_all_sentences_and_its_probability():
    assert COIN.all_sentences() == [(["a"], 0.75), (["b", "c"], 0.25)]
    shares = np.array([share for _, share in grammar().all_sentences()])
    assert len(shares) == 188
    assert np.isclose(-(shares * np.log(shares)).sum(), grammar().entropy())
    with pytest.raises(ValueError, match="more than 100"):
        Grammar({"SENTENCE": [("0.5", "a"), ("0.5", "a SENTENCE")]}).all_sentences(100)


class Truth(torch.nn.Module):
    """The grammar itself as a model; `trust` below 1 spreads the rest over all words."""

    def __init__(self, rules, trust=1.0):
        super().__init__()
        self.rules, self.trust = rules, trust

    def forward(self, ids):
        V = len(self.rules.vocabulary)
        found = torch.zeros(*ids.shape, V, dtype=torch.float64)
        for b, row in enumerate(ids):
            words = [self.rules.vocabulary[i] for i in row[1:]]
            for t in range(len(row)):
                try:
                    p = self.rules.next_distribution(words[:t])
                except ValueError:  # padding
                    break
                found[b, t] = torch.from_numpy(self.trust * p + (1 - self.trust) / V)
        return found.log()


def test_the_truth_has_an_excess_of_0_and_doubt_costs():
    evaluator = ExactEvaluator(COIN)
    assert abs(evaluator.excess(Truth(COIN))) < 1e-6
    assert evaluator.excess(Truth(COIN, 0.9)) > 0.01


def test_a_chain_is_what_it_says():
    P = zipf_chain(5, 1.0, np.random.default_rng(0))
    entropy, often = chain_entropy(P)
    assert np.allclose(P.sum(axis=1), 1)
    assert np.allclose(often @ P, often)
    texts = sample_chains(P, 4000, 12, np.random.default_rng(1))
    assert abs(-np.log(P[texts[:, :-1], texts[:, 1:]]).mean() - entropy) < 0.02
    counts = np.zeros((5, 5))
    np.add.at(counts, (texts[:, :-1], texts[:, 1:]), 1)
    assert np.allclose(counts / counts.sum(axis=1, keepdims=True), P, atol=0.03)


def test_the_entropy_in_the_record_is_that_of_its_chain():
    assert np.isclose(
        chain_entropy(zipf_chain(64, 1.2, np.random.default_rng(0)))[0], CHAIN_ENTROPY, atol=1e-6
    )
    sizes, losses = chain_runs()
    assert losses.shape == (3, len(sizes))
    assert losses.min() > CHAIN_ENTROPY
    assert all(len(runs) == 3 for part in record().values() for runs in part.values())


def test_a_gpt_without_changes_is_our_gpt():
    generators = [torch.Generator().manual_seed(0) for _ in range(2)]
    ours, plain = (
        GPT(11, 7, 8, 2, 2, generator=generators[0]),
        GPTVariant(11, 7, 8, 2, 2, GPTVariantConfig(), generators[1]),
    )
    ids = torch.arange(7)[None]
    plain.load_state_dict(ours.state_dict())
    assert torch.allclose(ours(ids), plain(ids), atol=1e-6)
    assert not torch.allclose(ours(ids), GPTVariant(11, 7, 8, 4, 2, MODERN)(ids), atol=1e-6)


def test_no_token_of_the_changed_gpt_sees_its_future():
    model = GPTVariant(11, 7, 16, 4, 2, MODERN, torch.Generator().manual_seed(0)).double()
    ids = torch.arange(7)[None]
    other = ids.clone()
    other[0, 5] = 9
    a, b = model(ids), model(other)
    assert torch.equal(a[0, :5], b[0, :5])
    assert not torch.equal(a[0, 5:], b[0, 5:])


def test_the_gated_module_is_the_function_without_biases():
    module = GatedFeedForward(4, 6).double()
    p = {n: {"weight": getattr(module, n).weight.detach().numpy().T} for n in ("gate", "up", "down")}
    for each in p.values():
        each["bias"] = np.zeros(each["weight"].shape[1])
    x = RNG.normal(size=(3, 4))
    assert np.allclose(module(torch.tensor(x)).detach(), gated_feed_forward(x, p))


def test_gated_mlp_has_as_many_parameters_as_plain_one():
    """A gated part has as many numbers as the plain one."""
    plain, gated = (
        sum(p.numel() for p in GPTVariantBlock(24, 2, changes).feed_forward.parameters() if p.ndim == 2)
        for changes in (GPTVariantConfig(), GPTVariantConfig(gated=True))
    )
    assert plain == gated == 8 * 24**2


def test_scale_residual_init_divides_the_output_maps_only():
    plain, quiet = (
        GPTVariant(11, 7, 8, 2, 2, GPTVariantConfig(), torch.Generator().manual_seed(0)) for _ in range(2)
    )
    scale_residual_init(quiet)
    for (name, a), b in zip(plain.named_parameters(), quiet.parameters(), strict=True):
        writes = "attention.output.weight" in name or "down.weight" in name
        assert torch.allclose(a, b * (2 if writes else 1)), name


def change_after_one_step(width, factors, seed):
    """Return how much one step of Adam, a sign for each weight, changes hidden states and outputs."""
    g = torch.Generator().manual_seed(seed)
    x, stds = torch.randn(32, 16, generator=g), factors[:, 0] * [1 / 4, 64**-0.5, 64**-0.5]
    shapes = (16, width), (width, width), (width, 1)
    weights = [s * torch.randn(size, generator=g) for s, size in zip(stds, shapes, strict=True)]

    def states(weights):
        h = torch.relu(x @ weights[0])
        h = torch.relu(h @ weights[1])
        return h, factors[2, 2] * (h @ weights[2])

    for weight in weights:
        weight.requires_grad_()
    before = states(weights)
    (before[1] - 1).square().mean().backward()
    rates = 0.001 * factors[:, 1]
    after = states([w - rate * w.grad.sign() for w, rate in zip(weights, rates, strict=True)])
    return [(b - a).abs().mean().item() for a, b in zip(before, after, strict=True)]


@pytest.mark.parametrize("seed", range(3))
def test_mup_changes_states_equally_at_each_width(seed):
    """The coordinate check of Yang et al.; with the standard factors, the changes grow with the width."""
    widths = 64, 1024
    mup = [change_after_one_step(w, optimizers.mup_factors(w, 64), seed) for w in widths]
    m = np.sqrt(widths[1] / 64)
    standard = np.array([[1, 1, 1], [1 / m, 1, 1], [1 / m, 1, 1]])
    plain = [change_after_one_step(64, np.ones((3, 3)), seed), change_after_one_step(1024, standard, seed)]
    assert all(0.4 < wide / narrow < 2.5 for narrow, wide in zip(*mup, strict=True))
    assert all(wide / narrow > 5 for narrow, wide in zip(*plain, strict=True))
