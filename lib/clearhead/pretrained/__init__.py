"""Numbers that other people's models learned: small extracts, so that chapters need no download."""

from .sentences import sentences_with_attention, teacher_attention, words_in_context
from .vectors import word_vectors

__all__ = ["sentences_with_attention", "teacher_attention", "word_vectors", "words_in_context"]
