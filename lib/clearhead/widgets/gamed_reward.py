"""A figure on gamed rewards: answers of various qualities and lengths, under increasing pressure."""

import numpy as np
import traitlets

from clearhead.figures import curves
from clearhead.figures.words import number
from clearhead.maths.softmax import softmax

from .figure import Figure, Numbers, expect_shape, source

LENGTHS, QUALITIES = np.arange(1, 13), np.arange(-2, 3)
ANSWERS = len(LENGTHS) * len(QUALITIES)
QUALITY, LENGTH = (grid.ravel() for grid in np.meshgrid(QUALITIES, LENGTHS))
WHY = "one entry per answer: five qualities for each of twelve lengths"


class GamedReward(Figure):
    """The best policy for a learned reward, and its true reward, as the pressure grows.

    Parameters
    ----------
    reference : (60) float
        Probabilities of the answers under the reference: twelve lengths, each with five qualities.
    rewards : (n, 60) float
        The rewards of n reward models, one model per row.
    names : list of str
        The features that each reward model uses.
    truth : (60) float
        The true reward of each answer.
    chosen : () int
        The index of the reward model that is optimised.
    pressure : () float
        The pressure 1/β, by which the reward is multiplied.
    """

    what_to_see = (
        "Increase the pressure: the learned reward keeps rising, and the true reward need not follow it."
    )
    _esm = source("gamed_reward.js")
    reference = Numbers().tag(sync=True)
    rewards = Numbers().tag(sync=True)
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    truth = Numbers().tag(sync=True)
    chosen = traitlets.Int(0, min=0).tag(sync=True)
    pressure = traitlets.Float(1.0, min=0).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**traits)
        expect_shape("reference", self.reference, (ANSWERS,), WHY)
        expect_shape("truth", self.truth, (ANSWERS,), WHY)
        expect_shape(
            "rewards", self.rewards, (len(self.names), ANSWERS), "one row per name, one entry per answer"
        )
        if self.chosen >= len(self.names):
            raise ValueError(f"chosen is {self.chosen}, but there are {len(self.names)} reward models.")

    @traitlets.default("reference")
    def _mostly_short(self):
        return softmax(-0.5 * LENGTH).tolist()

    @traitlets.default("truth")
    def _best_at_length_five(self):
        return (QUALITY - (LENGTH - 5) ** 2 / 8).tolist()

    @traitlets.default("names")
    def _two_models(self):
        return ["quality and length", "quality, length and squared length"]

    @traitlets.default("rewards")
    def _fitted_to_the_truth(self):
        """Return the rewards of both models, fitted to the true rewards with the reference as weights."""
        expect_shape("truth", self.truth, (ANSWERS,), WHY)
        expect_shape("reference", self.reference, (ANSWERS,), WHY)
        features = np.stack([np.ones(ANSWERS), QUALITY, LENGTH, LENGTH**2], axis=1)
        often, truth = np.sqrt(self.reference), np.array(self.truth)
        fits = [
            features[:, :n] @ np.linalg.lstsq(often[:, None] * features[:, :n], often * truth, rcond=None)[0]
            for n in (3, 4)
        ]
        return np.array(fits).tolist()

    @staticmethod
    def samples(rng):
        return {
            "reference": softmax(rng.normal(size=ANSWERS)).tolist(),
            "rewards": rng.normal(size=(3, ANSWERS)).tolist(),
            "truth": rng.normal(size=ANSWERS).tolist(),
            "chosen": int(rng.integers(3)),
            "pressure": float(rng.uniform(0, 6)),
        }

    @staticmethod
    def compute(reference, rewards, truth, chosen, pressure):
        """Return the policy, its mean length and rewards, and their covariance, 0 at the peak."""
        reward, truth = np.asarray(rewards)[chosen], np.asarray(truth)
        policy = softmax(np.log(reference) + pressure * reward)
        learned, real = policy @ reward, policy @ truth
        return {
            "policy": policy,
            "length": policy @ LENGTH,
            "learned": learned,
            "real": real,
            "before": np.asarray(reference) @ truth,
            "covariance": policy @ (reward * truth) - learned * real,
        }

    @property
    def words(self):
        """Return sentences on the mean length, on both rewards, and on the effect of more pressure."""
        found = self._computed()
        does = "raises" if found["covariance"] > 0 else "lowers"
        return (
            f"The reward model uses {self.names[self.chosen]}. At pressure {number(self.pressure, 1)} "
            f"the mean length is {number(found['length'], 1)}, the learned reward {number(found['learned'])} "
            f"and the true reward {number(found['real'])}; "
            f"without pressure it is {number(found['before'])}. "
            f"A little more pressure {does} the true reward."
        )

    def pictures(self):
        """Return the curves of the learned and the true reward over the pressure."""
        pressures = np.linspace(0, 6, 61)
        found = [self._computed(pressure=each) for each in pressures]
        rows = np.array([[each[name] for each in found] for name in ("learned", "real")])
        return [curves(pressures, rows, ["learned reward", "true reward"], "pressure 1/β", "mean reward")]
