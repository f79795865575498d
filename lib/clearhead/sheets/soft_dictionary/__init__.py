"""Sheet 04, the soft dictionary."""

NUMBER = "04"
TITLE = "Attention is a soft dictionary"
ORDER = (
    "hard_lookup",
    "attention_single",
    "soft_lookup",
    "simple_self_attention",
    "nadaraya_watson",
    "temperature_for",
)
USES = ("clearhead.maths.softmax", "numpy")
