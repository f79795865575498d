"""The marks of one exercise as plain data."""

import contextlib
import re

from clearhead.checks import diagnosis, verdicts
from clearhead.checks.feedback import in_students_words

from ..collect.untrusted_text import clean
from .hidden_cases import earned

STATUS = {
    "wrong": "failed",
    "todo": "not begun",
    "slow": "timeout",
    "untried": "not tried",
    "absent": "missing",
}

OWN, FOLLOWED, BY_HAND, VOID = "own", "follow-through", "by hand", "void"  # which rule gave the points

NEVER_RAN = {
    "todo": "Not begun: `raise NotImplementedError` still stands in it.",
    "missing": "",
    "unreadable": "",
    "absent": "",
}


def without_answer(says):
    """Return what is said of a hidden case without the value that is right; shapes and kinds stay."""
    shorter = re.sub(r"[Ee]xpected (?!shape |an array )[^\n]*, (?:got |but (?=an? \w+ ))", _got, says)
    return shorter[:1].upper() + shorter[1:]


def _got(found):
    """Return "got", as large as the word that it stands for; nothing where an error was raised instead."""
    if found[0].endswith("but "):
        return ""
    return "Got " if found[0].startswith("E") else "got "


def _of_case(exercise, tried):
    """Return what is said of a case; of a hidden one, all but the value that is right."""
    says = tried.trouble if tried.case.expected is not None else without_answer(tried.trouble)
    return clean(in_students_words(says, exercise), 1000)


def row(exercise, seed, tried, partial):
    """Return the marks of one exercise as plain data.

    `points` are those that count, and `rule` says what gave them, `rule_says` in a sentence for the page:
    "own", "follow-through", "by hand" or "void". `own` are the points with the student's own helpers;
    `follow_through` is None, or what `with_follow_through` puts there.
    """
    tried = verdicts.accidental_refusals_failed(list(tried))
    verdict = verdicts.Verdict(exercise, seed, tuple(tried))
    with contextlib.suppress(Exception):  # an output that cannot be compared with known mistakes
        verdict = diagnosis.with_known_mistake(verdict)
    troubles = sorted((t.status for t in tried if not t.passed), key=lambda status: status == "untried")
    status = "passed" if verdict.passed else STATUS.get(troubles[0], troubles[0]) if troubles else "missing"
    points = verdict.points if verdict.passed else earned(exercise, tried) if partial else 0
    kinds, says = {t.status for t in tried}, verdict.mistake.says if verdict.mistake else ""
    if says and not verdict.certain:  # the same on most cases, not on all
        says = f"Perhaps: {says}"
    if once := len(kinds) == 1 and kinds <= set(NEVER_RAN):  # the same for all cases is said once
        says = NEVER_RAN[tried[0].status] or clean(tried[0].trouble, 1000)
    return {
        "id": exercise.id,
        "title": exercise.title,
        "status": status,
        "points": points,
        "out_of": verdict.out_of,
        "own": points,
        "follow_through": None,
        "rule": OWN,
        "rule_says": "Marked with your own code.",
        "mistake": verdict.mistake.name if verdict.mistake else "",
        "says": says,
        "cases": [
            {
                "name": t.case.name,
                "status": STATUS.get(t.status, t.status),
                "points": t.case.points,
                "says": "" if once or t.status == "todo" else _of_case(exercise, t),
                "look": t.case.look if t.status in ("wrong", "error") else "",
                "line": clean(t.outcome.line, 300),
            }
            for t in tried
        ],
    }


def with_follow_through(row, given, out_of_right, status, cap, why=""):
    """Return the marks of an exercise that was marked again, with right helpers; the better mark counts.

    Parameters
    ----------
    row : dict
        Its marks with the student's own helpers.
    given : list of str
        The helpers that were replaced by right ones, such as ["attention_weights"].
    out_of_right : int
        The points that it earns with them, before the cap.
    status : str
        "passed" or "failed" with right helpers, or "refused": then `why` says, in a sentence, why not.
    cap : float
        The most that it may get this way, as a part of its points, from 0 to 1.
    """
    points = 0 if status == "refused" else min(out_of_right, int(cap * row["out_of"] + 1e-9))
    names = " and ".join(f"`{name}`" for name in given)
    followed = {"given": list(given), "status": status, "uncapped": out_of_right, "cap": cap}
    row = row | {"follow_through": followed | {"points": points, "why": why}}
    if points > row["own"]:
        least = "" if points == out_of_right else f", which counts for {100 * cap:g} % at most"
        said = f"Right, given a right {names}{least}: {points} of {row['out_of']} points. With your own: "
        said = said if status == "passed" else said.replace("Right, given", "Right in part, given")
        return row | {"points": points, "rule": FOLLOWED, "rule_says": f"{said}{row['own']}."}
    if status == "refused":
        return row | {"rule_says": f"Marked with your own code. A right {names} was not put in: {why}"}
    said = "not right" if status == "failed" else f"{points} points, no better"
    return row | {"rule_says": f"Marked with your own code. Given a right {names}, it is {said}."}


def of_a_helper(row):
    """Return whether an answer is right, given right helpers: then its mistake is theirs."""
    return (row.get("follow_through") or {}).get("status") == "passed"
