"""A game about compute: buy small training runs, predict the loss of the large one, and score points."""

import math

import numpy as np
import traitlets

from clearhead.figures import curves
from clearhead.figures.words import listed, number
from clearhead.maths.losses import power_law
from clearhead.pretrained.since_gpt2 import width_runs

from .figure import Figure, Numbers, expect_shape, source

EVERY = 50  # steps between two recorded losses


class ComputeBudget(Figure):
    """A game in which a training step costs in proportion to the model's size, and the largest is not sold.

    Parameters
    ----------
    sizes : (n) float
        The number of parameters of each model, increasing. The loss of the last model is to be predicted.
    curves : (n, seeds, moments) float
        The excess loss at steps 0, 50, ... of each model and seed.
    widths : (n) float
        The widths of the models, which are also their names.
    budget : () float
        The budget. A complete run of the largest model, with one seed, costs 100.
    steps : (n - 1) int
        The number of steps that are bought for each smaller model.
    seeds : () int
        The number of seeds with which each of them is run.
    guess : () float
        The excess loss that the reader predicts for the end of the largest run.
    revealed : bool
        Whether the true loss is shown.
    """

    what_to_see = (
        "Spend your budget on small training runs, and then predict the loss of a model that you "
        "cannot afford to train."
    )
    _esm = source("compute_budget.js")
    sizes = Numbers().tag(sync=True)
    curves = Numbers().tag(sync=True)
    widths = Numbers().tag(sync=True)
    budget = traitlets.Float(60.0, min=1).tag(sync=True)
    steps = traitlets.List(traitlets.Int(min=0)).tag(sync=True)
    seeds = traitlets.Int(1, min=1).tag(sync=True)
    guess = traitlets.Float(0.01, min=1e-6).tag(sync=True)
    revealed = traitlets.Bool(False).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**traits)
        n = len(self.sizes)
        expect_shape("curves", self.curves, (n, None, None), "one row per size, one curve per seed")
        expect_shape("widths", self.widths, (n,), "one per size")
        expect_shape("steps", self.steps, (n - 1,), "one per size except the last")
        _, most_seeds, moments = np.shape(self.curves)
        if self.seeds > most_seeds:
            raise ValueError(f"seeds is {self.seeds}, but {most_seeds} were run.")
        for count in self.steps:
            if count % EVERY or count > EVERY * (moments - 1):
                last = EVERY * (moments - 1)
                raise ValueError(f"steps has {count}; give multiples of {EVERY}, up to {last}.")

    @traitlets.default("sizes")
    def _recorded_sizes(self):
        return width_runs()[1].tolist()

    @traitlets.default("curves")
    def _recorded_curves(self):
        return width_runs()[2].tolist()

    @traitlets.default("widths")
    def _recorded_widths(self):
        return width_runs()[0].tolist()

    @traitlets.default("steps")
    def _first_purchase(self):
        last = EVERY * (np.shape(self.curves)[2] - 1)
        return [last * (index < 3) for index in range(len(self.sizes) - 1)]

    @staticmethod
    def samples(rng):
        n, moments = int(rng.integers(3, 8)), int(rng.integers(3, 14))
        return {
            "sizes": np.cumsum(rng.uniform(10, 1000, size=n)).tolist(),
            "curves": rng.uniform(0.001, 3, size=(n, 3, moments)).tolist(),
            "budget": float(rng.uniform(10, 300)),
            "steps": [EVERY * int(k) for k in rng.integers(0, moments, size=n - 1)],
            "seeds": int(rng.integers(1, 4)),
            "guess": float(10 ** rng.uniform(-3, 0)),
        }

    @staticmethod
    def compute(sizes, curves, budget, steps, seeds, guess):
        """Return prices, final losses of the bought runs (or 0), true and extrapolated loss, and points."""
        sizes, curves = np.asarray(sizes), np.asarray(curves)
        steps = np.asarray(steps)
        last = curves.shape[2] - 1
        costs = 100 * seeds * sizes[:-1] * steps / (sizes[-1] * EVERY * last)
        means = curves[:-1, :seeds].mean(axis=1)  # (n - 1, moments)
        final_losses = np.where(steps > 0, means[np.arange(len(steps)), steps // EVERY], 0)
        true_loss = curves[-1, :, -1].mean()
        longest = (steps == steps.max()) & (steps > 0)
        extrapolated = 0.0
        if longest.sum() > 1:
            A, exponent = power_law(sizes[:-1][longest], final_losses[longest], 0.0)
            extrapolated = A * sizes[-1] ** -exponent
        return {
            "costs": costs,
            "spent": costs.sum(),
            "allowed": costs.sum() <= budget,
            "final_losses": final_losses,
            "true_loss": true_loss,
            "extrapolated": extrapolated,
            "points": points(guess, true_loss),
            "extrapolated_points": points(extrapolated, true_loss) if extrapolated else 0,
        }

    @property
    def words(self):
        """Return sentences on the compute spent, on the losses and, once revealed, on the score."""
        found = self._computed()
        spent = f"You have spent {number(found['spent'], 1)} of {number(self.budget, 0)}."
        if not found["allowed"]:
            return f"{spent} That exceeds the budget: buy fewer steps or seeds."
        runs = [
            f"{number(end, 4)} for width {width:.0f} after {count} steps"
            for width, count, end in zip(self.widths, self.steps, found["final_losses"], strict=False)
            if count
        ]
        results = f"Excess loss: {listed(runs)}." if runs else "You have not bought any runs yet."
        large = f"width {self.widths[-1]:.0f}"
        guess = f"You predict {number(self.guess, 4)} for {large}."
        if not self.revealed:
            return f"{spent} {results} {guess}"
        extrapolation = "A power law needs at least two runs with the largest number of steps."
        if found["extrapolated"]:
            result = f"{number(found['extrapolated'], 4)}: {found['extrapolated_points']} points"
            extrapolation = f"A power law through your longest runs predicts {result}."
        true_value = f"The true value is {number(found['true_loss'], 4)}: {found['points']} of 100 points."
        return f"{spent} {results} {guess} {true_value} {extrapolation}"

    def pictures(self):
        """Return the excess losses of the bought runs up to their common number of steps, as logarithms."""
        bought = [index for index, count in enumerate(self.steps) if count]
        if not bought:
            return []
        common = min(self.steps[index] for index in bought) // EVERY
        means = np.mean(np.asarray(self.curves)[bought, : self.seeds, 1 : common + 1], axis=1)
        names = [f"width {self.widths[index]:.0f}" for index in bought]
        moments = EVERY * np.arange(1, common + 1)
        return [curves(moments, np.log10(means), names, "steps", "excess loss, powers of ten")]


def points(guess, true_loss):
    """Return 100 points for the true loss, and 0 at ten times or a tenth of it, falling logarithmically."""
    return max(0, math.floor(100 * (1 - abs(math.log10(guess / true_loss))) + 0.5))
