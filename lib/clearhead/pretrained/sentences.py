"""Word vectors in context and attention weights of a published model, from a small file of the library."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

EXTRACT = Path(__file__).parent / "sentences.npz"


@dataclass(frozen=True)
class InContext:
    """One word in one sentence, with the vectors that the model computes for it.

    Attributes
    ----------
    word, meaning, sentence : str
        The meaning is our label, which the model does not see.
    tokens : list of str
        The tokens of the sentence, from [CLS] to [SEP].
    ids : list of int
        The ids of the tokens.
    place : int
        The index of the word in `tokens`.
    states : (L+1, D) float
        Its vector before the first of L = 6 blocks, and after each. D = 384.
    """

    word: str
    meaning: str
    sentence: str
    tokens: list
    ids: list
    place: int
    states: np.ndarray


def words_in_context(word):
    """Return the recorded sentences with an ambiguous word, with the vectors of the word in each.

    Parameters
    ----------
    word : str
        "apple", "model" or "cup".

    Returns
    -------
    found : list of InContext
        Three sentences with the first meaning, three with the second, and one or two ambiguous ones.

    Raises
    ------
    ValueError
        For any other word; the message lists the available ones.

    Notes
    -----
    The vectors come from all-MiniLM-L6-v2, rounded to float16, as `README.md` in this folder describes.
    """
    about, states, _ = _read()
    words = list(dict.fromkeys(each["word"] for each in about["words"]))
    if word not in words:
        raise ValueError(f"There are no sentences with {word!r}; there are some with {', '.join(words)}.")
    pairs = zip(about["words"], states, strict=True)
    return [InContext(**each, states=rows) for each, rows in pairs if each["word"] == word]


@dataclass(frozen=True)
class Attended:
    """One sentence, with the attention weights of all heads of the model.

    Attributes
    ----------
    sentence : str
    tokens : list of str
        The T tokens, from [CLS] to [SEP].
    ids : list of int
        The ids of the tokens.
    A : (L, H, T, T) float
        The attention weights of L = 6 layers with H = 12 heads. Row i belongs to the query of token i.
    """

    sentence: str
    tokens: list
    ids: list
    A: np.ndarray


def sentences_with_attention():
    """Return four sentences of 17 tokens that differ in a few words, with all attention weights.

    Returns
    -------
    found : list of Attended
        The teacher and "her", the same with "it", and a king and a queen with "her" and with "him".

    Notes
    -----
    From all-MiniLM-L6-v2, rounded to float16: a row sums to 1 within 0.001.
    """
    about, _, attention = _read()
    return [Attended(**each, A=A) for each, A in zip(about["sentences"], attention, strict=True)]


def teacher_attention():
    """Return the tokens and the attention weights of the first of `sentences_with_attention`.

    The teacher asked the class a question, and everyone turned to look at her

    Returns
    -------
    tokens : list of str
        T = 17 tokens, from [CLS] to [SEP].
    A : (L, H, T, T) float
        The attention weights of L = 6 layers with H = 12 heads.
    """
    first = sentences_with_attention()[0]
    return first.tokens, first.A


def _read():
    with np.load(EXTRACT) as file:
        about = json.loads(file["about"].tobytes().decode("utf-8"))
        return about, file["states"].astype(np.float32), file["attention"].astype(np.float32)
