"""Recorded runs of SmolLM2 on five sentences, with every head, every block and every prediction."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("smollm_runs.npz")
SHARE, FINE = 250, 10_000  # the units 1/250 of attention and lens, and 1/10,000 of the next words
LENS, NEXT = 3, 6  # the number of words that are stored after each block, and at the end
WORDS = ("lens_words", "next_words")
ARRAYS = ("attention", "lens_shares", "next_shares", *WORDS)


@dataclass(frozen=True)
class Run:
    """One sentence, with the recorded attention weights and predictions of SmolLM2.

    Attributes
    ----------
    tokens : list of str
        The T tokens of the prompt and of the completion.
    prompt : int
        The number of tokens of the prompt.
    look : (int, int)
        The block and the head that are shown first.
    attention : (L, H, T(T+1)/2) uint8
        For each head, the rows of its lower triangle, one after the other, in units of 1/250.
    lens_words, lens_shares : (L+1, T, 3) uint16, uint8
        The predicted words after each block, by the logit lens, and their probabilities in units of 1/250.
    next_words, next_shares : (T, 6) uint16
        The predicted words at the end, and their probabilities in units of 1/10,000.
    """

    tokens: list
    prompt: int
    look: tuple
    attention: np.ndarray
    lens_words: np.ndarray
    lens_shares: np.ndarray
    next_words: np.ndarray
    next_shares: np.ndarray


def recorded_runs():
    """Return the five recorded sentences, and the words to which their ids refer.

    Returns
    -------
    runs : list of Run
    ids : list of int
        The ids of the tokens to which the entries of `lens_words` and `next_words` refer, as indices.
    words : list of str
        The same tokens as text.
    """
    with np.load(FILE) as file:
        about = json.loads(file["about"].tobytes())
        runs = [
            Run(**said, **{name: file[f"{name}{i}"] for name in ARRAYS})
            for i, said in enumerate(about["runs"])
        ]
    return runs, about["ids"], about["words"]
