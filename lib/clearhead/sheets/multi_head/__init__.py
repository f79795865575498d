"""Exercises of chapter 6, multi-head attention."""
