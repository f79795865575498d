"""The entry points: their references hold, their own mistakes are named, and their conventions are told."""

import tomllib

import numpy as np
import pytest

from clearhead.checks import edits
from clearhead.verify import adapt
from clearhead.verify.adapter import LOWEST
from clearhead.verify.entry_points import TABLE, entry_points
from clearhead.verify.verifying import CONVENTION, HOLDS, _future_seen, verify

ALL = entry_points()
TABLES = tomllib.loads(TABLE.read_text(encoding="utf-8"))


def test_there_are_at_least_forty():
    assert len(ALL) >= 40


@pytest.mark.parametrize("name", ALL)
def test_the_reference_and_other_right_answers_hold(name):
    entry = ALL[name]
    for function in (entry.exercise.reference, entry.make(entry.source), *entry.exercise.alternatives):
        for seed in (0, 17):
            found = verify(entry, adapt(function), seed)
            assert found.status == HOLDS, (function.__name__, found.mistake, found.explanations)


@pytest.mark.parametrize("name", ALL)
def test_cases_fit_the_axes_that_are_listed(name):
    entry = ALL[name]
    for case in entry.exercise.cases(np.random.default_rng(0)):
        sizes = {}
        for value, argument in zip(case.arguments, entry.inputs, strict=False):
            if argument.axes is not None:
                assert argument.axes_of(value) is not None, (case.name, argument, np.shape(value))
                for axis, size in zip(argument.axes_of(value), np.shape(value), strict=True):
                    assert sizes.setdefault(axis, size) == size, (case.name, argument)
        assert entry.is_valid(case.arguments), case.name


OWN = [
    (name, wrong.name)
    for name, table in TABLES.items()
    for wrong in edits.parse(table.get("wrong", ""), ALL[name].source)
]


@pytest.mark.parametrize(("name", "wrong"), OWN)
def test_each_wrong_answer_of_the_table_is_named(name, wrong):
    entry = ALL[name]
    source = next(each.source for each in entry.wrong if each.name == wrong)
    found = verify(entry, adapt(entry.make(source)), seed=3)
    assert found.verdict.certain
    assert found.mistake.name == wrong


@pytest.mark.parametrize(
    ("name", "convention"), [(name, each.name) for name, entry in ALL.items() for each in entry.conventions]
)
def test_each_convention_is_told_and_no_mistake(name, convention):
    entry = ALL[name]
    source = next(each.source for each in entry.conventions if each.name == convention)
    found = verify(entry, adapt(entry.make(source)), seed=3)
    assert found.status == CONVENTION
    assert [each.name for each in found.conventions] == [convention]


def test_norm_with_torch_std_is_told_with_its_factor():
    """The message states the factor that `torch.std` makes to PyTorch's own LayerNorm."""
    torch = pytest.importorskip("torch")
    told = {each.name: each.message for each in ALL["layer_norm"].conventions}["sample_standard_deviation"]
    assert "√((D − 1) / D) times those of PyTorch: 0.999 times for D = 512, and 0.87 times for D = 4" in told
    for width, factor in ((512, 0.999), (4, 0.87)):
        x = torch.randn(8, width, dtype=torch.float64)
        theirs = (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)
        ratio = theirs / torch.nn.functional.layer_norm(x, (width,), eps=0.0)
        assert torch.allclose(ratio, torch.tensor(((width - 1) / width) ** 0.5, dtype=x.dtype))
        assert abs(float(ratio.mean()) - factor) < 0.005


def test_a_mistake_is_named_under_a_convention():
    entry = ALL["rotary_with_cache"]
    halves = next(each for each in entry.readings if each.names == ("halves",))
    without_start = next(each for each in halves.exercise.mistakes if each.name == "no_start_position")
    found = verify(entry, adapt(without_start.answer))
    assert found.mistake.name == "no_start_position"
    assert found.verdict.certain
    assert [each.name for each in found.conventions] == ["halves"]


def test_mistake_is_named_where_a_convention_changes_the_same_expression():
    """The causal bias of ALiBi, whose distances are counted from the first key."""

    def alibi_bias(num_heads, length):
        slopes = 2.0 ** (-8 * np.arange(1, num_heads + 1) / num_heads)
        bias = -slopes[:, None, None] * np.broadcast_to(np.arange(length), (length, length))
        return np.where(np.tri(length, dtype=bool), bias, -np.inf)

    found = verify(ALL["alibi_bias"], adapt(alibi_bias))
    assert found.mistake.name == "queries_at_position_0"
    assert found.verdict.certain
    assert [each.name for each in found.conventions] == ["causal"]


def test_tokens_that_see_the_future_are_told_without_known_mistake():
    """Each token sees its own block of keys, later ones included, and the block before."""

    def sliding_window_attention(Q, K, V, window):
        block = np.arange(len(Q)) // max(window - 1, 1)
        hidden = (block[:, None] < block) | (block[:, None] > block + 1)
        scores = np.where(hidden, -np.inf, Q @ K.T / np.sqrt(Q.shape[1]))
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True) @ V

    found = verify(ALL["sliding_window_attention"], adapt(sliding_window_attention))
    assert found.mistake is None
    assert any(said.startswith("Tokens see the future") for said in found.explanations)


def test_references_and_small_pasts_let_no_token_see_the_future():
    for entry in (each for each in ALL.values() if each.causal):
        reference = adapt(entry.exercise.reference).answer(entry, "float64")
        drawn = [entry.exercise.cases(np.random.default_rng(seed)) for seed in range(3)]
        assert _future_seen(entry, reference, drawn) == []

    def only_itself_at_half_size(Q, K, V):
        return V[len(K) - len(Q) :] / 2

    found = verify(ALL["causal_attention"], adapt(only_itself_at_half_size))
    assert not found.passed
    assert not any(said.startswith("Tokens see the future") for said in found.explanations)


def test_an_error_is_not_hidden_by_results_of_few_digits():
    """The table of angles is too short for the case of large positions, and the results are rounded."""

    def rotary(Q, positions):
        speeds = 10000.0 ** (-np.arange(0, Q.shape[1], 2) / Q.shape[1])
        angles = np.outer(np.arange(100), speeds)[positions]
        c, s, a, b = np.cos(angles), np.sin(angles), Q[:, 0::2], Q[:, 1::2]
        return np.round(np.stack([a * c - b * s, a * s + b * c], axis=-1).reshape(Q.shape), 5)

    found = verify(ALL["rotary"], adapt(rotary))
    failed = [each.case.name for each in found.verdict.tried if not each.passed]
    assert failed == ["large positions"]
    assert "IndexError" in found.smallest.outcome.error


def test_a_text_is_shortened_to_the_character_that_is_lost():
    found = verify(ALL["tokenizer_round_trip"], adapt(lambda text: text.replace("\t", "").replace("猫", "?")))
    assert found.smallest.arguments[0] in ("\t", "猫")
    assert found.smallest.outcome.output in ("", "?")


def test_changed_arguments_are_noted_and_no_mistake():
    def gelu(x):
        x *= 0.5 * (1 + np.vectorize(__import__("math").erf)(x / np.sqrt(2)))
        return x

    found = verify(ALL["gelu"], adapt(gelu))
    assert found.status == HOLDS
    assert found.notes == ["It changes its argument `x` in place."]


def test_a_large_negative_logit_is_read_as_infinity():
    def top_k(z, k):
        kept = np.full(len(z), -1e10)
        best = np.argsort(-z)[:k]
        kept[best] = z[best]
        return kept

    found = verify(ALL["top_k"], adapt(top_k))
    assert found.status == HOLDS
    assert any("-1e+10 instead of minus infinity" in note for note in found.notes)


def test_no_case_has_a_logit_that_low():
    for entry in ALL.values():
        if entry.removes_logits:
            for seed in range(20):
                for case in entry.exercise.cases(np.random.default_rng(seed)):
                    assert np.min(case.arguments[0]) > LOWEST, (entry.name, case.name)


def test_a_function_that_computes_in_float32_is_noted():
    found = verify(
        ALL["softmax"], adapt(lambda z, axis: ALL["softmax"].exercise.reference(z.astype(np.float32), axis))
    )
    assert found.passed
    assert any("float32" in note for note in found.notes)


def test_an_overflow_in_float32_alone_is_found():
    """The sum of the squares of numbers near 10^20 overflows in float32, and not in float64."""

    def softmax(z, axis):
        e = np.exp(z - z.max(axis=axis, keepdims=True))
        weights = e / e.sum(axis=axis, keepdims=True)
        return weights if z.dtype == np.float64 else np.round(weights, 2)

    found = verify(ALL["softmax"], adapt(softmax))
    assert not found.passed
    assert found.dtype == "float32"
    assert found.mistake is None or "round" in found.mistake.name


def test_a_function_that_raises_is_an_error():
    found = verify(ALL["gelu"], adapt(lambda x: x.missing))
    assert found.status == "error"
    assert "missing" in found.smallest.outcome.error


def test_an_endless_loop_ends():
    def gelu(x):
        while True:
            pass

    found = verify(ALL["gelu"], adapt(gelu), seconds=0.2)
    assert not found.passed
