"""More wrong answers of 14.kmer_tokenize."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _ids(letters="ACGT", base=4, starts=lambda n, k: range(n - k + 1), begin=0, length=lambda k: k, last=1):
    """Return the ids of words by another alphabet, base, or way to begin."""

    def answer(dna, k):
        found = []
        for i in starts(len(dna), k):
            number = begin
            for letter in dna[i : i + length(k)]:
                number = base * number + letters.index(letter)
            found.append(number * last)
        return found

    return answer


def _order(letters):
    values = ", ".join(f"{letter} = {i}" for i, letter in enumerate(letters))
    return Mistake(
        f"letters_in_the_order_{letters.lower()}",
        _ids(letters),
        f"You took {values}. The order is A = 0, C = 1, G = 2, T = 3.",
    )


def _words(dna, k):
    return [dna[i : i + k] for i in range(len(dna) - k + 1)]


def _places_among_those_that_occur(words):
    return [sorted(set(words)).index(word) for word in words]


MORE = (
    *map(_order, ("ACTG", "AGCT", "ATCG", "AGTC", "GATC")),
    Mistake("base_three", _ids(base=3), "Your base is 3. There are four letters: base 4."),
    Mistake("base_five", _ids(base=5), "Your base is 5. There are four letters: base 4."),
    Mistake("base_two", _ids(base=2), "Your base is 2. There are four letters: base 4."),
    Mistake(
        "begins_with_one",
        _ids(begin=1),
        "Your number begins with 1 before the first letter. Begin with 0.",
    ),
    Mistake(
        "one_power_too_many",
        _ids(last=4),
        "Your ids are 4 times too large: the last letter counts 1, not 4.",
    ),
    Mistake(
        "first_word_missing",
        _ids(starts=lambda n, k: range(1, n - k + 1)),
        "The first word is missing: it begins at 0.",
    ),
    Mistake(
        "three_at_a_time",
        _ids(starts=lambda n, k: range(0, n - k + 1, 3)),
        "Your words begin three letters apart. Each begins one letter after the one before it.",
    ),
    Mistake(
        "two_at_a_time",
        _ids(starts=lambda n, k: range(0, n - k + 1, 2)),
        "Your words begin two letters apart. Each begins one letter after the one before it.",
    ),
    Mistake(
        "one_letter_too_many",
        _ids(starts=lambda n, k: range(max(n - k, 1)), length=lambda k: k + 1),
        "Your words have k + 1 letters. Take k.",
    ),
    Mistake(
        "each_letter_alone",
        _ids(starts=lambda n, k: range(n), length=lambda k: 1),
        "You numbered letters. Number words of k letters.",
    ),
    Mistake(
        "last_letter_alone",
        lambda dna, k: ["ACGT".index(dna[i + k - 1]) for i in range(len(dna) - k + 1)],
        "Each id holds the last letter alone: the number before it is lost. number = 4 * number + digit.",
    ),
    Mistake(
        "from_the_last_word",
        lambda dna, k: _ids()(dna, k)[::-1],
        "Your words stand from the last to the first.",
    ),
    Mistake(
        "ids_sorted",
        lambda dna, k: sorted(_ids()(dna, k)),
        "You sorted the ids. They stand in the order of the words.",
    ),
    Mistake(
        "base_k",
        lambda dna, k: _ids(base=k)(dna, k),
        "Your base is k. There are four letters: base 4, however long the words are.",
    ),
    Mistake(
        "ids_as_text",
        lambda dna, k: [str(id) for id in _ids()(dna, k)],
        "Your ids are right, but they are texts. Return whole numbers.",
    ),
    Mistake(
        "numbered_by_the_alphabet",
        lambda dna, k: _places_among_those_that_occur(_words(dna, k)),
        "You numbered the words that occur, in the order of the alphabet. The id is the word, read as a "
        "number in base 4.",
    ),
    Mistake(
        "eight_bits_with_a_sign",
        lambda dna, k: np.array(_ids()(dna, k)).astype(np.int8),
        "Your ids go from -128 to 127: eight bits are too few for 4^k words. Use int.",
    ),
    Mistake(
        "words_counted",
        lambda dna, k: np.bincount(_ids()(dna, k), minlength=4**k),
        "You counted how often each word occurs. Return the ids, in the order of the words.",
    ),
    Mistake(
        "places_in_the_alphabet",
        lambda dna, k: _ids("ABCDEFGHIJKLMNOPQRSTUVWXYZ")(dna, k),
        "Your letters have their places in the whole alphabet. Here A = 0, C = 1, G = 2, T = 3.",
    ),
    Mistake(
        "codes_of_the_letters",
        lambda dna, k: _ids("".join(map(chr, range(128))))(dna, k),
        "Your letters have the codes of ord. Here A = 0, C = 1, G = 2, T = 3.",
    ),
    Mistake(
        "digits_as_text",
        lambda dna, k: ["".join(str("ACGT".index(letter)) for letter in word) for word in _words(dna, k)],
        "Your words are texts of digits. Make one whole number of each, in base 4: int(text, 4).",
    ),
    Mistake(
        "smaller_of_both_strands",
        lambda dna, k: np.minimum(
            _ids()(dna, k),
            [_ids()(word[::-1].translate(str.maketrans("ACGT", "TGCA")), k)[0] for word in _words(dna, k)],
        ),
        "You took the smaller one of a word and its partner on the other strand. Number each word as it "
        "stands.",
    ),
)
