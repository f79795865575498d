"""A tokenizer of whole words, punctuation marks and unusual spaces."""

import re
from collections import Counter

import numpy as np

from clearhead.text.tokenizers.base import Tokenizer, as_texts

PIECE = r"\s+|\w+(?:['’]\w+)*|[^\w\s]"
UNKNOWN = "<unknown>"


def split_words(text, special=()):
    """Return the pieces of a text: words, punctuation marks, and only unusual spaces.

    One space before a word goes without saying, and so does no space before a mark. Any other gap is a
    piece of its own: the white space itself, or the empty piece where two words or marks touch.

    Parameters
    ----------
    text : str
        Any text.
    special : tuple of str
        Tokens that are never split; they are spaced like words.

    Returns
    -------
    pieces : list of str
        `join_words(pieces, special)` is the text again, to the character.

    Examples
    --------
    >>> split_words("She sat down, at work.")
    ['She', 'sat', 'down', ',', 'at', 'work', '.']
    >>> split_words("(one) two")
    ['(', '', 'one', ')', 'two']
    """
    special = as_texts("special", special)
    longest_first = sorted(special, key=len, reverse=True)
    found = re.findall("|".join([*map(re.escape, longest_first), PIECE]), text)
    pieces = []
    for i, piece in enumerate(found):
        if piece == " " and 0 < i < len(found) - 1 and _is_word(found[i + 1], special):
            continue
        if _is_word(piece, special) and i > 0 and not found[i - 1].isspace():
            pieces.append("")
        pieces.append(piece)
    return pieces


def join_words(pieces, special=()):
    """Return the text of these pieces, with one space before each word and none before a punctuation mark.

    Parameters
    ----------
    pieces : list of str
        Words, marks and gaps, as from `split_words`.
    special : tuple of str
        Tokens that are spaced like words.

    Returns
    -------
    text : str
        The pieces in one string. No space is added at the start or next to a gap.

    Examples
    --------
    >>> join_words(["She", "sat", "down", ",", "at", "work", "."])
    'She sat down, at work.'
    """
    special, pieces, text = as_texts("special", special), as_texts("pieces", pieces), []
    for i, piece in enumerate(pieces):
        if _is_word(piece, special) and i > 0 and not _is_gap(pieces[i - 1]):
            text.append(" ")
        text.append(piece)
    return "".join(text)


def _is_word(piece, special):
    return piece[:1].isalnum() or piece[:1] == "_" or piece in special


def _is_gap(piece):
    return piece == "" or piece.isspace()


class WordTokenizer(Tokenizer):
    """A tokenizer whose pieces are words, punctuation marks and unusual spaces.

    A word that was not learnt becomes "<unknown>", the one special token that is always there: a text
    of known pieces comes back exactly, other words are lost. That is the price of whole words.

    Examples
    --------
    >>> words = WordTokenizer.train("a warm cup of tea, a cup of tea")
    >>> words.tokens(words.encode("a cup of soup"))
    ['a', 'cup', 'of', '<unknown>']
    """

    def __init__(self, pieces, special=()):
        special = as_texts("special", special)
        super().__init__(as_texts("pieces", pieces), special if UNKNOWN in special else (UNKNOWN, *special))

    @classmethod
    def train(cls, text, vocab_size=None, special=()):
        """Return a tokenizer that knows the most frequent pieces of a text.

        Parameters
        ----------
        text : str
            The text to learn from.
        vocab_size : int or None
            How many ids there may be, special tokens included; None keeps every piece.
        special : tuple of str
            Tokens that are never split. "<unknown>" is added if it is not there.

        Returns
        -------
        tokenizer : WordTokenizer
            The most frequent piece has id 0; of equally frequent ones, the alphabetically first.

        Raises
        ------
        ValueError
            If vocab_size leaves no room for a single piece.
        """
        special = as_texts("special", special)
        reserved = {UNKNOWN, *special}
        room = None if vocab_size is None else vocab_size - len(reserved)
        if room is not None and room < 1:
            raise ValueError(f"vocab_size {vocab_size} leaves no room beside {len(reserved)} special tokens.")
        counts = Counter(piece for piece in split_words(text, tuple(reserved)) if piece not in reserved)
        frequent_first = sorted(counts, key=lambda piece: (-counts[piece], piece))
        return cls(frequent_first[:room], special)

    def encode(self, text):
        """Return the ids of a text, with "<unknown>" for every piece that was not learned.

        Parameters
        ----------
        text : str
            Any text; a special token in it becomes its one id.

        Returns
        -------
        ids : (T,) int
            One id a piece.
        """
        unknown = self.ids[UNKNOWN]
        return np.array(
            [self.ids.get(piece, unknown) for piece in split_words(text, self.special)], dtype=np.int64
        )

    def _join(self, pieces):
        return join_words(pieces, self.special)
