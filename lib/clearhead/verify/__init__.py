"""Verification of other people's transformer code with the cases and known mistakes of the exercises.

An adapter file is a small Python file that gives functions the names of entry points:

    import torch
    from clearhead.verify import adapt

    softmax = adapt(torch.softmax, arrays="torch")

`clearhead verify FILE` then runs the cases of each entry point that the file names.
"""

from .adapter import Adapter, adapt

__all__ = ["Adapter", "adapt"]
