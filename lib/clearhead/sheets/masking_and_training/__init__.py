"""Sheet 09, masking and training."""

NUMBER = "09"
TITLE = "Masking and training"
ORDER = (
    "training_pairs",
    "causal_mask",
    "masked_attention",
    "repair_weights",
    "padding_mask",
    "shift_targets",
    "cross_entropy",
)
USES = ("clearhead.maths.softmax", "numpy")
