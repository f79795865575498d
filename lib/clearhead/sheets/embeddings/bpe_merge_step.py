"""Cases of 02.bpe_merge_step."""

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import random_words


def _letters(text):
    return [list(word) for word in text.split()]


def cases(rng):
    same_text = (
        "each word still spells the same",
        lambda out, words: ["".join(word) for word in out[1]] == ["".join(word) for word in words],
    )
    return [
        Case(
            "two words, by hand",
            (_letters("banana ban"),),
            "The pair 'a', 'n' occurs three times; 'n', 'a' and 'b', 'a' occur twice each. Join 'a', 'n' "
            "wherever it occurs.",
            expected=(("a", "n"), [["b", "an", "an", "a"], ["b", "an"]]),
            properties=(same_text,),
        ),
        Case(
            "a tie",
            (_letters("to to on on"),),
            "The pairs t o and o n occur twice each. The first one in the alphabet wins, although t o "
            "comes first in the text.",
            expected=(("o", "n"), [["t", "o"], ["t", "o"], ["on"], ["on"]]),
        ),
        Case(
            "a tie of three pairs: mn, xz and ab",
            (_letters("mn mn xz xz ab ab"),),
            "The three pairs occur twice each. The first one in the alphabet is a b, although it "
            "comes last in the text.",
        ),
        Case(
            "a pair three times in one word",
            (_letters("zyzyzy cd cd"),),
            "The pair z y occurs three times in one word, and all three occurrences count.",
        ),
        Case(
            "the same word four times",
            (_letters("up up up up go ago"),),
            "The word occurs four times in the list, and its pair counts each time.",
            2,
        ),
        Case(
            "a pair across two words, which does not count",
            (_letters("abz acz adz aez"),),
            "A pair lies within a word, so the last piece of a word and the first piece of the next "
            "one are not a pair.",
        ),
        Case(
            "three equal letters in a row",
            (_letters("aaa aaaa baaab cb"),),
            "Pairs are joined from left to right, so a a a becomes aa a. A piece that has just been "
            "joined is not joined again in the same step.",
            2,
        ),
        Case(
            "pieces of several letters",
            ([["th", "e", "th", "e"], ["th", "e", "re", "th", "e"], ["e", "th"]],),
            "The most frequent pair is th e. A piece can have several letters, and the pair e th is a "
            "different one.",
        ),
        Case(
            "a tie of three: ad, ac and za",
            (_letters("ad ad ac ac za za"),),
            "Compare the first pieces of the tied pairs, and where these are equal, the second pieces.",
        ),
        Case(
            "a tie of pairs whose pieces have different lengths",
            ([["a", "z"], ["a", "z"], ["ab", "a"], ["ab", "a"]],),
            "Compare the pairs piece by piece, and not as joined strings: the piece a comes before "
            "the piece ab.",
        ),
        Case(
            "a tie of a short pair and a long pair",
            ([["b", "cc"], ["a", "z"]],),
            "The lengths of the pieces do not matter, only their alphabetical order: the piece a "
            "comes before the piece b.",
            expected=(("a", "z"), [["b", "cc"], ["az"]]),
        ),
        Case(
            "a tie with a first piece of two letters",
            ([["ab", "c"], ["b", "a"]],),
            "The piece ab comes before the piece b in the alphabet. The chapter breaks ties by "
            "another rule, in which older pieces win.",
            expected=(("ab", "c"), [["abc"], ["b", "a"]]),
        ),
        Case(
            "a tie with a second piece of two letters",
            ([["a", "ab"], ["a", "b"]],),
            "The first pieces are equal, and the second piece ab comes before b in the alphabet.",
            expected=(("a", "ab"), [["aab"], ["a", "b"]]),
        ),
        Case(
            "a piece that ends with the first piece of the pair",
            ([["b", "c"], ["b", "c"], ["ab", "c"]],),
            "The pair is b c. In the word ab c nothing is joined, because ab is a different piece.",
        ),
        Case(
            "a word of four equal letters",
            (_letters("zzzz ab ab"),),
            "The pair z z occurs at three positions of z z z z, although these overlap.",
        ),
        Case("random words", (random_words(rng),), "", properties=(same_text,)),
        Case("more random words", (random_words(rng, "aelst"),), "", properties=(same_text,)),
    ]


EXERCISE = exercise_from_text(__file__, cases)
