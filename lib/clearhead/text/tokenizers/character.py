"""The simplest tokenizer, with one id per character."""

from clearhead.text.tokenizers.base import Tokenizer


class CharacterTokenizer(Tokenizer):
    """A tokenizer whose pieces are single characters.

    Examples
    --------
    >>> letters = CharacterTokenizer.train("banana")
    >>> letters.encode("nab")
    array([2, 0, 1])
    >>> letters.decode([1, 0, 2])
    'ban'
    """

    @classmethod
    def train(cls, text, special=()):
        """Return a tokenizer that knows every character of a text, in the order of their code points.

        Parameters
        ----------
        text : str
            The text to learn from.
        special : tuple of str
            Tokens that are never split, such as "<stop>".

        Returns
        -------
        tokenizer : CharacterTokenizer
            Its ids do not depend on the order of the text.
        """
        return cls(sorted(set(text)), special)

    def _encode_ordinary(self, text):
        try:
            return [self.ids[character] for character in text]
        except KeyError as unknown:
            raise ValueError(
                f"The character {unknown.args[0]!r} was not in the training text; "
                f"train on a text that has it, or use BytePairTokenizer, which can encode any text."
            ) from None
