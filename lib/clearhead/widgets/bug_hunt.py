"""A game: find the broken part of an attention layer with pictures and eight tests."""

import numpy as np
import traitlets

from clearhead.figures import attention_map
from clearhead.figures.words import listed, quoted

from .bugs import BUGS, TESTS, examine
from .figure import Figure, Numbers, expect_shape, source
from .scaling import normals

NONE, CHOICES = -1, 4
FIRST = 9  # the seed of the first round: it begins with bugs that are easy to see


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
        The number of heads, which must divide D.
    round : () int
        The round of the game, which decides the order of the cases.
    case : () int
        The case that is open; 13 is the end of the game.
    tests : list of int
        The tests that were run in this case, as indices into `bugs.TESTS`.
    test : () int
        The test whose input is shown; −1 is the usual input.
    head : () int
        The head that is shown.
    answers : list of int
        The reader's answers in this case, as indices into `bugs.BUGS`.
    history : (C, 2) int
        For each earlier case, 1 or 0 for a right or wrong first answer, and the number of tests run.
    """

    what_to_see = (
        "One piece of this attention layer is broken: find out which one, with as few tests as you can."
    )
    _esm = source("bug_hunt.js", "kit/bugs.js")
    x = Numbers().tag(sync=True)
    W = Numbers().tag(sync=True)
    num_heads = traitlets.Int(3, min=1).tag(sync=True)
    round = traitlets.Int(0, min=0).tag(sync=True)
    case = traitlets.Int(0, min=0, max=len(BUGS)).tag(sync=True)
    tests = traitlets.List(traitlets.Int(min=0, max=len(TESTS) - 1)).tag(sync=True)
    test = traitlets.Int(NONE, min=NONE, max=len(TESTS) - 1).tag(sync=True)
    head = traitlets.Int(0, min=0).tag(sync=True)
    answers = traitlets.List(traitlets.Int(min=0, max=len(BUGS) - 1)).tag(sync=True)
    history = traitlets.List().tag(sync=True)
    bugs = traitlets.List([[bug.name, bug.ours, bug.broken, bug.fix] for bug in BUGS]).tag(sync=True)
    test_texts = traitlets.List([list(test) for test in TESTS]).tag(sync=True)

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
        return {**layer, "num_heads": H, **where, "round": int(rng.integers(9))}

    @staticmethod
    def compute(x, W, num_heads, bug, test, round):
        """Return what one test gives for our layer and for the broken one, all verdicts, and the order.

        NaN is replaced by 0; `finite` is False where this was done.
        """
        x, W = np.asarray(x, dtype=float), np.asarray(W, dtype=float)
        correct, correct_reading, _ = examine({}, x, W, num_heads, test)
        broken, reading, right = examine(BUGS[bug].piece, x, W, num_heads, test)
        verdicts = [passes(each, x, W, num_heads) for each in BUGS]
        return {
            "correct": correct,
            "broken": np.nan_to_num(broken, posinf=0),
            "finite": np.isfinite(broken),
            "correct_reading": correct_reading,
            "reading": np.nan_to_num(reading, posinf=0),
            "right": right,
            "verdicts": verdicts,
            "order": shuffled(FIRST + round),
        }

    @property
    def bug(self):
        """Return the index of the bug of this case or, at the end of the game, of the last case."""
        return int(shuffled(FIRST + self.round)[min(self.case, len(BUGS) - 1)])

    @property
    def choices(self):
        """Return the bugs from which the reader chooses: the one of this case and three others."""
        others = [bug for bug in shuffled(1000 * (self.round + 1) + self.case) if bug != self.bug]
        return sorted([self.bug, *(int(bug) for bug in others[: CHOICES - 1])])

    @property
    def words(self):
        """Return sentences on the picture or the test, on the reader's answer, and on the score."""
        if self.case == len(BUGS):
            return f"The end. {self._score()}"
        found = self._computed()
        return " ".join(
            part
            for part in (
                f"Case {self.case + 1} of {len(BUGS)}.",
                self._describe_test(found),
                self._describe_answer(found["verdicts"]),
                self._score(),
            )
            if part
        )

    def _describe_test(self, found):
        if self.test != NONE:
            wrong = [str(i + 1) for i in np.flatnonzero(~found["right"].all(axis=0))]
            result = (
                f"fails at {'token' if len(wrong) == 1 else 'tokens'} {listed(wrong)}" if wrong else "passes"
            )
            return f"{quoted(TESTS[self.test][0])} {result}. {TESTS[self.test][1]}"
        correct, broken = found["correct"][self.head], found["broken"][self.head]
        count = int((~np.isclose(correct, broken) | ~found["finite"][self.head]).sum())
        differ = (
            f"{count} of {correct.size} weights differ from ours" if count else "no weight differs from ours"
        )
        return f"With the usual input, head {self.head}: {differ}."

    def _describe_answer(self, verdicts):
        if not self.answers:
            return ""
        answer, named = self.answers[-1], quoted(BUGS[self.answers[-1]].name)
        if answer == self.bug:
            detected_by = [quoted(TESTS[t][0]) for t in range(len(TESTS)) if not verdicts[answer][t]]
            return f"Found: {named}. {BUGS[answer].fix} Detected by {listed(detected_by)}."
        distinguishing = [t for t in range(len(TESTS)) if verdicts[answer][t] != verdicts[self.bug][t]]
        if not distinguishing:
            return f"Not {named}: no test tells the two apart, but the pictures do."
        ran = [t for t in self.tests if t in distinguishing]
        if not ran:
            return f"Not {named}. Run {quoted(TESTS[distinguishing[0]][0])}: it tells the two apart."
        expected, actual = ("pass", "fails") if verdicts[answer][ran[0]] else ("fail", "passes")
        return f"Not {named}: it would {expected} {quoted(TESTS[ran[0]][0])}, and this layer {actual} it."

    def _score(self):
        now = [[int(self.answers[0] == self.bug), len(self.tests)]] if self.answers else []
        cases = [*self.history, *(now if self.case < len(BUGS) else [])]
        if not cases:
            return "No answer yet."
        found, tests = (sum(column) for column in zip(*cases, strict=True))
        ran = "1 test" if tests == 1 else f"{tests} tests"
        return f"Score: {found} of {len(cases)} found at the first answer, with {ran}."

    def pictures(self):
        """Return the weights of one head of our layer and of the broken one, for the input that is shown."""
        found, names = self._computed(), [str(i + 1) for i in range(len(self.x))]
        return [
            attention_map(found[which][self.head], names, names, title)
            for which, title in (("correct", "correct"), ("broken", "with one broken piece"))
        ]


def passes(bug, x, W, num_heads):
    """Return a list that says, for each test, whether the layer with this bug passes it."""
    return [bool(examine(bug.piece, x, W, num_heads, test)[2].all()) for test in range(len(TESTS))]


def shuffled(seed):
    """Return the indices of the bugs in an order that depends only on the seed, as in the JavaScript."""
    return np.argsort(normals(seed, len(BUGS)), kind="stable")
