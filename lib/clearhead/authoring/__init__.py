"""Exercise sheets from solutions, the proof of every check, the class edition."""
