"""Numbers that other people's models learned: small extracts, so that chapters need no download."""

from .sentences import teacher_attention, words_in_context
from .vectors import word_vectors

__all__ = ["teacher_attention", "word_vectors", "words_in_context"]
