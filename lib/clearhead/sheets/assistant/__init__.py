"""Sheet 18, from a model to an assistant."""

NUMBER = "18"
TITLE = "From a model to an assistant, cheaply"
ORDER = (
    "keep_or_redraw",
    "words_a_round",
    "bytes_a_token",
    "cache_to_int8",
    "min_p",
    "penalise",
)
USES = (
    "clearhead.maths.softmax",
    "numpy",
)
