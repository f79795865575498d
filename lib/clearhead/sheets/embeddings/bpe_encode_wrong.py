"""The wrong answers of 02.bpe_encode."""

from functools import reduce
from itertools import pairwise

from clearhead.checks.exercise import Mistake

from .shared import merge_first_only, merge_from_the_right, merge_plainly, replaced


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


def _latest_merge_first(word, merges):
    pieces, latest_first = list(word), merges[::-1]
    while found := next((pair for pair in latest_first if pair in pairwise(pieces)), None):
        pieces = merge_plainly(pieces, found)
    return pieces


def _one_merge_alone(word, merges):
    found = (merge_plainly(list(word), pair) for pair in merges)
    return next((pieces for pieces in found if len(pieces) < len(word)), list(word))


def _skips_after_a_join(pieces, pair):
    pieces, i = list(pieces), 0
    while i < len(pieces) - 1:
        found = (pieces[i], pieces[i + 1]) == pair
        if found:
            pieces[i : i + 2] = ["".join(pair)]
        i += 1 + found
    return pieces


def _last_piece_lost(pieces, pair):
    joined, i = [], 0
    while i < len(pieces) - 1:
        found = (pieces[i], pieces[i + 1]) == pair
        joined.append("".join(pair) if found else pieces[i])
        i += 1 + found
    return joined


MISTAKES = (
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
        "You replaced inside a text with spaces. That also joins a part of a longer piece: "
        "ab c is not the pair b c. Go through the list of pieces.",
    ),
    Mistake(
        "joined_texts_compared",
        _by_joined_text,
        "You join whatever gives the same text. A merge joins its own two pieces: ab c is not a bc.",
    ),
    Mistake(
        "last_merge_first",
        lambda word, merges: _joining(merge_plainly)(word, merges[::-1]),
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
        lambda word, merges: [piece for piece in _joining(merge_plainly)(word, merges) if len(piece) > 1],
        "Pieces of one letter are lost, so the word does not come back. Keep what no merge joined.",
    ),
    Mistake(
        "joined_from_the_right",
        _joining(merge_from_the_right),
        "You join from right to left. In a a a the first two are joined.",
    ),
    Mistake(
        "replaced_and_split_at_each_space",
        _joining(lambda pieces, pair: " ".join(pieces).replace(" ".join(pair), "".join(pair)).split(" ")),
        "You replaced inside a text with spaces. That also joins a part of a longer piece, and "
        "an empty text splits into one empty piece. Go through the list of pieces.",
    ),
    Mistake(
        "latest_merge_first",
        _latest_merge_first,
        "Of the pairs in the word you join the one that was learnt last. Begin with the one that was learnt "
        "first.",
    ),
    Mistake(
        "last_piece_lost",
        _joining(_last_piece_lost),
        "Your loop over neighbours ends before the last piece, and it is lost. Keep it where it was not "
        "joined.",
    ),
    Mistake(
        "text_where_there_is_no_merge",
        lambda word, merges: _joining(merge_plainly)(word, merges) if merges else word,
        "Without merges you return the word as a text. Return its letters in a list.",
    ),
    Mistake(
        "merges_sorted",
        lambda word, merges: _joining(merge_plainly)(word, sorted(merges)),
        "You sorted the merges. Take them in the order in which they were learnt, which is that of the list.",
    ),
    Mistake(
        "one_merge_alone",
        _one_merge_alone,
        "You stop after the first merge that occurs in the word. The others come next, one after the other.",
    ),
    Mistake(
        "skips_after_a_join",
        _joining(_skips_after_a_join),
        "After a join you move on by 2, but the list has become shorter, so you miss a place. Move on by 1.",
    ),
)
