"""Sheet 07, positional encoding."""

NUMBER = "07"
TITLE = "Positional encoding"
ORDER = ("wavelengths", "sinusoidal_pe", "shift_matrix", "expand_scores", "is_equivariant", "rope")
USES = ("clearhead.maths.softmax", "itertools", "numpy")
#: The answers that an answer may build on: marked again with right ones where these failed.
HELPERS = {
    "sinusoidal_pe": ("wavelengths",),
    "shift_matrix": ("wavelengths",),
    "rope": ("wavelengths",),
}
