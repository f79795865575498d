"""Exercises of chapter 2, tokens and embeddings."""
