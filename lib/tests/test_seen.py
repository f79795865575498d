"""What a check says about all failed cases is true of each of them; where nothing is, it says nothing."""

import numpy as np
import pytest

from clearhead.checks import judging, registry, wording
from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.checks.relations import in_words
from clearhead.checks.seen import seen


def _exercise(reference, arguments, mistakes=()):
    """Return an exercise with these cases, drawn once for all."""
    cases = [Case(f"case {n}", each) for n, each in enumerate(arguments)]
    return Exercise("00.seen", "", reference, lambda rng: cases, ("",) * 3, mistakes, (), 1, 1)


def _told(exercise, answer):
    """Return what is seen in an answer's failed cases, as one text."""
    return " ".join(seen(judging.examine(exercise, answer, 0)))


RNG = np.random.default_rng(0)
TABLES = [(RNG.normal(size=(n, m)), RNG.normal(size=(m, n))) for n, m in ((3, 4), (5, 2), (4, 7))]
PRODUCT = _exercise(lambda x, y: x @ y, TABLES)
SQUARES = [(RNG.normal(size=(n, n)),) for n in (3, 4, 5)]
TWICE = _exercise(lambda x: x + x.T @ x, SQUARES)
TWO = _exercise(lambda x: (x @ x, x.sum(axis=0)), SQUARES)
KINDS = _exercise(
    lambda kind, n: n**2 if kind == "square" else n, [(k, n) for k in ("square", "line") for n in (2, 3, 5)]
)
TRUTHS = _exercise(lambda n: np.tri(n, dtype=bool), [(3,), (4,)])
SEEN = {
    "a factor": (PRODUCT, lambda x, y: 3 * x @ y, "Every number is 3 times what was expected."),
    "a share": (PRODUCT, lambda x, y: x @ y / 255, "Every number is 1/255 times what was expected."),
    "a root": (PRODUCT, lambda x, y: x @ y * 2**0.5, "Every number is √2 times what was expected."),
    "a size": (PRODUCT, lambda x, y: x @ y / x.shape[1], "times 1 / (the size of axis 1 of x)"),
    "a factor a case": (
        PRODUCT,
        lambda x, y: x @ y * x[0, 0],
        "In each case all numbers are off by one factor",
    ),
    "a term": (PRODUCT, lambda x, y: x @ y + 2, "Every number is 2 more than was expected."),
    "nothing": (PRODUCT, lambda x, y: 0 * (x @ y), "All your numbers are 0."),
    "a sign": (PRODUCT, lambda x, y: -(x @ y), "Every number is -1 times what was expected."),
    "a function": (
        PRODUCT,
        lambda x, y: (x @ y) ** 2,
        "Every number is the square of what was expected.",
    ),
    "one less": (PRODUCT, lambda x, y: 1 - x @ y, "Every number is 1 minus what was expected."),
    "turned": (PRODUCT, lambda x, y: (x @ y).T, "Rows and columns are exchanged."),
    "upside down": (PRODUCT, lambda x, y: (x @ y)[::-1], "the last row stands first"),
    "one late": (PRODUCT, lambda x, y: np.roll(x @ y, 1, axis=0), "Each row stands one place too late."),
    "one early": (PRODUCT, lambda x, y: np.roll(x @ y, -1, axis=0), "Each row stands one place too early."),
    "in a line": (PRODUCT, lambda x, y: (x @ y).ravel()[None], "only the shape is another one"),
    "shuffled": (PRODUCT, lambda x, y: np.sort(x @ y), "These are the right numbers, in other places."),
    "too short": (PRODUCT, lambda x, y: (x @ y)[:-1], "the last rows are missing"),
    "too long": (PRODUCT, lambda x, y: np.vstack([x @ y, y.T[:1] @ y]), "the last rows are too many"),
    "not added up": (PRODUCT, lambda x, y: x[:, :, None] * y, "The sum of yours along axis 1"),
    "added up": (PRODUCT, lambda x, y: (x @ y).sum(axis=0), "is the sum of what was expected, along axis 0"),
    "rows alike": (PRODUCT, lambda x, y: np.zeros((len(x), 1)) + (x @ y)[0], "All your rows are alike"),
    "of another size": (
        PRODUCT,
        lambda x, y: x @ x.T @ x,
        "Axis 1 of yours is as long as",
    ),
    "unchanged": (TWICE, lambda x: x, "What came back is x, unchanged."),
    "added": (TWICE, lambda x: x + x + x.T @ x, "what was expected, plus that of x"),
    "lacking": (TWICE, lambda x: x.T @ x, "Every number lacks that of x"),
    "one row": (
        TWICE,
        lambda x: np.vstack([(x + x.T @ x)[:-1], 0 * x[:1]]),
        "Only the last row is wrong.",
    ),
    "above": (TWICE, lambda x: np.tril(x + x.T @ x), "All wrong values stand above the diagonal."),
    "exchanged": (TWO, lambda x: (x.sum(axis=0), x @ x), "Result[0] and result[1] are exchanged."),
    "one alone": (TWO, lambda x: x @ x, "result[0] alone: 2 results are asked for"),
    "one wrong": (TWO, lambda x: (x @ x, x.mean(axis=0)), "Only result[1] is wrong; there, every number"),
    "one kind": (KINDS, lambda kind, n: n, "It fails where kind is 'square', and only there."),
    "opposite": (TRUTHS, lambda n: ~np.tri(n, dtype=bool), "True stands where False was expected"),
    "too few": (TRUTHS, lambda n: np.eye(n, dtype=bool), "Nothing is True that must be False"),
    "too many": (TRUTHS, lambda n: np.ones((n, n), dtype=bool), "Nothing is False that must be True"),
}


@pytest.mark.parametrize("case", SEEN)
def test_what_all_failed_cases_share_is_said(case):
    exercise, answer, words = SEEN[case]
    assert words in _told(exercise, answer)


def test_the_root_of_a_size_is_named_only_where_the_size_differs():
    answer = lambda x, y: x @ y / np.sqrt(x.shape[1])  # noqa: E731
    assert "times 1 / root of the size of axis 1 of x" in _told(PRODUCT, answer)
    one_size = _exercise(lambda x, y: x @ y, [TABLES[0], (TABLES[0][0] + 1, TABLES[0][1])])
    assert _told(one_size, answer) == "Every number is 1/2 times what was expected."


def test_what_holds_in_one_case_only_is_not_said():
    def answer(x, y):
        return x @ y * (3 if len(x) == 3 else np.arange(1, len(x) + 1))

    assert "3 times" not in _told(PRODUCT, answer)


def test_results_that_are_alike_and_right_are_not_called_exchanged():
    exercise = _exercise(lambda x: {"sum": 1.0, "is it": True, "what": x @ x}, SQUARES)
    assert "exchanged" not in _told(exercise, lambda x: {"sum": 1.0, "is it": True, "what": x})


def test_noise_is_not_explained():
    noise = np.random.default_rng(1)
    assert _told(PRODUCT, lambda x, y: x @ y + noise.normal(size=(len(x), len(x)))) == ""


def test_one_or_two_numbers_prove_no_relation():
    exercise = _exercise(lambda n: n + 0.5, [(1.5,), (3.0,)])
    assert _told(exercise, lambda n: (n + 0.5) ** 2) == ""


def test_a_certain_mistake_is_said_alone_and_an_unknown_one_with_what_is_seen():
    mistake = Mistake("tripled", lambda x, y: 3 * x @ y, "Three times too large, because you tripled it.")
    known = _exercise(lambda x, y: x @ y, TABLES, (mistake,))
    with_name = wording.words(judging.examine(known, mistake.answer, 0))
    assert "tripled:" in with_name
    assert "In all cases that failed" not in with_name
    without = wording.words(judging.examine(PRODUCT, mistake.answer, 0))
    assert "In all cases that failed:\n  Every number is 3 times what was expected." in without


@pytest.mark.parametrize(
    ("number", "words"),
    [(2, "2"), (-0.5, "-1/2"), (2**0.5, "√2"), (1 / 3**0.5, "√(1/3)"), (0.6931471805599453, "0.6931")],
)
def test_a_number_is_said_as_one_would_write_it(number, words):
    assert in_words(number) == words


@pytest.mark.parametrize("sheet", registry.sheets(), ids=lambda sheet: sheet.number)
def test_something_or_nothing_is_said_of_every_known_mistake_and_of_every_odd_output(sheet):
    odd = (None, [], [[1], [1, 2]], {"a": 1}, "text", np.zeros(0), True, [np.zeros(2), "text", [[]]], np.nan)
    for exercise in sheet.exercises:
        answers = [mistake.answer for mistake in exercise.mistakes[:12]]
        answers += [lambda *given, each=each: each for each in odd] if exercise.driver is None else []
        for answer in answers:
            assert all(sentence[-1] == "." for sentence in seen(judging.try_cases(exercise, answer, 0)))
