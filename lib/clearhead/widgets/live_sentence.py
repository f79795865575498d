"""A figure of a sentence whose words attend to each other, by small vectors that were made by hand."""

import numpy as np
import traitlets

from clearhead.figures import bars
from clearhead.figures.words import number, quoted
from clearhead.maths.softmax import softmax

from .figure import Figure, source

SENTENCE = "The tired teacher enjoyed her warm cup of coffee"
TOKENS = SENTENCE.split()
#: The vectors of what a word offers, and of what it asks for in each head, with the entries person, thing and
#: description. The first word of each head is the example that is shown when a reader chooses its question.
OFFERS = {
    "tired": (0, 0, 1),
    "teacher": (1, 0, 0),
    "her": (0.2, 0, 0),
    "warm": (0, 0, 1),
    "cup": (0, 1, 0),
    "coffee": (0, 1, 0),
}
ASKS = {
    "Who is meant?": {"her": (1, 0, 0), "enjoyed": (1, 0, 0), "tired": (1, 0, 0)},
    "What is it like?": {"coffee": (0, 0, 1), "cup": (0, 0, 1), "teacher": (0, 0, 1)},
    "Which thing?": {"warm": (0, 1, 0), "enjoyed": (0, 1, 0), "her": (0, 1, 0), "of": (0, 1, 0)},
}


def hand_made(word_strength=9.0, place_strength=4.0, turn=0.4):
    """Return queries and keys for each head: three entries for the kind of word, and two for its position.

    "asking" lists the words that have a question in this head, beginning with its example.
    """
    angle = turn * np.arange(len(TOKENS))
    place = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    offers = np.array([OFFERS.get(token, (0, 0, 0)) for token in TOKENS], dtype=float)
    heads = []
    for name, wishes in ASKS.items():
        asks = np.array([wishes.get(token, (0, 0, 0)) for token in TOKENS], dtype=float)
        queries = np.concatenate([word_strength * asks, place_strength * place], axis=1)
        keys = np.concatenate([offers, place], axis=1)
        heads.append(
            {
                "name": name,
                "Q": queries.round(3).tolist(),
                "K": keys.round(3).tolist(),
                "asking": [TOKENS.index(token) for token in wishes],
            }
        )
    return heads


class LiveSentence(Figure):
    """A sentence in which arcs show how much the chosen word attends to every other word.

    Parameters
    ----------
    tokens : list of str
        The words.
    heads : list of dict
        For each head its "name", and "Q" and "K" with one row per word. "asking" may list the words that have
        an answer in this head: if a reader chooses the head while another word is chosen, the first is taken.
    chosen : () int
        The index of the word whose attention is shown.
    head : () int
        The index of the head that is shown.
    temperature : () float
        The temperature by which the scores are divided.
    note : str
        A sentence on the origin of the vectors, which is always shown.
    """

    what_to_see = "Choose a word, and see how much it attends to every other word."
    _esm = source("live_sentence.js")
    tokens = traitlets.List(traitlets.Unicode(), TOKENS).tag(sync=True)
    heads = traitlets.List(traitlets.Dict()).tag(sync=True)
    chosen = traitlets.Int(4, min=0).tag(sync=True)
    head = traitlets.Int(0, min=0).tag(sync=True)
    temperature = traitlets.Float(1.0, min=0.1).tag(sync=True)
    note = traitlets.Unicode(
        "We made these vectors by hand, with five entries per word, to show the idea. "
        "A trained transformer learns its own vectors."
    ).tag(sync=True)

    @traitlets.default("heads")
    def _hand_made(self):
        return hand_made()

    @staticmethod
    def samples(rng):
        return {"Q": rng.normal(size=(5, 3)), "K": rng.normal(size=(5, 3)), "temperature": 0.7}

    @staticmethod
    def compute(Q, K, temperature):
        """Return the attention weights of every word."""
        Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)
        return {"weights": softmax(Q @ K.T / (np.sqrt(K.shape[-1]) * temperature))}

    def _weights(self):
        head = self.heads[self.head]
        return self.compute(head["Q"], head["K"], self.temperature)["weights"]

    @property
    def words(self):
        """Return a sentence on the two words to which the chosen word attends most."""
        weights = self._weights()[self.chosen]
        first, second = np.argsort(-weights, kind="stable")[:2]
        return (
            f"{quoted(self.tokens[self.chosen])} looks most at {quoted(self.tokens[first])}, "
            f"{number(weights[first])}, then at {quoted(self.tokens[second])}, {number(weights[second])}."
        )

    def pictures(self):
        """Return the attention weights of the chosen word as bars."""
        asks = f"Where ‘{self.tokens[self.chosen]}’ looks: {self.heads[self.head]['name']}"
        return [bars(self.tokens, self._weights()[self.chosen], title=asks)]
