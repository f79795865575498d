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
            "a n comes three times, n a and b a twice. Join it wherever it stands.",
            expected=(("a", "n"), [["b", "an", "an", "a"], ["b", "an"]]),
            properties=(same_text,),
        ),
        Case(
            "a tie",
            (_letters("to to on on"),),
            "t o and o n come twice each. The first in the alphabet wins, whatever came first in the text.",
            expected=(("o", "n"), [["t", "o"], ["t", "o"], ["on"], ["on"]]),
        ),
        Case(
            "three pairs tie",
            (_letters("mn mn xz xz ab ab"),),
            "Neither the first in the text nor the last in the alphabet: the first in the alphabet.",
        ),
        Case(
            "a pair three times in one word",
            (_letters("zyzyzy cd cd"),),
            "A pair that comes three times in a word counts three times.",
        ),
        Case(
            "the same word four times",
            (_letters("up up up up go ago"),),
            "A word that comes four times counts four times.",
            2,
        ),
        Case("no pair across two words", (_letters("abz acz adz aez"),), "Pairs end with the word."),
        Case(
            "three in a row",
            (_letters("aaa aaaa baaab cb"),),
            "From left to right: a a a becomes aa a. What is joined cannot be joined again.",
            2,
        ),
        Case(
            "pieces of several letters",
            ([["th", "e", "th", "e"], ["th", "e", "re", "th", "e"], ["e", "th"]],),
            "The pair is th e. Pieces are text, and e th is another pair.",
        ),
        Case(
            "a tie of three: ad, ac and za",
            (_letters("ad ad ac ac za za"),),
            "The first piece decides; where it is the same, the second piece decides.",
        ),
        Case(
            "a tie of pieces with different lengths",
            ([["a", "z"], ["a", "z"], ["ab", "a"], ["ab", "a"]],),
            "Compare piece with piece, not the joined texts: a comes before ab.",
        ),
        Case(
            "a tie of a short pair and a long one",
            ([["b", "cc"], ["a", "z"]],),
            "How long a piece is does not matter, only where it stands in the alphabet: a comes before b.",
            expected=(("a", "z"), [["b", "cc"], ["az"]]),
        ),
        Case(
            "a tie with a first piece of two letters",
            ([["ab", "c"], ["b", "a"]],),
            "ab comes before b in the alphabet. The chapter's rule, that older pieces win, is another one.",
            expected=(("ab", "c"), [["abc"], ["b", "a"]]),
        ),
        Case(
            "a tie with a second piece of two letters",
            ([["a", "ab"], ["a", "b"]],),
            "The first pieces are the same, and ab comes before b in the alphabet.",
            expected=(("a", "ab"), [["aab"], ["a", "b"]]),
        ),
        Case(
            "a piece that ends like the pair begins",
            ([["b", "c"], ["b", "c"], ["ab", "c"]],),
            "In ab c nothing is to be joined: the pair is b c, and ab is another piece.",
        ),
        Case(
            "a run of one letter",
            (_letters("zzzz ab ab"),),
            "z z stands at three places of zzzz, though they overlap.",
        ),
        Case("random words", (random_words(rng),), "", properties=(same_text,)),
        Case("more random words", (random_words(rng, "aelst"),), "", properties=(same_text,)),
    ]


EXERCISE = exercise_from_text(__file__, cases)
