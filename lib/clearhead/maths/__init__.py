"""Layer 1: everything that a transformer computes, in NumPy, with every line visible."""
