"""The wrong answers of 02.bpe_merge_step."""

from collections import Counter
from itertools import pairwise

from clearhead.checks.exercise import Mistake

from .shared import first_in_alphabet, merge_first_only, merge_from_the_right, merge_plainly, replaced, step


def _winner_by(rule):
    """Return an answer in which, of equally frequent pairs, the least by this rule wins."""
    return lambda words: step(words, choose=lambda counts: min(counts, key=lambda p: (-counts[p], rule(p))))


def _merge_without_skipping(word, pair):
    merged = []
    for i, piece in enumerate(word):
        merged.append("".join(pair) if (piece, *word[i + 1 : i + 2]) == pair else piece)
    return merged


def _merge_in_either_order(word, pair):
    merged, i = [], 0
    while i < len(word):
        found = tuple(word[i : i + 2]) in (pair, pair[::-1])
        merged.append("".join(word[i : i + 2]) if found else word[i])
        i += 1 + found
    return merged


def _across_words(words):
    counts = Counter(pairwise([piece for word in words for piece in word]))
    pair = first_in_alphabet(counts)
    return pair, [merge_plainly(word, pair) for word in words]


def _each_word_once(words):
    pair, _ = step([list(word) for word in dict.fromkeys(map(tuple, words))])
    return pair, [merge_plainly(word, pair) for word in words]


def _without_overlaps(word):
    """Return the pairs of a word; in a run such as zzz the pair z z is there once only."""
    kept = []
    for pair in pairwise(word):
        kept.append(None if kept and pair[0] == pair[1] and kept[-1] == pair else pair)
    return [pair for pair in kept if pair]


MISTAKES = (
    Mistake(
        "first_seen_wins_ties",
        lambda words: step(words, choose=lambda counts: counts.most_common(1)[0][0]),
        "Where two pairs are equally frequent you take the one that you met first. Take the first in "
        "the alphabet, so that the order of the text does not matter.",
    ),
    Mistake(
        "last_in_alphabet_wins_ties",
        lambda words: step(words, choose=lambda counts: max(counts, key=lambda p: (counts[p], p))),
        "max over (count, pair) takes the last pair of the alphabet. Use min over (-count, pair).",
    ),
    Mistake(
        "each_pair_once_a_word",
        lambda words: step(words, count=lambda word: set(pairwise(word))),
        "You count a pair once in each word. In banana, a n comes twice.",
    ),
    Mistake(
        "overlaps_counted_once",
        lambda words: step(words, count=_without_overlaps),
        "You skip a pair that overlaps the one before. In zzz the pair z z stands at two places: count both.",
    ),
    Mistake(
        "joined_texts_compared",
        lambda words: step(words, choose=lambda c: min(c, key=lambda p: (-c[p], "".join(p)))),
        "In a tie you compared the joined texts. Compare the pairs: first piece with first piece.",
    ),
    Mistake(
        "only_first_pieces_compared",
        lambda words: step(words, choose=lambda c: min(c, key=lambda p: (-c[p], p[0]))),
        "In a tie you compared the first pieces alone. Where they are the same, the second one decides.",
    ),
    Mistake(
        "replaced_in_the_text",
        lambda words: step(words, merge=replaced),
        "You replaced inside a text with spaces. That also joins a part of a longer piece: "
        "ab c is not the pair b c. Go through the list of pieces.",
    ),
    Mistake(
        "each_word_once",
        _each_word_once,
        "You count equal words once. A frequent word must count as often as it comes.",
    ),
    Mistake(
        "pairs_across_words",
        _across_words,
        "You also count pairs across two words. A pair ends with its word.",
    ),
    Mistake(
        "joined_but_not_skipped",
        lambda words: step(words, merge=_merge_without_skipping),
        "After joining a pair you went on with its second piece, so it is there twice. Move on by 2.",
    ),
    Mistake(
        "only_the_first_in_a_word",
        lambda words: step(words, merge=merge_first_only),
        "You join only the first such pair of each word. Join all, from left to right.",
    ),
    Mistake(
        "older_pieces_win_ties",
        _winner_by(lambda p: (len(p[0]) > 1, p)),
        "In a tie you take pairs whose first piece is a single letter before all others. That is near the "
        "chapter's rule; here the alphabet alone decides, and ab comes before b.",
    ),
    Mistake(
        "shorter_pieces_win_ties",
        _winner_by(lambda p: (len(p[0]), p[0], len(p[1]), p[1])),
        "In a tie you compare the lengths of the pieces first. The alphabet decides: ab comes before b.",
    ),
    Mistake(
        "single_letter_second_wins_ties",
        _winner_by(lambda p: (p[0], len(p[1]) > 1, p[1])),
        "Where the first pieces are the same, a single letter wins in your answer. The alphabet alone "
        "decides: ab comes before b.",
    ),
    Mistake(
        "longest_pair_wins_ties",
        _winner_by(lambda p: (-len("".join(p)), p)),
        "In a tie the longest pair wins in your answer. Its length does not matter: the alphabet decides.",
    ),
    Mistake(
        "second_pieces_compared_first",
        _winner_by(lambda p: p[::-1]),
        "In a tie you compare the second pieces first. The first pieces decide, then the second ones.",
    ),
    Mistake(
        "joined_from_the_right",
        lambda words: step(words, merge=merge_from_the_right),
        "You join from right to left. In a a a the first two are joined.",
    ),
    Mistake(
        "rarest_pair",
        lambda words: step(words, choose=lambda counts: min(counts, key=lambda pair: (counts[pair], pair))),
        "You took the rarest pair. The most frequent one is joined.",
    ),
    Mistake(
        "pair_as_one_text",
        lambda words: ("".join(step(words)[0]), step(words)[1]),
        "You returned the pair joined to one text. Return its two pieces, a tuple.",
    ),
    Mistake(
        "words_without_the_pair_dropped",
        lambda words: (step(words)[0], [word for word in step(words)[1] if "".join(step(words)[0]) in word]),
        "Words without the pair are lost. Return all words, these as they were.",
    ),
    Mistake(
        "words_as_texts",
        lambda words: (step(words)[0], [" ".join(word) for word in step(words)[1]]),
        "Each word came back as one text. It must stay a list of pieces.",
    ),
    Mistake(
        "joined_in_either_order",
        lambda words: step(words, merge=_merge_in_either_order),
        "You also join the two pieces where they stand in the other order. e th is not the pair th e.",
    ),
    Mistake(
        "both_orders_counted_together",
        lambda words: step(words, count=lambda word: [tuple(sorted(pair)) for pair in pairwise(word)]),
        "You count th e and e th as one pair. The order of the two pieces matters.",
    ),
    Mistake(
        "equal_pieces_skipped",
        lambda words: step(words, count=lambda word: [(a, b) for a, b in pairwise(word) if a != b]),
        "You leave out pairs of two equal pieces. a a is a pair like any other.",
    ),
    Mistake(
        "the_words_alone",
        lambda words: step(words)[1],
        "You returned the words alone. Return two things: the pair, and the words.",
    ),
)
