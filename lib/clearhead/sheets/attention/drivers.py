"""Functions that run in the sandbox beside the student's answer, so that no right answer may be used here."""


def by_name(answer, dZ, Q, K, V):
    """Return the three matrices of an answer by their names."""
    tables = answer(dZ, Q, K, V)
    if tables is None or isinstance(tables, dict):
        return tables
    if not isinstance(tables, tuple | list) or len(tables) != 3:
        raise ValueError("return three arrays: dQ, dK and dV")
    return dict(zip(("dQ", "dK", "dV"), tables, strict=True))
