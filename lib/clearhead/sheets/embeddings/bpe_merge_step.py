"""02.bpe_merge_step: One merge."""

from collections import Counter
from itertools import pairwise

from clearhead.checks.exercise import Case, Exercise, Mistake

from .shared import first_in_alphabet, merge_first_only, merge_plainly, random_words, replaced, step


def bpe_merge_step(words):
    """Return the most frequent pair of neighbours, and the words with it joined everywhere."""
    return step(words)


def _merge_without_skipping(word, pair):
    merged = []
    for i, piece in enumerate(word):
        merged.append("".join(pair) if (piece, *word[i + 1 : i + 2]) == pair else piece)
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


def _letters(text):
    return [list(word) for word in text.split()]


def _step_cases(rng):
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
        Case("pieces of several letters", ([["th", "e", "th", "e"], ["th", "e", "re"]],), "Pieces are text."),
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


EXERCISE = Exercise(
    "02.bpe_merge_step",
    "One merge",
    bpe_merge_step,
    _step_cases,
    hints=(
        "Two jobs: count all pairs of neighbours inside the words, then join the winner in each word.",
        "Counter and itertools.pairwise count. Tuples compare as words in a dictionary do, so "
        "min(counts, key=lambda pair: (-counts[pair], pair)) settles ties.",
        "To join: copy the word, and go through it with an index i. Where tuple(word[i : i + 2]) is the "
        'pair, write word[i : i + 2] = ["".join(pair)].',
    ),
    mistakes=(
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
            "You skip a pair that overlaps the one before. In zzz the pair z z stands at two places: count "
            "both.",
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
            "You replaced inside a text with spaces. That also joins a piece that only ends in the letter: "
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
    ),
    alternatives=(
        lambda words: (
            pair := sorted(
                (counts := Counter(p for word in words for p in pairwise(word))),
                key=lambda p: (-counts[p], p),
            )[0],
            [merge_plainly(word, pair) for word in words],
        ),
    ),
    stars=1,
    minutes=15,
)
