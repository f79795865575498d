"""Choosing the next token: limits, ties, edge cases; texts token by token; beams against exhaustion."""

from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from clearhead.maths.decoding import (
    acceptance_rate,
    beam_search,
    generate,
    residual_distribution,
    speculative_sampling_step,
)
from clearhead.maths.llama import top_k_gates
from clearhead.maths.sampling import greedy, min_p, repetition_penalty, sample, temperature, top_k, top_p
from clearhead.maths.softmax import log_softmax, softmax

LOGITS = arrays(
    float, st.tuples(st.integers(1, 3), st.integers(1, 9)), elements=st.integers(-5, 5).map(float)
)
CUP = np.log([0.6, 0.3, 0.1])  # coffee, tea, soup


def test_entropies_of_temperature_by_hand():
    z = np.array([2.0, 1.0, 0.0])
    np.testing.assert_allclose(
        softmax(temperature(z, 2.0)), torch.softmax(torch.tensor(z) / 2, 0), atol=1e-12
    )
    weights = softmax(temperature(CUP, 0.5))
    np.testing.assert_allclose(weights, np.array([0.36, 0.09, 0.01]) / 0.46, atol=1e-12)


@given(LOGITS)
def test_temperature_limits(logits):
    cold = softmax(temperature(logits, 0))
    best = logits == logits.max(axis=-1, keepdims=True)
    np.testing.assert_allclose(cold, np.arange(logits.shape[-1]) == np.argmax(logits, axis=-1)[:, None])
    equal = best / best.sum(axis=-1, keepdims=True)  # the limit itself: equal logits share
    np.testing.assert_allclose(softmax(temperature(logits, 1e-9)), equal, atol=1e-12)
    np.testing.assert_allclose(softmax(temperature(logits, np.inf)), 1 / logits.shape[-1])
    np.testing.assert_allclose(softmax(temperature(logits, 1)), softmax(logits), atol=1e-12)


@given(LOGITS)
def test_entropy_rises_with_temperature(logits):
    def entropy(t):
        p = softmax(temperature(logits, t))
        return -(p * np.log(np.where(p > 0, p, 1))).sum(axis=-1)

    colder, hotter = entropy(0.5), entropy(1.5)
    assert (colder <= hotter + 1e-12).all()


def test_what_cannot_come_never_comes_at_any_temperature():
    logits = np.array([-np.inf, 1.0, 2.0])
    for t in (0, 1e-300, 1, 50, np.inf):
        sharpened = temperature(logits, t)
        assert not np.isnan(sharpened).any()
        assert softmax(sharpened)[0] == 0
    np.testing.assert_allclose(softmax(temperature(logits, np.inf)), [0, 0.5, 0.5])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, np.int8])
def test_temperature_0_is_greedy_where_logits_tie(dtype):
    """Rounded to bfloat16, logits tie in some rows of a real model: then, too, the first of them is taken."""
    draws = np.random.default_rng(0)
    logits = draws.integers(-3, 3, size=(500, 6)).astype(dtype)
    for _ in range(3):
        np.testing.assert_array_equal(sample(temperature(logits, 0), draws), greedy(logits))
    rounded = torch.from_numpy(draws.normal(size=(500, 300))).to(torch.bfloat16).float().numpy()
    np.testing.assert_array_equal(sample(temperature(rounded, 0), draws), greedy(rounded))
    assert (np.sort(rounded)[:, -1] == np.sort(rounded)[:, -2]).any()


RULES = {
    "temperature": lambda z: temperature(z, 0.7),
    "temperature 0": lambda z: temperature(z, 0),
    "temperature inf": lambda z: temperature(z, np.inf),
    "top_k": lambda z: top_k(z, 2),
    "top_k of all": lambda z: top_k(z, 9),
    "top_p": lambda z: top_p(z, 0.5),
    "top_p of 0": lambda z: top_p(z, 0),
    "top_p of 1": lambda z: top_p(z, 1),
    "min_p": lambda z: min_p(z, 0.1),
    "min_p of 0": lambda z: min_p(z, 0),
    "repetition_penalty": lambda z: repetition_penalty(z, np.array([0]), 2.0),
    "greedy": greedy,
    "sample": lambda z: sample(z, np.random.default_rng(0)),
    "generate": lambda z: generate(lambda ids: z, [1], 2, np.random.default_rng(0)),
    "beam_search": lambda z: beam_search(lambda ids: z, [1], 2, 2),
}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("kind", [list, np.array, lambda z: np.array(z, np.float32)])
@pytest.mark.parametrize(
    ("logits", "says"),
    [
        ([1.0, np.nan, 2.0], "NaN"),
        ([np.nan, 1.0, 1.0], "NaN"),
        ([np.nan, -np.inf, -np.inf], "NaN"),
        ([-np.inf, -np.inf, -np.inf], "No token can be drawn: a row of logits is -inf everywhere"),
        ([1.0, np.inf, 2.0], "logits must be at least -inf"),
    ],
)
def test_no_rule_lets_nan_or_an_empty_row_pass(rule, kind, logits, says):
    with pytest.raises(ValueError, match=says):
        RULES[rule](kind(logits))
    if rule not in ("repetition_penalty", "generate", "beam_search"):
        with pytest.raises(ValueError, match=says):
            RULES[rule](kind([[1.0, 2.0, 3.0], logits]))


def test_beam_search_refuses_what_a_later_step_leaves_empty():
    after = {1: [0.0, 0.0, 0.0], 2: [0.0, np.nan, 0.0]}
    with pytest.raises(ValueError, match="NaN"):
        beam_search(lambda ids: np.array(after[len(ids)]), [0], 2, 2)
    after[2] = [-np.inf] * 3
    with pytest.raises(ValueError, match="No token can be drawn"):
        beam_search(lambda ids: np.array(after[len(ids)]), [0], 2, 2)


def test_speculative_steps_refuse_nan():
    right, rng = np.array([0.5, 0.5]), np.random.default_rng(0)
    for p, q in [(right * np.nan, right), (right, right * [1, np.nan])]:
        for wrong in (
            lambda p, q: speculative_sampling_step(p, q, np.array(0), rng),
            acceptance_rate,
            residual_distribution,
        ):
            with pytest.raises(ValueError, match="holds NaN"):
                wrong(p, q)
    with pytest.raises(ValueError, match="No token can be drawn"):
        speculative_sampling_step(0 * right, 0 * right, np.array(0), rng)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.uint64, np.int64, bool, np.float16])
def test_rules_take_numbers_of_every_width(dtype):
    """A minus sign turns unsigned 0 into 0 and 1 into 255: what is small would come first."""
    logits = np.array([0, 1, 0] if dtype is bool else [0, 1, 2], dtype)
    exact = logits.astype(float)
    for rule in (lambda z: top_k(z, 1), lambda z: top_p(z, 0.5), lambda z: min_p(z, 0.9), greedy,
                 lambda z: temperature(z, 0), lambda z: temperature(z, 2.0),
                 lambda z: repetition_penalty(z, [0, 1], 2.0)):  # fmt: skip
        np.testing.assert_allclose(np.asarray(rule(logits), float), rule(exact), rtol=2e-3)
    gates = top_k_gates(logits[None].astype(dtype), 1)
    np.testing.assert_array_equal(gates, top_k_gates(exact[None], 1))


def test_extreme_logits_stay_numbers():
    for t in (0, 1e-310, 1, np.inf):
        assert softmax(temperature(np.array([1e300, -1e300, 1e4]), t)).sum() == pytest.approx(1)


def test_top_k_by_hand():
    logits = np.array([[1.0, 3.0, 2.0], [5.0, 4.0, 5.0]])
    inf = np.inf
    np.testing.assert_array_equal(top_k(logits, 1), [[-inf, 3, -inf], [5, -inf, -inf]])
    np.testing.assert_array_equal(top_k(logits, 2), [[-inf, 3, 2], [5, -inf, 5]])
    np.testing.assert_array_equal(top_k(logits, 3), logits)
    np.testing.assert_array_equal(top_k(logits, 99), logits)


@given(LOGITS, st.integers(1, 12))
def test_top_k_keeps_what_torch_keeps(logits, k):
    kept = top_k(logits, k)
    expected = torch.topk(torch.tensor(logits), min(k, logits.shape[-1])).values.numpy()
    np.testing.assert_array_equal(-np.sort(-kept, axis=-1)[:, : expected.shape[-1]], expected)
    assert ((kept > -np.inf).sum(axis=-1) == min(k, logits.shape[-1])).all()


def test_top_p_by_hand():
    def kept(p):
        return np.flatnonzero(top_p(CUP, p) > -np.inf).tolist()

    assert [kept(p) for p in (0, 0.6, 0.61, 0.9, 0.91, 1)] == [[0], [0], [0, 1], [0, 1], [0, 1, 2], [0, 1, 2]]
    np.testing.assert_array_equal(top_p(np.zeros(4), 0.5), [0, 0, -np.inf, -np.inf])


@given(LOGITS, st.sampled_from([0.0, 0.1, 0.35, 0.5, 0.77, 0.9, 0.999, 1.0]))
def test_top_p_equals_slow_loop(logits, p):
    """Top p is the smallest likely set by a slow loop."""
    for row, kept in zip(logits, top_p(logits, p), strict=True):
        weights, chosen, mass = softmax(row), [], 0.0
        for v in sorted(range(len(row)), key=lambda v: (-row[v], v)):
            if chosen and mass >= p - 1e-12 and p < 1:
                break
            chosen.append(v)
            mass += weights[v]
        assert np.flatnonzero(kept > -np.inf).tolist() == sorted(chosen)


def test_top_p_of_one_keeps_even_the_least_likely():
    logits = np.array([0.0, -50.0, -900.0])
    np.testing.assert_array_equal(top_p(logits, 1), logits)


def test_rows_are_cut_alone_whatever_stands_in_front():
    logits = np.random.default_rng(0).normal(size=(2, 3, 7))
    for cut in (lambda z: top_k(z, 3), lambda z: top_p(z, 0.7), lambda z: temperature(z, 0.3)):
        whole = cut(logits)
        for i, j in np.ndindex(2, 3):
            np.testing.assert_array_equal(whole[i, j], cut(logits[i, j]))


def test_greedy_takes_the_first_of_equals():
    assert greedy(np.array([[1.0, 2.0, 2.0], [3.0, 0.0, 3.0]])).tolist() == [1, 0]


def test_sample_draws_with_the_right_frequencies():
    logits = np.append(CUP, -np.inf)
    draws = sample(np.broadcast_to(logits, (40_000, 4)), np.random.default_rng(0))
    np.testing.assert_allclose(np.bincount(draws, minlength=4) / 40_000, [0.6, 0.3, 0.1, 0], atol=0.01)


def test_sample_by_hand():
    class Fixed:
        def random(self, size):
            return np.full(size, self.u)

    rng = Fixed()
    for rng.u, token in [(0.0, 1), (0.59, 1), (0.61, 2), (0.91, 4), (1 - 2**-53, 4)]:
        assert sample(np.array([-np.inf, *CUP[:2], -np.inf, CUP[2], -np.inf]), rng) == token


def test_sample_depends_on_rng_alone():
    logits = np.random.default_rng(0).normal(size=(5, 6))
    first, second = (sample(logits, np.random.default_rng(7)) for _ in range(2))
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: temperature(CUP, -1), "from 0 to inf, got -1"),
        (lambda: temperature(CUP, np.nan), "from 0 to inf, got nan"),
        (lambda: top_k(CUP, 0), "k must be at least 1, got 0"),
        (lambda: top_p(CUP, 1.5), "p must be from 0 to 1, got 1.5"),
        (lambda: top_p(CUP, -0.1), "p must be from 0 to 1, got -0.1"),
        (lambda: top_p(CUP, np.nan), "p must be from 0 to 1, got nan"),
        (lambda: sample(np.full(3, -np.inf), np.random.default_rng(0)), "No token can be drawn"),
        (lambda: sample(np.array([0, np.nan]), np.random.default_rng(0)), "holds NaN"),
        (lambda: generate(len, [], 3, np.random.default_rng(0)), r"ids has shape \(0,\)"),
        (lambda: generate(len, [[1, 2]], 3, np.random.default_rng(0)), r"ids has shape \(1, 2\)"),
        (lambda: beam_search(len, [1], 3, 0), "width must be at least 1, got 0"),
        (lambda: repetition_penalty([3.0, 2, 5], [-1], 2), "generated_ids must be from 0 to 2, got -1 to -1"),
        (lambda: repetition_penalty([3.0, 2, 5], [3], 2), "generated_ids must be from 0 to 2, got 3 to 3"),
        (lambda: generate(len, [1], 3, np.random.default_rng(0), context_length=0), "at least 1, got 0"),
        (lambda: generate(len, [1], 3, np.random.default_rng(0), context_length=-1), "at least 1, got -1"),
    ],
)
def test_clear_errors(wrong, says):
    with pytest.raises(ValueError, match=says):
        wrong()


TABLE = np.random.default_rng(5).normal(scale=2, size=(4, 4, 4))


def step(ids):
    """A model that looks at the last two tokens."""
    return TABLE[ids[-2] if len(ids) > 1 else 0, ids[-1]]


def test_generate_greedily_by_a_slow_loop():
    ids = [1]
    for _ in range(6):
        ids.append(int(np.argmax(step(ids))))
    cold = generate(lambda x: temperature(step(x), 0), [1], 6, np.random.default_rng(0))
    assert cold.tolist() == ids


def test_generate_stops_after_the_stop_token():
    for seed in range(20):
        ids = generate(step, [1, 3], 30, np.random.default_rng(seed), stop=2)
        new = ids[2:].tolist()
        assert new.count(2) == (new[-1] == 2)
        assert new[-1] == 2 or len(new) == 30
    assert generate(step, [2], 3, np.random.default_rng(0)).shape == (4,)
    assert generate(step, [2], 0, np.random.default_rng(0)).tolist() == [2]


def test_generate_shows_no_more_than_the_context():
    seen = []

    def watching(ids):
        seen.append(ids.tolist())
        return np.zeros(4)

    ids = generate(watching, [1, 2], 4, np.random.default_rng(0), context_length=3).tolist()
    assert seen == [ids[:2], ids[:3], ids[1:4], ids[2:5]]


def test_generate_leaves_the_prompt_alone():
    prompt = np.array([1, 2])
    generate(step, prompt, 3, np.random.default_rng(0))
    assert prompt.tolist() == [1, 2]


def every_text(prompt, length, stop):
    """Return all continuations with their log-probabilities, by writing all of them out."""
    texts = {}
    for tokens in product(range(4), repeat=length):
        ids, total = list(prompt), 0.0
        for token in tokens:
            total += log_softmax(step(ids))[token]
            ids.append(token)
            if token == stop:
                break
        texts[tuple(ids)] = total
    return texts


@pytest.mark.parametrize("stop", [None, 2])
@pytest.mark.parametrize("power", [0.0, 1.0])
def test_a_beam_wide_enough_misses_nothing(stop, power):
    texts = every_text([1], 4, stop)
    scores = {ids: total / (len(ids) - 1) ** power for ids, total in texts.items()}
    beams = {tuple(ids.tolist()): score for ids, score in beam_search(step, [1], 4, 4**4, stop, power)}
    assert set(beams) == set(texts)
    np.testing.assert_allclose([beams[ids] for ids in scores], list(scores.values()), atol=1e-12)
    np.testing.assert_allclose(list(beams.values()), sorted(scores.values(), reverse=True), atol=1e-12)


def test_a_beam_of_one_is_greedy():
    [(ids, _)] = beam_search(step, [1], 6, 1)
    assert (
        ids.tolist() == generate(lambda x: temperature(step(x), 0), [1], 6, np.random.default_rng(0)).tolist()
    )


def test_two_beams_find_what_greedy_misses():
    # From 0: token 1 has .6 and then only .5; token 2 has .4 and then 1.0. A trap for the greedy.
    after = {0: [0, 0.6, 0.4], 1: [0.5, 0.5, 0], 2: [1, 0, 0]}

    def trap(ids):
        with np.errstate(divide="ignore"):
            return np.log(after[int(ids[-1])])

    [(greedy_ids, greedy_score)] = beam_search(trap, [0], 2, 1)
    (best_ids, best_score), _ = beam_search(trap, [0], 2, 2)
    assert (greedy_ids.tolist(), np.exp(greedy_score)) == ([0, 1, 0], pytest.approx(0.3))
    assert (best_ids.tolist(), np.exp(best_score)) == ([0, 2, 0], pytest.approx(0.4))


def test_ended_beams_wait_and_the_search_ends_when_all_have():
    calls = []

    def stops(ids):
        calls.append(ids.tolist())
        return np.array([-np.inf, -np.inf, 0.0, -np.inf])

    [(ids, score)] = beam_search(stops, [1], 50, 3, stop=2)
    assert (ids.tolist(), score, len(calls)) == ([1, 2], 0.0, 1)
    assert beam_search(stops, [1], 0, 3)[0][0].tolist() == [1]


def test_ties_go_to_the_smaller_token():
    beams = beam_search(lambda ids: np.zeros(3), [0], 1, 3)
    assert [ids.tolist() for ids, _ in beams] == [[0, 0], [0, 1], [0, 2]]
