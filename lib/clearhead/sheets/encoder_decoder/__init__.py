"""Exercises of chapter 11, the encoder and the decoder."""
