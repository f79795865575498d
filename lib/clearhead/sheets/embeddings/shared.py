"""What exercises of this sheet share."""

from collections import Counter
from itertools import pairwise

from clearhead.text.tokenizers.merges import merge_pair


def step(words, count=pairwise, choose=None, merge=None):
    """Return the chosen pair and the merged words; each part can be replaced by a student's own."""
    counts = Counter(pair for word in words for pair in count(word))
    pair = (choose or first_in_alphabet)(counts)
    merged = [(merge or merge_plainly)(word, pair) for word in words]
    return pair, merged


def first_in_alphabet(counts):
    return min(counts, key=lambda pair: (-counts[pair], pair))


def merge_plainly(word, pair):
    return merge_pair(word, pair, "".join(pair))


def merge_from_the_right(word, pair):
    turned = merge_pair(word[::-1], pair[::-1], "".join(pair))
    return list(turned[::-1])


def merge_first_only(word, pair):
    for i, found in enumerate(pairwise(word)):
        if found == pair:
            return [*word[:i], "".join(pair), *word[i + 2 :]]
    return list(word)


def replaced(pieces, pair):
    """Return the pieces after replacing "a b" by "ab" in their text: it also finds "xa b"."""
    return " ".join(pieces).replace(" ".join(pair), "".join(pair)).split()


def random_words(rng, alphabet="abn"):
    sizes = rng.integers(2, 8, size=int(rng.integers(4, 9)))
    return [[alphabet[i] for i in rng.integers(len(alphabet), size=size)] for size in sizes]
