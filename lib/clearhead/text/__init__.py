"""Layer 0: from strings to integers and back, in NumPy only."""

from clearhead.text.tokenizers import BytePairTokenizer, CharacterTokenizer, WordTokenizer

__all__ = ["BytePairTokenizer", "CharacterTokenizer", "WordTokenizer"]
