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
MEGABYTES = 40  # in the room: the whole table of the largest case takes more, and the kernel sees to it
USES = ("clearhead.maths.softmax", "numpy")
