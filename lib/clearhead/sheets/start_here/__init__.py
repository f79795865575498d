"""Exercises of chapter 0, start here."""
