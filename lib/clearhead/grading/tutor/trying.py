"""The tutor's check of a student's answer in a sandbox, without running any of its code in this process."""

import json
import secrets
from dataclasses import replace

from clearhead.checks.diagnosis import RAN, with_mistake_of_all_seeds
from clearhead.checks.former_ids import renamed_functions
from clearhead.checks.verdicts import Verdict, drawn_cases, fail_accidental_errors, short_cases
from clearhead.errors import UserError
from clearhead.sandbox.reading import with_present_names
from clearhead.sandbox.sandbox import SandboxError

from ..collect import scripts
from ..mark.marking import Marking
from ..mark.worker import drop_sandboxes, optional_packages, sandbox_for

SEEDS = 1_000_000
MORE = (1, 2)  # further seeds with which a known mistake must agree
ENDED = ("timeout", "memory", "crashed")
SETTINGS = {"seconds": 5.0, "megabytes": 2048, "budget": 60.0, "isolated": True}


def read_notebook(path):
    """Return the bytes of a notebook; a script of cells is converted to a notebook.

    Raises
    ------
    UserError
        If the file cannot be read.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UserError(f"The notebook {path.name} cannot be read ({error.strerror}). Is it saved?") from None
    return raw if path.suffix == ".ipynb" else scripts.as_notebook(raw)


def with_code(raw, code):
    """Return a notebook with the code in an additional last cell, whose definitions replace earlier ones."""
    try:
        notebook = json.loads(raw)
        cells = [*notebook["cells"], {"cell_type": "code", "metadata": {}, "source": code, "outputs": []}]
        return json.dumps(notebook | {"cells": cells}).encode()
    except (ValueError, KeyError, TypeError):
        raise UserError("The notebook is damaged, so the code cannot be tried together with it.") from None


def try_answer(exercise, raw, isolated=True):
    """Return the Verdict on the answer in a notebook, for newly drawn inputs.

    Parameters
    ----------
    exercise : Exercise
    raw : bytes
        The notebook, whose cells run in the sandbox.
    isolated : bool
        Whether the sandbox isolates the code; else it is only another process.

    Raises
    ------
    UserError
        If the sandbox itself fails.
    """
    number, seed = exercise.id[:2], secrets.randbelow(SEEDS)
    raw = with_present_names(raw, renamed_functions(number))
    shown = drawn_cases(exercise, seed)
    more = [case for n in MORE for case in short_cases(exercise, seed + n)]
    settings = SETTINGS | {"isolated": isolated, "sheets": [number], "secret": secrets.token_hex(16)}
    kept = {name: value for name, value in settings.items() if name != "secret"}
    try:
        sandbox = sandbox_for(kept, number, more=optional_packages(number, raw))
        marking = Marking(sandbox, settings, "", raw, only={exercise.id: [*shown, *more]}).run()
    except SandboxError:
        drop_sandboxes()
        raise UserError(
            "The sandbox in which your code would run failed, so your answer could not be checked. "
            "Run the check in your notebook instead."
        ) from None
    tried = marking.tried[exercise.id]
    verdict = Verdict(exercise, seed, tuple(fail_accidental_errors(_of_first_seed(tried, len(shown)))))
    verdict = replace(verdict, more=tuple(each for each in tried[len(shown) :] if each.status in RAN))
    return verdict if verdict.passed else with_mistake_of_all_seeds(verdict)


def _of_first_seed(tried, count):
    """Return the first results, in which a skipped case may be replaced by the one that ended the process.

    The cases run in a random order, so one of another seed may have ended the process, after which the cases
    that are shown were skipped. It then replaces the skipped case of the same name.
    """
    ended = next((each for each in tried if each.status in ENDED), None)
    first = tried[:count]
    if ended is None or any(each.status in ENDED for each in first):
        return first
    return [
        ended if each.status == "skipped" and each.case.name == ended.case.name else each for each in first
    ]
