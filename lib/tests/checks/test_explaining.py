"""What a check says about all failed cases is true of each of them; where nothing is, it says nothing."""

import re
from dataclasses import replace

import numpy as np
import pytest

from clearhead.checks import diagnosis, feedback, registry, verdicts
from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.checks.explaining import explain, numbers
from clearhead.checks.explaining.numbers import format_number


def _exercise(reference, arguments, mistakes=()):
    """Return an exercise with these cases, drawn once for all."""
    cases = [Case(f"case {n}", each) for n, each in enumerate(arguments)]
    return Exercise("00.seen", "", reference, lambda rng: cases, ("",) * 3, mistakes, (), 1, 1)


def _told(exercise, answer):
    """Return what explains an answer's failed cases, as one string."""
    return " ".join(explain(diagnosis.diagnose(exercise, answer, 0)))


def _softmax(x):
    """Return each row as shares."""
    return np.exp(x) / np.exp(x).sum(axis=1, keepdims=True)


def _spread(x, y):
    """Return a table in which x and y do not play the same part."""
    return np.tanh(x)[:, None] + 3 * y**2


def test_explaining_numbers_that_overflow_warns_of_nothing(recwarn):
    """A warning of the check itself would look like one of the student's code."""
    exercise = _exercise(lambda x: 0 * x + 1, [(np.full(n, 1e38, dtype=np.float32),) for n in (3, 4, 5)])
    _told(exercise, lambda x: 0 * x + 2)
    assert recwarn.list == []


RNG = np.random.default_rng(0)
TABLES = [(RNG.normal(size=(n, m)), RNG.normal(size=(m, n))) for n, m in ((3, 4), (5, 2), (4, 7))]
PRODUCT = _exercise(lambda x, y: x @ y, TABLES)
SQUARES = [(RNG.normal(size=(n, n)),) for n in (3, 4, 5)]
TWICE = _exercise(lambda x: x + x.T @ x, SQUARES)
TWO = _exercise(lambda x: (x @ x, x.sum(axis=0)), SQUARES)
FOUR = _exercise(lambda x: (x @ x, x + x.T, x.sum(axis=0), x.sum(axis=1)), SQUARES)
PRODUCT_OF_SQUARES = _exercise(lambda x, y: x @ y, [(RNG.normal(size=(n, n)),) * 2 for n in (3,)] + TABLES)
KINDS = _exercise(
    lambda kind, n: n**2 if kind == "square" else n, [(k, n) for k in ("square", "line") for n in (2, 3, 5)]
)
SHARES = _exercise(lambda x: _softmax(x @ x), SQUARES)
CUT = _exercise(lambda x: np.maximum(x @ x, 0), SQUARES)
ROUNDED = _exercise(lambda x: np.floor(9 * x), SQUARES)
WORDS = _exercise(
    lambda text: text.split(), [("a warm cup of tea",), ("after a long day",), ("she sat down",)]
)
LETTERS = _exercise(lambda text: text.upper(), [("coffee",), ("tea",), ("soup",)])
OUTER = _exercise(lambda x, y: _spread(x, y), [(RNG.normal(size=n), RNG.normal(size=n)) for n in (3, 4, 6)])
TURNED = _exercise(lambda n, x: np.tanh(n * x), [(n, RNG.normal(size=4)) for n in (2, 3, 5)])
COUNTED = _exercise(lambda n, m: n * n * m, [(2, 3), (3, 7), (5, 4), (7, 2)])
CONFIG = _exercise(lambda sizes: np.tanh(sizes["n"]) + sizes["m"], [({"n": n, "m": 2},) for n in (1, 2, 3)])
MIXED = _exercise(lambda x: (x, [x]), [("a",), ("warm",), ("cup",)])
CUBES = _exercise(lambda x: np.tanh(x).cumsum(axis=2), [(RNG.normal(size=(n, n, n)),) for n in (3, 4)])
ONES = _exercise(lambda n: np.eye(n), [(4,), (5,), (6,)])
TRUTHS = _exercise(lambda n: np.tri(n, dtype=bool), [(3,), (4,)])
SEEN = {
    "a factor": (PRODUCT, lambda x, y: 3 * x @ y, "Every entry is 3 times the expected one."),
    "a share": (PRODUCT, lambda x, y: x @ y / 255, "Every entry is 1/255 times the expected one."),
    "a root": (PRODUCT, lambda x, y: x @ y * 2**0.5, "Every entry is √2 times the expected one."),
    "a size": (PRODUCT, lambda x, y: x @ y / x.shape[1], "the expected one divided by `x.shape[1]`."),
    "a factor a case": (
        PRODUCT,
        lambda x, y: x @ y * x[0, 0],
        "Every entry is the expected one times a factor that depends only on the case, such as 0.",
    ),
    "a term": (PRODUCT, lambda x, y: x @ y + 2, "Every entry is larger than expected by 2."),
    "nothing": (PRODUCT, lambda x, y: 0 * (x @ y), "All your entries are 0."),
    "a sign": (PRODUCT, lambda x, y: -(x @ y), "Every entry is the negative of the expected one."),
    "a function": (
        PRODUCT,
        lambda x, y: (x @ y) ** 2,
        "Every entry is the square of the expected one.",
    ),
    "one less": (PRODUCT, lambda x, y: 1 - x @ y, "Every entry is 1 minus the expected one."),
    "turned": (PRODUCT, lambda x, y: (x @ y).T, "Your result is the transpose of the expected one."),
    "upside down": (PRODUCT, lambda x, y: (x @ y)[::-1], "Your rows are right, but in reverse order."),
    "one late": (
        PRODUCT,
        lambda x, y: np.roll(x @ y, 1, axis=0),
        "Every expected row except the last one comes one position too late.",
    ),
    "one early": (
        PRODUCT,
        lambda x, y: np.roll(x @ y, -1, axis=0),
        "Every expected row except the first one comes one position too early.",
    ),
    "in a line": (PRODUCT, lambda x, y: (x @ y).ravel()[None], "in the right order, but the shape is wrong"),
    "shuffled": (
        PRODUCT,
        lambda x, y: (x @ y)[[1, 0, *range(2, len(x))]],
        "Your rows are right, but in the wrong order.",
    ),
    "too short": (
        PRODUCT,
        lambda x, y: (x @ y)[:-1],
        "Rows are missing at the end of your result; the rest is right.",
    ),
    "too long": (
        PRODUCT,
        lambda x, y: np.vstack([x @ y, y.T[:1] @ y]),
        "There are extra rows at the end of your result; the rest is right.",
    ),
    "not added up": (
        PRODUCT,
        lambda x, y: x[:, :, None] * y,
        "would be right if you took its sum along axis 1",
    ),
    "added up": (PRODUCT, lambda x, y: (x @ y).sum(axis=0), "is the sum of the expected one along axis 0"),
    "sorted": (PRODUCT, lambda x, y: np.sort(x @ y), "Every row is the expected row in ascending order."),
    "no softmax": (
        SHARES,
        lambda x: x @ x,
        "Every row would be right if you applied a softmax to it.",
    ),
    "softmax twice": (
        SHARES,
        lambda x: _softmax(_softmax(x @ x)),
        "Every row is the softmax of the expected row.",
    ),
    "not divided": (
        SHARES,
        lambda x: np.exp(x @ x),
        "Every row would be right if you divided it by its sum.",
    ),
    "a factor a row": (
        PRODUCT,
        lambda x, y: x @ y * np.arange(2, 2 + len(x))[:, None] ** 1.7,
        "Within each wrong row, all entries are off by the same factor.",
    ),
    "a term a column": (
        PRODUCT,
        lambda x, y: x @ y + np.arange(2, 2 + len(x)) ** 1.7,
        "Within each wrong column, all entries are off by the same amount.",
    ),
    "no cut": (CUT, lambda x: x @ x, "would be right if you replaced negative values by 0"),
    "not rounded": (ROUNDED, lambda x: 9 * x, "would be right if you rounded it down"),
    "degrees": (
        PRODUCT,
        lambda x, y: x @ y * 180 / np.pi,
        "180 / π times the expected one, which is the factor between degrees and radians",
    ),
    "holes": (
        PRODUCT,
        lambda x, y: x @ y * (x @ y < 0.9 * (x @ y).max()),
        "Every wrong entry is 0.",
    ),
    "holes of zeros": (
        CUT,
        lambda x: np.where(x @ x > 0, x @ x, 7),
        "Exactly the entries that should be 0 are wrong.",
    ),
    "one word less": (WORDS, lambda text: text.split()[:-1], "but the last one is missing."),
    "words turned": (WORDS, lambda text: text.split()[::-1], "but in reverse order."),
    "one word more": (WORDS, lambda text: ["", *text.split()], "but there is an extra one at the beginning."),
    "letters turned": (
        LETTERS,
        lambda text: text.upper()[::-1],
        "The characters are right, but in reverse order",
    ),
    "always the same": (LETTERS, lambda text: "A", "Your answer returns 'A' in every case."),
    "two axes of three": (
        CUBES,
        lambda x: np.tanh(x.swapaxes(1, 2)).cumsum(axis=2),
        "would be right if the last two axes of `x` were swapped.",
    ),
    "exchanged arguments": (
        OUTER,
        lambda x, y: _spread(y, x),
        "Your result would be right if `x` and `y` were swapped.",
    ),
    "one for the other": (
        OUTER,
        lambda x, y: _spread(x, x),
        "would be right if `y` were equal to `x`.",
    ),
    "one more": (TURNED, lambda n, x: np.tanh(x * (n + 1)), "would be right if `n` were larger by 1."),
    "squared before": (TURNED, lambda n, x: np.tanh(n * x**2), "would be right if `x` were squared."),
    "a term of sizes": (
        COUNTED,
        lambda n, m: n * n * m + 3 * n * m,
        "is larger than expected by 3 · n · m.",
    ),
    "one number more": (COUNTED, lambda n, m: n * n * m + 1, "Your result is larger than expected by 1."),
    "the angle": (SHARES, lambda x: np.arccos(_softmax(x @ x)), "the arccosine of the expected one"),
    "an entry": (
        CONFIG,
        lambda sizes: np.tanh(sizes["n"] + 1) + sizes["m"],
        "right if `sizes['n']` were larger by 1.",
    ),
    "two exchanged": (MIXED, lambda x: ([x], x), "The two results are swapped."),
    "each alike": (
        TWO,
        lambda x: (2 * (x @ x), 2 * x.sum(axis=0)),
        "In result[0] and result[1], every entry is twice",
    ),
    "times an argument": (
        TWICE,
        lambda x: x * (x + x.T @ x),
        "the expected one multiplied entry by entry by `x`.",
    ),
    "a table moved": (
        ONES,
        lambda n: np.roll(np.eye(n), 1, axis=1),
        "Every expected row except the first one comes one position too early.",
    ),
    "rows alike": (
        PRODUCT,
        lambda x, y: np.zeros((len(x), 1)) + (x @ y)[0],
        "All your rows are equal, but the expected ones differ",
    ),
    "of another size": (
        PRODUCT,
        lambda x, y: x @ x.T @ x,
        "Axis 1 of your result has size `x.shape[1]`, but should",
    ),
    "unchanged": (TWICE, lambda x: x, "Your result is `x`, unchanged."),
    "added": (TWICE, lambda x: x + x + x.T @ x, "the expected one plus `x`"),
    "lacking": (TWICE, lambda x: x.T @ x, "would be right if you added `x` to it"),
    "one row": (
        TWICE,
        lambda x: np.vstack([(x + x.T @ x)[:-1], 0 * x[:1]]),
        "Only the last row is wrong.",
    ),
    "one row, all of it below the diagonal": (
        ONES,
        lambda n: np.eye(n) + (np.arange(n)[:, None] == n - 1) * (np.arange(n) == 0),
        "Only the last row is wrong.",
    ),
    "above": (TWICE, lambda x: np.tril(x + x.T @ x), "All wrong entries are above the diagonal."),
    "exchanged": (TWO, lambda x: (x.sum(axis=0), x @ x), "Result[0] and result[1] are swapped."),
    "one alone": (TWO, lambda x: x @ x, "You returned only the first of the 2 required values."),
    "times a size": (COUNTED, lambda n, m: n * n * m * m, "Your result is `m` times the expected one."),
    "times one less": (COUNTED, lambda n, m: n * n * m * (m - 1), "is (m - 1) times the expected one."),
    "another size, equal in one case": (
        PRODUCT_OF_SQUARES,
        lambda x, y: x.T @ x,
        "should have size `x.shape[0]`; in the first of these cases, the two happen to be equal.",
    ),
    "one column of one result": (
        TWO,
        lambda x: (np.hstack([0 * x[:, :1], (x @ x)[:, 1:]]), x.sum(axis=0)),
        "Only column 0 of result[0] is wrong.",
    ),
    "the last row of one result": (
        TWO,
        lambda x: (np.vstack([(x @ x)[:-1], 0 * x[:1]]), x.sum(axis=0)),
        "Only the last row of result[0] is wrong.",
    ),
    "one column of two results": (
        FOUR,
        lambda x: (
            *(np.hstack([0 * x[:, :1], y[:, 1:]]) for y in (x @ x, x + x.T)),
            x.sum(axis=0),
            x.sum(axis=1),
        ),
        "Only result[0] and result[1] are wrong, each only in column 0.",
    ),
    "one wrong": (TWO, lambda x: (x @ x, x.mean(axis=0)), "Only result[1] is wrong: every entry"),
    "one kind": (KINDS, lambda kind, n: n, "your answer fails only those where `kind` is 'square'."),
    "opposite": (TRUTHS, lambda n: ~np.tri(n, dtype=bool), "Every entry is the opposite of the expected one"),
    "too few": (
        TRUTHS,
        lambda n: np.eye(n, dtype=bool),
        "Some entries that should be True are False; all others are right",
    ),
    "too many": (
        TRUTHS,
        lambda n: np.ones((n, n), dtype=bool),
        "Some entries that should be False are True; all others are right",
    ),
}


@pytest.mark.parametrize("case", SEEN)
def test_what_all_failed_cases_share_is_said(case):
    exercise, answer, words = SEEN[case]
    assert words in _told(exercise, answer)


def test_root_of_size_is_named_only_if_size_varies():
    """The root of a size is named only where the size differs."""
    answer = lambda x, y: x @ y / np.sqrt(x.shape[1])  # noqa: E731
    assert "the expected one divided by √(x.shape[1])" in _told(PRODUCT, answer)
    one_size = _exercise(lambda x, y: x @ y, [TABLES[0], (TABLES[0][0] + 1, TABLES[0][1])])
    assert _told(one_size, answer) == "Every entry is half the expected one."


def test_whole_numbers_are_told_before_their_signs():
    given = [
        (np.array([-1.5, 2.0]),),
        (np.array([0.5, -2.5, 4.0]),),
        (np.array([-3, 1]),),
        (np.array([5, -7]),),
    ]

    def answer(x):
        out = np.zeros_like(x)
        out[...] = x / 2
        return out

    assert "only those where `x` has an integer dtype." in _told(_exercise(lambda x: x / 2, given), answer)


def test_case_that_expects_error_explains_no_other_case():
    """A case that asks for an error says nothing of the others."""
    refused = lambda made: lambda n: "a ValueError is raised" if n % 2 else made(n)  # noqa: E731
    assert "only those" not in _told(
        _exercise(refused(np.ones), [(n,) for n in range(2, 8)]), refused(np.zeros)
    )


def test_only_arguments_never_used_are_named():
    """What is not read is named and what is read now and then is not."""
    ranges = _exercise(lambda n, start: np.arange(n) + start * 1.5, [(4, 2), (5, 7), (3, 9)])
    assert "When the check changed only `start`, the expected result changed, but yours did not." in _told(
        ranges, lambda n, start: np.arange(n) + 0.5
    )
    now_and_then = lambda n, start: np.arange(n) + 0.5 * (start in (4, 6))  # noqa: E731
    assert "When the check changed" not in _told(ranges, now_and_then)


def test_infinity_is_no_sum_and_nothing_at_all_is_empty():
    hidden = _exercise(lambda x: np.where(x < 0, -np.inf, x), [(np.arange(n) - 1.0,) for n in (3, 4, 5)])
    assert "cumulative" not in _told(hidden, lambda x: np.full(len(x), -np.inf))
    counts = _exercise(lambda x: len(x) + 1, [(np.arange(n),) for n in (0, 3, 4, 0)])
    assert "only those where `x` is empty." in _told(counts, lambda x: len(x) and len(x) + 1)


def test_nan_zeros_and_a_number_that_stays_are_no_explanation():
    positive = _exercise(lambda x: x**2 + 1.0, SQUARES)
    assert "absolute" not in _told(positive, lambda x: np.where(x > 0, np.nan, -x))
    assert "factor" not in _told(
        positive, lambda x: np.where(np.arange(len(x))[:, None] > 1, 0 * x, x**2 + 1)
    )
    window = _exercise(lambda x, window: x.sum() + window, [(x, 1) for (x,) in SQUARES])
    assert "unchanged" not in _told(window, lambda x, window: 1.0)


def test_lists_of_words_that_are_alike_are_right():
    shown = _exercise(lambda x: {"text": x @ x, "shown": ["a b", "c"]}, SQUARES)
    assert "Only result['text'] is wrong" in _told(shown, lambda x: {"text": x, "shown": ["a b", "c"]})


def test_passed_case_can_show_that_argument_is_used():
    """An argument is read where a case that passed shows it."""
    shift = _exercise(lambda x, by: x * by, [(np.arange(1.0, n), 2.0) for n in (3, 4, 5, 6)])
    answer = lambda x, by: x * by if len(x) < 4 else x * 3.0  # noqa: E731
    assert "changed only `by`" not in _told(shift, answer)
    assert "When the check changed only `by`, the expected result changed" in _told(
        shift, lambda x, by: x * 3.0
    )


def test_parity_needs_three_cases_of_each():
    """Odd and even are reported apart by three numbers of each."""
    answer = lambda n: np.ones(n + (n % 2 == 0))  # noqa: E731
    two, six = ([(n,) for n in ns] for ns in ((3, 2, 3, 2), range(2, 8)))
    assert "even" not in _told(_exercise(np.ones, two), answer)
    exercise = _exercise(lambda n: np.ones(n), six)
    assert "only those where `n` is even." in _told(exercise, answer)
    known = diagnosis.diagnose(exercise, answer, 0)
    assert "even" not in " ".join(explain(replace(known, mistake=Mistake("x", answer, "You did this."))))


def test_comparison_of_cases_is_not_said_of_failed_cases_alone():
    """The heading on all cases that failed does not stand above a sentence on all cases that were tried."""
    exercise = _exercise(lambda n: np.ones(n), [(n,) for n in range(2, 8)])
    said = feedback.words(diagnosis.diagnose(exercise, lambda n: np.ones(n + (n % 2 == 0)), 0))
    assert "\nOf the cases tried, your answer fails only those where `n` is even." in said


def test_outputs_are_not_explained_if_argument_was_modified():
    """What came back is not judged where an argument was written to."""

    def emptied(tokens):
        pairs = []
        while len(tokens) > 1:
            word = tokens.pop()
            pairs.insert(0, (list(tokens), word))
        return pairs

    assert "in the wrong order" not in _told(registry.exercise("09.training_pairs"), emptied)


def test_what_holds_in_one_case_only_is_not_said():
    def answer(x, y):
        return x @ y * (3 if len(x) == 3 else np.arange(1, len(x) + 1))

    assert "3 times" not in _told(PRODUCT, answer)


def test_results_that_are_alike_and_right_are_not_called_exchanged():
    exercise = _exercise(lambda x: {"sum": 1.0, "is it": True, "what": x @ x}, SQUARES)
    assert "swapped" not in _told(exercise, lambda x: {"sum": 1.0, "is it": True, "what": x})


def test_changed_argument_must_explain_every_case():
    """A changed argument is named only where it holds in every case."""
    assert "larger by 1" not in _told(TURNED, lambda n, x: np.tanh(x * (n + (n > 2))))
    assert "larger by 1" not in _told(TURNED, lambda n, x: np.tanh(x * (n + 1 + (n > 4))))
    given = [Case(str(n), (n, RNG.normal(size=n)), expected=None) for n in (2, 3, 5)]
    kept = Exercise("00.kept", "", lambda n, x: np.tanh(n * x), lambda rng: given, ("",) * 3, (), (), 1, 1)
    assert "right if" not in _told(kept, lambda n, x: np.sinh(n * x))


def test_noise_is_not_explained():
    noise = np.random.default_rng(1)
    assert _told(PRODUCT, lambda x, y: x @ y + noise.normal(size=(len(x), len(x)))) == ""


def _some_are_none(x, y):
    return None if len(x) == 3 else 3 * x @ y


COUNTS = [(np.array([1.0] * 2 + [9.0] * n), 0.9) for n in (1, 2, 3)]
ABOVE = _exercise(lambda x, t: int((x > t).sum()), COUNTS)
SIDES = _exercise(lambda n, m: n * m, [(2, 2), (5, 5), (2, 3), (4, 7)])
ALL_SIDES = _exercise(lambda n, m: n * m, [(2, 2), (3, 3), (5, 5), (2, 3), (4, 7), (5, 3)])
LOW, HIGH = (_exercise(lambda n, k=k: 900.0 * k * n, [(n,) for n in (1, 2, 3, 4)]) for k in (-1, 1))
FLAT = _exercise(
    lambda n: np.full((n, 2), 7.0) if n < 4 else np.arange(2.0 * n).reshape(n, 2), [(3,), (4,), (5,)]
)
ABOVE_ONE = _exercise(lambda n: 3 * n, [(n,) for n in (1, 4, 5, 6, 7, 9)])
FOUR = _exercise(lambda n, a, b, c: np.arange(n) + a * b * c, [(n, 1.5, n + 0.5, 2.5) for n in (3, 4, 5)])
DRIVEN = replace(TURNED, given={"x": "other things"})
HALVES = replace(_exercise(lambda n: n // 2, [(2,), (4,), (6,)]), ids=True)
SILENT = {  # what may not be said, since it would be chance, or is not so
    "a text of its own": (LETTERS, lambda text: text if text == "soup" else text.upper(), "only those"),
    "nothing is left": (LOW, lambda n: 0.0, "exponential"),
    "all is too large": (HIGH, lambda n: float("inf"), "exponential"),
    "rows alike": (FLAT, lambda n: np.tile([1.0, 2.0], (n, 1)), "rows are equal"),
    "one case alone": (ABOVE_ONE, lambda n: 3 * n - (n < 2), "only those"),
    "two of each": (SIDES, lambda n, m: n * n, "differs from"),
    "a choice": (ABOVE, lambda x, t: int((x > 4 * t).sum()), "When the check changed"),
    "infinity": (OUTER, lambda x, y: np.full((len(x), len(y)), np.inf), "When the check changed"),
    "nothing": (PRODUCT, lambda x, y: x[:, :0], "When the check changed"),
    "three arguments": (FOUR, lambda n, a, b, c: np.arange(n) + 0.5, "When the check changed"),
    "given by a driver": (DRIVEN, lambda n, x: np.tanh(x * (n + 1)), "larger by 1"),
    "right values": (HALVES, lambda n: n / 2, "right if"),
    "some are None": (PRODUCT, _some_are_none, "3 times"),
    "zeros": (CUT, lambda x: np.where(x @ x > 0, 3 * x @ x, 1.0), "3 times"),
}


@pytest.mark.parametrize("case", SILENT)
def test_what_could_be_chance_is_not_said(case):
    exercise, answer, words = SILENT[case]
    verdict = diagnosis.diagnose(exercise, answer, 0)
    assert not all(tried.passed for tried in verdict.tried)
    assert words not in " ".join(explain(verdict))


def test_what_is_no_chance_is_said():
    assert "only those where `n` differs from `m`." in _told(ALL_SIDES, lambda n, m: n * n)


def test_wide_table_is_not_described_by_its_diagonal():
    """Of a wide table it is not said that all is above its diagonal."""
    wide = _exercise(
        lambda x, y: x @ y, [(RNG.normal(size=(n, 2)), RNG.normal(size=(2, 30))) for n in (1, 2)]
    )
    assert "diagonal" not in _told(wide, lambda x, y: x @ y + RNG.normal(size=30) * (np.arange(30) > 2))


def test_cases_that_raised_are_not_counted_as_numbers():
    """Cases that raised are not among those that gave a number."""

    def answer(x):
        return 7 // (len(x) - 3)  # an error where there are three

    sums = _exercise(lambda x: int(x.sum()), [(np.arange(n),) for n in (3, 10, 10, 10, 10)])
    assert "Your answer returns 1 in every case in which it returns a value." in _told(sums, answer)


def test_factor_printed_as_1_is_no_explanation():
    """A factor that would be written as 1 is no explanation."""
    large = _exercise(lambda x, y: 1e9 * (x @ y), TABLES)
    assert "1 times" not in _told(large, lambda x, y: (1 + 5e-6) * 1e9 * (x @ y))


def test_right_numbers_are_not_explained():
    """An answer that wrote into its argument has them: nothing is to be said of their places."""

    def added(W, x):
        W += x
        return W

    tables = [(np.arange(6.0).reshape(2, 3) * k, np.arange(12.0).reshape(2, 6)[:, ::2]) for k in (1, 2)]
    assert _told(_exercise(lambda W, x: W + x, tables), added) == ""


def test_one_or_two_numbers_prove_no_relation():
    exercise = _exercise(lambda n: n + 0.5, [(1.5,), (3.0,)])
    assert _told(exercise, lambda n: (n + 0.5) ** 2) == ""


def test_certain_mistake_needs_no_further_explanation():
    """A certain mistake is said alone and an unknown one with what is seen."""
    mistake = Mistake("tripled", lambda x, y: 3 * x @ y, "Three times too large, because you tripled it.")
    known = _exercise(lambda x, y: x @ y, TABLES, (mistake,))
    with_name = feedback.words(diagnosis.diagnose(known, mistake.answer, 0))
    assert "tripled:" in with_name
    assert "In all cases that failed" not in with_name
    without = feedback.words(diagnosis.diagnose(PRODUCT, mistake.answer, 0))
    assert "In all cases that failed:\n  Every entry is 3 times the expected one." in without


def _words(exercise, answer):
    """Return what a check tells about an answer."""
    return feedback.words(diagnosis.diagnose(exercise, answer, 0))


def test_arrays_without_axes_are_printed_with_their_value():
    """The tables of the other arguments appear beside them, as they do beside a Python number."""
    pairs = [(RNG.normal(size=(2, 3)), rate) for rate in (np.float64(np.log(3)), np.array(2.5), np.int64(2))]
    for pair, value in zip(pairs, ("1.09861", "2.5", "2"), strict=True):
        told = _words(_exercise(lambda x, rate: x * rate, [pair]), lambda x, rate: x + rate)
        assert f"x of shape (2, 3), rate = {value}.\n" in told
        assert "\n  x         [[" in told


def test_strings_that_are_cut_keep_their_closing_quotation_mark():
    """A string, and each string of a list, ends in three dots inside its quotation marks where it is cut."""
    text = "It's \n" + "a warm cup of tea " * 20
    told = _words(_exercise(lambda n: "tea", [(1,)]), lambda n: text)
    assert re.search(r'got "It\'s .{170,}\.\.\."\.\n', told)
    told = _words(_exercise(lambda n: 1, [(1,)]), lambda n: text)
    assert re.search(r'got the string "It\'s .{50,}\.\.\."\.\n', told)
    told = _words(_exercise(lambda n: 1, [(1,)]), lambda n: [text, "b"])
    assert re.search(r'got \["It\'s .{30,}\.\.\.", \'b\'\]\.\n', told)


def test_one_failed_case_is_told_in_the_singular():
    cases = [(np.arange(1.0, n),) for n in (5, 7, 9)]
    one = _exercise(lambda x: np.tanh(x), cases)
    told = _words(one, lambda x: np.tanh(x) if len(x) < 8 else 3 * np.tanh(x))
    assert "In the case that failed:\n  Every entry is 3 times" in told

    def raising(x):
        return {4: np.tanh, 6: lambda x: 3 * np.tanh(x), 8: lambda x: [][0]}[len(x)](x)

    assert (
        "In the only failed case in which your answer returned a result:\n  Every entry is 3 times"
        in _words(one, raising)
    )


def test_property_of_columns_is_told_of_the_result():
    told = _told(SHARES, lambda x: _softmax((x @ x).T).T)
    assert "Every row should sum to 1, but in your result every column does." in told
    both = _exercise(lambda x: (_softmax(x @ x), x), SQUARES)
    told = _told(both, lambda x: (_softmax((x @ x).T).T, x))
    assert "every row should sum to 1, but in it every column does" in told


def test_number_beside_a_property_is_called_the_result():
    """The property may be about another number, such as the weight that a temperature gives."""
    temperature = ("the largest weight is x", lambda out, x: out == x / 2)
    halves = Exercise(
        "00.seen",
        "",
        lambda x: x / 2,
        lambda rng: [Case("one", (3.0,), properties=(temperature,))],
        ("",) * 3,
        (),
        (),
        1,
        1,
    )
    told = _words(halves, lambda x: x / 3)
    assert "but does not: the largest weight is x. Expected the result 1.5, got 1." in told


@pytest.mark.parametrize(
    ("number", "words"),
    [(2, "2"), (-0.5, "-1/2"), (2**0.5, "√2"), (1 / 3**0.5, "√(1/3)"), (0.7291, "0.7291"), (np.pi, "π")],
)
def test_a_number_is_said_as_one_would_write_it(number, words):
    assert format_number(number) == words


def test_words_of_a_driver_are_not_called_the_result():
    """A driver says in words what it cannot use; the answer did not return these words."""

    def driver(answer, x):
        got = answer(x)
        return "a list came back" if isinstance(got, list) else got

    driven = replace(TWICE, driver=driver)
    assert "a list came back" not in _told(driven, lambda x: [x])


def test_a_difference_between_sizes_keeps_its_sign():
    """What is one less than a size is missing, and not minus that much."""
    spans = _exercise(lambda n, k: k * n + 10.0, [(n, k) for n, k in ((2, 3), (3, 7), (5, 4), (7, 2))])
    less = _told(spans, lambda n, k: k * n + 10.0 - (n - 1))
    assert "Your result is smaller than expected by n - 1." in less
    more = _told(spans, lambda n, k: k * n + 10.0 + (n - 1))
    assert "Your result is larger than expected by n - 1." in more


def test_a_wrong_part_of_a_result_is_not_called_right():
    """Of one of two results it is said that rows are missing, and not that it is right except for them."""
    said = _told(TWO, lambda x: ((x @ x)[:-1], x.sum(axis=0)))
    assert "Only result[0] is wrong: rows are missing at the end; the rest is right." in said


@pytest.mark.parametrize("sheet", registry.sheets(), ids=lambda sheet: sheet.number)
def test_explanations_never_fail_on_any_mistake_or_output(sheet):
    """Something or nothing is said of every known mistake and of every odd output."""
    odd = (None, [], [[1], [1, 2]], {"a": 1}, "text", np.zeros(0), True, [np.zeros(2), "text", [[]]], np.nan)
    for exercise in sheet.exercises:
        answers = [mistake.answer for mistake in exercise.mistakes[:12]]
        answers += [lambda *given, each=each: each for each in odd] if exercise.driver is None else []
        for answer in answers:
            assert all(sentence[-1] == "." for sentence in explain(verdicts.try_cases(exercise, answer, 0)))


@pytest.mark.parametrize(("sign", "said"), [(1, "√(D / H)"), (-1, "-√(D / H)")], ids=["plus", "minus"])
def test_a_root_of_two_sizes_keeps_its_sign(sign, said):
    """The square of a negative factor is that of a positive one, and only one of the two is true."""
    sizes = [{"D": 6, "H": 2}, {"D": 20, "H": 4}, {"D": 14, "H": 2}]
    factors = np.array([sign * np.sqrt(each["D"] / each["H"]) for each in sizes])
    assert numbers.as_size(factors, sizes) == said
    mixed = factors * np.array([1, -1, 1])
    assert numbers.as_size(mixed, sizes) == ""


def test_case_without_a_defaulted_argument_is_explained():
    """The factor of an argument is looked for only in the cases that give this argument."""
    exercise = _exercise(
        lambda x, shift=2.0: np.tanh(x**2 - shift),
        [(np.arange(4.0) / 4, 0.5), (np.arange(5.0) / 9, 0.25), (np.arange(3.0) / 3,)],
    )
    told = _told(exercise, lambda x, shift=2.0: np.tanh(x**2 - 3.7 * shift))
    assert "shift" not in told


def test_array_of_strings_is_no_array_of_booleans():
    """An array of the strings "True" and "False" is judged as a wrong answer, and the check itself runs."""
    integers = Mistake("integers", lambda n: np.tri(n, dtype=int), "You returned integers.")
    exercise = replace(TRUTHS, mistakes=(integers,))
    verdict = diagnosis.diagnose(exercise, lambda n: np.tri(n, dtype=bool).astype(str), 0)
    assert verdict.mistake is None
    said = feedback.words(verdict)
    assert "Expected an array of True and False (dtype bool), got an array of strings." in said
    assert "'True'" in said


def test_value_with_a_plural_name_takes_a_plural_verb():
    """Outputs, weights and tokens are wrong; a loss is wrong."""
    exercise = replace(TWO, returns={"w": "the weights (w)", "l": "the loss (l)"})
    for key, said in (("w", "Only the weights (w) are wrong: x"), ("l", "Only the loss (l) is wrong: x")):
        assert feedback.with_student_names(f"Only result[{key!r}] is wrong: x", exercise) == said


def test_list_that_is_changed_is_not_called_an_array():
    """The advice for a changed argument fits a list as well as an array."""
    exercise = _exercise(lambda words: words[:1], [(["a", "b"],), (["c", "d", "e"],)])
    problem = diagnosis.diagnose(exercise, lambda words: [words.pop(0)], 0).tried[0].problem
    assert "changed its argument `words`: work on a copy" in problem


def test_reference_is_not_run_on_squared_sizes():
    """A table of 400 rows is not tried with 400² rows, which would fill the memory."""
    sizes = []

    def reference(n):
        sizes.append(n)
        return np.tri(min(n, 400))

    exercise = _exercise(reference, [(3,), (5,), (400,)])
    diagnosis.diagnose(exercise, lambda n: 7 * np.tri(n) + np.sin(np.arange(n)), 0)
    assert 401 in sizes
    assert max(sizes) <= 1000
