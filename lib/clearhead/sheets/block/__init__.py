"""Sheet 08, the block and the ledger."""

NUMBER = "08"
TITLE = "The transformer block and the parameter ledger"
ORDER = ("layer_norm", "gelu", "feed_forward", "block", "count_parameters", "crossover", "tied_gradient")
USES = ("math", "numpy", "torch")
#: The answers that an answer may build on: marked again with right ones where these failed.
HELPERS = {
    "feed_forward": ("gelu",),
    "block": ("layer_norm", "gelu", "feed_forward"),
}
