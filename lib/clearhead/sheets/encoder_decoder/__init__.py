"""Sheet 11, encoder, decoder, both."""

NUMBER = "11"
TITLE = "Encoder, decoder, both"
ORDER = (
    "cross_attention",
    "shift_right",
    "mlm_mask",
    "classify_from_cls",
    "which_family",
    "encdec_forward",
    "greedy_translate",
    "transfer_step",
)
USES = (
    "clearhead.maths.layers",
    "clearhead.maths.masks",
    "clearhead.maths.positions",
    "clearhead.maths.softmax",
    "clearhead.maths.transformer",
    "functools",
    "numpy",
    "torch",
)
