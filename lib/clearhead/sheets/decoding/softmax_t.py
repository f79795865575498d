"""10.softmax_T: Softmax with a temperature."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import at_temperature, log_softmax, softmax

from .softmax_t_wrong import MORE


def softmax_T(z, T):
    """Return the probabilities (V) of logits z (V) at the temperature T, which is 0 or more."""
    return softmax(at_temperature(z, T))


def _unless_zero(warm, cold=lambda z: (z == z.max()) / (z == z.max()).sum()):
    """Return an answer that is cold(z) for T = 0 and warm(z, T) otherwise."""
    return lambda z, T: cold(z) if T == 0 else warm(z, T)


def _powers(z, T):
    """Return the probabilities to the power 1/T, made to sum to 1 again."""
    log_p = log_softmax(z)
    powers = np.exp((log_p - log_p.max()) / T)
    return powers / powers.sum()


def _raised(p, T):
    """Return probabilities to the power 1/T, divided by their sum."""
    powers = p ** (1 / T)
    return powers / powers.sum()


def _unshifted(z, T):
    e = np.exp(z / T)
    return e / e.sum()


def _temperature_cases(rng):
    V = int(rng.integers(5, 10))
    z = 2 * rng.normal(size=V)
    one = ("the probabilities sum to 1", lambda p, z, T: np.isclose(np.sum(p), 1))
    ranked = (
        "the likeliest token stays the likeliest",
        lambda p, z, T: np.argmax(np.asarray(p)) == np.argmax(z),
    )
    return [
        Case(
            "two logits, by hand",
            (np.array([0.0, np.log(4.0)]), 0.5),
            "At T = 0.5 the logit ln 4 becomes 2 ln 4 = ln 16. So the weights are 1 to 16.",
            expected=np.array([1 / 17, 16 / 17]),
        ),
        Case("random logits, hot", (z, 2.5), "Divide the logits, then softmax.", properties=(one, ranked)),
        Case("random logits, cold", (z[:-1], 0.3), "Divide the logits first.", properties=(one, ranked)),
        Case("T = 0", (z, 0), "The greedy limit: everything goes to the largest logit.", properties=(one,)),
        Case("T = 0, two largest", (np.array([1.0, 3.0, 0.0, 3.0]), 0), "Equal tokens share: one half each."),
        Case("T = 0, nearly equal", (np.array([2.0, 2.0 - 1e-9, 0.0]), 0), "The largest gets everything, "
             "even if it is the largest by very little. Give T = 0 a line of its own.", properties=(one,)),
        Case("three equal logits, a small T", (np.zeros(3), 0.001), "A third to the power 1,000 is 0 for a "
             "computer, and 0/0 is NaN. Divide the logits.", expected=np.full(3, 1 / 3)),
        Case("a logit of -inf, hot", (np.array([0.0, -np.inf, 1.0]), 5), "A logit of -inf has weight 0 at "
             "every temperature: top-p leaves such logits."),
        Case("a small T", (np.array([50.0, 50 - 2**-10, -20.0]), 2**-11), "Does e to the 100,000 "
             "overflow? And only T = 0 is greedy."),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="10.softmax_T",
    title="Softmax with a temperature",
    reference=softmax_T,
    cases=_temperature_cases,
    hints=(
        "The temperature acts on the logits, before the softmax. Only T = 0 needs a case of its own.",
        "For T > 0 it is softmax(z / T). For T = 0: where is z == z.max()?",
        "if T == 0: best = z == z.max(); return best / best.sum(). Otherwise return softmax(z / T).",
    ),
    mistakes=(
        Mistake(
            "multiplied",
            _unless_zero(lambda z, T: softmax(z * T)),
            "Above 0 yours is softmax(z * T): a high temperature sharpens. Divide the logits by T.",
        ),
        Mistake(
            "divided_after_softmax",
            _unless_zero(lambda z, T: softmax(z) / T),
            "You divided the probabilities, and they no longer sum to 1. Divide the logits, before softmax.",
        ),
        Mistake(
            "softmax_twice",
            _unless_zero(lambda z, T: softmax(softmax(z) / T)),
            "You took a softmax of probabilities. Their gaps are at most 1: begin with z.",
        ),
        Mistake(
            "temperature_not_used",
            _unless_zero(lambda z, T: softmax(z)),
            "Above 0 your result does not depend on T: it is the one of T = 1.",
        ),
        Mistake(
            "nan_at_zero",
            lambda z, T: softmax(z / np.float64(T)) if T else np.full(len(z), np.nan),
            "T = 0 divides by zero. Treat it on its own: everything goes to the largest logit.",
        ),
        Mistake(
            "a_small_number_for_zero",
            lambda z, T: softmax(z / max(T, 1e-3)),
            "You put a thousandth in place of T = 0, and of any smaller T. Two near logits then share: give "
            "T = 0 a line of its own, where z == z.max().",
        ),
        Mistake(
            "each_largest_gets_one",
            _unless_zero(lambda z, T: softmax(z / T), lambda z: 1.0 * (z == z.max())),
            "At T = 0 each of two equally large logits got 1. Together they must have 1: divide by how many.",
        ),
        Mistake(
            "powers_not_divided",
            _unless_zero(lambda z, T: np.exp(log_softmax(z) / T)),
            "Powers of probabilities do not sum to 1. Divide the logits by T, and then take softmax.",
        ),
        Mistake(
            "softmax_forgotten",
            _unless_zero(lambda z, T: z / T),
            "Above 0 you return the logits, divided by T. Softmax comes after it.",
        ),
        Mistake(
            "uniform_at_zero",
            _unless_zero(lambda z, T: softmax(z / T), lambda z: np.full(len(z), 1 / len(z))),
            "At T = 0 you made all tokens equal. That is the limit of a very high T; 0 is greedy.",
        ),
        Mistake(
            "plain_softmax_at_zero",
            _unless_zero(lambda z, T: softmax(z / T), softmax),
            "At T = 0 you left the softmax as it is. That is T = 1; T = 0 takes the largest logit.",
        ),
        Mistake(
            "one_winner_of_two",
            _unless_zero(lambda z, T: softmax(z / T), lambda z: np.eye(len(z))[np.argmax(z)]),
            "Two logits are equally large, and one of them got everything. In the limit T → 0 they share.",
        ),
        Mistake(
            "overflows",
            _unless_zero(_unshifted),
            "A small T makes large numbers, and e to them overflows. Use softmax, or subtract the largest.",
        ),
        Mistake(
            "power_of_probabilities",
            _unless_zero(lambda z, T: _raised(softmax(z), T)),
            "A probability to the power 1/T is rounded to 0 at a small T, and 0/0 is NaN. Divide the "
            "logits instead.",
        ),
        Mistake(
            "power_of_clipped_probabilities",
            _unless_zero(lambda z, T: _raised(np.maximum(softmax(z), 1e-12), T)),
            "You kept probabilities above 0 and took powers of them. At a high T a token with weight 0 then "
            "gets some: divide the logits.",
        ),
        Mistake(
            "a_small_number_added",
            lambda z, T: softmax((z - z.max()) / (T + 1e-8)),
            "Where T = 0 your temperature is a small number, and two nearly equal logits share. Ask where "
            "z == z.max().",
        ),
        Mistake(
            "temperature_squared",
            lambda z, T: softmax_T(z, T * T),
            "You divided by the temperature twice, or by its square. Once is enough.",
        ),
        Mistake(
            "smallest_wins_at_zero",
            lambda z, T: np.eye(len(z))[np.argmin(z)] if T == 0 else softmax_T(z, T),
            "At T = 0 your smallest logit wins. The largest one does.",
        ),
        Mistake(
            "powers_of_two",
            lambda z, T: softmax_T(z * np.log(2), T),
            "You took powers of 2. Softmax takes powers of e: np.exp.",
        ),
        Mistake(
            "logarithms_returned",
            lambda z, T: np.log(np.maximum(softmax_T(z, T), 1e-300)),
            "These are the logarithms. Return the probabilities.",
        ),
        Mistake(
            "minus_the_logits",
            lambda z, T: softmax_T(-z, T),
            "Your logits have a minus sign. Take z as it is, so that the largest logit wins.",
        ),
        *MORE,
    ),
    alternatives=(
        _unless_zero(_powers),
        lambda z, T: softmax((z - z.max()) / max(T, 1e-12)),
    ),
    stars=1,
    minutes=10,
)
