"""Measure whether the tutor helps more than the hints alone, with simulated beginners.

    python benchmarks/tutor_helps.py

A beginner gives a wrong answer, reads what comes back, and repairs it with probability READS if the text
points to the cause, and with probability GUESSES otherwise. There are two groups of wrong answers, both taken
from every fourth exercise: known ones, and mutants, which nobody wrote down. A text points to the cause if it
contains a word for what was changed in the answer. The same rule judges hints and tutor. It is crude and says
nothing about whether a person would understand the text, so the result compares texts and is no study of
learning.
"""

import ast
import difflib
import io
import json
import re
import tokenize
import warnings
from dataclasses import replace

import numpy as np

from clearhead.authoring.mutants import mutants
from clearhead.checks import registry, running
from clearhead.checks.diagnosis import RAN, with_mistake_of_all_seeds
from clearhead.checks.explaining import explain
from clearhead.checks.from_text import namespace
from clearhead.checks.verdicts import short_cases, try_cases
from clearhead.grading.gradebook.policy import TutorRule
from clearhead.grading.tutor.sheet import _hints
from clearhead.grading.tutor.withheld import without_answer

EVERY, MOST, CALLS = 4, 8, 6
READS, GUESSES = 0.7, 0.1
WORDS = {
    "@": "product|multiply", "/": "divi|scal", "-": "subtract|minus|sign|negative|difference",
    "+": "add|sum|plus", "**": "square|root|power", "*": "multiplied|times|product", "//": "divi",
    "axis": "axis|axes|rows?|columns?", "T": "transpos|columns?",
    "<": "equal|larger|smaller|less|before|after", ">": "equal|larger|smaller|greater",
    "<=": "equal|larger|smaller|less", ">=": "equal|larger|smaller|greater", "~": "invert|not|opposite",
    "keepdims": "keepdims|shape|axis", "argsort": "order|sort", "exp": "exponential", "log": "logarithm",
    "max": "largest|maximum", "mean": "mean|average", "sum": "sum|add", "sqrt": "root",
}  # fmt: skip


def tokens(source):
    """Return the tokens of a program."""
    kept = (tokenize.NAME, tokenize.NUMBER, tokenize.OP, tokenize.STRING)
    return [t.string for t in tokenize.generate_tokens(io.StringIO(source).readline) if t.type in kept]


def cause(right, wrong):
    """Return a regular expression for what differs between two programs, "" for order or brackets."""
    one, other = tokens(ast.unparse(ast.parse(right))), tokens(ast.unparse(ast.parse(wrong)))
    changed = set()
    for kind, a, b, c, d in difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        changed |= set(one[a:b] + other[c:d]) if kind != "equal" else set()
    words = [
        WORDS.get(token, re.escape(token) if re.fullmatch(r"\w{2,}", token) else "") for token in changed
    ]
    return r"\b(?:" + "|".join(sorted(filter(None, words))) + ")" if any(words) else ""


def of_tutor(exercise, answer):
    """Return the text of a check by the tutor, and whether it names a mistake or explains the results."""
    verdict = try_cases(exercise, answer, 11)
    more = [t for n in (12, 13) for t in try_cases(exercise, answer, n, short_cases(exercise, n)).tried]
    verdict = with_mistake_of_all_seeds(replace(verdict, more=tuple(t for t in more if t.status in RAN)))
    if verdict.passed or all(t.status not in ("wrong", "passed") for t in verdict.tried):
        return None
    first = next(t for t in verdict.tried if not t.passed)
    said = [verdict.mistake.message] if verdict.mistake else explain(verdict)
    text = "\n".join([*said, first.case.name, first.case.about])
    return without_answer(exercise, text), verdict.mistake.name if verdict.mistake else "", bool(said)


def tries(rng, texts, pattern, most=20):
    """Return how many tries a simulated beginner needs; the last text is read again and again."""
    for number in range(most):
        points = re.search(pattern, texts[min(number, len(texts) - 1)], re.I)
        if rng.random() < (READS if points else GUESSES):
            return number + 1
    return most


def measure(exercise, wrong, rng):
    """Yield, for each wrong answer (name, source), what the two ways of help say, and the tries they cost."""
    run, rule = namespace(exercise), TutorRule()
    for name, source in wrong:
        pattern = cause(exercise.text.steps if name else exercise.text.answer, source)
        try:
            said = pattern and of_tutor(exercise, run.run(source)[exercise.answer_name])
        except Exception:  # it does not even run
            continue
        if not said:
            continue
        text, named, explained = said
        hints, allowed = list(exercise.hints), [hint for _, hint in _hints(exercise)]
        tutor = []
        for number in range(1, CALLS + 1):
            shown = sum(number >= after for after in rule.hints_after[: len(allowed)])
            tutor.append("\n".join([text, *allowed[:shown]]))
        yield {
            "named": bool(named), "named truly": named == name, "named or explained": explained,
            "first call, hints": bool(re.search(pattern, hints[0], re.I)),
            "first call, tutor": bool(re.search(pattern, tutor[0], re.I)),
            "three calls, hints": bool(re.search(pattern, "\n".join(hints[:3]), re.I)),
            "three calls, tutor": bool(re.search(pattern, "\n".join(tutor[:3]), re.I)),
            "tries, hints": float(np.mean([tries(rng, hints, pattern) for _ in range(50)])),
            "tries, tutor": float(np.mean([tries(rng, tutor, pattern) for _ in range(50)])),
        }  # fmt: skip


def main():
    """Print the results as JSON."""
    warnings.simplefilter("ignore")
    running.TIME_LIMIT, rng = 1, np.random.default_rng(0)
    rows = {"known": [], "mutants": []}
    exercises = [each for sheet in registry.sheets() for each in sheet.exercises if not each.needs][::EVERY]
    for exercise in exercises:
        known = [(each.name, each.source) for each in exercise.text.wrong]
        made = [("", each.source) for each in mutants(exercise.text.answer)]
        for group, wrong in (("known", known), ("mutants", made)):
            chosen = [wrong[i] for i in rng.permutation(len(wrong))[:MOST]]
            rows[group] += measure(exercise, chosen, rng)
    found = {
        group: {"wrong answers": len(each)}
        | {key: round(float(np.mean([r[key] for r in each])), 3) for key in each[0]}
        for group, each in rows.items()
    }
    print(json.dumps({"exercises": len(exercises)} | found, indent=1))


if __name__ == "__main__":
    main()
