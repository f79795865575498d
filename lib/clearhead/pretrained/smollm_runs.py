"""Recorded runs of SmolLM2 on five sentences: every head, every block, every next token."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("smollm_runs.npz")
SHARE, FINE = 250, 10_000  # steps in which attention and lens, and the next words, are kept
LENS, NEXT = 3, 6  # how many words are kept after each block, and at the end
WORDS = ("lens_words", "next_words")
ARRAYS = ("attention", "lens_shares", "next_shares", *WORDS)


@dataclass(frozen=True)
class Run:
    """One sentence, with everything that SmolLM2 computed for it.

    Attributes
    ----------
    tokens : list of str
        T of them: what it was given, and what it wrote behind.
    prompt : int
        How many of them it was given.
    look : (int, int)
        Block and head to open with.
    attention : (L, H, T(T+1)/2) uint8
        Of each head the rows of its triangle, one behind the other, in steps of 1/250.
    lens_words, lens_shares : (L+1, T, 3) uint16, uint8
        The words that it would say after each block, and their probabilities in steps of 1/250.
    next_words, next_shares : (T, 6) uint16
        The words that it says in the end, and their probabilities in steps of 1/10,000.
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
        The tokens that are named in `lens_words` and `next_words`, by their place in this list.
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
