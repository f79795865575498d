"""Numbers with fewer bits. The twin of `clearhead.maths.precision`."""

from .contracts import checked


@checked
def to_bfloat16(x):
    """Return each number rounded to bfloat16. The twin of `clearhead.maths.precision.to_bfloat16`."""
    return x.float().bfloat16().to(x.dtype)
