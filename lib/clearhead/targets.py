"""The special target that marks a position without a target token, which the loss ignores."""

IGNORE = -100  # a target that is not counted, as in PyTorch
