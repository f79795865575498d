"""Exercises of chapter 14, across modalities."""
