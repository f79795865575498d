"""The bug zoo as a game: find the broken part of an attention layer with pictures and eight tests."""

import numpy as np
import traitlets

from clearhead.figures import attention_map
from clearhead.figures.words import listed, quoted

from .bugs import BUGS, TESTS, examine
from .figure import Figure, Numbers, expect_shape, source
from .scaling import normals

NONE, CHOICES = -1, 4
FIRST = 9  # the seed of the first deal: it begins with bugs that are easy to see


def _own_layer():
    rng = np.random.default_rng(0)
    return {"x": rng.normal(size=(6, 12)), "W": 0.6 * rng.normal(size=(4, 12, 12))}


class BugHunt(Figure):
    """Thirteen cases: find the broken part of an attention layer with as few of eight tests as possible.

    Parameters
    ----------
    x : (T, D) float
        The usual input, of at least 4 tokens.
    W : (4, D, D) float
        The weight matrices for queries, keys, values and output.
    num_heads : () int
        How many heads. It must divide D.
    deal : () int
        Which order of the cases is played.
    case : () int
        The case that is open; 13 is the end of the game.
    tests : list of int
        The tests that were run in this case, as indices into `bugs.TESTS`.
    test : () int
        The test whose input is shown; −1 is the usual input.
    head : () int
        The head that is shown.
    answers : list of int
        What the reader answered in this case, as indices into `bugs.BUGS`.
    past : (C, 2) int
        For each case before this one: 1 if its first answer was right, and how many tests were run.
    """

    what_to_see = (
        "One piece of this attention layer is broken: find out which one, with as few tests as you can."
    )
    _esm = source("bug_hunt.js", "kit/bugs.js")
    x = Numbers().tag(sync=True)
    W = Numbers().tag(sync=True)
    num_heads = traitlets.Int(3, min=1).tag(sync=True)
    deal = traitlets.Int(0, min=0).tag(sync=True)
    case = traitlets.Int(0, min=0, max=len(BUGS)).tag(sync=True)
    tests = traitlets.List(traitlets.Int(min=0, max=len(TESTS) - 1)).tag(sync=True)
    test = traitlets.Int(NONE, min=NONE, max=len(TESTS) - 1).tag(sync=True)
    head = traitlets.Int(0, min=0).tag(sync=True)
    answers = traitlets.List(traitlets.Int(min=0, max=len(BUGS) - 1)).tag(sync=True)
    past = traitlets.List().tag(sync=True)
    zoo = traitlets.List([[bug.name, bug.ours, bug.broken, bug.fix] for bug in BUGS]).tag(sync=True)
    asked = traitlets.List([list(test) for test in TESTS]).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**(_own_layer() | traits))
        T, D = np.shape(self.x) if np.ndim(self.x) == 2 else (None, None)
        expect_shape("x", self.x, (T, D), "one row per token")
        expect_shape("W", self.W, (4, D, D), "weights for queries, keys, values and output")
        if T < 4 or D % self.num_heads or self.head >= self.num_heads:
            raise ValueError(
                f"x has {T} tokens of width {D}, with {self.num_heads} heads, of which {self.head} is shown: "
                "give at least 4 tokens, a width that the heads divide, and a head that exists."
            )

    @staticmethod
    def samples(rng):
        T, H, d = (int(size) for size in (rng.integers(4, 7), rng.integers(2, 4), rng.integers(2, 5)))
        layer = {"x": rng.normal(size=(T, H * d)), "W": 0.6 * rng.normal(size=(4, H * d, H * d))}
        where = {"bug": int(rng.integers(len(BUGS))), "test": int(rng.integers(NONE, len(TESTS)))}
        return {**layer, "num_heads": H, **where, "deal": int(rng.integers(9))}

    @staticmethod
    def compute(x, W, num_heads, bug, test, deal):
        """Return what one test sees of our layer and of the broken one, all verdicts, and the order of cases.

        NaN comes back as 0; `finite` says where it was not.
        """
        x, W = np.asarray(x, dtype=float), np.asarray(W, dtype=float)
        ours, own, _ = examine({}, x, W, num_heads, test)
        theirs, reading, right = examine(BUGS[bug].piece, x, W, num_heads, test)
        verdicts = [passes(each, x, W, num_heads) for each in BUGS]
        return {
            "ours": ours,
            "theirs": np.nan_to_num(theirs, posinf=0),
            "finite": np.isfinite(theirs),
            "own": own,
            "reading": np.nan_to_num(reading, posinf=0),
            "right": right,
            "verdicts": verdicts,
            "order": shuffled(FIRST + deal),
        }

    @property
    def bug(self):
        """Return the index of the bug of this case; at the end of the game, of the last one."""
        return int(shuffled(FIRST + self.deal)[min(self.case, len(BUGS) - 1)])

    @property
    def choices(self):
        """Return the bugs from which the reader chooses: the one of this case and three others."""
        others = [bug for bug in shuffled(1000 * (self.deal + 1) + self.case) if bug != self.bug]
        return sorted([self.bug, *(int(bug) for bug in others[: CHOICES - 1])])

    @property
    def words(self):
        """Return what the picture or the test shows, what the answer was worth, and the score."""
        if self.case == len(BUGS):
            return f"The end. {self._score()}"
        found = self._found()
        return " ".join(
            part
            for part in (
                f"Case {self.case + 1} of {len(BUGS)}.",
                self._seen(found),
                self._judged(found["verdicts"]),
                self._score(),
            )
            if part
        )

    def _seen(self, found):
        if self.test != NONE:
            wrong = [str(i + 1) for i in np.flatnonzero(~found["right"].all(axis=0))]
            where = (
                f"fails at {'token' if len(wrong) == 1 else 'tokens'} {listed(wrong)}" if wrong else "passes"
            )
            return f"{quoted(TESTS[self.test][0])} {where}. {TESTS[self.test][1]}"
        ours, theirs = found["ours"][self.head], found["theirs"][self.head]
        apart = int((~np.isclose(ours, theirs) | ~found["finite"][self.head]).sum())
        differ = (
            f"{apart} of {ours.size} weights differ from ours" if apart else "no weight differs from ours"
        )
        return f"With the usual input, head {self.head}: {differ}."

    def _judged(self, verdicts):
        if not self.answers:
            return ""
        answer, named = self.answers[-1], quoted(BUGS[self.answers[-1]].name)
        if answer == self.bug:
            see = [quoted(TESTS[t][0]) for t in range(len(TESTS)) if not verdicts[answer][t]]
            return f"Found: {named}. {BUGS[answer].fix} Detected by {listed(see)}."
        apart = [t for t in range(len(TESTS)) if verdicts[answer][t] != verdicts[self.bug][t]]
        if not apart:
            return f"Not {named}: no test tells the two apart, but the pictures do."
        told = [t for t in self.tests if t in apart]
        if not told:
            return f"Not {named}. Run {quoted(TESTS[apart[0]][0])}: it tells the two apart."
        would, here = ("pass", "fails") if verdicts[answer][told[0]] else ("fail", "passes")
        return f"Not {named}: it would {would} {quoted(TESTS[told[0]][0])}, and this layer {here} it."

    def _score(self):
        now = [[int(self.answers[0] == self.bug), len(self.tests)]] if self.answers else []
        cases = [*self.past, *(now if self.case < len(BUGS) else [])]
        if not cases:
            return "No answer yet."
        found, tests = (sum(column) for column in zip(*cases, strict=True))
        ran = "1 test" if tests == 1 else f"{tests} tests"
        return f"Score: {found} of {len(cases)} found at the first answer, with {ran}."

    def pictures(self):
        """Return the weights of our layer and of the broken one, on the input that is shown."""
        found, names = self._found(), [str(i + 1) for i in range(len(self.x))]
        return [
            attention_map(found[which][self.head], names, names, title)
            for which, title in (("ours", "ours"), ("theirs", "with one broken piece"))
        ]


def passes(bug, x, W, num_heads):
    """Return for each test whether the layer with this bug passes it."""
    return [bool(examine(bug.piece, x, W, num_heads, test)[2].all()) for test in range(len(TESTS))]


def shuffled(seed):
    """Return the indices of the bugs in an order that depends only on the seed, as in the page."""
    return np.argsort(normals(seed, len(BUGS)), kind="stable")
