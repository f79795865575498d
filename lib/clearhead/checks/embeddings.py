"""Sheet 02, tokens and embeddings (over 200 lines: each mistake stands beside its exercise)."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np

from clearhead.maths.embeddings import analogy, cosine, max_near_orthogonal, ppmi, welch_bound
from clearhead.text.tokenizers.merges import merge_pair

from .exercise import Case, Exercise, Mistake, Sheet

# bpe_merge_step --------------------------------------------------------------------------------------------


def _step(words, count=pairwise, choose=None, merge=None):
    """Return the chosen pair and the merged words; each part can be replaced by a student's own."""
    counts = Counter(pair for word in words for pair in count(word))
    pair = (choose or _first_in_alphabet)(counts)
    merged = [(merge or _merge)(word, pair) for word in words]
    return pair, merged


def _first_in_alphabet(counts):
    return min(counts, key=lambda pair: (-counts[pair], pair))


def _merge(word, pair):
    return merge_pair(word, pair, "".join(pair))


def bpe_merge_step(words):
    """Return the most frequent pair of neighbours, and the words with it joined everywhere."""
    return _step(words)


def _merge_without_skipping(word, pair):
    merged = []
    for i, piece in enumerate(word):
        merged.append("".join(pair) if (piece, *word[i + 1 : i + 2]) == pair else piece)
    return merged


def _merge_first_only(word, pair):
    for i, found in enumerate(pairwise(word)):
        if found == pair:
            return [*word[:i], "".join(pair), *word[i + 2 :]]
    return list(word)


def _across_words(words):
    counts = Counter(pairwise([piece for word in words for piece in word]))
    pair = _first_in_alphabet(counts)
    return pair, [_merge(word, pair) for word in words]


def _each_word_once(words):
    pair, _ = _step([list(word) for word in dict.fromkeys(map(tuple, words))])
    return pair, [_merge(word, pair) for word in words]


def _replaced(pieces, pair):
    """Return the pieces after replacing "a b" by "ab" in their text: it also finds "xa b"."""
    return " ".join(pieces).replace(" ".join(pair), "".join(pair)).split()


def _without_overlaps(word):
    """Return the pairs of a word; in a run such as zzz the pair z z is there once only."""
    kept = []
    for pair in pairwise(word):
        kept.append(None if kept and pair[0] == pair[1] and kept[-1] == pair else pair)
    return [pair for pair in kept if pair]


def _letters(text):
    return [list(word) for word in text.split()]


def _random_words(rng, alphabet="abn"):
    sizes = rng.integers(2, 8, size=int(rng.integers(4, 9)))
    return [[alphabet[i] for i in rng.integers(len(alphabet), size=size)] for size in sizes]


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
        Case("random words", (_random_words(rng),), "", properties=(same_text,)),
        Case("more random words", (_random_words(rng, "aelst"),), "", properties=(same_text,)),
    ]


BPE_MERGE_STEP = Exercise(
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
            lambda words: _step(words, choose=lambda counts: counts.most_common(1)[0][0]),
            "Where two pairs are equally frequent you take the one that you met first. Take the first in "
            "the alphabet, so that the order of the text does not matter.",
        ),
        Mistake(
            "last_in_alphabet_wins_ties",
            lambda words: _step(words, choose=lambda counts: max(counts, key=lambda p: (counts[p], p))),
            "max over (count, pair) takes the last pair of the alphabet. Use min over (-count, pair).",
        ),
        Mistake(
            "each_pair_once_a_word",
            lambda words: _step(words, count=lambda word: set(pairwise(word))),
            "You count a pair once in each word. In banana, a n comes twice.",
        ),
        Mistake(
            "overlaps_counted_once",
            lambda words: _step(words, count=_without_overlaps),
            "You skip a pair that overlaps the one before. In zzz the pair z z stands at two places: count "
            "both.",
        ),
        Mistake(
            "joined_texts_compared",
            lambda words: _step(words, choose=lambda c: min(c, key=lambda p: (-c[p], "".join(p)))),
            "In a tie you compared the joined texts. Compare the pairs: first piece with first piece.",
        ),
        Mistake(
            "only_first_pieces_compared",
            lambda words: _step(words, choose=lambda c: min(c, key=lambda p: (-c[p], p[0]))),
            "In a tie you compared the first pieces alone. Where they are the same, the second one decides.",
        ),
        Mistake(
            "replaced_in_the_text",
            lambda words: _step(words, merge=_replaced),
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
            lambda words: _step(words, merge=_merge_without_skipping),
            "After joining a pair you went on with its second piece, so it is there twice. Move on by 2.",
        ),
        Mistake(
            "only_the_first_in_a_word",
            lambda words: _step(words, merge=_merge_first_only),
            "You join only the first such pair of each word. Join all, from left to right.",
        ),
    ),
    alternatives=(
        lambda words: (
            pair := sorted(
                (counts := Counter(p for word in words for p in pairwise(word))),
                key=lambda p: (-counts[p], p),
            )[0],
            [_merge(word, pair) for word in words],
        ),
    ),
    stars=1,
    minutes=15,
)

# bpe_encode ------------------------------------------------------------------------------------------------


def bpe_encode(word, merges):
    """Return the pieces of a word, the merges applied in order."""
    pieces = list(word)
    for pair in merges:
        pieces = _merge(pieces, pair)
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
        pieces = _merge(pieces, pair)
    return pieces


def _first_only(word, merges):
    pieces = list(word)
    for pair in merges:
        pieces = _merge_first_only(pieces, pair)
    return pieces


def _by_replacing(word, merges):
    pieces = list(word)
    for pair in merges:
        pieces = _replaced(pieces, pair)
    return pieces


def _by_joined_text(word, merges):
    pieces = list(word)
    for a, b in merges:
        joined = {(x, y): x + y for x, y in pairwise(pieces) if x + y == a + b}
        for pair in joined:
            pieces = _merge(pieces, pair)
    return pieces


SMALL_TALL = [("a", "l"), ("al", "l"), ("m", "all"), ("s", "mall"), ("t", "all"), ("e", "s"), ("es", "t")]


def _random_merges(rng):
    words, merges = _random_words(rng), []
    for _ in range(int(rng.integers(3, 6))):
        if not any(len(word) > 1 for word in words):
            break
        pair, words = bpe_merge_step(words)
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
        Case("an empty word", ("", SMALL_TALL), "No letters, no pieces."),
        Case("random", (unseen, _random_merges(rng)), "", properties=(round_trip,)),
    ]


BPE_ENCODE = Exercise(
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
            _by_replacing,
            "You replaced inside a text with spaces. That also joins a piece that only ends in the letter: "
            "ab c is not the pair b c. Go through the list of pieces.",
        ),
        Mistake(
            "joined_texts_compared",
            _by_joined_text,
            "You join whatever gives the same text. A merge joins its own two pieces: ab c is not the pair a "
            "bc.",
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
            _first_only,
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
    ),
    alternatives=(lambda word, merges: _by_rank(word, merges),),
    stars=2,
    minutes=15,
)


def _by_rank(word, merges):
    """Return the pieces as the library finds them: the earliest learnt pair that occurs, until none does."""
    rank, pieces = {pair: i for i, pair in enumerate(merges)}, list(word)
    while known := [pair for pair in pairwise(pieces) if pair in rank]:
        pieces = _merge(pieces, min(known, key=rank.get))
    return pieces


# cosine ----------------------------------------------------------------------------------------------------


def _over(bottom):
    """Return a cosine with another divisor."""
    return lambda x, y: x @ y / bottom(x, y)


def _lengths(x, y):
    return np.linalg.norm(x) * np.linalg.norm(y)


def _cosine_cases(rng):
    D = int(rng.integers(3, 12))
    x, y = rng.normal(size=(2, D))
    bounded = ("it lies between -1 and 1", lambda c, x, y: -1 - 1e-9 <= c <= 1 + 1e-9)
    return [
        Case(
            "cat and apple, by hand",
            (np.array([4.0, 1.0]), np.array([1.0, 4.0])),
            "The dot product is 8, and both lengths are √17.",
            expected=8 / 17,
            properties=(bounded,),
        ),
        Case("random", (x, y), "Divide by both lengths.", properties=(bounded,)),
        Case("one of them ten times as long", (10 * x, y), "Length must not count.", properties=(bounded,)),
        Case("opposite directions", (x, -0.3 * x), "Opposite directions have -1.", expected=-1.0),
        Case("very short vectors", (1e-9 * x, 1e-9 * y), "A small number added below is not small here.", 2),
        Case("a vector of zeros", (np.zeros(D), y), "It has no direction: return 0.", expected=0.0),
    ]


COSINE = Exercise(
    "02.cosine",
    "How alike are two directions?",
    lambda x, y: float(cosine(x, y)),
    _cosine_cases,
    hints=(
        "A dot product, divided by two lengths.",
        "np.linalg.norm(x) is the length of x. When a length is 0, return 0.",
        "lengths = np.linalg.norm(x) * np.linalg.norm(y), then x @ y / lengths if lengths > 0, else 0.",
    ),
    mistakes=(
        Mistake(
            "dot_product",
            lambda x, y: x @ y,
            "This is the dot product. Divide it by both lengths, so that only the direction counts.",
        ),
        Mistake(
            "divided_by_one_length",
            lambda x, y: x @ y / (np.linalg.norm(x) or 1),
            "You divided by one length only. Both vectors may be long.",
        ),
        Mistake(
            "divided_by_squared_lengths",
            lambda x, y: x @ y / ((x @ x) * (y @ y) or 1),
            "x @ x is the squared length. Take its square root.",
        ),
        Mistake(
            "lengths_added",
            lambda x, y: x @ y / (np.linalg.norm(x) + np.linalg.norm(y)),
            "You added the lengths. Multiply them.",
        ),
        Mistake(
            "zero_divided_by_zero",
            _over(_lengths),
            "A vector of zeros gives 0/0. It has no direction: return 0.",
        ),
        Mistake(
            "a_small_number_below",
            lambda x, y: x @ y / (_lengths(x, y) + 1e-8),
            "The small number that you add below changes the result for short vectors. Test for 0 instead.",
        ),
        Mistake(
            "sign_lost",
            lambda x, y: abs(float(cosine(x, y))),
            "Opposite directions must give -1. Do not take the absolute value.",
        ),
        Mistake(
            "the_angle",
            lambda x, y: float(np.arccos(np.clip(cosine(x, y), -1, 1))),
            "This is the angle. Its cosine is wanted, so leave out arccos.",
        ),
    ),
    alternatives=(
        lambda x, y: 0.0 if not x.any() or not y.any() else np.sum(x / _norm(x) * (y / _norm(y))),
        lambda x, y: x @ y / math.sqrt((x @ x) * (y @ y)) if x.any() and y.any() else 0,
    ),
    stars=1,
    minutes=5,
)


def _norm(x):
    return math.sqrt(sum(number**2 for number in x))


# analogy ---------------------------------------------------------------------------------------------------


def _ranked(E, target, left_out, closeness):
    scores = closeness(E, target)
    return next(int(i) for i in np.argsort(-scores, kind="stable") if i not in left_out)


def _analogy_with(target=lambda E, a, b, c: E[b] - E[a] + E[c], left_out=None, closeness=cosine):
    """Return an analogy with its own target, its own rule for what is left out, or its own closeness."""

    def answer(E, a, b, c, exclude):
        out = (a, b, c) if exclude else ()
        return _ranked(E, target(E, a, b, c), left_out(a, b, c) if left_out else out, closeness)

    return answer


def _second_nearest(E, a, b, c, exclude):
    order = np.argsort(-cosine(E, E[b] - E[a] + E[c]), kind="stable")
    return int(order[1 if exclude else 0])


# Rows: man, woman, king, queen, kings, a long row near king, a row far away.
ROYAL = np.array(
    [
        [0.2, 0.0, 0.0, 1.0],
        [0.2, 1.0, 0.0, 1.0],
        [2.0, 0.0, 0.0, 1.0],
        [2.0, 1.1, 0.1, 1.0],
        [2.0, 0.0, 1.2, 1.0],
        [9.0, 0.5, 3.0, 4.0],
        [0.0, -1.0, 1.0, -1.0],
    ]
)


def _exact_space(rng):
    """Return a table in which eight words are sums of three features, shuffled, with lengths of their own."""
    features = np.linalg.qr(rng.normal(size=(9, 9)))[0][:4]
    bits = np.array([[k >> 2 & 1, k >> 1 & 1, k & 1, 2] for k in range(8)])
    place = rng.permutation(8)
    E = np.zeros((8, 9))
    E[place] = bits @ features
    return E, place


def _analogy_cases(rng):
    E, place = _exact_space(rng)
    a, b, c, d = (int(place[k]) for k in (0b000, 0b101, 0b010, 0b111))
    V, D = (int(size) for size in rng.permutation(np.arange(9, 16))[:2])
    drawn = rng.normal(size=(V, D)) * rng.uniform(0.5, 4, size=(V, 1))
    ids = [int(i) for i in rng.permutation(V)[:3]]
    swim = np.array([[1.0, 0.0], [1.0, 0.3], [0.0, 1.0], [0.1, 1.0], [0.9, 0.4], [-1.0, 0.2]])
    return [
        Case(
            "king - man + woman, by hand",
            (ROYAL, 0, 2, 1, True),
            "The target is (2, 1, 0, 1). Leave out rows 0, 2 and 1, then compare directions.",
            expected=3,
        ),
        Case(
            "the step is small, nothing left out",
            (swim, 0, 1, 2, False),
            "With exclude=False an input word may be the answer.",
            2,
        ),
        Case(
            "the same, inputs left out",
            (swim, 0, 1, 2, True),
            "With exclude=True rows a, b and c are out.",
            2,
        ),
        Case("an exact space", (E, a, b, c, True), "d = b - a + c holds exactly.", expected=d),
        Case("an exact space, backwards", (E, d, c, b, False), "d is to c as b is to a.", expected=a),
        Case("random rows of different lengths", (drawn, *ids, True), "Compare cosines, not dot products."),
        Case("the same, nothing left out", (drawn, *ids, False), "Compare cosines, not dot products."),
        Case(
            "a long row in the right direction",
            (np.array([[0.0, 0, 1], [2, 0, 1], [0, 1, 1], [6, 3, 3], [2, 1.3, 1]]), 0, 1, 2, True),
            "Row 3 is far from the target, but points in exactly its direction.",
            expected=3,
        ),
        Case(
            "two nearest are inputs",
            (np.array([[1.0, 0.1], [1.0, 0.12], [1.0, 0.05], [1.0, 0.5], [0.2, 1.0]]), 0, 1, 2, True),
            "All three inputs are left out, not only the nearest one.",
        ),
        Case(
            "all others point away",
            (
                np.array([[1.0, 0.0], [1.0, 0.1], [1.0, 0.2], [-1.0, 0.0], [-0.2, -1.0], [-1.0, -1.0]]),
                0,
                1,
                2,
                True,
            ),
            "All allowed cosines are negative. The largest is the answer, and no input may win.",
            expected=4,
        ),
    ]


ANALOGY = Exercise(
    "02.analogy",
    "A step, carried to another word",
    lambda E, a, b, c, exclude: int(analogy(E, a, b, c, exclude)),
    _analogy_cases,
    hints=(
        "Three steps: compute the target, measure the cosine of each row with it, take the best row that "
        "is allowed.",
        "E @ target divided by all lengths gives the cosines. What could you write into the places of a, "
        "b and c, so that argmax never takes them?",
        "cosines[[a, b, c]] = -np.inf if exclude; then return cosines.argmax().",
    ),
    mistakes=(
        Mistake(
            "nothing_left_out",
            _analogy_with(left_out=lambda a, b, c: ()),
            "You never leave out the input words. With exclude=True rows a, b and c must not be answers.",
        ),
        Mistake(
            "always_left_out",
            _analogy_with(left_out=lambda a, b, c: (a, b, c)),
            "You leave out the input words even with exclude=False. Look at the argument.",
        ),
        Mistake(
            "the_second_nearest",
            _second_nearest,
            "You took the second nearest row. Often two of the inputs are nearest: leave out all three.",
        ),
        Mistake(
            "only_c_left_out",
            lambda E, a, b, c, exclude: _analogy_with(left_out=lambda a, b, c: (c,) if exclude else ())(
                E, a, b, c, exclude
            ),
            "You left out c alone. a and b are input words, too.",
        ),
        Mistake(
            "inputs_set_to_zero",
            lambda E, a, b, c, exclude: int(
                np.argmax(cosine(E, E[b] - E[a] + E[c]) * ~(np.isin(np.arange(len(E)), (a, b, c)) & exclude))
            ),
            "You gave the inputs the cosine 0. If all others are negative, 0 wins. Give them -np.inf.",
        ),
        Mistake(
            "sign_lost",
            _analogy_with(closeness=lambda E, target: np.abs(cosine(E, target))),
            "You took the absolute value of the cosine. The opposite direction is far away, not near.",
        ),
        Mistake(
            "step_backwards",
            _analogy_with(target=lambda E, a, b, c: E[a] - E[b] + E[c]),
            "Your step goes from b to a. It must go from a to b: E[b] - E[a].",
        ),
        Mistake(
            "dot_product",
            _analogy_with(closeness=lambda E, target: E @ target),
            "You compared dot products, so long rows win. Divide by the lengths of the rows.",
        ),
        Mistake(
            "distance",
            _analogy_with(closeness=lambda E, target: -np.linalg.norm(E - target, axis=1)),
            "You took the row at the smallest distance. Here the direction counts: the cosine.",
        ),
    ),
    alternatives=(
        _analogy_with(),
        lambda E, a, b, c, exclude: int(
            np.argmax(
                [
                    -2 if exclude and i in (a, b, c) else float(cosine(row, E[b] - E[a] + E[c]))
                    for i, row in enumerate(E)
                ]
            )
        ),
    ),
    stars=2,
    minutes=15,
)

# ppmi ------------------------------------------------------------------------------------------------------


def _ratio(C):
    chance = C.sum(axis=1, keepdims=True) * C.sum(axis=0) / C.sum()
    return C / np.where(chance > 0, chance, 1)


def _quietly(function):
    """Return the function, without NumPy's warnings about logarithms of 0."""

    def answer(C):
        with np.errstate(all="ignore"):
            return function(C)

    return answer


def _ppmi_cases(rng):
    T, S = (int(size) for size in rng.permutation(np.arange(4, 9))[:2])
    counts = rng.poisson(2.0, size=(T, S)).astype(float) + np.eye(T, S)
    chance = np.outer(rng.integers(1, 9, size=T), rng.integers(1, 9, size=S)).astype(float)
    square = rng.poisson(1.5, size=(T, T)).astype(float) + np.eye(T)
    empty = counts.copy()
    empty[1], empty[:, 2] = 0, 0
    positive = ("no number is negative", lambda P, C: np.all(P >= 0))
    finite = ("no NaN, no infinity", lambda P, C: np.all(np.isfinite(P)))
    return [
        Case(
            "two by two, by hand",
            (np.array([[4.0, 1.0], [1.0, 4.0]]),),
            "By chance each place would have 5 · 5 / 10 = 2.5. 4 is 1.6 times as many, 1 is fewer.",
            expected=np.array([[np.log(1.6), 0.0], [0.0, np.log(1.6)]]),
        ),
        Case(
            "random counts",
            (counts,),
            "Rows have their own sums, and so do columns.",
            2,
            properties=(positive,),
        ),
        Case(
            "counts as chance would have them",
            (chance,),
            "Nothing meets more often than by chance, so everything is 0.",
            expected=np.zeros((T, S)),
        ),
        Case(
            "a symmetric table",
            (square + square.T,),
            "A symmetric table of counts gives a symmetric result.",
            properties=(("it is symmetric", lambda P, C: np.allclose(P, np.transpose(P))),),
        ),
        Case(
            "a word that never comes",
            (empty,),
            "An empty row or column gives 0/0. Put 0 there.",
            2,
            properties=(finite,),
        ),
        Case(
            "pairs that never meet", (np.diag([1.0, 2, 3]),), "ln 0 is -∞. Put 0 there.", properties=(finite,)
        ),
    ]


PPMI = Exercise(
    "02.ppmi",
    "More often than by chance",
    ppmi,
    _ppmi_cases,
    hints=(
        "For each place: what was seen, what chance would give, and their ratio.",
        "By chance: (row sum) · (column sum) / (sum of all). keepdims=True keeps the row sums as a column.",
        "Make the ratio safe with np.where(chance > 0, chance, 1); then np.log(np.maximum(ratio, 1)) needs "
        "no further care.",
    ),
    mistakes=(
        Mistake(
            "negative_numbers_kept",
            _quietly(lambda C: np.nan_to_num(np.log(_ratio(C)), nan=0.0, neginf=0.0)),
            "Where a pair meets less often than by chance, the logarithm is negative. Put 0 there.",
        ),
        Mistake(
            "total_forgotten",
            _quietly(
                lambda C: np.log(np.maximum(np.nan_to_num(C / (C.sum(1, keepdims=True) * C.sum(0))), 1))
            ),
            "The sum of all counts is missing: chance gives (row sum) · (column sum) / (sum of all).",
        ),
        Mistake(
            "no_logarithm",
            lambda C: np.maximum(_ratio(C) - 1, 0),
            "This is the ratio, less 1. Take its logarithm, and keep it where it is positive.",
        ),
        Mistake(
            "logarithm_of_one_more",
            lambda C: np.log(1 + _ratio(C)),
            "You added 1 before the logarithm. Then chance itself gives ln 2 and not 0.",
        ),
        Mistake(
            "logarithm_to_base_two",
            lambda C: np.log2(np.maximum(_ratio(C), 1)),
            "You took the logarithm to base 2. Here it is the natural one, np.log.",
        ),
        Mistake(
            "zero_divided_by_zero",
            _quietly(lambda C: np.log(np.maximum(C / (C.sum(1, keepdims=True) * C.sum(0) / C.sum()), 1))),
            "An empty row or column gives 0/0, which is NaN. Divide by 1 there.",
        ),
        Mistake(
            "columns_forgotten",
            lambda C: np.log(np.maximum(C / np.maximum(C.sum(1, keepdims=True), 1) * C.shape[1], 1)),
            "You compared with the row alone, as if all columns were equally common. A common word meets "
            "everybody often: use the column sums, too.",
        ),
    ),
    alternatives=(
        _quietly(lambda C: np.maximum(np.nan_to_num(np.log(_ratio(C)), neginf=0.0), 0)),
        lambda C: np.array(
            [
                [
                    max(0.0, math.log(C[i, j] * C.sum() / (C[i].sum() * C[:, j].sum()))) if C[i, j] else 0.0
                    for j in range(C.shape[1])
                ]
                for i in range(len(C))
            ]
        ),
    ),
    stars=2,
    minutes=15,
)

# welch_bound -----------------------------------------------------------------------------------------------


def _root(top):
    return math.sqrt(max(top, 0.0))


def _welch_cases(rng):
    N = int(rng.integers(5, 40))
    M = N + int(rng.integers(2, 200))
    return [
        Case(
            "three directions in the plane, by hand",
            (3, 2),
            "(3 - 2) / (2 · 2) is a quarter. Three arrows at 120° meet it exactly.",
            expected=0.5,
        ),
        Case(
            "10,000 vectors in 100 dimensions",
            (10_000, 100),
            "About 0.0995.",
            expected=math.sqrt(9900 / 999_900),
        ),
        Case("random sizes", (M, N), "M counts the vectors, N the numbers in each.", 2),
        Case("as many vectors as dimensions", (N, N), "They can all be perpendicular.", expected=0.0),
        Case("fewer vectors than dimensions", (N - 2, N), "They can all be perpendicular.", expected=0.0),
        Case("one vector", (1, N), "It meets nobody. Beware of dividing by M - 1.", expected=0.0),
        Case("one vector on a line", (1, 1), "M ≤ N, so it is 0: return before you divide.", expected=0.0),
    ]


WELCH_BOUND = Exercise(
    "02.welch_bound",
    "A limit that nobody can beat",
    welch_bound,
    _welch_cases,
    hints=(
        "It is one formula and one exception. The chapter's errata box E30 stands beside both.",
        "For M ≤ N all vectors can be perpendicular: return 0 before you divide.",
        "math.sqrt((M - N) / (N * (M - 1)))",
    ),
    mistakes=(
        Mistake(
            "no_root",
            lambda M, N: 0.0 if M <= N else (M - N) / (N * (M - 1)),
            "This is the squared cosine. Take the square root.",
        ),
        Mistake(
            "divided_by_M",
            lambda M, N: 0.0 if M <= N else _root((M - N) / (N * M)),
            "Each vector meets M - 1 others, not M.",
        ),
        Mistake(
            "n_and_m_swapped_below",
            lambda M, N: 0.0 if M <= N else _root((M - N) / (M * (N - 1))),
            "Below the line stands N (M - 1): M counts the vectors.",
        ),
        Mistake(
            "few_vectors_forgotten",
            lambda M, N: math.sqrt((M - N) / (N * (M - 1))),
            "With no more vectors than dimensions the formula breaks down. Return 0 for M ≤ N.",
        ),
        Mistake(
            "the_angle",
            lambda M, N: math.degrees(math.acos(welch_bound(M, N))),
            "This is the angle in degrees. The bound is a cosine.",
        ),
    ),
    alternatives=(
        lambda M, N: math.sqrt(max(M - N, 0) / (N * max(M - 1, 1))),
        lambda M, N: ((M / N - 1) / (M - 1)) ** 0.5 if M > N else 0,
    ),
    stars=1,
    minutes=5,
)

# max_near_orthogonal ---------------------------------------------------------------------------------------


def _most(N, squared, rounded=math.floor):
    return math.inf if N * squared >= 1 else rounded(N * (1 - squared) / (1 - N * squared))


def _sine(deg):
    return math.sin(math.radians(deg))


def _most_cases(rng):
    N = int(rng.integers(20, 60))
    deg = float(rng.uniform(3, 5))
    return [
        Case("100 dimensions, one degree", (100, 1.0), "ε² is 0.0003046, so N ε² is 0.03046.", expected=103),
        Case("1,000 dimensions, one degree", (1000, 1.0), "N ε² is 0.3046.", expected=1437),
        Case("10 dimensions, five degrees", (10, 5.0), "ε = sin 5° = 0.0872.", expected=10),
        Case("random", (N, deg), "Angles are given in degrees.", 2),
        Case("12,288 dimensions, one degree", (12_288, 1.0), "N ε² is above 1: no limit.", expected=math.inf),
        Case("30 dimensions, twenty degrees", (30, 20.0), "N ε² is above 1: no limit.", expected=math.inf),
        Case("exactly perpendicular", (37, 0.0), "Then exactly N vectors fit.", expected=37),
        Case(
            "100 dimensions, 5.7 degrees",
            (100, 5.7),
            "N ε² is 0.986, so near to 1 that every digit counts: ε = sin(deg), and N (1 - ε²) stands above.",
            2,
        ),
    ]


MAX_NEAR_ORTHOGONAL = Exercise(
    "02.max_near_orthogonal",
    "How many nearly perpendicular directions?",
    max_near_orthogonal,
    _most_cases,
    hints=(
        "Angles within deg of 90° mean cosines of at most ε = sin(deg). Put ε into the Welch bound and "
        "solve for M.",
        "ε² N (M - 1) ≥ M - N. Bring all M to one side: M (1 - N ε²) ≤ N (1 - ε²). When may you divide?",
        "squared = math.sin(math.radians(deg)) ** 2; math.inf if N * squared >= 1, else math.floor(N * (1 "
        "- squared) / (1 - N * squared)).",
    ),
    mistakes=(
        Mistake(
            "degrees_taken_for_radians",
            lambda N, deg: _most(N, math.sin(deg) ** 2),
            "math.sin wants radians. Convert with math.radians(deg).",
        ),
        Mistake(
            "radians_taken_for_the_sine",
            lambda N, deg: _most(N, math.radians(deg) ** 2),
            "You took the angle for its sine. They are close, not equal: ε = math.sin(math.radians(deg)).",
        ),
        Mistake(
            "above_the_line_N_alone",
            lambda N, deg: (
                math.inf if N * _sine(deg) ** 2 >= 1 else math.floor(N / (1 - N * _sine(deg) ** 2))
            ),
            "Above the line stands N (1 - ε²): when you bring M to one side, - N ε² stays on the other.",
        ),
        Mistake(
            "epsilon_not_squared",
            lambda N, deg: _most(N, math.sin(math.radians(deg))),
            "ε must be squared: the bound holds squared cosines.",
        ),
        Mistake(
            "the_formula_of_the_source",
            lambda N, deg: math.floor(math.exp(min(math.sin(math.radians(deg)) * N, 500))),
            "This is the formula that the errata box E30 corrects. Solve the Welch bound for M.",
        ),
        Mistake(
            "rounded_up",
            lambda N, deg: _most(N, math.sin(math.radians(deg)) ** 2, math.ceil),
            "You rounded up. M vectors that exceed the bound cannot exist, so round down.",
        ),
        Mistake(
            "not_rounded",
            lambda N, deg: _most(N, math.sin(math.radians(deg)) ** 2, float),
            "Vectors come in whole numbers. Round down.",
        ),
        Mistake(
            "no_limit_forgotten",
            lambda N, deg: math.floor(
                N * (1 - math.sin(math.radians(deg)) ** 2) / (1 - N * math.sin(math.radians(deg)) ** 2)
            ),
            "Where N ε² is 1 or more, the division turns the sign round. The bound says nothing there: "
            "return math.inf.",
        ),
        Mistake(
            "cosine_of_the_angle",
            lambda N, deg: _most(N, math.cos(math.radians(deg)) ** 2),
            "The angles are near 90°, not near 0: the largest cosine is cos(90° - deg) = sin(deg).",
        ),
    ),
    alternatives=(
        lambda N, deg: _by_search(N, math.sin(math.radians(deg))),
        lambda N, deg: _most(N, 1 - math.cos(math.radians(deg)) ** 2, lambda x: math.floor(x + 1e-9)),
    ),
    stars=3,
    minutes=15,
)


def _by_search(N, epsilon):
    """Return the most vectors by trying: one more as long as the Welch bound allows it."""
    if N * epsilon**2 >= 1:
        return math.inf
    M = N
    while welch_bound(M + 1, N) <= epsilon:
        M += 1
    return M


SHEET = Sheet(
    "02",
    "Tokens and embeddings",
    exercises=(BPE_MERGE_STEP, BPE_ENCODE, COSINE, ANALOGY, PPMI, WELCH_BOUND, MAX_NEAR_ORTHOGONAL),
)
