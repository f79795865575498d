"""A figure on sparse attention: which weights are computed, and how many layers information needs."""

import numpy as np
import traitlets

from clearhead.figures import attention_map
from clearhead.figures.words import number
from clearhead.maths.masks import (
    causal_mask,
    dilated_window_mask,
    global_mask,
    layers_to_full_receptive_field,
)

from .figure import Figure, source


class SparsePattern(Figure):
    """A mask of a window, gaps and global tokens, and the layers between two of its tokens.

    Parameters
    ----------
    length : () int
        The number of tokens.
    causal : () bool
        Whether tokens attend only to themselves and to earlier tokens.
    window, dilation : () int
        The number of tokens to which each token attends on either side, itself included, and the step between
        them.
    num_global : () int
        The number of tokens at the beginning that attend to all tokens, and to which all attend.
    query, target : () int
        The token that receives information, and the one that it comes from, counted from 1.
    """

    what_to_see = (
        "A sparse mask computes fewer cells, but information may then need several layers to reach a token."
    )
    _esm = source("sparse_pattern.js")
    length = traitlets.Int(16, min=2, max=32).tag(sync=True)
    causal = traitlets.Bool(True).tag(sync=True)
    window = traitlets.Int(4, min=1, max=32).tag(sync=True)
    dilation = traitlets.Int(1, min=1, max=8).tag(sync=True)
    num_global = traitlets.Int(0, min=0, max=32).tag(sync=True)
    query = traitlets.Int(16, min=1, max=32).tag(sync=True)
    target = traitlets.Int(1, min=1, max=32).tag(sync=True)

    @staticmethod
    def samples(rng):
        shape = {"window": int(rng.integers(1, 9)), "dilation": int(rng.integers(1, 4))}
        ends = {"query": int(rng.integers(1, 20)), "target": int(rng.integers(1, 20))}
        sizes = {"length": int(rng.integers(2, 18)), "num_global": int(rng.integers(4))}
        return {**sizes, "causal": bool(rng.integers(2)), **shape, **ends}

    @staticmethod
    def compute(length, causal, window, dilation, num_global, query, target):
        """Return the mask, its number of cells, and the layers that information from each token needs."""
        mask = dilated_window_mask(length, window, dilation) | global_mask(length, num_global)
        if causal:
            mask &= causal_mask(length)
        query, target = min(query, length), min(target, length)
        layers = layers_to_full_receptive_field(mask)[query - 1]
        return {
            "mask": mask.astype(int),
            "cells": int(mask.sum()),
            "layers": layers,
            "query": query,
            "target": target,
            "needed": int(layers[target - 1]),
        }

    @property
    def words(self):
        """Return sentences on how many cells are computed, and on the layers between the two tokens."""
        found = self._computed()
        share = number(100 * found["cells"] / self.length**2, 1)
        needed, query, target = found["needed"], found["query"], found["target"]
        if needed < 0:
            sentence = f"No information from token {target} can reach token {query}."
        elif needed == 0:
            sentence = f"Token {query} has its own information without any layer."
        else:
            layers = "layer" if needed == 1 else "layers"
            sentence = f"Information from token {target} reaches token {query} after {needed} {layers}."
        return f"{found['cells']} of {self.length**2} cells are computed, {share} %. {sentence}"

    def pictures(self):
        """Return the mask, with one row per query."""
        names = [str(i) for i in range(1, self.length + 1)]
        mask = np.asarray(self._computed()["mask"])
        return [attention_map(mask, names, names, title="Cells that are computed")]
