"""18.dpo_policy: The best policy for a reward."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import softmax

from .dpo_policy_wrong import MORE


def dpo_policy(p, reward, beta):
    """Return p exp(reward/β) / Z (V,) for the reference's probabilities p (V,) and rewards (V,)."""
    z = np.where(p > 0, reward / beta, -np.inf)
    scaled = p * np.exp(z - z.max())
    return scaled / scaled.sum()


def _with(power=lambda r, beta: r / beta, start=lambda p: p, join=np.multiply, share=lambda x: x / x.sum()):
    def policy(p, reward, beta):
        z = power(reward, beta)
        return share(join(start(p), np.exp(z - z.max())))

    return policy


def _unsafe(p, reward, beta):
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = p * np.exp(reward / beta)
        return scaled / scaled.sum()


def _in_logarithms(p, reward, beta):
    with np.errstate(divide="ignore"):
        return softmax(np.log(p) + reward / beta)


def _by_loop(p, reward, beta):
    top = max(r / beta for q, r in zip(p, reward, strict=True) if q > 0)
    z = [q * np.exp(r / beta - top) if q > 0 else 0.0 for q, r in zip(p, reward, strict=True)]
    return np.array(z) / sum(z)


def _cases(rng):
    V = int(rng.integers(5, 9))
    p, reward = softmax(rng.normal(size=V)), 2 * rng.normal(size=V)
    none = p * (np.arange(V) != 1)
    shares = ("they are probabilities", lambda q, *_: np.isfinite(q).all() and np.isclose(np.sum(q), 1))
    return [
        Case(
            "three answers, by hand",
            (np.array([0.5, 0.25, 0.25]), np.log([1.0, 2, 4]), 1.0),
            "(0.5 · 1, 0.25 · 2, 0.25 · 4) = (0.5, 0.5, 1), and together they are 2.",
            expected=np.array([0.25, 0.25, 0.5]),
        ),
        Case(
            "random answers",
            (p, reward, 0.5),
            "The reference counts, and the reward is divided by β.",
            properties=(shares,),
        ),
        Case("a dear reference", (p, reward, 50.0), "With a large β little changes.", properties=(shares,)),
        Case(
            "all rewards alike", (p, 0 * reward + 3, 0.5), "Then the reference stays.", properties=(shares,)
        ),
        Case(
            "never said",
            (none / none.sum(), reward, 0.5),
            "What the reference never says stays at 0.",
            properties=(shares,),
        ),
        Case(
            "never said, and dear to the judge",
            (none / none.sum(), reward + 20 * (np.arange(V) == 1), 0.5),
            "What the reference never says stays at 0, however large its reward.",
            properties=(shares,),
        ),
        Case(
            "never said, and above all others",
            (none / none.sum(), reward + 2000 * (np.arange(V) == 1), 0.5),
            "Take the largest off among those that can come, where p > 0. And 0 times infinity is no number.",
            properties=(shares,),
        ),
        Case(
            "large rewards",
            (p, 3000 + 100 * reward, 0.5),
            "Take the largest off before exp.",
            properties=(shares,),
        ),
    ]


EXERCISE = Exercise(
    id="18.dpo_policy",
    title="The best policy for a reward",
    reference=dpo_policy,
    cases=_cases,
    hints=(
        "Each answer keeps its probability under the reference, times a factor. Then share out anew.",
        "The factor is exp(reward / beta). A constant off the rewards changes nothing: take off the largest.",
        "z = np.where(p > 0, reward / beta, -np.inf); x = p * np.exp(z - z.max()); return x / x.sum()",
    ),
    mistakes=(
        Mistake("no_reference", _with(start=np.ones_like), "The reference is missing: start from p."),
        Mistake(
            "times_beta",
            _with(power=lambda r, beta: r * beta),
            "You multiply the reward by β. With a large β little must change: divide.",
        ),
        Mistake("no_beta", _with(power=lambda r, beta: r), "β is missing: the reward is divided by it."),
        Mistake(
            "not_shared_out",
            _with(share=lambda x: x),
            "Nothing makes your numbers sum to 1. Divide by their sum.",
        ),
        Mistake("unsafe", _unsafe, "Large rewards overflow in exp. Take the largest off before it."),
        Mistake(
            "softmax_of_p",
            _with(share=softmax),
            "You take a softmax of what are weights already. Divide by their sum.",
        ),
        Mistake("added", _with(join=np.add), "You add p and the factor. Multiply them."),
        Mistake(
            "best_alone",
            lambda p, r, beta: (np.arange(len(p)) == r.argmax()) * 1.0,
            "You give all to the largest reward, also where p is 0. Each answer keeps p · exp(r/β).",
        ),
        Mistake(
            "reference_as_logits",
            lambda p, r, beta: softmax(p + r / beta),
            "You add p inside the softmax. There its logarithm belongs, not p.",
        ),
        Mistake("punished", _with(power=lambda r, beta: -r / beta), "You make high rewards less probable."),
        Mistake(
            "reference_divided_as_well",
            lambda p, r, beta: _with(start=lambda p: p ** (1 / beta))(p, r, beta),
            "β divides the logarithm of p as well. It divides the reward alone.",
        ),
        Mistake(
            "mixed",
            lambda p, r, beta: (p + softmax(r / beta)) / 2,
            "You take the mean of two policies. Multiply the reference by the factor, then share out.",
        ),
        Mistake(
            "a_little_added",
            lambda p, r, beta: softmax(np.log(p + 1e-9) + r / beta),
            "You add a little to p. What the reference never says then comes, if its reward is large enough.",
        ),
        *MORE,
    ),
    alternatives=(_in_logarithms, _by_loop),
    stars=2,
    minutes=10,
)
