"""Functions that several exercises of this sheet use."""

from clearhead.text.tokenizers.merges import merge_pair


def merge_plainly(word, pair):
    """Return the pieces of a word after joining each occurrence of the pair, from left to right."""
    return merge_pair(word, pair, "".join(pair))


def random_words(rng, alphabet="abn"):
    """Return random words, each a list of letters."""
    sizes = rng.integers(2, 8, size=int(rng.integers(4, 9)))
    return [[alphabet[i] for i in rng.integers(len(alphabet), size=size)] for size in sizes]
