"""Layer 0: strings to integers and back. NumPy only."""
