"""Diffusion, beside independent witnesses: attention, autograd, and the enumeration of all texts."""

from itertools import product

import numpy as np
import pytest
import torch

from clearhead.maths.attention import nadaraya_watson, scaled_dot_product_attention
from clearhead.maths.diffusion import (
    add_noise,
    classifier_free_guidance,
    euler_step,
    local_denoiser,
    masked_posterior,
    optimal_denoiser,
    parallel_unmasking_cost,
    score_from_denoiser,
)
from clearhead.nets.diffusion import (
    ConvolutionalDenoiser,
    Denoiser,
    DiffusionTransformer,
    denoising_loss,
)

RNG = np.random.default_rng(46)
IMAGES, X, SIGMA = RNG.normal(size=(7, 12)), RNG.normal(size=(4, 12)), 0.8


def test_optimal_denoiser_is_the_lookup_of_chapter_4():
    D, A = optimal_denoiser(X, IMAGES, SIGMA)
    np.testing.assert_allclose(D, nadaraya_watson(X, IMAGES, IMAGES, SIGMA), atol=1e-12)
    np.testing.assert_allclose(A.sum(-1), 1)


def test_optimal_denoiser_is_scaled_dot_product_attention():
    """One more entry of the keys holds -‖y‖²/2; the norm of the query cancels in the softmax."""
    Q = np.c_[X, np.ones(len(X))] * np.sqrt(13) / SIGMA**2
    K = np.c_[IMAGES, -(IMAGES**2).sum(-1) / 2]
    Z, weights = scaled_dot_product_attention(Q, K, IMAGES)
    D, A = optimal_denoiser(X, IMAGES, SIGMA)
    np.testing.assert_allclose(A, weights, atol=1e-12)
    np.testing.assert_allclose(D, Z, atol=1e-12)


def test_no_other_estimate_of_the_clean_image_is_better():
    """Over many draws, moving D in any direction makes the mean squared error larger."""
    rng = np.random.default_rng(0)
    clean = IMAGES[rng.integers(7, size=20_000)]
    D, _ = optimal_denoiser(add_noise(clean, rng.normal(size=clean.shape), SIGMA), IMAGES, SIGMA)
    best = ((D - clean) ** 2).sum(-1).mean()
    for move in 0.2 * rng.normal(size=(5, 12)):
        assert ((D + move - clean) ** 2).sum(-1).mean() > best
    for factor in (0.8, 0.9, 1.1, 1.2):
        assert ((factor * D - clean) ** 2).sum(-1).mean() > best


def test_score_is_the_gradient_of_the_log_density():
    x = torch.tensor(X, requires_grad=True)
    squared = ((x[:, None] - torch.tensor(IMAGES)) ** 2).sum(-1)
    torch.logsumexp(-squared / (2 * SIGMA**2), dim=-1).sum().backward()
    score = score_from_denoiser(X, optimal_denoiser(X, IMAGES, SIGMA)[0], SIGMA)
    np.testing.assert_allclose(score, x.grad, atol=1e-12)


def test_euler_steps_follow_the_exact_flow_of_one_image():
    """With a single image y, x(σ) - y is proportional to σ, so that steps of any length are exact."""
    y, noise = IMAGES[:1], RNG.normal(size=(1, 12))
    x = add_noise(y, noise, 3.0)
    for sigma, after in ((3.0, 1.7), (1.7, 0.4), (0.4, 0.0)):
        x = euler_step(x, optimal_denoiser(x, y, sigma)[0], sigma, after)
        np.testing.assert_allclose(x, add_noise(y, noise, after), atol=1e-12)


def test_local_denoiser_with_a_window_over_all_is_optimal():
    images, x = IMAGES.reshape(7, 3, 4), X.reshape(4, 3, 4)
    found = local_denoiser(x, images, SIGMA, 7)
    np.testing.assert_allclose(found.reshape(4, 12), optimal_denoiser(X, IMAGES, SIGMA)[0], atol=1e-12)


def test_local_denoiser_agrees_with_a_slow_loop():
    images, x = IMAGES.reshape(7, 3, 4), X.reshape(4, 3, 4)
    found = local_denoiser(x, images, SIGMA, 3)
    for r, c in product(range(3), range(4)):
        window = np.s_[:, max(r - 1, 0) : r + 2, max(c - 1, 0) : c + 2]
        near, patches = (each[window].reshape(len(each), -1) for each in (x, images))
        expected = nadaraya_watson(near, patches, images[:, r, c, None], SIGMA)[:, 0]
        np.testing.assert_allclose(found[:, r, c], expected, atol=1e-12)


@pytest.mark.parametrize(("guidance", "expected"), [(0, [0.0, 4.0]), (1, [1.0, 2.0]), (3, [3.0, -2.0])])
def test_guidance_lies_on_the_line_through_both(guidance, expected):
    found = classifier_free_guidance(np.array([1.0, 2.0]), np.array([0.0, 4.0]), guidance)
    np.testing.assert_allclose(found, expected)


# ---- Texts ----------------------------------------------------------------------------------------------
V, T = 3, 5
P, START = RNG.dirichlet(np.ones(V) / 2, size=V), RNG.dirichlet(np.ones(V))
TEXTS = np.array(list(product(range(V), repeat=T)))
CHANCE = START[TEXTS[:, 0]] * np.prod([P[TEXTS[:, t - 1], TEXTS[:, t]] for t in range(1, T)], axis=0)


def by_enumeration(ids, known):
    fits = CHANCE * (TEXTS[:, known] == ids[known]).all(-1)
    return np.array([[fits[TEXTS[:, t] == v].sum() for v in range(V)] for t in range(T)]) / fits.sum()


@pytest.mark.parametrize("pattern", list(product([False, True], repeat=T)))
def test_posteriors_are_those_of_all_texts(pattern):
    known = np.array(pattern)
    for ids in TEXTS[CHANCE > 0.01]:
        found = masked_posterior(ids, known, P, START)
        np.testing.assert_allclose(found, by_enumeration(ids, known), atol=1e-12)


def test_masked_tokens_are_not_looked_at():
    known = np.array([True, False, False, True, False])
    one, other = np.array([0, 1, 2, 1, 0]), np.array([0, 2, 0, 1, 2])
    np.testing.assert_array_equal(*(masked_posterior(ids, known, P, START) for ids in (one, other)))


def test_an_impossible_text_has_no_posterior():
    never = np.array([[0.0, 1.0], [1.0, 0.0]])
    found = masked_posterior(np.array([0, 0, 0]), np.array([True, False, True]), never, np.array([0.5, 0.5]))
    assert np.isfinite(found).all()
    impossible = masked_posterior(np.array([0, 0]), np.array([True, True]), never, np.array([0.5, 0.5]))
    assert not impossible.any()


def divergence(steps):
    """Return KL(chain ‖ generated), from the probabilities of all texts under both."""
    generated = np.ones(len(TEXTS))
    for step in np.unique(steps):
        known = steps < step
        for n, ids in enumerate(TEXTS):
            chances = by_enumeration(ids, known)
            generated[n] *= np.prod([chances[t, ids[t]] for t in np.flatnonzero(steps == step)])
    assert np.isclose(generated.sum(), 1)
    return (CHANCE * np.log(CHANCE / generated)).sum()


@pytest.mark.parametrize(
    "steps",
    [[0, 1, 2, 3, 4], [3, 0, 4, 1, 2], [0, 0, 1, 1, 2], [0, 1, 0, 1, 0], [1, 0, 1, 0, 1], [0, 0, 0, 0, 0]],
)
def test_cost_is_the_divergence_of_all_texts(steps):
    steps = np.array(steps)
    assert np.isclose(parallel_unmasking_cost(steps, P, START), divergence(steps), atol=1e-12)


def test_one_token_at_a_time_costs_nothing_in_any_order():
    for _ in range(20):
        assert abs(parallel_unmasking_cost(RNG.permutation(9), P, START)) < 1e-12


# ---- Networks -------------------------------------------------------------------------------------------
def networks():
    torch.manual_seed(0)
    return [DiffusionTransformer(8, 2, 1, 10, 16, 2, 2), ConvolutionalDenoiser(1, 10, 8, 2)]


@pytest.mark.parametrize("network", networks())
def test_before_training_only_the_linear_part_denoises(network):
    """With zero heads, D is the best linear estimate of independent pixels with variance σ_d²."""
    x, sigma = torch.randn(3, 8, 8, 1), torch.tensor([0.1, 1.0, 5.0])
    shrunk = 0.75**2 / (sigma**2 + 0.75**2)
    found = Denoiser(network, 0.75)(x, sigma, torch.tensor([0, 9, 10]))
    torch.testing.assert_close(found, shrunk[:, None, None, None] * x)


@pytest.mark.parametrize("network", networks())
def test_noise_level_and_class_reach_the_image(network):
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    denoiser, x = Denoiser(network, 0.75), torch.randn(1, 8, 8, 1)
    first = denoiser(x, torch.tensor([0.5]), torch.tensor([3]))
    for sigma, label in ((0.6, 3), (0.5, 4), (0.5, 10)):
        other = denoiser(x, torch.tensor([sigma]), torch.tensor([label]))
        assert (first - other).abs().max() > 1e-4


@pytest.mark.parametrize("network", networks())
def test_the_loss_weights_each_noise_level_alike(network):
    """Before training, where independent pixels have variance σ_d², the loss is 1 at each noise level."""
    images, labels = 0.75 * torch.randn(4000, 8, 8, 1), torch.zeros(4000, dtype=torch.int64)
    for sigma in (0.1, 1.0, 10.0):
        loss = denoising_loss(
            Denoiser(network, 0.75), images, labels, torch.full((4000,), sigma), torch.randn(images.shape)
        )
        assert abs(loss.item() - 1) < 0.02
