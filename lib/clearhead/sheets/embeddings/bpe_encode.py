"""02.bpe_encode: Encode a word."""

from functools import reduce
from itertools import pairwise

from clearhead.checks.exercise import Case, Exercise, Mistake

from .shared import merge_first_only, merge_from_the_right, merge_plainly, random_words, replaced


def bpe_encode(word, merges):
    """Return the pieces of a word, the merges applied in order."""
    pieces = list(word)
    for pair in merges:
        pieces = merge_plainly(pieces, pair)
    return pieces


def _longest_first(word, merges):
    known, pieces = {a + b for a, b in merges}, []
    while word:
        size = next((n for n in range(len(word), 1, -1) if word[:n] in known), 1)
        pieces, word = [*pieces, word[:size]], word[size:]
    return pieces


def _leftmost_first(word, merges):
    pieces = list(word)
    while found := [i for i, pair in enumerate(pairwise(pieces)) if pair in merges]:
        i = found[0]
        pieces[i : i + 2] = [pieces[i] + pieces[i + 1]]
    return pieces


def _stops_early(word, merges):
    pieces = list(word)
    for pair in merges:
        if pair not in pairwise(pieces):
            break
        pieces = merge_plainly(pieces, pair)
    return pieces


def _joining(join):
    """Return an answer that joins each pair of pieces in its own way."""
    return lambda word, merges: reduce(join, merges, list(word))


def _by_joined_text(word, merges):
    pieces = list(word)
    for a, b in merges:
        joined = {(x, y): x + y for x, y in pairwise(pieces) if x + y == a + b}
        for pair in joined:
            pieces = merge_plainly(pieces, pair)
    return pieces


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


def _encode_cases(rng):
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
            ("abc", [("b", "c"), ("a", "b")]),
            "b c was learnt first, so it is joined first, although a b stands further left.",
            expected=["a", "bc"],
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
            ("abc", [("a", "b"), ("b", "c"), ("a", "bc")]),
            "ab c stays: the third merge joins a with bc, and there is no bc.",
            expected=["ab", "c"],
        ),
        Case("three in a row", ("aaa", [("a", "a")]), "From left to right.", expected=["aa", "a"]),
        Case("an empty word", ("", SMALL_TALL), "No letters, no pieces."),
        Case("random", (unseen, _random_merges(rng)), "", properties=(round_trip,)),
    ]


EXERCISE = Exercise(
    "02.bpe_encode",
    "Encode a word",
    bpe_encode,
    _encode_cases,
    hints=(
        "Start with the letters of the word. Then let the merges work on them, one after the other.",
        "For each pair, in order: join it wherever it stands. If it does not occur, nothing happens.",
        "The joining is the second half of exercise 1. Put it into a function of its own, and call it in "
        "a loop over the merges.",
    ),
    mistakes=(
        Mistake(
            "longest_piece_first",
            _longest_first,
            "You take the longest known piece from the left. That is another algorithm. Here the merges "
            "are applied in the order in which they were learnt.",
        ),
        Mistake(
            "leftmost_pair_first",
            _leftmost_first,
            "You join the first pair from the left that is among the merges. The earliest merge comes "
            "first, wherever it stands in the word.",
        ),
        Mistake(
            "replaced_in_the_text",
            _joining(replaced),
            "You replaced inside a text with spaces. That also joins a piece that only ends in the letter: "
            "ab c is not the pair b c. Go through the list of pieces.",
        ),
        Mistake(
            "joined_texts_compared",
            _by_joined_text,
            "You join whatever gives the same text. A merge joins its own two pieces: ab c is not a bc.",
        ),
        Mistake(
            "last_merge_first",
            lambda word, merges: bpe_encode(word, merges[::-1]),
            "You begin with the last merge. Later merges need the results of earlier ones.",
        ),
        Mistake(
            "stops_at_the_first_merge_that_does_not_occur",
            _stops_early,
            "You stop at the first merge that does not occur in the word. Go on: later ones may.",
        ),
        Mistake(
            "each_merge_once",
            _joining(merge_first_only),
            "Each merge joined only its first pair in the word. Join all of them.",
        ),
        Mistake(
            "letters_alone",
            lambda word, merges: list(word),
            "These are the letters. Apply the merges to them.",
        ),
        Mistake(
            "drops_single_letters",
            lambda word, merges: [piece for piece in bpe_encode(word, merges) if len(piece) > 1],
            "Pieces of one letter are lost, so the word does not come back. Keep what no merge joined.",
        ),
        Mistake(
            "joined_from_the_right",
            _joining(merge_from_the_right),
            "You join from right to left. In a a a the first two are joined.",
        ),
    ),
    alternatives=(lambda word, merges: _by_rank(word, merges),),
    stars=2,
    minutes=15,
)


def _by_rank(word, merges):
    """Return the pieces as the library finds them: the earliest learnt pair that occurs, until none does."""
    rank, pieces = {pair: i for i, pair in enumerate(merges)}, list(word)
    while known := [pair for pair in pairwise(pieces) if pair in rank]:
        pieces = merge_plainly(pieces, min(known, key=rank.get))
    return pieces
