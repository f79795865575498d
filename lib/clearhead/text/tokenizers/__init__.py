"""Tokenizers: characters, words, and byte pairs that are learned here or elsewhere."""

from clearhead.text.tokenizers.byte_level import ByteLevelTokenizer
from clearhead.text.tokenizers.byte_pair import BytePairTokenizer
from clearhead.text.tokenizers.character import CharacterTokenizer
from clearhead.text.tokenizers.word import WordTokenizer

__all__ = ["ByteLevelTokenizer", "BytePairTokenizer", "CharacterTokenizer", "WordTokenizer"]
