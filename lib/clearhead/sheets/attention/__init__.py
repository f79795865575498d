"""Sheet 05, scaled dot-product attention."""

NUMBER = "05"
TITLE = "Scaled dot-product attention"
ORDER = (
    "qkv",
    "attention_weights",
    "attention_row",
    "self_attention",
    "column_attention",
    "sharpen",
    "attention_backward",
)
USES = ("clearhead.maths.softmax", "numpy")
