"""A figure on speculative decoding: a draft proposes words, which the large model accepts or replaces."""

import numpy as np
import traitlets

from clearhead.figures import bars
from clearhead.figures.words import listed, number, quoted

from .figure import Figure, Numbers, expect_shape, source
from .scaling import normals

RULES = (
    "min(1, p / q), otherwise from the residual distribution",
    "1 (always)",
    "min(1, p / q), otherwise from p",
)
EXACT, ALWAYS, FROM_P = range(3)
EPSILON = 1e-12  # above the rounding error of p - q where they are equal


class Speculative(Figure):
    """Words that a draft model proposes and a large model accepts or replaces, beside its own words.

    Parameters
    ----------
    tokens : list of str
        The words (V).
    p : (V) float
        Their probabilities under the large model.
    q : (V) float
        Their probabilities under the draft model with no skill.
    skill : () float
        How similar the draft is to p: from 0 (it is q) to 1 (it is p).
    rule : () int
        The index of the rule in `RULES`: the first one is exact, and the two others are wrong.
    draws, seed : () int
        The number of words that are drawn, and the seed of the random numbers.
    """

    what_to_see = (
        "A cheap draft proposes words, and the large model accepts or replaces them: compare the "
        "result with the large model's own choice."
    )
    _esm = source("speculative.js")
    tokens = traitlets.List(traitlets.Unicode(), ["coffee", "tea", "soup", "milk", "juice", "ink"])
    tokens = tokens.tag(sync=True)
    p = Numbers([0.4, 0.3, 0.15, 0.1, 0.05, 0.0]).tag(sync=True)
    q = Numbers([0.1, 0.4, 0.05, 0.3, 0.05, 0.1]).tag(sync=True)
    skill = traitlets.Float(0.0, min=0, max=1).tag(sync=True)
    rule = traitlets.Int(EXACT, min=0, max=len(RULES) - 1).tag(sync=True)
    draws = traitlets.Int(0, min=0, max=20_000).tag(sync=True)
    seed = traitlets.Int(10).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**traits)
        for name in ("p", "q"):
            expect_shape(name, getattr(self, name), (len(self.tokens),), "one probability for each word")

    @traitlets.validate("p", "q")
    def _is_a_distribution(self, proposal):
        values = np.asarray(proposal["value"])
        if values.min(initial=0) < 0 or not np.isclose(values.sum(), 1):
            name = proposal["trait"].name
            raise traitlets.TraitError(f"{name} needs probabilities: none below 0, and with the sum 1.")
        return proposal["value"]

    @staticmethod
    def samples(rng):
        size = int(rng.integers(2, 9))
        p, q = rng.dirichlet(np.ones(size), size=2)
        p[rng.integers(size)] = 0
        return {
            "p": p / p.sum(),
            "q": q,
            "skill": float(rng.choice([0, 0.3, 1])),
            "rule": int(rng.integers(len(RULES))),
            "draws": int(rng.choice([0, 1, 150])),
            "seed": int(rng.integers(999)),
        }

    @staticmethod
    def compute(p, q, skill, rule, draws, seed):
        """Return the draft, its accepted part, the residual and output distributions, and the draws.

        `control` counts as many words drawn from p itself. `distances` has the total variation distance
        from p of the rule's distribution, of the output words, and of the control. `last` holds the word
        drafted, the output word, and the position of the random number on the bar of each.
        """
        p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
        draft = (1 - skill) * q + skill * p
        accepted_part = draft if rule == ALWAYS else np.minimum(p, draft)
        rejected = max(1 - accepted_part.sum(), 0)
        residual = {EXACT: p - accepted_part, ALWAYS: 0 * p, FROM_P: p}[rule] * (rejected > EPSILON)
        residual = np.where(residual > EPSILON, residual, 0)
        residual = residual / (residual.sum() or 1)
        output = accepted_part + rejected * residual

        random = 1000 * normals(seed, 4 * draws).reshape(draws, 4) % 1
        drafted = _sample(draft, random[:, 0])
        threshold = random[:, 1] * draft[drafted]
        is_accepted = threshold < accepted_part[drafted]
        replacements = _sample(residual, random[:, 2])
        words = np.where(is_accepted, drafted, replacements)
        counts, control = (np.bincount(w, minlength=len(p)) for w in (words, _sample(p, random[:, 3])))
        last = np.array([-1, -1, 0, 0])
        if draws:
            v = replacements[-1]
            moved = accepted_part[v] + rejected * (random[-1, 2] - residual[:v].sum())
            last = np.array(
                [drafted[-1], words[-1], threshold[-1], threshold[-1] if is_accepted[-1] else moved]
            )
        found = output, counts / max(draws, 1), control / max(draws, 1)
        return {
            "draft": draft,
            "accepted_part": accepted_part,
            "residual": residual,
            "output": output,
            "accepted": int(is_accepted.sum()),
            "counts": counts,
            "control": control,
            "distances": np.array([np.abs(each - p).sum() / 2 for each in found]),
            "last": last,
        }

    @property
    def words(self):
        """Return sentences on the last word, on all words, and on the probabilities of the rule."""
        found = self._computed()
        replacements = [
            f"{quoted(word)} {number(x)}" for word, x in zip(self.tokens, found["residual"], strict=True) if x
        ]
        return (
            f"{self._describe_draws(found) if self.draws else ''}"
            f"This rule accepts a drafted word with probability {number(found['accepted_part'].sum())}"
            f"{f', and replaces a rejected one by {listed(replacements)}' if replacements else ''}. "
            f"Total variation distance between its output and p: {number(found['distances'][0])}."
        )

    def _describe_draws(self, found):
        drafted, word = (int(v) for v in found["last"][:2])
        is_accepted = found["last"][2] < found["accepted_part"][drafted]
        end = "accepted" if is_accepted else f"rejected; {quoted(self.tokens[word])} replaces it"
        _, output, control = found["distances"]
        return (
            f"Word {self.draws:,}: {quoted(self.tokens[drafted])} is drafted and {end}. "
            f"Accepted so far: {found['accepted']:,} of {self.draws:,}. "
            f"Total variation distance between the output words and p: {number(output, 3)}; "
            f"for as many words drawn from p itself: {number(control, 3)}. "
        )

    def pictures(self):
        """Return the draft, the large model, and the accepted part or the output words, as bars."""
        found = self._computed()
        shown = {"The draft q": found["draft"], "The large model p": self.p}
        if self.draws:
            shown[f"Output, {self.draws:,} words"] = found["counts"] / self.draws
        else:
            shown["Accepted from the draft"] = found["accepted_part"]
        return [bars(self.tokens, values, title=title) for title, values in shown.items()]


def _sample(probabilities, random):
    """Return the word for each random number, by the part of the line from 0 to 1 into which it falls."""
    ends = np.cumsum(probabilities)
    return np.minimum(np.searchsorted(ends, random * ends[-1], side="right"), len(ends) - 1)
