"""The threat model states every limit with its number, and the numbers are those of the code."""

import inspect
import re

import pytest

from clearhead.grading.collect import archives, class_folder
from clearhead.grading.commands import grade
from clearhead.grading.mark import marking, right_helpers
from clearhead.grading.run import batch
from clearhead.sandbox import forker, reading, room, sandbox, wire
from support.places import ROOT

PAGE = (ROOT / "book" / "threat_model.md").read_text()
OPTIONS = {option.name: option.default for option in grade.grade.params}
LIMITS = {
    "CPU seconds for one case or one line of a cell (`--timeout`)": OPTIONS["timeout"],
    "seconds by the clock for each of these CPU seconds": sandbox.WALL,
    "seconds by the clock for one hand-in of one sheet, both markings together (`--budget`)": marking.BUDGET,
    "hand-ins of one sheet that are marked where a policy asks for all": batch.ATTEMPTS,
    "lines of cells that are left out before a sheet is given up": marking.RESTARTS,
    "CPU seconds of one call of a right helper": right_helpers.SECONDS,
    "calls of functions that stay with the grader, in one case": marking.CALLBACKS,
    "megabytes of memory, all processes of a guest together (`--memory`)": OPTIONS["memory"],
    "megabytes in `/tmp`": room.DISK >> 20,
    "files in `/tmp`": forker.FILES,
    "processes and threads": forker.PROCESSES,
    "sockets": forker.SOCKETS,
    "mapped regions of memory": forker.MAPS,
    "megabytes of one message out of a sandbox": wire.MOST >> 20,
    "items of one message": wire.ITEMS,
    "megabytes of outputs that are kept of one notebook": marking.KEPT >> 20,
    "megabytes that one answer may ask right helpers for": right_helpers.KEPT >> 20,
    "megabytes of one notebook": archives.NOTEBOOK >> 20,
    "megabytes of one archive": archives.ARCHIVE >> 20,
    "megabytes of all notebooks of one submission": batch.READ >> 20,
    "notebooks of one submission": class_folder.NOTEBOOKS,
    "members of one archive": archives.MEMBERS,
    "gigabytes of the archive of a class": class_folder.CLASS >> 30,
    "cells of one notebook": reading.CELLS,
}


@pytest.mark.parametrize("what", LIMITS)
def test_limit_on_the_page_is_that_of_the_code(what):
    rows = dict(re.findall(r"^\| (.+?) \| ([\d,]+) \|$", PAGE, re.M))
    assert int(rows[what].replace(",", "")) == LIMITS[what]
    assert len(rows) == len(LIMITS)


def test_budget_is_the_default_of_the_command():
    assert OPTIONS["budget"] == marking.BUDGET


def test_page_counts_pipes_with_the_limit_on_open_files():
    assert '"files": 64' in inspect.getsource(sandbox.Sandbox)
    assert f"64 processes with 64 open files each can fill {forker.PROCESSES * 64 // 2:,} pipes" in PAGE
