"""Exercises of chapter 15, the capstone: a GPT that you can explain."""
