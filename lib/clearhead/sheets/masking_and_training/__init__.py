"""Exercises of chapter 9, masking and training."""
