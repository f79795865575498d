"""Layer 1: what is computed, in NumPy, every line visible."""
