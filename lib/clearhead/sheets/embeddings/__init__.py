"""Sheet 02, tokens and embeddings."""

NUMBER = "02"
TITLE = "Tokens and embeddings"
ORDER = ("bpe_merge_step", "bpe_encode", "cosine", "analogy", "ppmi", "welch_bound", "max_near_orthogonal")
USES = ("collections", "itertools", "math", "numpy")
#: The answers that an answer may build on: marked again with right ones where these failed.
HELPERS = {
    "analogy": ("cosine",),
}
