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
#: The answers that an answer may build on: marked again with right ones where these failed.
HELPERS = {
    "attention_row": ("qkv", "attention_weights"),
    "self_attention": ("qkv", "attention_weights"),
    "column_attention": ("qkv", "attention_weights", "self_attention"),
    "attention_backward": ("attention_weights",),
}
