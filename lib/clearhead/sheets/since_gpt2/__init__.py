"""Exercises of chapter 16, what changed since GPT-2."""
