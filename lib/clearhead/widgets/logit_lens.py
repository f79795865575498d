"""A figure on the logit lens of a real model: its prediction after each block, as if it were the last."""

import functools

import numpy as np
import traitlets

from clearhead.figures import bars
from clearhead.figures.words import number, quoted

from .figure import Figure, source


class LogitLens(Figure):
    """The predictions of SmolLM2 for the next token after each block, in recorded sentences.

    Parameters
    ----------
    sentence : int
        The index of the sentence in `clearhead.pretrained.smollm.lens_sentences`.
    position : int
        The index of the token after which is predicted; in a shorter sentence, the last token.
    """

    what_to_see = (
        "Read a prediction from the stream after every block of SmolLM2, and see at which depth its "
        "final answer takes the lead."
    )
    _esm = source("logit_lens.js")
    sentences = traitlets.List(traitlets.Unicode()).tag(sync=True)
    tokens = traitlets.List(traitlets.List(traitlets.Unicode())).tag(sync=True)
    predicted_words = traitlets.List().tag(sync=True)
    probabilities = traitlets.List().tag(sync=True)
    sentence = traitlets.Int(0, min=0).tag(sync=True)
    position = traitlets.Int(99, min=0).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**_recorded(), **traits)
        if self.sentence >= len(self.sentences):
            raise ValueError(f"sentence is {self.sentence}; give a number below {len(self.sentences)}.")

    @staticmethod
    def samples(rng):
        S, num_positions, blocks = (int(size) for size in rng.permutation([2, 3, 4]))
        probabilities = rng.integers(251, size=(S, blocks, num_positions, 3))
        predictions = rng.choice(["a", "b", "c"], size=(S, blocks, num_positions, 3)).tolist()
        choice = {"sentence": int(rng.integers(S)), "position": int(rng.integers(6))}
        return {"predicted_words": predictions, "probabilities": probabilities, **choice}

    @staticmethod
    def compute(predicted_words, probabilities, sentence, position):
        """Return the probabilities after each block, and the block after which the final word leads."""
        predictions, p = predicted_words[sentence], np.asarray(probabilities[sentence]) / 250
        position = min(position, p.shape[1] - 1)
        first = [block[position][0] for block in predictions]
        other = [block for block, word in enumerate(first) if word != first[-1]]
        return {"p": p[:, position], "since": other[-1] + 1 if other else 0}

    @property
    def words(self):
        """Return sentences on the final prediction, its probability, and the block after which it leads."""
        found, tokens = self._computed(), self.tokens[self.sentence]
        position = min(self.position, len(tokens) - 1)
        last = self.predicted_words[self.sentence][-1][position][0]
        return (
            f"After {quoted(tokens[position])} the model predicts {quoted(last)} with probability "
            f"{number(found['p'][-1, 0])}. In the logit lens, this word takes the lead after "
            f"{found['since']} of {len(found['p']) - 1} blocks."
        )

    def pictures(self):
        """Return the probability of the most probable word after every block, as bars."""
        found = self._computed()
        position = min(self.position, len(self.tokens[self.sentence]) - 1)
        predictions = [block[position][0] for block in self.predicted_words[self.sentence]]
        labels = [f"{i} {word!r}" for i, word in enumerate(predictions)]
        return [bars(labels, found["p"][:, 0], title="The most probable word after each block")]


@functools.cache
def _recorded():
    """Return the recorded sentences, their tokens, the predicted words, and 250 times their probabilities."""
    from clearhead.pretrained.smollm import lens_sentences

    found = lens_sentences()
    return {
        "sentences": [each.sentence for each in found],
        "tokens": [each.tokens for each in found],
        "predicted_words": [each.words for each in found],
        "probabilities": [np.round(250 * each.p).astype(int).tolist() for each in found],
    }
