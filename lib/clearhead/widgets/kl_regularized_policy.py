"""A figure on the best policy for a reward and a price of divergence, and on gaming a learned reward."""

import numpy as np
import traitlets

from clearhead.figures import bars, curves
from clearhead.figures.words import number
from clearhead.maths.post_training import kl_regularized_policy

from .figure import Figure, Numbers, expect_shape, source

REWARDS = ("the true reward", "a learned reward")
TRUE, LEARNED = range(2)
BETAS = 10.0 ** -np.linspace(-1, 2, 121)  # from 10 to 0.01, for the curves
FLAT = 0.005  # a covariance that is printed as 0.00


class KlRegularizedPolicy(Figure):
    """A few answers, their rewards, and the policy that is best at a price β of divergence.

    Parameters
    ----------
    answers : list of str
        The names of the answers (V).
    reference : (V) float
        Their probabilities under π_ref, all above 0.
    truth : (V) float
        Their true rewards.
    error : (V) float
        The learned reward minus the true reward of each answer, which is 0 for answers that judges have seen.
    optimised : () int
        The index in `REWARDS` of the reward that is optimised.
    beta : () float
        The price of leaving the reference, from 0.01 to 10. At 1 / ln 2, one more point of reward doubles the
        weight of an answer.
    """

    what_to_see = (
        "The lower the price β of leaving the reference, the more the best policy prefers the answers "
        "with the highest reward."
    )
    _esm = source("kl_regularized_policy.js")
    answers = traitlets.List(traitlets.Unicode(), list("ABCDEFGH")).tag(sync=True)
    reference = Numbers([0.32, 0.24, 0.16, 0.12, 0.08, 0.04, 0.02, 0.02]).tag(sync=True)
    truth = Numbers([0, 1, 0, 2, 3, 1, -1, 2]).tag(sync=True)
    error = Numbers([0, 0, 0, 0, 0, 0, 5, -2]).tag(sync=True)
    optimised = traitlets.Int(TRUE, min=0, max=len(REWARDS) - 1).tag(sync=True)
    beta = traitlets.Float(float(1 / np.log(2)), min=0.01, max=10).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**traits)
        for name in ("reference", "truth", "error"):
            expect_shape(name, getattr(self, name), (len(self.answers),), "one number for each answer")

    @traitlets.validate("reference")
    def _is_a_distribution(self, proposal):
        values = np.asarray(proposal["value"])
        if not (values > 0).all() or not np.isclose(values.sum(), 1):
            raise traitlets.TraitError("reference needs probabilities: all above 0, and 1 in sum.")
        return proposal["value"]

    @traitlets.validate("truth", "error")
    def _is_finite(self, proposal):
        if not np.isfinite(proposal["value"]).all():
            raise traitlets.TraitError(f"{proposal['trait'].name} needs finite numbers.")
        return proposal["value"]

    @staticmethod
    def samples(rng):
        size = int(rng.integers(2, 9))
        return {
            "reference": rng.dirichlet(np.ones(size)),
            "truth": rng.normal(scale=2, size=size),
            "error": rng.normal(scale=2, size=size) * (rng.random(size) < 0.4),
            "optimised": int(rng.integers(len(REWARDS))),
            "beta": float(10 ** rng.uniform(-2, 1)),
        }

    @staticmethod
    def compute(reference, truth, error, optimised, beta):
        """Return the best policy, its mean rewards, its KL divergence, and the same for other prices β.

        `path` holds for each reward, the true and the learned, the distances and the true means of its
        best policies from β = 10 to 0.01. `covariance` is that of the true and the optimised reward.
        """
        reference, truth = np.asarray(reference, dtype=float), np.asarray(truth, dtype=float)
        rewards = truth, truth + np.asarray(error, dtype=float)
        path = np.empty((len(rewards), 2, len(BETAS)))
        for row, reward in zip(path, rewards, strict=True):
            policies = [kl_regularized_policy(np.log(reference), reward, each) for each in BETAS]
            row[:] = [distance(each, reference) for each in policies], [each @ truth for each in policies]
        reward = rewards[optimised]
        policy = kl_regularized_policy(np.log(reference), reward, beta)
        mean, true_mean = policy @ reward, policy @ truth
        away = distance(policy, reference)
        return {
            "policy": policy,
            "reward": reward,
            "mean": mean,
            "start": reference @ reward,
            "true_mean": true_mean,
            "true_start": reference @ truth,
            "distance": away,
            "objective": mean - beta * away,
            "covariance": policy @ ((reward - mean) * (truth - true_mean)),
            "path": path,
        }

    @property
    def words(self):
        """Return sentences on the objective and, for a learned reward, on the mean true reward."""
        found = {name: value for name, value in self._computed().items() if np.ndim(value) == 0}
        numbers = {name: number(value) for name, value in found.items()}
        numbers |= {"beta": number(self.beta), "distance": number(found["distance"], 3)}
        return (
            "β = {beta}, and the policy optimises {reward}. Its mean is {start} under the reference and "
            "{mean} under the best policy, with KL(π, π_ref) = {distance} nats. The objective, mean reward − "
            "β KL, is {mean} − {beta} · {distance} = {objective}; for the reference it is {start}."
        ).format(reward=REWARDS[self.optimised], **numbers) + self._true_mean(found, numbers)

    def _true_mean(self, found, numbers):
        if self.optimised == TRUE:
            return ""
        gamed = found["true_mean"] < found["true_start"]
        way = "falls" if found["covariance"] < 0 else "rises"
        if abs(found["covariance"]) < FLAT:
            way = "hardly changes"
        return (
            f" The mean true reward is {numbers['true_mean']}, {'below' if gamed else 'above'} the "
            f"{numbers['true_start']} of the reference"
            f"{': the learned reward has been gamed' if gamed else ''}. "
            f"The covariance of the two rewards is {numbers['covariance']}: "
            f"if β falls a little, the mean true reward {way}."
        )

    def pictures(self):
        """Return the reference and the best policy as bars, and the mean true reward as a function of 1/β."""
        found = self._computed()
        names = [f"{name}: r = {number(r, 1)}" for name, r in zip(self.answers, found["reward"], strict=True)]
        shown = {"Reference": self.reference, f"Best policy, β = {number(self.beta)}": found["policy"]}
        means = [*found["path"][:, 1], np.full(len(BETAS), found["true_start"])]
        title = "Mean true reward, by the reward that is optimised"
        return [
            *(bars(names, values, title=title) for title, values in shown.items()),
            curves(
                1 / BETAS, means, [*REWARDS, "none"], "pressure 1/β", "mean true reward", title, xscale="log"
            ),
        ]


def distance(policy, reference):
    """Return KL(π, π_ref) in nats, to which answers with probability 0 under π contribute nothing."""
    given = policy > 0
    return (policy[given] * np.log(policy[given] / reference[given])).sum()
