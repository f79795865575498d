"""Transformers with a Clear Head: transformers from NumPy to PyTorch, with every number visible."""

__version__ = "0.1.0"
