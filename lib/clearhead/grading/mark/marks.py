"""The marks of one exercise as plain data."""

import contextlib
import re

from clearhead.checks import diagnosis, verdicts
from clearhead.checks.feedback import with_student_names

from ..collect.untrusted_text import clean
from .hidden_cases import earned_points

STATUS = {"wrong": "failed", "absent": "missing"}  # where the status of a case in marks has another name

OWN, FOLLOWED, MANUAL, WAIVED = "own", "follow-through", "manual", "waived"  # which rule gave the points

NEVER_RAN_MESSAGES = {
    "not_attempted": "Not attempted: `raise NotImplementedError` is still in it.",
    "missing": "",
    "unreadable": "",
    "absent": "",
}


def hide_expected_value(message):
    """Return the message on a hidden case without the expected value, but with shapes and types."""
    shorter = re.sub(r"[Ee]xpected (?!shape |an array )[^\n]*, (?:got |but (?=an? \w+ ))", _got, message)
    return shorter[:1].upper() + shorter[1:]


def _got(found):
    """Return "got", capitalised like "expected", or nothing if an error was raised instead."""
    if found[0].endswith("but "):
        return ""
    return "Got " if found[0].startswith("E") else "got "


def _of_case(exercise, tried):
    """Return the message on a case, without the expected value if the case is hidden."""
    message = tried.problem if tried.case.expected is not None else hide_expected_value(tried.problem)
    return clean(with_student_names(message, exercise), 1000)


def exercise_marks(exercise, seed, tried, partial):
    """Return the marks of one exercise as plain data.

    `points` are those that count. `rule` is "own", "follow-through", "manual" or "waived", and `rule_message`
    explains it in a sentence for the page. `own_points` are those with the student's own helpers.
    `follow_through` is None, or the dict that `with_follow_through` puts there.
    """
    tried = verdicts.fail_accidental_errors(list(tried))
    verdict = verdicts.Verdict(exercise, seed, tuple(tried))
    with contextlib.suppress(Exception):  # an output that cannot be compared with known mistakes
        verdict = diagnosis.with_known_mistake(verdict)
    problems = sorted((t.status for t in tried if not t.passed), key=lambda status: status == "skipped")
    status = "passed" if verdict.passed else STATUS.get(problems[0], problems[0]) if problems else "missing"
    points = verdict.points if verdict.passed else earned_points(exercise, tried) if partial else 0
    kinds, message = {t.status for t in tried}, verdict.mistake.message if verdict.mistake else ""
    if message and not verdict.certain:  # the same on most cases, not on all
        message = f"Perhaps: {message}"
    if once := len(kinds) == 1 and kinds <= set(NEVER_RAN_MESSAGES):  # the same for all cases is said once
        message = NEVER_RAN_MESSAGES[tried[0].status] or clean(tried[0].problem, 1000)
    return {
        "id": exercise.id,
        "title": exercise.title,
        "status": status,
        "points": points,
        "max_points": verdict.out_of,
        "own_points": points,
        "follow_through": None,
        "rule": OWN,
        "rule_message": "Marked with your own code.",
        "mistake": verdict.mistake.name if verdict.mistake else "",
        "message": message,
        "cases": [
            {
                "name": t.case.name,
                "status": STATUS.get(t.status, t.status),
                "points": t.case.points,
                "message": "" if once or t.status == "not_attempted" else _of_case(exercise, t),
                "hint": t.case.about if t.status in ("wrong", "error") else "",
                "line": clean(t.outcome.line, 300),
            }
            for t in tried
        ],
    }


def with_follow_through(row, right_helpers, uncapped_points, status, cap, reason=""):
    """Return the marks of an exercise after a second marking with right helpers; the higher points count.

    Parameters
    ----------
    row : dict
        Its marks with the student's own helpers.
    right_helpers : list of str
        The helpers that were replaced by right ones, such as ["attention_weights"].
    uncapped_points : int
        The points that it earns with them, before the cap.
    status : str
        "passed" or "failed" with right helpers, or "refused", in which case `reason` is a sentence on why.
    cap : float
        The largest fraction of its points that it may get this way, from 0 to 1.
    """
    points = 0 if status == "refused" else min(uncapped_points, int(cap * row["max_points"] + 1e-9))
    names = " and ".join(f"`{name}`" for name in right_helpers)
    followed = {"right_helpers": list(right_helpers), "status": status, "cap": cap, "points": points}
    followed |= {"uncapped_points": uncapped_points, "reason": reason}
    row = row | {"follow_through": followed}
    if points > row["own_points"]:
        limit = "" if points == uncapped_points else f", which counts for {100 * cap:g} % at most"
        judged = "Right" if status == "passed" else "Right in part"
        message = (
            f"{judged} with a right {names}{limit}: {points} of {row['max_points']} points. With your own: "
        )
        return row | {"points": points, "rule": FOLLOWED, "rule_message": f"{message}{row['own_points']}."}
    if status == "refused":
        return row | {
            "rule_message": f"Marked with your own code. It was not tried with a right {names}: {reason}"
        }
    message = "not right" if status == "failed" else f"{points} points, no better"
    return row | {"rule_message": f"Marked with your own code. With a right {names}, it is {message}."}


def caused_by_helper(row):
    """Return True if an answer is right once its helpers are, so that its mistake is one of theirs."""
    return (row.get("follow_through") or {}).get("status") == "passed"
