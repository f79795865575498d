"""What chapter 18 trains with: against PyTorch, against what is known exactly."""

import numpy as np
import pytest
import torch

from clearhead.maths.losses import cross_entropy
from clearhead.maths.low_rank import lora_linear, low_rank_error, merge_lora
from clearhead.maths.post_training import (
    dpo_loss,
    grpo_advantages,
    grpo_loss,
    grpo_weights,
    kl_regularized_policy,
    preference_loss,
    window_logits,
)
from clearhead.maths.softmax import log_softmax, softmax
from clearhead.nets import post_training as in_torch
from clearhead.targets import IGNORE
from clearhead.widgets import GamedReward


def policy(rng, W=3, V=7, F=5):
    up = {"weight": rng.normal(size=(W, V, F)), "bias": rng.normal(size=F)}
    return {"up": up, "down": {"weight": rng.normal(size=(F, V))}}


def weighted_surprise(ids, targets, weights, parameters):
    surprise = -log_softmax(window_logits(ids, parameters))[np.arange(len(ids)), targets]
    return (weights * surprise).sum()


def test_windows_see_their_tokens_place_by_place():
    rng = np.random.default_rng(0)
    parameters, ids = policy(rng), rng.integers(7, size=(4, 3))
    hidden = sum(parameters["up"]["weight"][place, ids[:, place]] for place in range(3))
    expected = np.tanh(hidden + parameters["up"]["bias"]) @ parameters["down"]["weight"]
    np.testing.assert_allclose(window_logits(ids, parameters), expected)


def test_weights_of_a_mask_give_the_masked_cross_entropy():
    rng = np.random.default_rng(0)
    parameters, ids, targets = policy(rng), rng.integers(7, size=(6, 3)), rng.integers(7, size=6)
    counts = np.array([0, 0, 1, 1, 0, 1])
    masked = np.where(counts, targets, IGNORE)
    loss = cross_entropy(window_logits(ids, parameters), masked)
    assert np.isclose(weighted_surprise(ids, targets, counts / 3, parameters), loss)


def test_what_is_merged_does_the_same():
    rng = np.random.default_rng(0)
    x, W, A, B = (rng.normal(size=s) for s in ((2, 5, 8), (8, 6), (8, 3), (3, 6)))
    np.testing.assert_allclose(x @ merge_lora(W, A, B, 0.5), lora_linear(x, W, A, B, 0.5))
    np.testing.assert_allclose(lora_linear(x, W, A, 0 * B), x @ W)


def test_no_matrix_of_a_rank_is_below_its_floor():
    rng = np.random.default_rng(0)
    change = rng.normal(size=(6, 4))
    U, s, Vt = np.linalg.svd(change, full_matrices=False)
    for rank in range(5):
        best = (U[:, :rank] * s[:rank]) @ Vt[:rank]
        floor = low_rank_error(change, rank)
        assert np.isclose(((change - best) ** 2).sum(), floor)
        for _ in range(50):
            A = U[:, :rank] + 0.1 * rng.normal(size=(6, rank))
            B = np.linalg.lstsq(A, change)[0] if rank else np.zeros((0, 4))
            assert ((change - A @ B) ** 2).sum() >= floor


def test_dpo_has_the_loss_and_the_gradient_of_autograd():
    rng = np.random.default_rng(0)
    won, lost, ref_won, ref_lost = rng.normal(size=(4, 11))
    inside = torch.tensor(0.3 * (won - ref_won - lost + ref_lost), requires_grad=True)
    theirs = -torch.nn.functional.logsigmoid(inside).mean()
    theirs.backward()
    assert np.isclose(dpo_loss(won, lost, ref_won, ref_lost, 0.3), theirs.item())
    step = 1e-6
    for i in range(3):
        more = won + step * np.eye(11)[i]
        slope = (dpo_loss(more, lost, ref_won, ref_lost, 0.3) - theirs.item()) / step
        assert np.isclose(slope, 0.3 * inside.grad[i].item(), atol=1e-5)
    assert np.isfinite(preference_loss(np.array([-2000.0]), np.array([2000.0])))


def test_no_policy_is_better_than_the_best():
    rng = np.random.default_rng(0)
    logits, reward, beta = rng.normal(size=8), rng.normal(size=8), 0.4
    reference = log_softmax(logits)

    def worth(policy):
        return (policy * (reward - beta * (np.log(policy) - reference))).sum()

    best = kl_regularized_policy(logits, reward, beta)
    assert np.isclose(best.sum(), 1)
    assert np.isclose(worth(best), beta * np.log((softmax(logits) * np.exp(reward / beta)).sum()))
    for _ in range(200):
        assert worth(softmax(np.log(best) + 0.1 * rng.normal(size=8))) <= worth(best)


def test_advantages_forget_a_constant_and_an_even_group_is_silent():
    rewards = np.random.default_rng(0).random((5, 8))
    np.testing.assert_allclose(grpo_advantages(rewards + 7), grpo_advantages(rewards))
    np.testing.assert_allclose(grpo_advantages(rewards).mean(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose(grpo_advantages(rewards, 0).std(axis=1), 1)
    assert (grpo_advantages(np.ones((2, 8))) == 0).all()


def group_of_tries(seed, moved=0.3):
    """Return tries of a policy that has moved away from the one that drew them, and from the reference."""
    rng = np.random.default_rng(seed)
    old = -2 * rng.random((4, 5))
    advantages = grpo_advantages(np.array([1.0, 0, 0, 1]))
    counted = np.arange(5) < np.array([[5], [3], [4], [2]])
    return old + moved * rng.normal(size=(4, 5)), old, old - 0.5 * rng.random((4, 5)), advantages, counted


def grpo_by_loop(log_p, old, reference, advantages, counted, epsilon, beta):
    total = 0.0
    for i in range(len(log_p)):
        terms = []
        for t in range(log_p.shape[1]):
            if counted[i, t]:
                ratio = np.exp(log_p[i, t]) / np.exp(old[i, t])
                cut = min(max(ratio, 1 - epsilon), 1 + epsilon)
                drift = np.exp(reference[i, t]) / np.exp(log_p[i, t])
                penalty = drift - np.log(drift) - 1
                terms.append(min(ratio * advantages[i], cut * advantages[i]) - beta * penalty)
        total += sum(terms) / len(terms)
    return -total / len(log_p)


@pytest.mark.parametrize(("epsilon", "beta"), [(0.2, 0.04), (0.05, 0.0), (0.2, 1.0)])
def test_grpo_equals_loop_and_autograd(epsilon, beta):
    """Grpo has the loss of a loop and the gradient of autograd."""
    for seed in range(5):
        given = group_of_tries(seed)
        assert np.isclose(grpo_loss(*given, epsilon, beta), grpo_by_loop(*given, epsilon, beta))
        tensors = [torch.tensor(each) for each in given]
        tensors[0].requires_grad_()
        in_torch.grpo_loss(*tensors, epsilon, beta).backward()
        weights = grpo_weights(*given, epsilon, beta)
        np.testing.assert_allclose(weights, -tensors[0].grad.numpy(), atol=1e-12)
        ratio = np.exp(given[0] - given[1])
        bound = np.where(given[3][:, None] > 0, ratio > 1 + epsilon, ratio < 1 - epsilon) & given[4]
        assert bound.any()  # otherwise the clip was not tested


def test_first_inner_step_of_grpo_is_the_plain_policy_gradient():
    """Where policy, old policy and reference are one, a token counts with the advantage of its try alone."""
    _, old, _, advantages, counted = group_of_tries(0)
    weights = grpo_weights(old, old, old, advantages, counted)
    lengths = counted.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(weights, np.where(counted, advantages[:, None] / lengths / 4, 0))


def test_kl_term_of_grpo_is_the_divergence_on_average():
    """Its mean over tokens that π draws is KL(π, π_ref), although each term is never negative."""
    rng = np.random.default_rng(0)
    log_p, log_ref = log_softmax(rng.normal(size=6)), log_softmax(rng.normal(size=6))
    ones = np.ones((1, 1), dtype=bool)
    terms = [grpo_loss(*np.reshape([p, p, r], (3, 1, 1)), np.zeros(1), ones, beta=1.0)
             for p, r in zip(log_p, log_ref, strict=True)]  # fmt: skip
    assert min(terms) >= 0
    assert np.isclose(np.exp(log_p) @ terms, np.exp(log_p) @ (log_p - log_ref))


def test_a_gamed_reward_peaks_where_the_covariance_is_zero():
    figure = GamedReward()
    given = {name: getattr(figure, name) for name in ("reference", "rewards", "truth")}
    pressures = np.linspace(0, 6, 601)
    found = [GamedReward.compute(**given, chosen=0, pressure=each) for each in pressures]
    real, together = (np.array([each[name] for each in found]) for name in ("real", "covariance"))
    slope = np.gradient(real, pressures)
    np.testing.assert_allclose(slope[1:-1], together[1:-1], atol=1e-3)
    peak = real.argmax()
    assert 100 < peak < 300
    assert together[peak - 2] > 0 > together[peak + 2]
    assert real[-1] < real[0]
    whole = [GamedReward.compute(**given, chosen=1, pressure=each) for each in pressures]
    assert min(each["covariance"] for each in whole) > 0
    assert np.isclose(whole[50]["real"], whole[50]["learned"])  # this model has room for the truth


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"truth": [1, 2]}, r"truth has shape \(2,\)"),
        ({"names": ["one"]}, r"rewards has shape \(2, 60\), but the figure needs \(1, 60\)"),
        ({"chosen": 2}, "chosen is 2, but there are 2 reward models"),
    ],
)
def test_a_gamed_reward_without_its_answers_is_refused(traits, says):
    with pytest.raises(ValueError, match=says):
        GamedReward(**traits)
