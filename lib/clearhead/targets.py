"""What a target may say that is no answer."""

IGNORE = -100  # a target that is not counted, as in PyTorch
