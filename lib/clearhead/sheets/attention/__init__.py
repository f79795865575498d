"""Exercises of chapter 5, scaled dot-product attention."""
