"""Code for speed alone: a model, counts and a cache that win races, and that no chapter reads."""
