"""Exercises of chapter 8, the transformer block and the parameter ledger."""
