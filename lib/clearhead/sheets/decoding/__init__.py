"""Sheet 10, decoding."""

NUMBER = "10"
TITLE = "Decoding"
ORDER = ("softmax_T", "top_k", "top_p", "generate", "beam_search", "perplexity")
USES = ("clearhead.maths.softmax", "numpy")
