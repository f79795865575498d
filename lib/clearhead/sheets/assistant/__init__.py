"""Exercises of chapter 18, from a model to an assistant."""
