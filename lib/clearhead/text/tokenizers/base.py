"""The base of every tokenizer: special tokens, encoding of text to ids, decoding of ids to text."""

import re

import numpy as np


def as_texts(name, texts):
    """Return several texts as a tuple; a single text would be taken for its characters.

    Raises
    ------
    TypeError
        Where a single text was given, or something in the tuple is no text.
    """
    if isinstance(texts, str | bytes):
        raise TypeError(f"{name} must be a tuple of texts, got the text {texts!r}: write ({texts!r},).")
    texts = tuple(texts)
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"{name} must be a tuple of texts, but it holds {text!r}.")
    return texts


def printable(text):
    """Return a text with U+FFFD for each lone surrogate, which could be neither printed nor encoded."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def split_special(text, special):
    """Return the text as a list of parts: special tokens, and the text between them.

    Parameters
    ----------
    text : str
        Any text.
    special : tuple of str
        The tokens that are parts of their own. Where two begin at one place, the longer wins.

    Returns
    -------
    parts : list of str
        Joined, they are the text again.
    """
    special = as_texts("special", special)
    if not special:
        return [text]
    longest_first = sorted(special, key=len, reverse=True)
    return re.split("(" + "|".join(map(re.escape, longest_first)) + ")", text)


class Tokenizer:
    """A two-way dictionary between pieces of text and ids, plus special tokens.

    The ordinary pieces have the ids 0, 1, 2, ... and the special tokens the ids after them, so that
    adding a special token never renumbers the rest. A special token that is written in a text is read
    as one token.

    Parameters
    ----------
    pieces : list
        The ordinary pieces, in the order of their ids.
    special : tuple of str
        Tokens that are never split, such as "<stop>".

    Raises
    ------
    ValueError
        If a piece or special token is there twice, or a special token is empty.
    """

    def __init__(self, pieces, special=()):
        self.special = as_texts("special", special)
        self.pieces = [*pieces, *self.special]
        self.ids = {piece: i for i, piece in enumerate(self.pieces)}
        if len(self.ids) != len(self.pieces):
            twice = sorted({str(piece) for piece in self.pieces if self.pieces.count(piece) > 1})
            raise ValueError(f"Each piece needs one id, but these are there twice: {', '.join(twice)}.")
        if "" in self.special:
            raise ValueError('A special token cannot be empty: give it a name such as "<stop>".')

    def __len__(self):
        return len(self.pieces)

    @property
    def vocab_size(self):
        """Return the number of different ids, including special tokens."""
        return len(self.pieces)

    def encode(self, text):
        """Return the ids of a text.

        Parameters
        ----------
        text : str
            Any text; a special token in it becomes its one id.

        Returns
        -------
        ids : (T,) int
            One id a token.
        """
        ids = []
        for part in split_special(text, self.special):
            if part in self.special:
                ids.append(self.ids[part])
            else:
                ids.extend(self._encode_ordinary(part))
        return np.array(ids, dtype=np.int64)

    def decode(self, ids):
        """Return the text of some ids.

        Parameters
        ----------
        ids : (T,) int
            Ids between 0 and `vocab_size` - 1.

        Returns
        -------
        text : str
            `decode(encode(text))` is `text` again. It can always be printed: a lone surrogate, or bytes that
            are no character, come as "�".

        Raises
        ------
        ValueError
            If an id is outside the vocabulary.
        """
        return printable(self._join([self.pieces[i] for i in self._checked(ids)]))

    def tokens(self, ids):
        """Return the text of each id separately, as a list of labels; a part of a character shows as "�".

        Parameters
        ----------
        ids : (T,) int
            Ids between 0 and `vocab_size` - 1.

        Returns
        -------
        pieces : list of str
            The T pieces.

        Raises
        ------
        ValueError
            If an id is outside the vocabulary.
        """
        return [printable(self._join([self.pieces[i]])) for i in self._checked(ids)]

    def _checked(self, ids):
        ids = np.asarray(ids)
        if ids.size and ids.dtype.kind not in "iu":
            raise TypeError(f"Ids are integers, but these are {ids.dtype}.")
        ids = ids.astype(np.int64)
        if ids.ndim != 1:
            raise ValueError(
                f"One row of ids is decoded at a time, but the shape is {ids.shape}: loop over the rows."
            )
        outside = ids[(ids < 0) | (ids >= len(self))]
        if outside.size:
            raise ValueError(
                f"Id {outside[0]} is not in this vocabulary, whose ids are 0 to {len(self) - 1}."
            )
        return ids.tolist()

    def _encode_ordinary(self, text):
        raise NotImplementedError

    def _join(self, pieces):
        return "".join(pieces)
