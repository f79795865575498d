"""Exercises of chapter 8, the transformer block and its parameters."""
