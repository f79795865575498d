"""A figure on unmasking: a text is unmasked in the reader's order, at a cost for tokens sampled together."""

import numpy as np
import traitlets

from clearhead.figures import attention_map
from clearhead.figures.words import listed, number
from clearhead.maths.diffusion import masked_posterior, parallel_unmasking_cost

from .figure import Figure, Numbers, expect_shape, source
from .scaling import normals

MASKED = -1


class UnmaskingOrder(Figure):
    """A diary of the weather that is unmasked in steps, the exact posteriors, and the cost in nats.

    Parameters
    ----------
    tokens : list of str
        The words (V).
    P : (V, V) float
        The transition probabilities of the chain.
    start : (V) float
        The probabilities of the first word.
    dependence : () float
        The dependence of a day on the day before: 1 leaves P unchanged, and 0 makes the days independent.
    steps : (T) int
        For each day, the step in which it was unmasked, or -1 if it is still masked.
    chosen : (T) int
        1 for each day that is chosen for the next step.
    seed : () int
        The seed of the random numbers.
    """

    what_to_see = (
        "Choose the days to unmask next: the figure says beforehand what it costs to sample them together."
    )
    _esm = source("unmasking_order.js")
    tokens = traitlets.List(traitlets.Unicode(), ["rain", "wind", "sun"]).tag(sync=True)
    P = Numbers([[0.80, 0.18, 0.02], [0.15, 0.70, 0.15], [0.02, 0.18, 0.80]]).tag(sync=True)
    start = Numbers([0.3125, 0.375, 0.3125]).tag(sync=True)
    dependence = traitlets.Float(1.0, min=0, max=1).tag(sync=True)
    steps = traitlets.List(traitlets.Int(), [0, *[MASKED] * 7]).tag(sync=True)
    chosen = traitlets.List(traitlets.Int(), [0, 1, 1, 0, 0, 0, 0, 0]).tag(sync=True)
    seed = traitlets.Int(3).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**traits)
        expect_shape(
            "P", self.P, (len(self.tokens), len(self.tokens)), "one row and one column for each word"
        )
        expect_shape("start", self.start, (len(self.tokens),), "one probability for each word")
        expect_shape("chosen", self.chosen, (len(self.steps),), "0 or 1 for each day")

    @staticmethod
    def samples(rng):
        V, T = int(rng.integers(2, 5)), int(rng.integers(3, 8))
        made = int(rng.integers(1, 4))
        steps = rng.integers(-1, made, size=T)
        _, steps = np.unique(np.append(steps, -1), return_inverse=True)
        steps = steps[:-1] - 1
        return {
            "P": rng.dirichlet(np.ones(V), size=V),
            "start": rng.dirichlet(np.ones(V)),
            "dependence": float(rng.choice([0, 0.4, 1])),
            "steps": steps.tolist(),
            "chosen": (rng.integers(2, size=T) * (steps == MASKED)).tolist(),
            "seed": int(rng.integers(999)),
        }

    @staticmethod
    def compute(P, start, dependence, steps, chosen, seed):
        """Return the words so far, the posteriors of all days, the cost so far, and that of the next step."""
        start = np.asarray(start, dtype=float)
        P = dependence * np.asarray(P, dtype=float) + (1 - dependence) * start
        steps, chosen = np.asarray(steps), np.asarray(chosen, dtype=bool)
        ids, dice = np.zeros(len(steps), dtype=int), 1000 * normals(seed, len(steps)) % 1
        for step in range(steps.max(initial=MASKED) + 1):
            chances = masked_posterior(ids, (steps != MASKED) & (steps < step), P, start)
            for t in np.flatnonzero(steps == step):
                ends = np.cumsum(chances[t])
                ids[t] = min(int(np.searchsorted(ends, dice[t] * ends[-1], side="right")), len(start) - 1)
        spent = parallel_unmasking_cost(_completed(steps, np.zeros_like(chosen)), P, start)
        following = parallel_unmasking_cost(_completed(steps, chosen), P, start) - spent
        return {
            "ids": np.where(steps == MASKED, MASKED, ids),
            "posterior": masked_posterior(ids, steps != MASKED, P, start),
            "spent": max(spent, 0.0),
            "following": max(following, 0.0),
        }

    @property
    def words(self):
        """Return sentences on the progress, on the cost so far, and on the cost of the chosen days."""
        found = self._computed()
        made, masked = max(self.steps) + 1, self.steps.count(MASKED)
        days = [f"day {t + 1}" for t, each in enumerate(self.chosen) if each]
        cost = f"at a cost of {number(found['spent'], 3)} nats"
        if not masked:
            diary = ", ".join(self.tokens[v] for v in found["ids"])
            return f"The diary is complete: {diary}. It took {_counted(made, 'step')}, {cost}."
        said = f"{len(self.steps) - masked} of {len(self.steps)} days are unmasked, "
        said += f"in {_counted(made, 'step')}, {cost}. "
        if not days:
            return said + "Choose the days to unmask next."
        together = " together" if len(days) > 1 else ""
        return f"{said}To unmask {listed(days)}{together} costs {number(found['following'], 3)} nats."

    def pictures(self):
        """Return the posteriors of all days as a map."""
        days = [f"day {t + 1}" for t in range(len(self.steps))]
        title = "Each row holds the probabilities of one day, given the days that are unmasked."
        return [attention_map(np.asarray(self._computed()["posterior"]), days, self.tokens, title)]


def _completed(steps, chosen):
    """Return the step of each day if the chosen days come next, and the others one at a time later."""
    following = steps.max(initial=MASKED) + 1
    rest = (steps == MASKED) & ~chosen
    return np.where(rest, following + np.cumsum(rest), np.where(chosen, following, steps))


def _counted(count, noun):
    return f"{count} {noun}{'' if count == 1 else 's'}"
