"""14.kmer_tokenize: DNA as words."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.text.kmers import BASES, kmer_ids

from .kmer_tokenize_wrong import MORE


def kmer_tokenize(dna, k):
    """Return the ids of all overlapping words of k letters in dna, each read in base 4 (A, C, G, T)."""
    return [int(id) for id in kmer_ids(dna, k)]


def _numbered(words, letters=BASES, base=4):
    """Return each word as a number: its letters are the digits, the first one the largest."""
    return [sum(letters.index(c) * base**i for i, c in enumerate(reversed(word))) for word in words]


def _words(dna, k, starts):
    return [dna[i : i + k] for i in starts]


def _dna(rng, length):
    """Return a random strand; all four letters stand at its end, so that none is missing."""
    return "".join(rng.choice(list(BASES), size=length - 4)) + "GATC"


def _kmer_cases(rng):
    n = int(rng.integers(9, 14))
    count = ("there are len(dna) - k + 1 words", lambda ids, dna, k: len(ids) == len(dna) - k + 1)
    whole = (
        "ids are whole numbers (int): they pick rows",
        lambda ids, *_: np.asarray(ids).dtype.kind in "iu",
    )
    both = (whole, count)
    return [
        Case(
            "ATGGCA in words of three",
            ("ATGGCA", 3),
            "The words are ATG, TGG, GGC and GCA. ATG is 0 · 16 + 3 · 4 + 2 = 14.",
            expected=[14, 58, 41, 36],
            properties=(whole,),
        ),
        Case("words of two", (_dna(rng, n), 2), "Where does the last word begin?", properties=both),
        Case("words of three", (_dna(rng, n + 2), 3), "A = 0, C = 1, G = 2, T = 3.", properties=both),
        Case("words of four", (_dna(rng, n + 3), 4), "The first letter counts most.", properties=both),
        Case("words of six", ("T" + _dna(rng, n + 3), 6), "Ids go up to 4^6 - 1 = 4095.", properties=both),
        Case("one word is all", ("TACG", 4), "A strand of k letters has one word.", properties=both),
    ]


EXERCISE = Exercise(
    id="14.kmer_tokenize",
    title="DNA as words",
    reference=kmer_tokenize,
    cases=_kmer_cases,
    hints=(
        "Two steps: cut the words, then number each one.",
        "Words begin at 0, 1, ..., len(dna) - k. A number grows letter by letter: 4 · number + digit.",
        "for i in range(len(dna) - k + 1): number = 0; for c in dna[i : i + k]: "
        'number = 4 * number + "ACGT".index(c).',
    ),
    mistakes=(
        Mistake(
            "without_overlap",
            lambda dna, k: _numbered(_words(dna, k, range(0, len(dna) - k + 1, k))),
            "Your words do not overlap. Here the next word begins one letter later, not k letters later.",
        ),
        Mistake(
            "last_word_missing",
            lambda dna, k: _numbered(_words(dna, k, range(len(dna) - k))),
            "The last word is missing: range stops before its end, so it needs len(dna) - k + 1.",
        ),
        Mistake(
            "short_words_at_the_end",
            lambda dna, k: _numbered(_words(dna, k, range(len(dna)))),
            "At the end you kept words of fewer than k letters. What fills no word is left out.",
        ),
        Mistake(
            "last_letter_first",
            lambda dna, k: _numbered([word[::-1] for word in _words(dna, k, range(len(dna) - k + 1))]),
            "You let the last letter count most. As in a decimal number, the first one does.",
        ),
        Mistake(
            "another_order_of_letters",
            lambda dna, k: _numbered(_words(dna, k, range(len(dna) - k + 1)), "ATGC"),
            "Your letters have other numbers: take them in the order A, C, G, T.",
        ),
        Mistake(
            "base_ten",
            lambda dna, k: _numbered(_words(dna, k, range(len(dna) - k + 1)), base=10),
            "You read the digits in base 10. There are four letters, so the base is 4: ids go up to 4^k - 1.",
        ),
        Mistake(
            "letters_from_one",
            lambda dna, k: _numbered(_words(dna, k, range(len(dna) - k + 1)), "?" + BASES),
            "Your letters count from 1. With A = 0 the ids go from 0 to 4^k - 1, as the rows of a table do.",
        ),
        Mistake(
            "words_not_ids",
            lambda dna, k: _words(dna, k, range(len(dna) - k + 1)),
            "You returned the words. A model takes whole numbers: number them in base 4.",
        ),
        Mistake(
            "ids_with_a_decimal_point",
            lambda dna, k: np.array(kmer_tokenize(dna, k), dtype=float),
            "Your ids are right, but they are floats. An id picks a row of a table: return whole numbers.",
        ),
        Mistake(
            "eight_bits",
            lambda dna, k: np.array(kmer_tokenize(dna, k)).astype(np.uint8),
            "Your ids begin again at 0 after 255: eight bits are too few for 4^k words. Use int.",
        ),
        Mistake(
            "letters_added",
            lambda dna, k: [sum(BASES.index(c) for c in dna[i : i + k]) for i in range(len(dna) - k + 1)],
            "You added the letters up, so AC and CA are one word. Each place counts four times the next one.",
        ),
        Mistake(
            "numbered_as_they_come",
            lambda dna, k: (
                lambda seen: [seen.setdefault(dna[i : i + k], len(seen)) for i in range(len(dna) - k + 1)]
            )({}),
            "You numbered the words as they came. The id is the word, read as a number in base 4.",
        ),
        Mistake(
            "each_word_once",
            lambda dna, k: sorted(set(kmer_tokenize(dna, k))),
            "You gave each different word once, sorted. Keep order and repeats.",
        ),
        Mistake(
            "one_letter_too_few",
            lambda dna, k: kmer_tokenize(dna, k - 1) if k > 1 else [],
            "Your words have one letter too few.",
        ),
        Mistake(
            "the_other_strand",
            lambda dna, k: kmer_tokenize(dna.translate(str.maketrans("ACGT", "TGCA")), k),
            "These are the ids of the other strand: A is 0, and T is 3.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda dna, k: kmer_ids(dna, k),
        lambda dna, k: _numbered(_words(dna, k, range(len(dna) - k + 1))),
    ),
    ids=True,
    stars=1,
    minutes=10,
)
