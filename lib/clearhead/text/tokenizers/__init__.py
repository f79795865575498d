"""Three ways to cut a text into tokens: characters, words, byte pairs."""

from clearhead.text.tokenizers.byte_pair import BytePairTokenizer
from clearhead.text.tokenizers.character import CharacterTokenizer
from clearhead.text.tokenizers.word import WordTokenizer

__all__ = ["BytePairTokenizer", "CharacterTokenizer", "WordTokenizer"]
