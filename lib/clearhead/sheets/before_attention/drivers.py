"""Run beside the student's answer: no right answer stands here, or may be imported."""


def by_name_lstm(answer, *arguments):
    """Return the two memories by name, so that a message can say which one differs."""
    h, c = answer(*arguments)
    return {"h": h, "c": c}
