"""Exercises of chapter 13, vision transformers."""
