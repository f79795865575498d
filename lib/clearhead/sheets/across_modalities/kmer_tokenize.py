"""Cases of 14.kmer_tokenize."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.text.kmers import BASES


def _dna(rng, length):
    """Return a random strand of DNA that ends with all four letters, so that none is missing."""
    return "".join(rng.choice(list(BASES), size=length - 4)) + "GATC"


def cases(rng):
    n = int(rng.integers(9, 14))
    count = ("there are len(dna) - k + 1 words", lambda ids, dna, k: len(ids) == len(dna) - k + 1)
    whole = (
        "the ids are integers, which can index the rows of a table",
        lambda ids, *_: np.asarray(ids).dtype.kind in "iu",
    )
    both = (whole, count)
    return [
        Case(
            "ATGGCA in words of three",
            ("ATGGCA", 3),
            "The words are ATG, TGG, GGC and GCA. The id of ATG is 0 · 16 + 3 · 4 + 2 = 14.",
            expected=[14, 58, 41, 36],
            properties=(whole,),
        ),
        Case(
            "words of two", (_dna(rng, n), 2), "The last word begins at index len(dna) - k.", properties=both
        ),
        Case(
            "words of three",
            (_dna(rng, n + 2), 3),
            "The digits are A = 0, C = 1, G = 2 and T = 3.",
            properties=both,
        ),
        Case(
            "words of four",
            (_dna(rng, n + 3), 4),
            "The first letter is the most significant digit.",
            properties=both,
        ),
        Case(
            "words of six",
            ("T" + _dna(rng, n + 3), 6),
            "With words of six letters, the largest id is 4^6 - 1 = 4095.",
            properties=both,
        ),
        Case(
            "a strand with only one word", ("TACG", 4), "A strand of k letters has one word.", properties=both
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, ids=True)
