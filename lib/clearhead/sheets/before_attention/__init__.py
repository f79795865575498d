"""Sheet 03, before attention."""

NUMBER = "03"
TITLE = "Before attention"
ORDER = ("layer_params", "conv1d", "receptive_field", "lstm_step", "gru_step", "path_length")
USES = ("clearhead.maths.layers", "math", "numpy")
#: The answers that an answer may build on: marked again with right ones where these failed.
HELPERS = {
    "path_length": ("receptive_field",),
}
