"""What happened while a model learned, step by step, and a picture of it."""

from copy import deepcopy
from dataclasses import asdict, dataclass, field

import numpy as np


@dataclass
class History:
    """The record of a training run.

    Parameters
    ----------
    losses : list of float
        The loss of each step, before its update, in nats.
    rates : list of float
        The learning rate of each step.
    norms : list of float
        The length of the whole gradient of each step, before clipping.
    measured : dict of int to float
        What was measured, by the number of updates before it.
    """

    losses: list = field(default_factory=list)
    rates: list = field(default_factory=list)
    norms: list = field(default_factory=list)
    measured: dict = field(default_factory=dict)

    @property
    def step(self):
        """Return how many updates there have been."""
        return len(self.losses)

    def copy(self):
        """Return a history that can grow without changing this one."""
        return deepcopy(self)

    def as_dict(self):
        """Return plain lists and dicts, to be saved."""
        return asdict(self)

    def smooth(self, pieces=100):
        """Return the mean loss over equal stretches of the run, and where each stretch ends.

        Parameters
        ----------
        pieces : int
            How many stretches (S), at most one a step.

        Returns
        -------
        steps : (S,) int
            The number of updates at the end of each stretch.
        losses : (S,) float
            The mean of each stretch.
        """
        ends = np.linspace(0, self.step, min(pieces, self.step) + 1).astype(int)
        stretches = np.split(np.array(self.losses), ends[1:-1])
        return ends[1:], np.array([stretch.mean() for stretch in stretches])

    def plot(self, title=None):
        """Return a picture of the loss, with what was measured beside it.

        Parameters
        ----------
        title : str, optional
            A line above the picture.

        Returns
        -------
        picture : clearhead.figures.Picture
            Needs matplotlib.

        Raises
        ------
        ValueError
            If there has been no step yet.
        """
        from clearhead.figures import curves

        if not self.losses:
            raise ValueError("There is nothing to draw before the first step: call train first.")
        steps, losses = self.smooth()
        lines, labels = [losses], ["training"]
        if self.measured:
            lines.append(np.interp(steps, list(self.measured), list(self.measured.values())))
            labels.append("measured")
        return curves(steps, lines, labels, "step", "loss (nats)", title)
