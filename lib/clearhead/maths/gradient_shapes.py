"""One clear sentence for a gradient that does not have the shape of what it belongs to."""


def check_gradient(shape, **gradients):
    """Raise where the gradient of an output does not have the shape of that output."""
    for name, gradient in gradients.items():
        if tuple(gradient.shape) != tuple(shape):
            raise ValueError(
                f"{name} needs one number for each number of the output, got {name} {tuple(gradient.shape)} "
                f"for an output {tuple(shape)}: give the loss's gradient there."
            )


def check_repeated(gradient, shape):
    """Raise where an array of this shape cannot have been repeated to the shape of the gradient."""
    front = len(gradient.shape) - len(shape)
    sizes = zip(shape, gradient.shape[max(front, 0) :], strict=False)
    if front < 0 or any(size not in (1, many) for size, many in sizes):
        raise ValueError(
            f"A gradient {tuple(gradient.shape)} cannot belong to an array {tuple(shape)}: "
            "axes may only be added in front, or grow from 1."
        )
