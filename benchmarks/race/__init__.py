"""Code that is written for speed only, and which no chapter uses: a model, n-gram counts and a cache."""
