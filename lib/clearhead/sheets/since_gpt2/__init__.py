"""Sheet 16, what changed since GPT-2."""

NUMBER = "16"
TITLE = "What changed since GPT-2"
ORDER = (
    "gated_feed_forward",
    "gated_width",
    "rms_norm_backward",
    "qk_norm_weights",
    "adamw_step",
    "newton_schulz",
    "muon_step",
    "to_bfloat16",
    "top_k_gates",
    "balance_loss",
    "power_law",
    "linear_recurrence",
)
USES = (
    "clearhead.maths.layers",
    "clearhead.maths.softmax",
    "numpy",
)
