"""Verify somebody else's transformer code with the cases and the known mistakes of the exercises.

An adapter is a small Python file that names what there is:

    import torch
    from clearhead.verify import adapt

    softmax = adapt(torch.softmax, arrays="torch")

`clearhead verify FILE` then runs the cases of each entry point that the file names.
"""

from .adapter import Adapter, adapt

__all__ = ["Adapter", "adapt"]
