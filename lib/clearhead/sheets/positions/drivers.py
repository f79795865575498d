"""Run beside the student's answer: no right answer stands here, or may be imported."""


def or_refusal(answer, length, d_model):
    """Return the answer's code; for an odd number of columns the text "ValueError" where it raises one."""
    if d_model % 2 == 0:
        return answer(length, d_model)
    try:
        return answer(length, d_model)
    except ValueError:
        return "ValueError"
