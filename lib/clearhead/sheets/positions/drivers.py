"""Run beside the student's answer: no right answer stands here, or may be imported."""

from clearhead.checks.plain_data import as_returned


def or_refusal(answer, length, d_model):
    """Return the answer's code; for an odd number of columns that it raises a ValueError where it does.

    A text that comes back is no refusal.
    """
    if d_model % 2 == 0:
        return answer(length, d_model)
    try:
        output = answer(length, d_model)
    except ValueError:
        return "a ValueError is raised"
    return as_returned(output)
