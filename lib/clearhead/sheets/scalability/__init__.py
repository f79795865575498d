"""Exercises of chapter 12, scalability."""
