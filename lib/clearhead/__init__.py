"""Transformers with a clear head: every number visible, from NumPy to PyTorch."""

__version__ = "0.1.0"
