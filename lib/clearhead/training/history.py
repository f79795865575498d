"""The record of a training run, step by step."""

from copy import deepcopy
from dataclasses import asdict, dataclass, field


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
        """Return the number of updates so far."""
        return len(self.losses)

    def copy(self):
        """Return a copy of the history, which can grow without changing this one."""
        return deepcopy(self)

    def as_dict(self):
        """Return the history as plain lists and dicts, for saving."""
        return asdict(self)
