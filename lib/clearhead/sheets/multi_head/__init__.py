"""Sheet 06, multi-head attention."""

NUMBER = "06"
TITLE = "Multi-head attention"
ORDER = (
    "split_heads",
    "merge_heads",
    "mha_forward",
    "mha_params",
    "head_ablation",
    "expand_to_full_bilinear",
    "MultiHeadAttention",
)
USES = ("clearhead.maths.softmax", "clearhead.text.tasks", "numpy", "torch", "torch.nn.functional")
