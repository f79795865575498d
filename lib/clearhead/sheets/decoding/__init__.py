"""Exercises of chapter 10, decoding."""
