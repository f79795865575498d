"""Sheet 15, the capstone."""

NUMBER = "15"
TITLE = "A GPT that you can explain"
ORDER = (
    "prev_token_score",
    "induction_score",
    "ablate_head_effect",
    "numpy_gpt2",
    "copy_weights",
    "train_step",
)
USES = (
    "clearhead.maths.layers",
    "clearhead.maths.softmax",
    "numpy",
    "os",
    "torch",
    "torch.nn",
    "transformers",
)
