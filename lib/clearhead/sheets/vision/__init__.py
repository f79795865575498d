"""Sheet 13, vision transformers."""

NUMBER = "13"
TITLE = "Vision"
ORDER = (
    "num_patches",
    "patchify",
    "unpatchify",
    "patch_embed_linear",
    "add_cls_and_pos",
    "vit_forward",
    "vit_params",
    "attention_rollout",
)
USES = ("clearhead.maths.layers", "clearhead.maths.norms", "clearhead.maths.transformer", "numpy")
