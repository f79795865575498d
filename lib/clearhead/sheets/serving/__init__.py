"""Exercises of chapter 19, cheap inference."""
