"""Word vectors that a published model has learned, from a small file of the library."""

from pathlib import Path

import numpy as np

EXTRACT = Path(__file__).parent / "word_vectors.npz"


def word_vectors():
    """Return about 4,000 common English words, with a vector of length 1 for each.

        x_i = codes_i / ‖codes_i‖

    Returns
    -------
    words : list of str
        V words in lower case, the most common first (roughly).
    E : (V, D) float
        One row per word, D = 256.

    Notes
    -----
    The rows come from the input table of all-MiniLM-L6-v2. `README.md` in this folder describes how they were
    compressed, and how this affects them.
    """
    with np.load(EXTRACT) as file:
        codes = file["codes"].astype(np.float32)
        words = file["words"].tobytes().decode("ascii").split()
    return words, codes / np.linalg.norm(codes, axis=1, keepdims=True)


def exact_cosines():
    """Return the cosines of pairs of words in the full, centred table, to verify the extract.

    Returns
    -------
    pairs : list of tuple of str
        S pairs of words that are in the extract.
    cosines : (S) float
        Their cosines in the table of 30,522 rows and 384 columns, less its mean row.
    """
    with np.load(EXTRACT) as file:
        words, cosines = file["pairs"].tobytes().decode("ascii").split(), file["cosines"]
    return list(zip(words[::2], words[1::2], strict=True)), cosines
