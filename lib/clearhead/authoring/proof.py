"""The proof of a check: right answers pass, lazy ones do not, and every known mistake is identified."""

import re

import numpy as np

from clearhead.checks.diagnosis import diagnose, is_distinctive, with_known_mistake
from clearhead.checks.plain_data import plain
from clearhead.checks.running import run
from clearhead.checks.verdicts import (
    Verdict,
    cached_outcome,
    drawn_cases,
    judge,
    short_cases,
    try_cases,
)

SEEDS = range(25)


def faults(exercise, seeds=SEEDS):
    """Return one sentence for each fault of an exercise, or an empty list if its check is proved."""
    seeds = list(seeds)
    found = [*_form(exercise), *_right_answers(exercise, seeds), *_lazy_answers(exercise, seeds)]
    return found + list(mistake_faults(exercise, seeds).values())


def _form(exercise):
    """Return the formal faults of an exercise, such as a number of hints other than three."""
    cases = exercise.cases(np.random.default_rng(0))
    names = [mistake.name for mistake in exercise.mistakes]
    wanted = {
        "its id is not NN.name": re.fullmatch(r"\d\d\.[a-z]\w*", exercise.id, re.I),
        "it has fewer than three cases": len(cases) >= 3,
        "two of its cases have the same name": len({case.name for case in cases}) == len(cases),
        "it has no case worked by hand and no property": any(
            c.expected is not None or c.properties for c in cases
        ),
        "a case gives no point": all(case.points >= 1 for case in cases),
        "it has not three hints": len(exercise.hints) == 3 and all(exercise.hints),
        "it has fewer than three known mistakes": len(names) >= 3,
        "a mistake's name is not unique, or not words joined by _": len(set(names)) == len(names)
        and all(re.fullmatch(r"[a-z][A-Za-z0-9_]*", name) for name in names),
        "a mistake says nothing": all(len(mistake.message) > 20 for mistake in exercise.mistakes),
        "it accepts no alternative": exercise.alternatives,
        "its stars are not 1 to 3": exercise.stars in (1, 2, 3),
        "its minutes are not 1 or more": exercise.minutes >= 1,
    }
    return [f"{exercise.id}: {fault}" for fault, fine in wanted.items() if not fine]


def _right_answers(exercise, seeds):
    """Return one fault for each right answer that does not pass with every seed."""
    found = []
    for number, answer in enumerate((exercise.reference, *exercise.alternatives)):
        answer_name = "the reference" if number == 0 else f"alternative {number}"
        for verdict in (try_cases(exercise, answer, seed) for seed in seeds):
            if not verdict.passed:
                problem = next(
                    (f"{t.case.name}: {t.problem}" for t in verdict.tried if not t.passed), "no case"
                )
                found.append(
                    f"{exercise.id}: {answer_name} does not pass with seed {verdict.seed} ({problem})"
                )
                break
    return found


def _lazy_answers(exercise, seeds):
    """Return one fault for each lazy answer that passes with some seed after the first.

    The first seed is left out, because one of the lazy answers repeats outputs that were recorded with it.
    """
    answers, found = lazy_answers(exercise), {}
    for seed in seeds[1:]:
        cases = drawn_cases(exercise, seed)  # they cache the outcomes of the reference
        for name in answers.keys() - found.keys():
            if try_cases(exercise, answers[name], seed, cases).passed:
                found[name] = f"{exercise.id}: the lazy answer {name!r} passes with seed {seed}"
    return list(found.values())


def lazy_answers(exercise):
    """Return a dict of answers that solve nothing, such as a stub, zeros, or a stored output."""
    recorded, fixed = {}, None
    for case in exercise.cases(np.random.default_rng(0)):
        output = run(exercise, exercise.reference, case.arguments).output
        fixed = output if fixed is None and case.expected is None else fixed
        recorded |= {_key(case.arguments, exact=True): output, _key(case.arguments, exact=False): output}

    def stub(*arguments):
        raise NotImplementedError

    def replay(*arguments):
        exact = _key(arguments, exact=True)
        return recorded.get(exact, recorded.get(_key(arguments, exact=False)))

    def right(arguments):
        return run(exercise, exercise.reference, arguments).output

    found = {} if not exercise.ids else {"floats for ids": lambda *arguments: _floats(right(arguments))}
    return (
        found
        | {
            "stub": stub,
            "None": lambda *arguments: None,
            "zeros": lambda *arguments: _zeros(right(arguments)),
            "first argument": lambda *arguments: arguments[0],
            "last argument": lambda *arguments: arguments[-1],
            "recorded": replay,
            "one output for all": lambda *arguments: fixed,
        }
        | _of_one_size(fixed, right)
    )


def _of_one_size(fixed, right):
    """Return a dict with the lazy answer that puts the right numbers into an array of fixed shape, if any."""
    if not isinstance(fixed, np.ndarray):
        return {}
    return {"right numbers, one size": lambda *arguments: np.resize(right(arguments), fixed.shape)}


def _floats(output):
    """Return plain data of the same structure, with floats instead of integers."""
    if isinstance(output, list):
        return [_floats(item) for item in output]
    if isinstance(output, dict):
        return {key: _floats(value) for key, value in output.items()}
    return output * 1.0 if isinstance(output, np.ndarray | int) else output


def _key(arguments, exact):
    """Return a key for arguments that depends on their values, or only on the shapes of arrays."""
    return tuple(_signature(argument, exact) for argument in arguments)


def _signature(argument, exact):
    """Return the value of an argument as a string, or only the shape of an array."""
    try:
        argument = plain(argument)
    except TypeError:
        return type(argument).__name__
    if isinstance(argument, np.ndarray):
        return f"{argument.shape}{argument.tobytes().hex() if exact else ''}"
    return repr(argument)


def _zeros(output):
    """Return plain data of the same structure, with zeros in place of all values."""
    if isinstance(output, np.ndarray):
        return np.zeros_like(output)
    if isinstance(output, list):
        return [_zeros(item) for item in output]
    if isinstance(output, dict):
        return {key: _zeros(value) for key, value in output.items()}
    return None if output is None else type(output)()


def mistake_faults(exercise, seeds=SEEDS):
    """Return a dict that maps the name of each mistake that passes or is not identified to its faults.

    With the first seed, each mistake runs twice, as an answer and as a known mistake. With the other seeds,
    the outcome of one run serves for both, and slow cases are left out.
    """
    found = {}
    for seed in seeds:
        attempt, draw = (try_cases, drawn_cases) if seed == seeds[0] else (_recalled, short_cases)
        cases = draw(exercise, seed)  # they cache the outcomes of the mistakes
        for mistake in exercise.mistakes:
            verdict = attempt(exercise, mistake.answer, seed, cases)
            if mistake.name not in found and (fault := _mistake_fault(exercise, mistake, verdict)):
                found[mistake.name] = f"{exercise.id}: the mistake {mistake.name} {fault} with seed {seed}"
    return found


def _recalled(exercise, answer, seed, cases):
    """Return the Verdict on the cached outcomes of a mistake in some cases."""
    tried = (judge(exercise, case, cached_outcome(exercise, answer, case)) for case in cases)
    return Verdict(exercise, seed, tuple(tried))


def _mistake_fault(exercise, mistake, verdict):
    """Return how a Verdict fails to identify a mistake, or "" if it identifies the mistake."""
    verdict, seed = with_known_mistake(verdict), verdict.seed
    if not verdict.passed and verdict.mistake is not mistake:  # other seeds may distinguish them
        verdict = diagnose(exercise, mistake.answer, seed)
    if verdict.passed:
        return "passes"
    if verdict.mistake is not mistake or verdict.certain < is_distinctive(verdict.tried):
        return f"is taken for {verdict.mistake.name if verdict.mistake else 'nothing'}"
    return ""
