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
USES = ("clearhead.maths.layers", "clearhead.maths.transformer", "numpy")
#: The answers that an answer may build on: marked again with right ones where these failed.
HELPERS = {
    "patchify": ("num_patches",),
    "patch_embed_linear": ("num_patches", "patchify"),
    "vit_forward": ("num_patches", "patchify", "patch_embed_linear", "add_cls_and_pos"),
}
