"""Learned parameters without a download: extracts of published models, and small models of our own."""

from .digits_vit import digit_examples, digits_training, digits_vit
from .sentences import sentences_with_attention, teacher_attention, words_in_context
from .vectors import word_vectors

__all__ = [
    "digit_examples",
    "digits_training",
    "digits_vit",
    "sentences_with_attention",
    "teacher_attention",
    "word_vectors",
    "words_in_context",
]
