"""A figure on scaling laws: losses form a straight line only above the right irreducible loss."""

import numpy as np
import traitlets

from clearhead.figures import curves
from clearhead.figures.words import listed, number
from clearhead.maths.losses import power_law
from clearhead.pretrained.since_gpt2 import CHAIN_ENTROPY, chain_runs

from .figure import Figure, Numbers, source


class PowerLaw(Figure):
    """Losses of models of growing size, above a floor that the reader chooses, and a fitted power law.

    Parameters
    ----------
    sizes : (n) float
        The sizes of the models, increasing; the loss of the last one is to be predicted.
    losses : (seeds, n) float
        One row per seed.
    entropy : () float
        The entropy, which is the true floor.
    floor : () float
        The number that is subtracted before the logarithm is taken, from 0 to the entropy.
    used : () int
        The number of sizes to which the law is fitted, which are those just below the last one.
    """

    what_to_see = (
        "The losses follow a straight line only above the right floor: move the floor, and see how "
        "well it predicts the largest model."
    )
    _esm = source("power_law.js")
    sizes = Numbers().tag(sync=True)
    losses = Numbers().tag(sync=True)
    entropy = traitlets.Float(CHAIN_ENTROPY, min=0).tag(sync=True)
    floor = traitlets.Float(0.0, min=0).tag(sync=True)
    used = traitlets.Int(3, min=2).tag(sync=True)

    @traitlets.default("sizes")
    def _recorded_sizes(self):
        return chain_runs()[0].tolist()

    @traitlets.default("losses")
    def _recorded_losses(self):
        return chain_runs()[1].tolist()

    @traitlets.validate("floor")
    def _below_the_losses(self, proposal):
        if len(self.losses) and proposal["value"] >= np.min(self.losses):
            raise traitlets.TraitError(f"floor is {proposal['value']}, but some loss is at or below it.")
        return proposal["value"]

    @staticmethod
    def samples(rng):
        n, entropy = int(rng.integers(4, 8)), float(rng.uniform(0.5, 3))
        sizes = np.cumsum(rng.uniform(10, 1000, size=n))
        losses = entropy + rng.uniform(0.01, 2, size=(3, n))
        return {
            "sizes": sizes.tolist(),
            "losses": losses.tolist(),
            "entropy": entropy,
            "floor": float(rng.uniform(0, entropy)),
            "used": int(rng.integers(2, n)),
        }

    @staticmethod
    def compute(sizes, losses, entropy, floor, used):
        """Return, for each seed, the exponent, the loss predicted for the last size, and its error."""
        sizes, losses = np.asarray(sizes), np.asarray(losses)
        exponents, predicted = [], []
        for row in losses:
            A, exponent = power_law(sizes[-1 - used : -1], row[-1 - used : -1], floor)
            exponents.append(exponent)
            predicted.append(floor + A * sizes[-1] ** -exponent)
        misses = np.array(predicted) - losses[:, -1]
        return {"exponents": np.array(exponents), "predicted": np.array(predicted), "misses": misses}

    @property
    def words(self):
        """Return sentences on the exponents, and on the errors of the predictions."""
        found = self._computed()
        exponents, misses = (listed([number(x, 3) for x in found[name]]) for name in ("exponents", "misses"))
        return (
            f"With a floor of {number(self.floor)} nats (the entropy is {number(self.entropy)}), "
            f"a power law fitted to {self.used} sizes has the exponents {exponents}. "
            f"Its predictions for the largest model are off by {misses} nats."
        )

    def pictures(self):
        """Return the losses above the chosen floor, and above the true one, both in powers of ten."""
        means = np.mean(self.losses, axis=0)
        above = np.log10([means - self.floor, means - self.entropy])
        names = [f"above {self.floor:.2f}", "above the entropy"]
        return [curves(self.sizes, above, names, "parameters", "nats, powers of ten", xscale="log")]
