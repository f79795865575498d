"""Exercises of chapter 4, attention as a soft dictionary."""
