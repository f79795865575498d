"""Functions that run in the sandbox beside the student's answer, so that no right answer may be used here."""

from clearhead.checks.plain_data import as_returned


def or_refusal(answer, length, d_model):
    """Return the answer's encoding or, for an odd number of columns, whether it raises a ValueError.

    A text that comes back is no refusal.
    """
    if d_model % 2 == 0:
        return answer(length, d_model)
    try:
        output = answer(length, d_model)
    except ValueError:
        return "a ValueError is raised"
    return as_returned(output)
