"""A figure on decoding: temperature, top-k and top-p, applied to the next words of the grammar."""

import numpy as np
import traitlets

from clearhead.figures import bars
from clearhead.figures.words import listed, number, quoted
from clearhead.maths.sampling import temperature as sharpened
from clearhead.maths.sampling import top_k as keep_k
from clearhead.maths.sampling import top_p as keep_p
from clearhead.maths.softmax import softmax
from clearhead.text.corpora import grammar

from .figure import Figure, expect_shape, source
from .scaling import normals

PREFIXES = {
    "five invented words": None,
    "... a warm cup of": "After a long day at work , she sat down to enjoy a warm cup of",
    "The ...": "The",
}
BY_HAND = (["coffee", "tea", "soup", "milk", "ink"], [4.0, 2.5, 2.0, 1.0, 0.0])


def _places():
    """Return the next words of each prefix, and their logits, which are logarithms of true probabilities."""
    rules = grammar()
    true = [rules.next_words(prefix) if prefix else None for prefix in PREFIXES.values()]
    tokens = [list(p) if p else BY_HAND[0] for p in true]
    return tokens, [np.log(list(p.values())).tolist() if p else BY_HAND[1] for p in true]


def entropy(p):
    """Return the entropy of a distribution, in nats."""
    return -(p * np.log(np.where(p > 0, p, 1))).sum()


class Decoding(Figure):
    """The probabilities of the next word before and after temperature, top-k and top-p, and draws from them.

    Parameters
    ----------
    places : list of str
        The text so far, one name for each distribution.
    tokens : list of list of str
        The words (V) that can come next after each text.
    logits : list of list of float
        Their logits (V).
    place : () int
        The index of the text that is shown.
    temperature, top_p : () float
        The temperature, at least 0, and the mass of top-p, from 0 to 1.
    top_k : () int
        The number of words that top-k keeps, at least 1.
    draws, seed : () int
        The number of words that are drawn, and the seed of the random numbers.
    """

    what_to_see = (
        "Temperature, top-k and top-p decide which words can follow and how probable each one is: set "
        "them, and draw words."
    )
    _esm = source("decoding.js")
    places = traitlets.List(traitlets.Unicode(), list(PREFIXES)).tag(sync=True)
    tokens = traitlets.List().tag(sync=True)
    logits = traitlets.List().tag(sync=True)
    place = traitlets.Int(0, min=0).tag(sync=True)
    temperature = traitlets.Float(1.0, min=0).tag(sync=True)
    top_k = traitlets.Int(6, min=1).tag(sync=True)
    top_p = traitlets.Float(0.9, min=0, max=1).tag(sync=True)
    draws = traitlets.Int(0, min=0, max=2000).tag(sync=True)
    seed = traitlets.Int(10).tag(sync=True)

    def __init__(self, **traits):
        if not {"tokens", "logits"} & set(traits):
            traits["tokens"], traits["logits"] = _places()
        super().__init__(**traits)
        expect_shape("logits", np.zeros(len(self.logits)), (len(self.places),), "one row for each place")
        for tokens, logits in zip(self.tokens, self.logits, strict=True):
            expect_shape("logits", logits, (len(tokens),), "one logit for each word")

    @staticmethod
    def samples(rng):
        logits = 2 * rng.normal(size=int(rng.integers(2, 9)))
        dice = {"draws": int(rng.integers(40)), "seed": int(rng.integers(999))}
        heat = float(rng.choice([0, 0.4, 1, 2.5]))
        return {
            "logits": logits,
            "temperature": heat,
            "top_k": int(rng.integers(1, 10)),
            "top_p": float(rng.random()),
            **dice,
        }

    @staticmethod
    def compute(logits, temperature, top_k, top_p, draws, seed):
        """Return the probabilities before and after, the mass and number kept, entropies, and draws."""
        before, warm = softmax(np.asarray(logits)), sharpened(np.asarray(logits), temperature)
        cut = keep_p(keep_k(warm, top_k), top_p)
        after = softmax(cut)
        dice = 1000 * normals(seed, draws) % 1
        drawn = np.minimum(np.searchsorted(np.cumsum(after), dice, side="right"), len(after) - 1)
        return {
            "before": before,
            "after": after,
            "mass": softmax(warm)[after > 0].sum(),
            "kept": int((after > 0).sum()),
            "entropy": np.array([entropy(before), entropy(after)]),
            "counts": np.bincount(drawn, minlength=len(after)),
            "last": int(drawn[-1]) if draws else -1,
        }

    def _computed(self):
        rest = (self.temperature, self.top_k, self.top_p, self.draws, self.seed)
        return self.compute(self.logits[self.place], *rest)

    @property
    def words(self):
        """Return sentences on the words that are kept, on the most probable one, and on the draws."""
        found, tokens = self._computed(), self.tokens[self.place]
        top = int(np.argmax(found["after"]))
        kept = self.top_k if self.top_k < len(tokens) else "all"
        mass, (first, then) = number(100 * found["mass"], 0), found["entropy"]
        before, after = (number(found[key][top]) for key in ("before", "after"))
        text = (
            f"{found['kept']} of {len(tokens)} words are kept, with {mass} % of the probability, at "
            f"τ = {number(self.temperature)}, k = {kept}, p = {number(self.top_p)}. "
            f"{quoted(tokens[top])}: {before} before, {after} after. "
            f"Entropy: {number(first)} before, {number(then)} after."
        )
        if self.draws == 0:
            return text
        counts = [f"{token} {n}" for token, n in zip(tokens, found["counts"], strict=True) if n]
        return f"{text} Drawn: {listed(counts)}; the last one is {quoted(tokens[found['last']])}."

    def pictures(self):
        """Return the probabilities before and after the settings as bars."""
        found, tokens = self._computed(), self.tokens[self.place]
        names = {
            "before": "Before: the model's own probabilities",
            "after": "After: the probabilities for drawing",
        }
        return [bars(tokens, found[key], title=title) for key, title in names.items()]
