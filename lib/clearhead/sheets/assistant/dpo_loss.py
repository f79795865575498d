"""18.dpo_loss: The policy as its own reward model."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import post_training

from .dpo_loss_wrong import MORE


def dpo_loss(chosen, rejected, ref_chosen, ref_rejected, beta):
    """Return the mean of -ln σ(z), z: β times how much more π likes the chosen than π_ref does; all (T,)."""
    return post_training.dpo_loss(chosen, rejected, ref_chosen, ref_rejected, beta)


def _gap(c, r, rc, rr):
    return (c - rc) - (r - rr)


def _with(gap=_gap, loss=lambda z: np.logaddexp(0, -z), scale=lambda gap, beta: beta * gap, join=np.mean):
    return lambda c, r, rc, rr, beta: join(loss(scale(gap(c, r, rc, rr), beta)))


def _naive(z):
    with np.errstate(over="ignore", divide="ignore"):
        return -np.log(1 / (1 + np.exp(-z)))


def _by_loop(c, r, rc, rr, beta):
    total = 0.0
    for i in range(len(c)):
        z = beta * (c[i] - rc[i] - r[i] + rr[i])
        total += max(0.0, -z) + np.log1p(np.exp(-abs(z)))
    return total / len(c)


def _cases(rng):
    T = int(rng.integers(5, 9))
    c, r, rc, rr = -3 * rng.random((4, T)) - np.array([[1], [2], [2.5], [1.2]])
    hand = tuple(np.log([v]) for v in (0.6, 0.1, 0.2, 0.3))
    finite = (("the loss is a number", lambda loss, *_: np.isfinite(loss).all()),)
    return [
        Case(
            "one pair, by hand",
            (*hand, 1.0),
            "The chosen is 3 times as likely as before, the other a third: 9 times. P = 9/10, ln(10/9).",
            expected=np.log(10 / 9),
        ),
        Case("random pairs", (c, r, rc, rr, 0.3), "Compare with the reference, on both sides."),
        Case("a small β", (c, r, rc, rr, 0.05), "β multiplies the difference."),
        Case("still the reference", (rc, rr, rc, rr, 0.3), "Nothing is told apart: ln 2."),
        Case(
            "sure, and wrong",
            (c - 3000, r, rc, rr, 1.0),
            "Far below 0, σ is 0 and its logarithm is lost. ln(1 + exp(-z)) is np.logaddexp(0, -z).",
            properties=finite,
        ),
    ]


EXERCISE = Exercise(
    id="18.dpo_loss",
    title="The policy as its own reward model",
    reference=dpo_loss,
    cases=_cases,
    hints=(
        "The reward of an answer is β times the logarithm of how much more likely it has become.",
        "z = beta * ((chosen - ref_chosen) - (rejected - ref_rejected)); then the mean of -ln σ(z).",
        "-ln σ(z) = ln(1 + exp(-z)): return np.logaddexp(0, -z).mean()",
    ),
    mistakes=(
        Mistake(
            "no_reference",
            _with(gap=lambda c, r, rc, rr: c - r),
            "The reference is missing. Only what has changed since then is a reward.",
        ),
        Mistake(
            "reference_once",
            _with(gap=lambda c, r, rc, rr: c - rc - r),
            "You compare only the chosen answer with the reference. Do so on both sides.",
        ),
        Mistake(
            "reference_added",
            _with(gap=lambda c, r, rc, rr: (c + rc) - (r + rr)),
            "The reference has the wrong signs in z: there it is - ref_chosen and + ref_rejected.",
        ),
        Mistake(
            "sides_exchanged",
            _with(gap=lambda *g: -_gap(*g)),
            "A sign is turned: in z, where the chosen answer is first, or in the loss, which is -ln σ(z).",
        ),
        Mistake("no_beta", _with(scale=lambda gap, beta: gap), "β is missing: it multiplies the difference."),
        Mistake(
            "divided_by_beta",
            _with(scale=lambda gap, beta: gap / beta),
            "You divide by β. The reward of a policy is β ln(π/π_ref).",
        ),
        Mistake(
            "log_of_sigmoid_overflows",
            _with(loss=_naive),
            "Where z is far below 0, your loss is infinite: e to -z is too large, or σ(z) is 0. Take "
            "np.logaddexp(0, -z).",
        ),
        Mistake(
            "sigmoid_alone",
            _with(loss=lambda z: -0.5 * (1 + np.tanh(z / 2))),
            "That is minus the probability. The loss is minus its logarithm.",
        ),
        Mistake("summed", _with(join=np.sum), "That is the sum over the pairs. Take the mean."),
        Mistake(
            "linear",
            _with(loss=lambda z: -z),
            "You forgot the logistic function: without it, a pair that is won already pulls on for ever.",
        ),
        Mistake(
            "beta_outside",
            lambda c, r, rc, rr, beta: beta * np.logaddexp(0, -_gap(c, r, rc, rr)).mean(),
            "β stands before the logarithm. It belongs inside: it multiplies the difference.",
        ),
        Mistake(
            "beta_on_one_side",
            lambda c, r, rc, rr, beta: np.logaddexp(0, -(beta * (c - rc) - (r - rr))).mean(),
            "β multiplies only the chosen side. It multiplies both.",
        ),
        Mistake(
            "loss_of_the_mean",
            lambda c, r, rc, rr, beta: np.logaddexp(0, -beta * _gap(c, r, rc, rr).mean()),
            "You take the mean of z first. Each pair has its own loss; then comes the mean.",
        ),
        Mistake(
            "hinge",
            _with(loss=lambda z: np.maximum(0, -z)),
            "You cut at 0. The loss is -ln σ(z), which never quite ends.",
        ),
        Mistake(
            "logarithms_divided",
            lambda c, r, rc, rr, beta: np.logaddexp(0, -beta * (c / rc - r / rr)).mean(),
            "You divide logarithms. A quotient of probabilities is a difference of logarithms.",
        ),
        *MORE,
    ),
    alternatives=(
        _by_loop,
        _with(gap=lambda c, r, rc, rr: (c - r) - (rc - rr), loss=lambda z: np.logaddexp(z, 0) - z),
    ),
    stars=2,
    minutes=10,
)
