"""A figure of a GPT that learns in the built page: its loss above the floor, and what it generates."""

import numpy as np
import traitlets

from clearhead.figures import curves

from .figure import Figure, Numbers, expect_shape, source

WIDTHS, BLOCKS = (16, 32, 64), (1, 2, 3)
WRONG = (
    "none",
    "residual omitted",
    "attention omitted",
    "norm: mean and deviation constant",
    "softmax: sum omitted",
)


class TrainGpt(Figure):
    """The training of "A GPT without autograd", which runs in the built page, and is a picture elsewhere.

    Parameters
    ----------
    losses : (N,) float
        The training loss of a run at each of its steps, in nats per token. It is drawn as a grey line.
    marks : (3,) float
        The loss of a uniform guess, that of a model that sees one word, and the floor.
    rate : () float
        The largest learning rate of the reader's run, from 0.001 to 0.1.
    width, blocks, wrong : () int
        The indices of the width in `WIDTHS`, the blocks in `BLOCKS`, and the wrong gradient in `WRONG`.
    """

    what_to_see = (
        "Train the GPT of this appendix yourself, and watch its loss fall and its sentences become "
        "grammatical."
    )
    _esm = source("train_gpt.js")
    losses = Numbers([]).tag(sync=True)
    marks = Numbers([np.log(70), 0.57, 0.27]).tag(sync=True)
    rate = traitlets.Float(0.02, min=0.001, max=0.1).tag(sync=True)
    width = traitlets.Int(1, min=0, max=2).tag(sync=True)
    blocks = traitlets.Int(1, min=0, max=2).tag(sync=True)
    wrong = traitlets.Int(0, min=0, max=4).tag(sync=True)

    @traitlets.validate("marks")
    def _are_three(self, proposal):
        expect_shape(
            "marks", proposal["value"], (3,), "a uniform guess, a model that sees one word, and the floor"
        )
        return proposal["value"]

    @staticmethod
    def samples(rng):
        return {"losses": rng.uniform(0.3, 4, size=int(rng.integers(0, 60))), "marks": [4.2, 0.6, 0.3]}

    @staticmethod
    def compute(losses, marks):
        """Return the mean loss of every ten steps, and the difference of the last of them from the floor."""
        whole = len(losses) // 10
        smooth = np.reshape(np.asarray(losses)[: 10 * whole], (whole, 10)).mean(axis=1)
        return {"smooth": smooth, "above": (smooth[-1] if whole else marks[0]) - marks[2]}

    @property
    def words(self):
        """Return sentences on the recorded run, and on the settings of the reader's run."""
        floor, above = self.marks[2], self._computed()["above"]
        run = f"Nothing is trained yet. The floor is {floor:.3f} nats per token."
        if self.losses:
            run = f"The grey line is the run above: after {len(self.losses)} steps it is {above:.3f} nats "
            run += f"above the floor of {floor:.3f}."
        gradients = f"a wrong gradient ({WRONG[self.wrong]})" if self.wrong else "all gradients correct"
        blocks = f"{BLOCKS[self.blocks]} block{'s' if self.blocks else ''} of width {WIDTHS[self.width]}"
        return f"{run} Your run: learning rate {self.rate:.3f}, {blocks}, {gradients}."

    def pictures(self):
        """Return the curve of the recorded run, with the floor."""
        smooth = self._computed()["smooth"]
        smooth = smooth if len(smooth) > 1 else np.full(2, self.marks[0])
        lines = [smooth, np.full(len(smooth), self.marks[2])]
        steps = 10 * np.arange(1, len(smooth) + 1)
        return [curves(steps, lines, ["this run", "floor"], "step", "training loss (nats)")]
