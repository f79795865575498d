"""Sheet 19, serving a model."""

NUMBER = "19"
TITLE = "A word, cheaply: serving a model"
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
