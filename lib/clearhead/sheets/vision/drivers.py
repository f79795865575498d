"""Run beside the student's answer: no right answer stands here, or may be imported."""

import numpy as np

from clearhead.checks.plain_data import as_returned


def number_or_refusal(answer, height, width, P):
    """Return the answer's number of patches, or that it raised a ValueError."""
    return _or_refusal(answer, height, width, P)


def patches_or_refusal(answer, image, P):
    """Return the answer's patches, or that it raised a ValueError; where it must not, the error is shown."""
    fits = not any(side % P for side in image.shape[:2])
    return answer(image, P) if fits else _or_refusal(answer, image, P)


def _or_refusal(answer, *arguments):
    """Return what an answer gives, or these words where it raises; a text that it gives is no refusal."""
    try:
        output = answer(*arguments)
    except ValueError:
        return "a ValueError is raised"
    return as_returned(output)


def twice(answer, image, parameters, P, num_heads, order, moved):
    """Return the logits of an image, and those of its patches in another order, their places moved along."""
    places = parameters["positions"][[0, *(1 + order)]]
    logits = np.asarray(answer(image, parameters, P, num_heads))
    return {
        "logits": logits,
        "moved": np.asarray(answer(moved, parameters | {"positions": places}, P, num_heads)),
    }
