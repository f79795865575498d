"""Exercises of chapter 17, a real language model."""
