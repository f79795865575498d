"""Run beside the student's answer: no right answer stands here, or may be imported."""


def by_name(answer, dZ, Q, K, V):
    """Return the three tables of an answer, each under its name."""
    tables = answer(dZ, Q, K, V)
    if tables is None or isinstance(tables, dict):
        return tables
    if not isinstance(tables, tuple | list) or len(tables) != 3:
        raise ValueError("return three arrays: dQ, dK and dV")
    return dict(zip(("dQ", "dK", "dV"), tables, strict=True))
