"""Tools for authors: the notebooks of the sheets, proofs of the checks, and the class edition."""
