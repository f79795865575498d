"""What chapter 18 trains with: against PyTorch, against what is known exactly."""

import numpy as np
import pytest
import torch

from clearhead.maths.losses import cross_entropy
from clearhead.maths.low_rank import lora_linear, lora_merged, rank_floor
from clearhead.maths.post_training import (
    best_policy,
    dpo_loss,
    group_advantages,
    preference_loss,
    window_logits,
)
from clearhead.maths.softmax import log_softmax, softmax
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
    np.testing.assert_allclose(x @ lora_merged(W, A, B, 0.5), lora_linear(x, W, A, B, 0.5))
    np.testing.assert_allclose(lora_linear(x, W, A, 0 * B), x @ W)


def test_no_matrix_of_a_rank_is_below_its_floor():
    rng = np.random.default_rng(0)
    change = rng.normal(size=(6, 4))
    U, s, Vt = np.linalg.svd(change, full_matrices=False)
    for rank in range(5):
        best = (U[:, :rank] * s[:rank]) @ Vt[:rank]
        floor = rank_floor(change, rank)
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

    best = best_policy(logits, reward, beta)
    assert np.isclose(best.sum(), 1)
    assert np.isclose(worth(best), beta * np.log((softmax(logits) * np.exp(reward / beta)).sum()))
    for _ in range(200):
        assert worth(softmax(np.log(best) + 0.1 * rng.normal(size=8))) <= worth(best)


def test_advantages_forget_a_constant_and_an_even_group_is_silent():
    rewards = np.random.default_rng(0).random((5, 8))
    np.testing.assert_allclose(group_advantages(rewards + 7), group_advantages(rewards))
    np.testing.assert_allclose(group_advantages(rewards).mean(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose(group_advantages(rewards, 0).std(axis=1), 1)
    assert (group_advantages(np.ones((2, 8))) == 0).all()


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
