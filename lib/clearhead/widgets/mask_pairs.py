"""A figure on the causal mask with its training pairs, and on a table of scores in two layouts."""

import numpy as np
import traitlets

from clearhead.figures import attention_map
from clearhead.figures.words import listed, number, quoted
from clearhead.maths.masks import causal_mask
from clearhead.maths.softmax import softmax

from .figure import Figure, Numbers, expect_shape, source

SENTENCE = "After a long day at work she sat down to enjoy a warm cup of coffee"
SCORES = [
    [3.53, 0.80, 1.96, 4.48, 3.74, -1.95],
    [0, -0.30, -0.21, 0.82, 0.29, 2.91],
    [0, 0, 0.89, 0.67, 2.99, -0.41],
    [0, 0, 0, 1.31, 1.73, -1.48],
    [0, 0, 0, 0, 3.07, 2.94],
    [0, 0, 0, 0, 0, 0.31],
]


class MaskPairs(Figure):
    """A causal mask with a chosen cell, and a table of scores whose layout and softmax can be changed.

    Parameters
    ----------
    tokens : list of str
        A sentence (T words); the mask has a row and a column for all but the last.
    view : () int
        0: the mask. 1: the table.
    row, column : () int
        The chosen cell: the token that attends, and the token to which it attends.
    scores : (S, S) float
        Scores with queries as columns; those below the diagonal are hidden.
    rows : () bool
        Whether queries are shown as rows.
    softmax_over_rows : () bool
        Whether the softmax runs along each row; otherwise it runs down each column.
    """

    what_to_see = (
        "Each row of a causal mask is one training pair: choose a cell, and see what its token may "
        "attend to and must predict."
    )
    _esm = source("mask_pairs.js")
    tokens = traitlets.List(traitlets.Unicode(), SENTENCE.split()).tag(sync=True)
    view = traitlets.Int(0, min=0, max=1).tag(sync=True)
    row = traitlets.Int(5, min=0).tag(sync=True)
    column = traitlets.Int(3, min=0).tag(sync=True)
    scores = Numbers(SCORES).tag(sync=True)
    rows = traitlets.Bool(False).tag(sync=True)
    softmax_over_rows = traitlets.Bool(False).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**traits)
        size = len(self.scores)
        expect_shape("scores", self.scores, (size, size), "one row and one column for each token")
        last = len(self.tokens) - 2
        if max(self.row, self.column) > last:
            raise ValueError(
                f"The cell ({self.row}, {self.column}) is not in the mask: choose 0 to {last} for both."
            )

    @staticmethod
    def samples(rng):
        S = int(rng.integers(2, 7))
        layout = {"rows": bool(rng.integers(2)), "softmax_over_rows": bool(rng.integers(2))}
        return {"length": int(rng.integers(1, 9)), "scores": 2 * rng.normal(size=(S, S)), **layout}

    @staticmethod
    def compute(length, scores, rows, softmax_over_rows):
        """Return the mask, the table as shown (−inf where hidden), its weights, and sums per query."""
        mask, scores = causal_mask(length), np.asarray(scores, dtype=float)
        hidden = np.where(causal_mask(len(scores)).T, scores, -np.inf)
        scores_shown = hidden.T if rows else hidden
        weights = softmax(scores_shown) if softmax_over_rows else softmax(scores_shown.T).T
        return {
            "mask": mask,
            "scores_shown": scores_shown,
            "weights": weights,
            "sums": weights.sum(axis=1 if rows else 0),
        }

    def _computed(self):
        return self.compute(len(self.tokens) - 1, self.scores, self.rows, self.softmax_over_rows)

    @property
    def words(self):
        """Return a sentence on the chosen cell, or on the sums that the table's softmax gives each query."""
        return self._words_of_table() if self.view == 1 else self._words_of_cell()

    def _words_of_cell(self):
        query, key = quoted(self.tokens[self.row]), quoted(self.tokens[self.column])
        prefix, answer = " ".join(self.tokens[: self.row + 1]), quoted(self.tokens[self.row + 1])
        pair = f"Row {self.row + 1} is the training pair {quoted(prefix)} → {answer}."
        if self.column == self.row + 1:
            return f"Blocked: {key} is the token that {query} must predict. {pair}"
        if self.column > self.row:
            return f"Blocked: {key} comes after the token that {query} must predict. {pair}"
        return f"Allowed: {query} may attend to {'itself' if self.column == self.row else key}. {pair}"

    def _words_of_table(self):
        layout = "A row is a query." if self.rows else "A column is a query."
        way = "Softmax runs along each row" if self.softmax_over_rows else "Softmax runs down each column"
        right = "Right" if self.rows == self.softmax_over_rows else "Wrong"
        sums = listed([number(total) for total in self._computed()["sums"]])
        return f"{layout} {way}. {right}: the weights of the six queries sum to {sums}."

    def pictures(self):
        """Return the mask, or the attention weights of the table."""
        found = self._computed()
        if self.view == 0:
            return [attention_map(found["mask"], self.tokens[:-1], self.tokens[:-1])]
        names = range(1, len(self.scores) + 1)
        queries, keys = [f"q{i}" for i in names], [f"k{i}" for i in names]
        rows, columns = (queries, keys) if self.rows else (keys, queries)
        return [attention_map(found["weights"], rows, columns)]
