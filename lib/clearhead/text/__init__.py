"""Layer 0: strings to integers and back. NumPy only."""

from clearhead.text.tokenizers import BytePairTokenizer, CharacterTokenizer, WordTokenizer

__all__ = ["BytePairTokenizer", "CharacterTokenizer", "WordTokenizer"]
