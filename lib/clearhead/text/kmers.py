"""DNA as a sequence of words of k letters."""

import numpy as np

BASES = "ACGT"


def kmers(dna, k, stride=1):
    """Return the words of k letters in a strand of DNA.

        word_n = dna[n · stride : n · stride + k]

    Parameters
    ----------
    dna : str
        Letters A, C, G, T.
    k : int
        The length of a word.
    stride : int
        From the start of one word to the start of the next: 1 lets words overlap, k does not.

    Returns
    -------
    words : list of str
        What fills no whole word at the end is left out.

    Raises
    ------
    ValueError
        Where k or stride is below 1.

    References
    ----------
    Ji et al. (2021), "DNABERT: pre-trained bidirectional encoder representations from transformers model for
    DNA-language in genome".
    """
    if k < 1 or stride < 1:
        raise ValueError(f"k and stride must be at least 1, got {k} and {stride}.")
    return [dna[i : i + k] for i in range(0, len(dna) - k + 1, stride)]


def kmer_ids(dna, k, stride=1):
    """Return the words of k letters in a strand of DNA as integers, read in base 4.

        id = Σ_i digit_i · 4^(k-1-i),   A = 0, C = 1, G = 2, T = 3

    Parameters
    ----------
    dna : str
        Letters A, C, G, T, large or small.
    k : int
        The length of a word. There are 4^k words.
    stride : int
        From the start of one word to the start of the next.

    Returns
    -------
    ids : (N,) int
        From 0 (all A) to 4^k - 1 (all T).

    Raises
    ------
    ValueError
        Where another letter stands in the strand.
    """
    if others := sorted(set(dna.upper()) - set(BASES)):
        raise ValueError(f"A strand of DNA has the letters A, C, G and T, got also {', '.join(others)}.")
    digits = [[BASES.index(letter) for letter in word] for word in kmers(dna.upper(), k, stride)]
    return np.array(digits, dtype=int).reshape(-1, k) @ 4 ** np.arange(k)[::-1]
