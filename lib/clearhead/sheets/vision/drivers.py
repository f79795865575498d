"""Functions that run in the sandbox beside the student's answer, so that no right answer may be used here."""

import numpy as np

from clearhead.checks.plain_data import as_returned


def number_or_refusal(answer, height, width, P):
    """Return the answer's number of patches, or the fact that it raised a ValueError."""
    return _or_refusal(answer, height, width, P)


def patches_or_refusal(answer, image, P):
    """Return the answer's patches, or the fact that it raised a ValueError; an unwanted error is shown."""
    fits = not any(side % P for side in image.shape[:2])
    return answer(image, P) if fits else _or_refusal(answer, image, P)


def _or_refusal(answer, *arguments):
    """Return the answer's result, or a given text if it raises an error, but not if it returns this text."""
    try:
        output = answer(*arguments)
    except ValueError:
        return "a ValueError is raised"
    return as_returned(output)


def twice(answer, image, parameters, P, num_heads, order, moved):
    """Return the logits of an image, and of the image with patches and positions permuted together."""
    places = parameters["positions"][[0, *(1 + order)]]
    logits = np.asarray(answer(image, parameters, P, num_heads))
    return {
        "logits": logits,
        "moved": np.asarray(answer(moved, parameters | {"positions": places}, P, num_heads)),
    }
