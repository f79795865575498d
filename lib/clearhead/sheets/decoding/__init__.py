"""Sheet 10, decoding."""

NUMBER = "10"
TITLE = "Decoding"
ORDER = ("softmax_T", "top_k", "top_p", "generate", "beam_search", "perplexity")
USES = ("clearhead.maths.softmax", "numpy")
#: The answers that an answer may build on: marked again with right ones where these failed.
HELPERS = {
    "top_p": ("softmax_T",),
    "perplexity": ("softmax_T",),
}
