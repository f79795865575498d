"""A byte-pair tokenizer: its pieces are bytes and frequent runs of bytes, so it can encode any text."""

import re
from collections import Counter

from clearhead.text.tokenizers.base import Tokenizer, as_texts, split_special
from clearhead.text.tokenizers.merges import apply_merges, learn_merges, pieces_of, to_bytes

# GPT-2's way to cut a text before merging, in the words of Python's re: a merge never crosses a cut.
CHUNK = re.compile(r"'(?:s|t|re|ve|m|ll|d)| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+")
MOST_REMEMBERED = 100_000


class BytePairTokenizer(Tokenizer):
    """A tokenizer whose pieces are frequent runs of bytes; it can encode any text.

    Parameters
    ----------
    merges : list of tuple of int
        The pairs to merge, in order, as from `learn_merges`.
    special : tuple of str
        Tokens that are never split, such as "<stop>".

    Notes
    -----
    Before merging, a text is cut as GPT-2 cuts it: words with the space before them, numbers, marks,
    runs of space. One difference: number signs that are not digits, such as "²", count as letters here.

    Examples
    --------
    >>> small = BytePairTokenizer.train("banana banana", vocab_size=258)
    >>> small.tokens(small.encode("banana"))
    ['ban', 'an', 'a']
    """

    def __init__(self, merges, special=()):
        self.merges = [tuple(pair) for pair in merges]
        super().__init__(pieces_of(self.merges), special)
        self._rank = {pair: rank for rank, pair in enumerate(self.merges)}
        self._new = {(a, b): self.ids[self.pieces[a] + self.pieces[b]] for a, b in self.merges}
        self._remembered = {}

    @classmethod
    def train(cls, text, vocab_size, special=()):
        """Return a tokenizer whose merges are the most frequent pairs of a text.

        Parameters
        ----------
        text : str
            The text to learn from.
        vocab_size : int
            256 bytes, plus special tokens, plus one for each merge.
        special : tuple of str
            Tokens that are never split, such as "<stop>".

        Returns
        -------
        tokenizer : BytePairTokenizer
            It has fewer ids than asked for if the text runs out of pairs.

        Raises
        ------
        ValueError
            If vocab_size is smaller than 256 plus the number of special tokens.
        """
        special = as_texts("special", special)
        num_merges = vocab_size - 256 - len(special)
        if num_merges < 0:
            needed = 256 + len(special)
            raise ValueError(f"vocab_size {vocab_size} is too small: bytes and special tokens need {needed}.")
        parts = (part for part in split_special(text, special) if part not in special)
        return cls(
            learn_merges(Counter(c for part in parts for c in CHUNK.findall(part)), num_merges), special
        )

    def _encode_ordinary(self, text):
        ids, remembered = [], self._remembered
        for chunk in CHUNK.findall(text):
            if chunk not in remembered:
                if len(remembered) >= MOST_REMEMBERED:
                    remembered.clear()
                remembered[chunk] = self._merge(chunk)
            ids.extend(remembered[chunk])
        return ids

    def _merge(self, chunk):
        """Return the ids of one chunk, after applying the earliest learned merge until none fits."""
        return apply_merges(list(to_bytes(chunk)), self._rank, self._new)

    def _join(self, pieces):
        data = b"".join(to_bytes(piece) if isinstance(piece, str) else piece for piece in pieces)
        return data.decode("utf-8", "replace")
