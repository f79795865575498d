"""The tokenizer of published models: bytes, written as visible characters and merged in a learned order."""

import re
import unicodedata

from clearhead.text.tokenizers.base import Tokenizer, as_texts
from clearhead.text.tokenizers.byte_pair import MOST_REMEMBERED
from clearhead.text.tokenizers.merges import apply_merges, to_bytes

SPACE = r"\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"  # what Unicode calls white space
# GPT-2's cuts in a text without number signs: words and marks with the space before them, runs of space.
CHUNK = re.compile(
    rf"'(?:s|t|re|ve|m|ll|d)| ?[^\W_]+| ?(?:[^{SPACE}\w]|_)+|[{SPACE}]+(?![^{SPACE}])|[{SPACE}]+"
)


def bytes_to_unicode():
    """Return a visible character for each byte, as in the files of GPT-2, where a space is "Ġ".

    Returns
    -------
    characters : list of str
        256 of them. Bytes that print keep their own sign; the others get the signs from 256 on, in order.

    References
    ----------
    Radford et al. (2019), "Language models are unsupervised multitask learners", section 2.2, and their code.
    """
    prints = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = iter(range(256, 512))
    return [chr(byte) if byte in prints else chr(next(others)) for byte in range(256)]


def as_pairs(merges):
    """Return merges as a list of pairs; raise an error for the lines of a file, such as "Ġ t"."""
    merges = list(merges)
    for pair in merges:
        if isinstance(pair, str) or len(pair) != 2:
            raise TypeError(f"Each merge must be a pair of texts, got {pair!r}: split a line at its space.")
    return merges


def split_numbers(text):
    """Return a text as parts: each numeric character by itself, and the text in between.

    Parameters
    ----------
    text : str

    Returns
    -------
    parts : list of str
        "²" and "Ⅷ" are number signs, too. Joined, the parts are the text again.
    """
    parts = [""]
    for character in text:
        if unicodedata.category(character).startswith("N"):
            parts += [character, ""]
        else:
            parts[-1] += character
    return [part for part in parts if part]


class ByteLevelTokenizer(Tokenizer):
    """A tokenizer that was trained elsewhere, and whose pieces and merges are read from a file.

    Parameters
    ----------
    pieces : list of str
        All tokens in the order of their ids, special ones included; each byte is written as by
        `bytes_to_unicode`.
    merges : list of tuple of str
        The pairs to merge, in order.
    special : tuple of str
        Which of the pieces are never split.

    Notes
    -----
    A text is cut as by `BytePairTokenizer`, after each number sign was set apart. A byte for which the file
    has no piece is left out, as in the package `tokenizers`: then `decode(encode(text))` is not the text.

    Raises
    ------
    ValueError
        If a piece is there twice, or a merge makes none.

    References
    ----------
    Radford et al. (2019), "Language models are unsupervised multitask learners", section 2.2.
    """

    def __init__(self, pieces, merges, special=()):
        super().__init__(as_texts("pieces", pieces))
        self.special = as_texts("special", special)
        self.merges = [as_texts("each merge", pair) for pair in as_pairs(merges)]
        try:
            pairs = [(self.ids[left], self.ids[right]) for left, right in self.merges]
            self._new = {pair: self.ids["".join(both)] for pair, both in zip(pairs, self.merges, strict=True)}
        except KeyError as missing:
            raise ValueError(f"A merge needs the piece {missing}, which is not in the list.") from None
        self._rank = {pair: rank for rank, pair in enumerate(pairs)}
        self._characters = bytes_to_unicode()
        self._bytes = {character: byte for byte, character in enumerate(self._characters)}
        self._remembered = {}

    def _encode_ordinary(self, text):
        return [
            id
            for part in split_numbers(text)
            for chunk in (CHUNK.findall(part) if len(part) > 1 else [part])
            for id in self._merge(chunk)
        ]

    def _merge(self, chunk):
        """Return the ids of one chunk, after applying the earliest learned merge until none fits."""
        if chunk not in self._remembered:
            if len(self._remembered) >= MOST_REMEMBERED:
                self._remembered.clear()
            characters = (self._characters[byte] for byte in to_bytes(chunk))
            ids = [self.ids[character] for character in characters if character in self.ids]
            self._remembered[chunk] = apply_merges(ids, self._rank, self._new)
        return self._remembered[chunk]

    def _join(self, pieces):
        parts = [
            to_bytes(piece) if piece in self.special else bytes(self._bytes[sign] for sign in piece)
            for piece in pieces
        ]
        return b"".join(parts).decode("utf-8", "replace")
