"""Sheet 17, a real language model."""

NUMBER = "17"
TITLE = "A real language model, opened"
ORDER = (
    "unpack_q8_0",
    "unpack_q4_1",
    "round_to_bits",
    "visible",
    "chat_prompt",
    "rotate_neighbours",
    "grouped_attention",
    "logit_lens",
    "sink_share",
)
USES = (
    "clearhead.maths.softmax",
    "numpy",
)
