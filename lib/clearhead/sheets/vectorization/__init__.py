"""Exercises of chapter 1, vectorization."""
