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
    round_trip = ("the pieces spell the word", lambda pieces, word, merges: "".join(pieces) == word)
    unseen = "".join("abnx"[i] for i in rng.integers(4, size=int(rng.integers(9, 15))))
    return [
        Case(
            "smallest, as in the chapter",
            ("smallest", SMALL_TALL),
            "The chapter shows each step.",
            expected=["small", "est"],
            properties=(round_trip,),
        ),
        Case(
            "a word with letters that no merge knows",
            ("malls!", SMALL_TALL),
            "What no merge joins stays as it is.",
            expected=["mall", "s", "!"],
            properties=(round_trip,),
        ),
        Case(
            "the order of the merges decides",
            ("xba", [("b", "a"), ("x", "b")]),
            "b a was learnt first, so it is joined first, although x b stands further left.",
            expected=["x", "ba"],
        ),
        Case(
            "a merge of a merge",
            ("abcab", [("b", "c"), ("a", "bc"), ("a", "b")]),
            "The second merge needs the result of the first.",
            expected=["abc", "ab"],
        ),
        Case(
            "many times in one word",
            ("tallalltall", SMALL_TALL),
            "Each merge joins all its pairs, from left to right.",
            2,
            properties=(round_trip,),
        ),
        Case("a merge that does not occur comes first", ("best", SMALL_TALL), "Go on with the next merge."),
        Case(
            "two ways to one text",
            ("xyz", [("x", "y"), ("y", "z"), ("x", "yz")]),
            "xy z stays: the third merge joins x with yz, and there is no yz.",
            expected=["xy", "z"],
        ),
        Case("three in a row", ("aaa", [("a", "a")]), "From left to right.", expected=["aa", "a"]),
        Case("no merges", ("ab", []), "Then the letters are the pieces, in a list.", expected=["a", "b"]),
        Case("an empty word", ("", SMALL_TALL), "No letters, no pieces."),
        Case("random", (unseen, _random_merges(rng)), "", properties=(round_trip,)),
    ]


EXERCISE = exercise_from_text(__file__, cases)
