"""Sheet 14, across modalities."""

NUMBER = "14"
TITLE = "Across modalities"
ORDER = (
    "kmer_tokenize",
    "tokenize_series",
    "cross_attend_image",
    "info_nce",
    "loss_floor",
    "retrieval_accuracy",
    "attention_is_not_explanation",
)
USES = ("clearhead.maths.softmax", "numpy")
