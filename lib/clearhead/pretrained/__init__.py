"""Numbers that other people's models learned: small extracts, so that chapters need no download."""

from .vectors import word_vectors

__all__ = ["word_vectors"]
