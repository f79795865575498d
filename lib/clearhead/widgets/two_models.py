"""A recorded real model and a small one that runs, which the reader of the book sees first."""

import functools

import numpy as np
import traitlets

from clearhead.figures import attention_map, bars
from clearhead.figures.words import number, quoted
from clearhead.pretrained.smollm_runs import ARRAYS, FINE, SHARE, recorded_runs

from .figure import inside, source
from .live_transformer import PARTS, LiveTransformer


class TwoModels(LiveTransformer):
    """Five sentences as SmolLM2 read and completed them, and a small GPT for any other sentence.

    Parameters
    ----------
    shown : int
        Which recorded sentence, from 0; the number after the last shows the small GPT.
    place : int
        The token whose predictions are shown, from 0; -1 for the last token of the prompt.
    looking : list of int
        Block and head, both from 0; [] for those that belong to the sentence.
    real : str
        The address of the page on which SmolLM2 itself runs; "" for none.

    The other parameters are those of `LiveTransformer`.
    """

    what_to_see = (
        "After each of its 30 blocks, SmolLM2 has another guess for the next token; the arcs show which "
        "tokens it attends to."
    )
    _esm = source("two_models.js", *PARTS, "kit/roving.js", inside("live_transformer.js"))
    shown = traitlets.Int(0, min=0).tag(sync=True)
    place = traitlets.Int(-1, min=-1).tag(sync=True)
    looking = traitlets.List(traitlets.Int(min=0)).tag(sync=True)
    real = traitlets.Unicode("").tag(sync=True)
    runs = traitlets.List().tag(sync=True)
    vocabulary = traitlets.List(traitlets.Unicode()).tag(sync=True)
    attention = traitlets.Bytes().tag(sync=True)
    lens_words = traitlets.Bytes().tag(sync=True)
    lens_shares = traitlets.Bytes().tag(sync=True)
    next_words = traitlets.Bytes().tag(sync=True)
    next_shares = traitlets.Bytes().tag(sync=True)
    #: Traits that a page loads when a reader types: only the small model reads them.
    lazy = traitlets.List(["weights", "scales", "merges"]).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**_recorded(), **traits)
        if self.shown > len(self.runs):
            raise ValueError(f"shown is {self.shown}; give a number up to {len(self.runs)}.")

    @staticmethod
    def samples(rng):
        L, H, T = (int(size) for size in rng.permutation([3, 4, 5]))
        return {
            "attention": rng.integers(SHARE + 1, size=L * H * T * (T + 1) // 2),
            "lens_words": rng.integers(3, size=(L + 1) * T * 3),
            "lens_shares": rng.integers(SHARE + 1, size=(L + 1) * T * 3),
            "next_shares": rng.integers(FINE + 1, size=T * 6),
            **{"blocks": L, "heads": H, "place": int(rng.integers(T))},
            "looking": [int(rng.integers(L)), int(rng.integers(H))],
        }

    @staticmethod
    def compute(attention, lens_words, lens_shares, next_shares, blocks, heads, place, looking):
        """Return one head's weights, each head's largest past the first token, the lens, the next words."""
        T = len(next_shares) // 6
        rows, columns = np.tril_indices(T)
        A = np.zeros((blocks, heads, T, T))
        A[:, :, rows, columns] = np.reshape(attention, (blocks, heads, -1)) / SHARE
        lens = np.reshape(lens_shares, (blocks + 1, T, 3))[:, place] / SHARE
        first = np.reshape(lens_words, (blocks + 1, T, 3))[:, place, 0]
        other = np.flatnonzero(first != first[-1])
        return {
            "A": A[looking[0], looking[1]],
            "elsewhere": A[:, :, place, 1:].max(axis=-1),
            "lens": lens,
            "since": int(other[-1]) + 1 if len(other) else 0,
            "next": np.reshape(next_shares, (T, 6))[place] / FINE,
        }

    def _seen(self):
        """Return the recorded sentence that is shown, its place and its head, and what `compute` finds."""
        run = recorded_runs()[0][self.shown]
        place = run.prompt - 1 if self.place < 0 else min(self.place, len(run.tokens) - 1)
        block, head = self.looking or run.look
        blocks, heads = run.attention.shape[:2]
        flat = (run.attention, run.lens_words, run.lens_shares, run.next_shares)
        found = self.compute(*(each.ravel() for each in flat), blocks, heads, place, [block, head])
        return run, place, (block, head), found

    @property
    def words(self):
        """Return SmolLM2's predictions, the block after which the first one leads, and where a head looks."""
        if self.shown == len(self.runs):
            return super().words
        run, place, (block, head), found = self._seen()
        said = [quoted(visible(self.vocabulary[i])) for i in run.next_words[place]]
        row = found["A"][place, : place + 1]
        best = int(np.argmax(row[1:])) + 1 if place else 0
        return (
            f"SmolLM2, recorded: after {quoted(visible(run.tokens[place]))} it expects {said[0]}, "
            f"{number(found['next'][0])}, or {said[1]}, {number(found['next'][1])}. "
            f"In the logit lens, {said[0]} takes the lead after {found['since']} of "
            f"{len(found['elsewhere'])} blocks. "
            f"Head {head} of layer {block} looks most at {quoted(visible(run.tokens[best]))}, "
            f"{number(row[best])}{' (ignoring the first token)' if place else ''}."
        )

    def pictures(self):
        """Return the next words, and where the head looks, as bars and squares."""
        if self.shown == len(self.runs):
            return super().pictures()
        run, place, (block, head), found = self._seen()
        said = [visible(self.vocabulary[i]) for i in run.next_words[place]]
        tokens, title = [visible(token) for token in run.tokens], f"Head {head} of layer {block}"
        return [
            bars(said, found["next"], title="The next token that SmolLM2 expects"),
            attention_map(found["A"], rows=tokens, columns=tokens, title=title),
        ]


def visible(token):
    """Return a token as it is shown: without the spaces around it, or with visible signs for spaces."""
    return token.replace("\n", "↵").replace("\u00a0", "⍽").strip() or "␣"


@functools.cache
def _recorded():
    """Return the traits that hold the record, all sentences one after another."""
    runs, _, words = recorded_runs()
    blocks, heads = runs[0].attention.shape[:2]
    about = [{"tokens": run.tokens, "prompt": run.prompt, "look": list(run.look)} for run in runs]
    arrays = {name: b"".join(getattr(run, name).tobytes() for run in runs) for name in ARRAYS}
    sizes = {"blocks": blocks, "heads": heads}
    return {"runs": [each | sizes for each in about], "vocabulary": words, **arrays}
