"""Marks in the format of Gradescope, in which a submission that could not be marked is never a zero."""


def as_gradescope(marks):
    """Return the results.json of Gradescope, or None if there are no marks to give."""
    if marks["status"] in ("grader_error", "unprotected"):
        return None
    return {
        "score": marks["points"],
        "output": "\n".join(marks["notes"][:40]),
        "output_format": "text",
        "stdout_visibility": "hidden",
        "visibility": "visible",
        "tests": [_test(row) for row in marks["exercises"]],
    }


def _test(row):
    """Return the marks of one exercise as a test in the format of Gradescope."""
    lines = [row["message"]] if row["message"] else []
    lines += [f"{case['name']}: {case['message']}" for case in row["cases"] if case["message"]][:3]
    return {
        "name": f"{row['id']}: {row['title']}",
        "number": row["id"],
        "score": row["points"],
        "max_score": row["max_points"],
        "status": "passed" if row["status"] == "passed" else "failed",
        "output": "\n".join(lines)[:4000],
        "output_format": "text",
        "visibility": "visible",
    }
