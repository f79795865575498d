"""Sheet 12, scalability."""

NUMBER = "12"
TITLE = "Scalability"
ORDER = (
    "attention_memory",
    "online_softmax",
    "chunked_attention",
    "sliding_window_mask",
    "kv_cache_step",
    "linear_attention",
    "grouped_query_attention",
)
USES = ("clearhead.maths.softmax", "numpy")
