"""A figure on category codes: change the integers of four categories, and see the fitted line and its R²."""

from itertools import permutations

import numpy as np
import traitlets

from clearhead.figures import bars
from clearhead.figures.words import listed, number

from .figure import Figure, Numbers, source
from .scaling import normals

#: Four hair colours, how each moves a visit to the hairdresser, and twelve visits of each.
HAIR, EFFECTS, VISITS = ["Blond", "Black", "Brown", "Blue"], (3.0, -1.0, 2.0, 0.0), 12
GROUPS = np.tile(np.arange(4), VISITS)
MINUTES = np.round(np.array(EFFECTS)[GROUPS] + 0.5 * normals(1, 4 * VISITS), 2)


class CategoryCodes(Figure):
    """Values that belong to four categories, and a line fitted to integer codes that the reader changes.

    Parameters
    ----------
    names : list of str
        Four categories.
    codes : list of int
        The integer of each category: 0, 1, 2 and 3 in any order.
    one_hot : () bool
        Give the model one-hot vectors instead of the integers.
    groups : (T) int
        The category of each point.
    y : (T) float
        The values that are predicted.
    what : str
        The name of y, with its unit.
    """

    what_to_see = (
        "How well the line fits depends on which integers stand for the categories, whereas one-hot "
        "codes leave no such choice."
    )
    _esm = source("category_codes.js")
    names = traitlets.List(traitlets.Unicode(), HAIR).tag(sync=True)
    codes = traitlets.List(traitlets.Int(), [0, 1, 2, 3]).tag(sync=True)
    one_hot = traitlets.Bool(False).tag(sync=True)
    groups = Numbers(GROUPS.tolist()).tag(sync=True)
    y = Numbers(MINUTES.tolist()).tag(sync=True)
    what = traitlets.Unicode("minutes").tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**traits)
        if len(self.groups) != len(self.y) or set(self.groups) != {0, 1, 2, 3} or len(self.names) != 4:
            raise ValueError(
                "Give four names, and for each y a group from 0 to 3, with at least one y in each group."
            )

    @traitlets.validate("codes")
    def _each_once(self, proposal):
        if sorted(proposal["value"]) != [0, 1, 2, 3]:
            raise traitlets.TraitError(f"codes are {proposal['value']}; give 0, 1, 2 and 3, each once.")
        return proposal["value"]

    @staticmethod
    def samples(rng):
        groups = np.concatenate([np.arange(4), rng.integers(4, size=9)])
        codes = rng.permutation(4).tolist()
        return {"codes": codes, "one_hot": bool(rng.integers(2)), "groups": groups, "y": rng.normal(size=13)}

    @staticmethod
    def compute(codes, one_hot, groups, y):
        """Return the predictions per category, their R², the R² of all 24 orders, and of one-hot codes."""
        groups, y = np.asarray(groups, dtype=int), np.asarray(y, dtype=float)
        means = np.array([y[groups == group].mean() for group in range(4)])
        lines = {order: _line(np.array(order), groups, y) for order in permutations(range(4))}
        scores = {order: _score(line, groups, y) for order, line in lines.items()}
        chosen, best = tuple(codes), _score(means, groups, y)
        return {
            "predictions": means if one_hot else lines[chosen],
            "r_squared": best if one_hot else scores[chosen],
            "every_order": np.array(list(scores.values())),
            "with_one_hot": best,
        }

    @property
    def words(self):
        """Return a sentence on the codes, on how well the line fits, and on one-hot codes."""
        found, T = self._computed(), len(self.y)
        score, best = number(found["r_squared"]), number(found["with_one_hot"])
        if self.one_hot:
            learned = "One-hot, with one parameter for each category"
            return f"{learned}: R² = {best} on these {T} points, in any order."
        named = listed(f"{name} {code}" for name, code in zip(self.names, self.codes, strict=True))
        rank = 1 + int(np.sum(found["every_order"] > found["r_squared"] + 1e-9))
        return (
            f"{named}: the line reaches R² = {score} on these {T} points, rank {rank} of 24 orders. "
            f"One-hot reaches {best}."
        )

    def pictures(self):
        """Return the R² of these codes, of the worst and best order, and of one-hot, as bars."""
        found, every = self._computed(), self._computed()["every_order"]
        labels = ["now", "worst order", "best order", "one-hot"]
        values = [found["r_squared"], every.min(), every.max(), found["with_one_hot"]]
        return [bars(labels, values, title="R² for different integers given to the categories")]


def _line(codes, groups, y):
    """Return the predictions of the least-squares line through the codes, one for each category."""
    x = codes[groups]
    slope = np.mean((x - x.mean()) * (y - y.mean())) / x.var()
    return y.mean() + slope * (codes - x.mean())


def _score(predictions, groups, y):
    from clearhead.maths.vectors import r_squared

    return r_squared(y, predictions[groups])
