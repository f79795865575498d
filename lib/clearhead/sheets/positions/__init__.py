"""Exercises of chapter 7, positional encoding."""
