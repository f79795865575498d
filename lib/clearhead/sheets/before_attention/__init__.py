"""Exercises of chapter 3, before attention."""
