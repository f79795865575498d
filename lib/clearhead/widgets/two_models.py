"""A figure of two models: a large one that was recorded, and a small one that runs in the browser."""

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
    sentence : int
        The index of the recorded sentence; the index after the last one shows the small GPT.
    position : int
        The index of the token whose predictions are shown; -1 is the last token of the prompt.
    selected_head : list of int
        The block and the head, both counted from 0; [] stands for those that the recording names.
    chat_page : str
        The address of the page on which SmolLM2 itself runs; "" for none.

    The other parameters are those of `LiveTransformer`.
    """

    what_to_see = (
        "After each of its 30 blocks, SmolLM2 has another guess for the next token; the arcs show which "
        "tokens it attends to."
    )
    _esm = source("two_models.js", *PARTS, "kit/roving.js", inside("live_transformer.js"))
    sentence = traitlets.Int(0, min=0).tag(sync=True)
    position = traitlets.Int(-1, min=-1).tag(sync=True)
    selected_head = traitlets.List(traitlets.Int(min=0)).tag(sync=True)
    chat_page = traitlets.Unicode("").tag(sync=True)
    runs = traitlets.List().tag(sync=True)
    vocabulary = traitlets.List(traitlets.Unicode()).tag(sync=True)
    attention = traitlets.Bytes().tag(sync=True)
    lens_words = traitlets.Bytes().tag(sync=True)
    lens_shares = traitlets.Bytes().tag(sync=True)
    next_words = traitlets.Bytes().tag(sync=True)
    next_shares = traitlets.Bytes().tag(sync=True)
    #: Traits that a page loads when a reader types, because only the small model needs them.
    lazy = traitlets.List(["weights", "scales", "merges"]).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**_recorded(), **traits)
        if self.sentence > len(self.runs):
            raise ValueError(f"sentence is {self.sentence}; give a number up to {len(self.runs)}.")

    @staticmethod
    def samples(rng):
        L, H, T = (int(size) for size in rng.permutation([3, 4, 5]))
        return {
            "attention": rng.integers(SHARE + 1, size=L * H * T * (T + 1) // 2),
            "lens_words": rng.integers(3, size=(L + 1) * T * 3),
            "lens_shares": rng.integers(SHARE + 1, size=(L + 1) * T * 3),
            "next_shares": rng.integers(FINE + 1, size=T * 6),
            **{"blocks": L, "heads": H, "position": int(rng.integers(T))},
            "selected_head": [int(rng.integers(L)), int(rng.integers(H))],
        }

    @staticmethod
    def compute(attention, lens_words, lens_shares, next_shares, blocks, heads, position, selected_head):
        """Return one head's weights, each head's largest after the first token, the lens, the next words."""
        T = len(next_shares) // 6
        rows, columns = np.tril_indices(T)
        A = np.zeros((blocks, heads, T, T))
        A[:, :, rows, columns] = np.reshape(attention, (blocks, heads, -1)) / SHARE
        lens = np.reshape(lens_shares, (blocks + 1, T, 3))[:, position] / SHARE
        first = np.reshape(lens_words, (blocks + 1, T, 3))[:, position, 0]
        other = np.flatnonzero(first != first[-1])
        return {
            "A": A[selected_head[0], selected_head[1]],
            "max_weights": A[:, :, position, 1:].max(axis=-1),
            "lens": lens,
            "since": int(other[-1]) + 1 if len(other) else 0,
            "next": np.reshape(next_shares, (T, 6))[position] / FINE,
        }

    def _current(self):
        """Return the recorded sentence, the position and the head that are shown, and their `compute`."""
        run = recorded_runs()[0][self.sentence]
        position = run.prompt - 1 if self.position < 0 else min(self.position, len(run.tokens) - 1)
        block, head = self.selected_head or run.look
        blocks, heads = run.attention.shape[:2]
        flat = (run.attention, run.lens_words, run.lens_shares, run.next_shares)
        found = self.compute(*(each.ravel() for each in flat), blocks, heads, position, [block, head])
        return run, position, (block, head), found

    @property
    def words(self):
        """Return sentences on SmolLM2's predictions, on the logit lens, and on the attention of a head."""
        if self.sentence == len(self.runs):
            return super().words
        run, position, (block, head), found = self._current()
        predictions = [quoted(visible(self.vocabulary[i])) for i in run.next_words[position]]
        row = found["A"][position, : position + 1]
        best = int(np.argmax(row[1:])) + 1 if position else 0
        return (
            f"SmolLM2, recorded: after {quoted(visible(run.tokens[position]))} it expects {predictions[0]}, "
            f"{number(found['next'][0])}, or {predictions[1]}, {number(found['next'][1])}. "
            f"In the logit lens, {predictions[0]} takes the lead after {found['since']} of "
            f"{len(found['max_weights'])} blocks. "
            f"Head {head} of layer {block} looks most at {quoted(visible(run.tokens[best]))}, "
            f"{number(row[best])}{' (ignoring the first token)' if position else ''}."
        )

    def pictures(self):
        """Return the probabilities of the next words as bars, and the attention map of the head."""
        if self.sentence == len(self.runs):
            return super().pictures()
        run, position, (block, head), found = self._current()
        predictions = [visible(self.vocabulary[i]) for i in run.next_words[position]]
        tokens, title = [visible(token) for token in run.tokens], f"Head {head} of layer {block}"
        return [
            bars(predictions, found["next"], title="The next token that SmolLM2 expects"),
            attention_map(found["A"], rows=tokens, columns=tokens, title=title),
        ]


def visible(token):
    """Return a token without the spaces around it, with visible signs for spaces and line breaks."""
    return token.replace("\n", "↵").replace("\u00a0", "⍽").strip() or "␣"


@functools.cache
def _recorded():
    """Return the traits that hold the recording, in which all sentences follow one another."""
    runs, _, words = recorded_runs()
    blocks, heads = runs[0].attention.shape[:2]
    about = [{"tokens": run.tokens, "prompt": run.prompt, "look": list(run.look)} for run in runs]
    arrays = {name: b"".join(getattr(run, name).tobytes() for run in runs) for name in ARRAYS}
    sizes = {"blocks": blocks, "heads": heads}
    return {"runs": [each | sizes for each in about], "vocabulary": words, **arrays}
