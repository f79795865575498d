"""17.rotate_neighbours: Where a new token stands."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.positions import rotary_angles, rotate

from .rotate_neighbours_wrong import MORE


def rotate_neighbours(x, start, base):
    """Return x (T, d), each pair of neighbouring columns turned; row 0 stands at position start."""
    return rotate(x, rotary_angles(start + len(x), x.shape[1], base)[start:])


def _cases(rng):
    T, pairs, start = (int(n) for n in rng.permutation(np.arange(3, 9))[:3])
    x, base = rng.normal(size=(T, 2 * pairs)), float(rng.integers(50, 2000))
    return [
        Case(
            "a quarter turn, by hand",
            (np.array([[1.0, 0, 1, 0], [1, 0, 1, 0]]), 0, (2 / np.pi) ** 2),
            "With this base the pairs turn by 1 and by π/2 a token. The second token's second pair "
            "becomes (0, 1).",
            expected=np.array([[1, 0, 1, 0], [np.cos(1), np.sin(1), 0, 1]]),
        ),
        Case(
            "lengths stay",
            (x, start, base),
            "A turn changes no length: not of a row, and not of a pair.",
            properties=(
                (
                    "each pair is as long as before",
                    lambda y, x, *rest: np.allclose(
                        (y**2).reshape(len(x), -1, 2).sum(-1), (x**2).reshape(len(x), -1, 2).sum(-1)
                    ),
                ),
            ),
        ),
        Case("from the beginning of a text", (x, 0, base), "In row t, pair k turns by t · base^(-2k/d)."),
        Case("far inside a text", (x[:2], 30 + start, base), "Row t stands at position start + t."),
        Case("one new token", (x[:1], start, 100_000.0), "This is what writing with a cache asks for."),
        Case(
            "entries that are integers",
            (rng.integers(1, 9, size=(T, 2 * pairs)), start, base),
            "The result has decimals: empty_like and zeros_like of integers cannot hold them.",
        ),
    ]


def _with(
    angle=lambda t, k, d, base: t * base ** (-2 * k / d), begin=lambda start: start, turn=1, halves=False
):
    def answer(x, start, base):
        T, d = x.shape
        t = begin(start) + np.arange(T)[:, None]
        angles = turn * angle(t, np.arange(d // 2), d, base)
        a, b = (x[:, : d // 2], x[:, d // 2 :]) if halves else (x[:, 0::2], x[:, 1::2])
        both = a * np.cos(angles) - b * np.sin(angles), a * np.sin(angles) + b * np.cos(angles)
        return np.concatenate(both, axis=1) if halves else np.stack(both, axis=2).reshape(T, d)

    return answer


def _like_its_input(x, start, base):
    return rotate_neighbours(x, start, base).astype(x.dtype)


EXERCISE = Exercise(
    id="17.rotate_neighbours",
    title="Where a new token stands",
    reference=rotate_neighbours,
    cases=_cases,
    hints=(
        "Make the angles first, (T, d/2): a row for each token, a column for each pair.",
        "x[:, 0::2] and x[:, 1::2] are the two halves of all pairs. Put the results back in the same places.",
        "angles = (start + np.arange(T))[:, None] * base ** (-np.arange(0, d, 2) / d)",
    ),
    mistakes=(
        Mistake(
            "written_into_integers",
            _like_its_input,
            "Your result has the dtype of x, and integers hold no decimals. Make it with np.empty(x.shape), "
            "which holds floats.",
        ),
        Mistake(
            "halves_not_neighbours",
            _with(halves=True),
            "You paired column k with column k + d/2, as `transformers` does. This file pairs "
            "neighbours: 2k, 2k + 1.",
        ),
        Mistake(
            "start_forgotten",
            _with(begin=lambda start: 0),
            "You began at position 0. The first row stands at position `start`: the tokens before it are "
            "in the cache.",
        ),
        Mistake(
            "turned_the_other_way",
            _with(turn=-1),
            "You turned the other way. The first number of a pair becomes a cos θ - b sin θ.",
        ),
        Mistake(
            "base_always_10_000",
            _with(lambda t, k, d, base: t * 10_000.0 ** (-2 * k / d)),
            "You used the base 10,000. This one is an argument; SmolLM2 has 100,000.",
        ),
        Mistake(
            "half_the_exponent",
            _with(lambda t, k, d, base: t * base ** (-k / d)),
            "Your exponent is -k / d. It is -2k / d, which goes from 0 nearly to -1.",
        ),
        Mistake(
            "counted_from_one",
            _with(begin=lambda start: start + 1),
            "You began one position too far. The first token of a text stands at 0, and does not turn.",
        ),
        Mistake(
            "one_position_too_early",
            lambda x, start, base: rotate_neighbours(x, start - 1, base),
            "You began one position too early. Row 0 stands at position start.",
        ),
        Mistake(
            "first_and_second_exchanged",
            lambda x, start, base: (
                rotate_neighbours(x, start, base).reshape(len(x), -1, 2)[..., ::-1].reshape(x.shape)
            ),
            "The two numbers of each pair have changed places. The first is a cos θ - b sin θ.",
        ),
        Mistake(
            "rows_before_start_dropped",
            lambda x, start, base: rotate_neighbours(x[start:], start, base),
            "You dropped the first rows of x. All its rows are new; the tokens before `start` are not in it.",
        ),
        *MORE,
    ),
    alternatives=(_with(),),
    stars=2,
    minutes=20,
)
