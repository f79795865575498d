"""Drafts that change nothing in the text; cuts by comparison; a penalty that sees where zero lies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from clearhead.maths.decoding import (
    acceptance_rate,
    expected_tokens_per_iteration,
    residual_distribution,
    speculative_sampling_step,
)
from clearhead.maths.sampling import min_p, repetition_penalty
from clearhead.maths.softmax import softmax

DRAWS = 200_000
SEEDS = st.integers(0, 10_000)


def two_models(seed, V=9):
    rng = np.random.default_rng(seed)
    p, q = rng.dirichlet(np.ones(V)), rng.dirichlet(np.ones(V))
    p[seed % V] = 0  # what the large model never says
    return p / p.sum(), q


def counted(p, q, seed, choice=speculative_sampling_step):
    rng = np.random.default_rng(seed)
    drafted = rng.choice(len(q), size=DRAWS, p=q)
    said = choice(np.tile(p, (DRAWS, 1)), np.tile(q, (DRAWS, 1)), drafted, rng)
    return np.bincount(said, minlength=len(p)), (said == drafted).mean()


@pytest.mark.parametrize("seed", range(5))
def test_what_is_said_is_distributed_as_the_large_model(seed):
    p, q = two_models(seed)
    found, kept = counted(p, q, seed)
    possible = p > 0
    assert found[~possible].sum() == 0
    assert chisquare(found[possible], DRAWS * p[possible]).pvalue > 1e-4
    assert kept == pytest.approx(acceptance_rate(p, q), abs=0.005)


@pytest.mark.parametrize("wrong", ["afresh", "kept", "one in ten"])
def test_a_wrong_rule_is_found_out(wrong):
    p, q = two_models(3)

    def rule(p, q, drafted, rng):
        at = np.arange(len(drafted)), drafted
        kept = rng.random(len(drafted)) * q[at] < p[at]
        if wrong == "afresh":
            return np.where(kept, drafted, rng.choice(len(p[0]), size=len(drafted), p=p[0]))
        right = speculative_sampling_step(p, q, drafted, rng)
        return np.where(rng.random(len(drafted)) < 0.1, drafted, right) if wrong != "kept" else drafted

    found, _ = counted(p, q, 3, rule)
    assert chisquare(found[p > 0], found[p > 0].sum() * p[p > 0]).pvalue < 1e-9


@given(SEEDS)
def test_acceptance_is_one_minus_the_total_variation(seed):
    p, q = two_models(seed)
    assert acceptance_rate(p, q) == pytest.approx(1 - np.abs(p - q).sum() / 2)
    rest = residual_distribution(p, q)
    assert np.allclose(np.minimum(p, q) + (1 - acceptance_rate(p, q)) * rest, p)


def test_a_draft_that_is_the_model_is_always_kept():
    p, _ = two_models(1)
    assert counted(p, p, 0)[1] == 1
    assert np.array_equal(residual_distribution(p, p), p)


@pytest.mark.parametrize(("share", "drafted", "words"), [(0, 5, 1), (1, 5, 6), (0.5, 2, 1.75), (0.3, 0, 1)])
def test_expected_tokens_per_iteration_by_hand(share, drafted, words):
    assert expected_tokens_per_iteration(share, drafted) == pytest.approx(words)


def test_expected_tokens_per_iteration_by_drawing():
    kept = np.random.default_rng(0).random((100_000, 4)) < 0.7
    assert expected_tokens_per_iteration(0.7, 4) == pytest.approx(
        1 + kept.cumprod(axis=1).sum(axis=1).mean(), abs=0.02
    )


def test_min_p_is_that_of_transformers():
    from transformers import MinPLogitsWarper

    torch = pytest.importorskip("torch")
    z = 3 * np.random.default_rng(0).normal(size=(20, 30))
    for share in (0.01, 0.1, 0.5):
        theirs = MinPLogitsWarper(share)(None, torch.tensor(z)).numpy()
        assert np.array_equal(min_p(z, share), theirs)
    assert not np.array_equal(min_p(z, 0.2), theirs)


def test_min_p_at_its_ends():
    z = np.array([[1.0, 3, 3, -np.inf], [0, 0, 0, 0]])
    assert np.array_equal(min_p(z, 0), z)
    assert np.isfinite(min_p(z, 1)).tolist() == [[False, True, True, False], [True] * 4]


def test_repetition_penalty_equals_transformers():
    """The penalty is that of transformers and sees where zero lies."""
    from transformers import RepetitionPenaltyLogitsProcessor

    torch = pytest.importorskip("torch")
    z, said = 2 * np.random.default_rng(0).normal(size=12), np.array([3, 5, 3, 0])
    theirs = RepetitionPenaltyLogitsProcessor(1.4)(torch.tensor(said)[None], torch.tensor(z)[None])[0]
    assert np.allclose(repetition_penalty(z, said, 1.4), theirs)
    moved = softmax(repetition_penalty(z + 5, said, 1.4))
    assert np.abs(moved - softmax(repetition_penalty(z, said, 1.4))).max() > 0.01
