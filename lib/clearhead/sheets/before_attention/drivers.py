"""Functions that run in the sandbox beside the student's answer, so that no right answer may be used here."""


def by_name_lstm(answer, *arguments):
    """Return the hidden state and the cell state by name, so that a message can say which one differs."""
    h, c = answer(*arguments)
    return {"h": h, "c": c}
