"""Cases of 02.bpe_encode."""

from itertools import pairwise

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import merge_plainly, random_words

SMALL_TALL = [("a", "l"), ("al", "l"), ("m", "all"), ("s", "mall"), ("t", "all"), ("e", "s"), ("es", "t")]


def _random_merges(rng):
    words, merges = random_words(rng), []
    for _ in range(int(rng.integers(3, 6))):
        neighbours = [pair for word in words for pair in pairwise(word)]
        if not neighbours:
            break
        pair = neighbours[int(rng.integers(len(neighbours)))]
        words = [merge_plainly(word, pair) for word in words]
        merges.append(pair)
    return merges


def cases(rng):
    round_trip = (
        "the pieces, joined together, spell the word",
        lambda pieces, word, merges: "".join(pieces) == word,
    )
    unseen = "".join("abnx"[i] for i in rng.integers(4, size=int(rng.integers(9, 15))))
    return [
        Case(
            "the word smallest, as in the chapter",
            ("smallest", SMALL_TALL),
            "The chapter shows each step of this example.",
            expected=["small", "est"],
            properties=(round_trip,),
        ),
        Case(
            "a word with characters that occur in no merge",
            ("malls!", SMALL_TALL),
            "Characters that no merge joins remain separate pieces.",
            expected=["mall", "s", "!"],
            properties=(round_trip,),
        ),
        Case(
            "two merges that compete for a letter",
            ("xba", [("b", "a"), ("x", "b")]),
            "The merge of b and a was learnt first, so it is applied first, although x and b come "
            "first in the word.",
            expected=["x", "ba"],
        ),
        Case(
            "a merge that needs an earlier merge",
            ("abcab", [("b", "c"), ("a", "bc"), ("a", "b")]),
            "The second merge joins a with bc, which is the result of the first merge.",
            expected=["abc", "ab"],
        ),
        Case(
            "merges that apply several times in one word",
            ("tallalltall", SMALL_TALL),
            "Each merge joins every occurrence of its pair, from left to right.",
            2,
            properties=(round_trip,),
        ),
        Case(
            "first merges that do not occur in the word",
            ("best", SMALL_TALL),
            "The pair of the first merge does not occur in this word, so go on to the next merge.",
        ),
        Case(
            "two ways to build the same string",
            ("xyz", [("x", "y"), ("y", "z"), ("x", "yz")]),
            "The result is xy and z: the third merge joins x with yz, but the first merge has already "
            "joined y with x.",
            expected=["xy", "z"],
        ),
        Case(
            "three equal letters in a row",
            ("aaa", [("a", "a")]),
            "Pairs are joined from left to right, so the first two letters become one piece.",
            expected=["aa", "a"],
        ),
        Case(
            "an empty list of merges",
            ("ab", []),
            "Without merges, the pieces are the letters of the word, as a list.",
            expected=["a", "b"],
        ),
        Case("an empty word", ("", SMALL_TALL), "An empty word has no pieces, so return an empty list."),
        Case("a random word and random merges", (unseen, _random_merges(rng)), "", properties=(round_trip,)),
    ]


EXERCISE = exercise_from_text(__file__, cases)
