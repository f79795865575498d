"""Sheet 18, from a model to an assistant."""

NUMBER = "18"
TITLE = "From a model to an assistant, cheaply"
ORDER = (
    "masked_loss",
    "lora_merge",
    "lora_gradients",
    "dpo_policy",
    "dpo_loss",
    "grpo_advantages",
    "clipped_steps",
    "grpo_pass_at_k",
)
USES = (
    "clearhead.maths.softmax",
    "math",
    "numpy",
)
