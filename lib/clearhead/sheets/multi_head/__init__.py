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
#: The answers that an answer may build on: marked again with right ones where these failed.
HELPERS = {
    "mha_forward": ("split_heads", "merge_heads"),
    "head_ablation": ("split_heads", "merge_heads", "mha_forward"),
}
