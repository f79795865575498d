"""The logit lens on a real model: what it would predict after a token if it stopped after each block."""

import functools

import numpy as np
import traitlets

from clearhead.figures import bars
from clearhead.figures.words import number, quoted

from .figure import Figure, source


class LogitLens(Figure):
    """What SmolLM2 would predict next, block by block, in recorded sentences.

    Parameters
    ----------
    sentence : int
        Which of the sentences of `clearhead.pretrained.smollm.lens_sentences`.
    place : int
        After which of its tokens; in a shorter sentence, after the last one.
    """

    what_to_see = (
        "Read a prediction from the stream after every block of SmolLM2, and see at which depth its "
        "final answer takes the lead."
    )
    _esm = source("logit_lens.js")
    sentences = traitlets.List(traitlets.Unicode()).tag(sync=True)
    tokens = traitlets.List(traitlets.List(traitlets.Unicode())).tag(sync=True)
    words_said = traitlets.List().tag(sync=True)
    shares = traitlets.List().tag(sync=True)
    sentence = traitlets.Int(0, min=0).tag(sync=True)
    place = traitlets.Int(99, min=0).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**_recorded(), **traits)
        if self.sentence >= len(self.sentences):
            raise ValueError(f"sentence is {self.sentence}; give a number below {len(self.sentences)}.")

    @staticmethod
    def samples(rng):
        S, places, blocks = (int(size) for size in rng.permutation([2, 3, 4]))
        shares = rng.integers(251, size=(S, blocks, places, 3))
        said = rng.choice(["a", "b", "c"], size=(S, blocks, places, 3)).tolist()
        place = {"sentence": int(rng.integers(S)), "place": int(rng.integers(6))}
        return {"words_said": said, "shares": shares, **place}

    @staticmethod
    def compute(words_said, shares, sentence, place):
        """Return the words' probabilities after each block, and the block after which the last word leads."""
        said, p = words_said[sentence], np.asarray(shares[sentence]) / 250
        place = min(place, p.shape[1] - 1)
        first = [block[place][0] for block in said]
        other = [block for block, word in enumerate(first) if word != first[-1]]
        return {"p": p[:, place], "since": other[-1] + 1 if other else 0}

    @property
    def words(self):
        """Return the final prediction, its probability, and the block after which it takes the lead."""
        found, tokens = self._found(), self.tokens[self.sentence]
        place = min(self.place, len(tokens) - 1)
        last = self.words_said[self.sentence][-1][place][0]
        return (
            f"After {quoted(tokens[place])} the model predicts {quoted(last)} with probability "
            f"{number(found['p'][-1, 0])}. In the logit lens, this word takes the lead after "
            f"{found['since']} of {len(found['p']) - 1} blocks."
        )

    def pictures(self):
        """Return the probability of the leading word after every block."""
        found = self._found()
        place = min(self.place, len(self.tokens[self.sentence]) - 1)
        said = [block[place][0] for block in self.words_said[self.sentence]]
        labels = [f"{i} {word!r}" for i, word in enumerate(said)]
        return [bars(labels, found["p"][:, 0], title="The most probable word after each block")]


@functools.cache
def _recorded():
    """Return the sentences, their tokens, the predicted words, and 250 times their probabilities."""
    from clearhead.pretrained.smollm import lens_sentences

    found = lens_sentences()
    return {
        "sentences": [each.sentence for each in found],
        "tokens": [each.tokens for each in found],
        "words_said": [each.words for each in found],
        "shares": [np.round(250 * each.p).astype(int).tolist() for each in found],
    }
