"""The special target that marks a position without an answer."""

IGNORE = -100  # a target that is not counted, as in PyTorch
