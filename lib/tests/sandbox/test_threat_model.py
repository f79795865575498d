"""The threat model states every limit with its number, and the numbers are those of the code."""

import inspect
import re

import pytest

from clearhead.grading.collect import archives, class_folder
from clearhead.grading.commands import grade
from clearhead.grading.mark import marking, right_helpers
from clearhead.grading.run import batch
from clearhead.sandbox import bwrap_config, fork_server, protocol, reading, sandbox
from support.places import ROOT

PAGE = (ROOT / "book" / "threat_model.md").read_text()
OPTIONS = {option.name: option.default for option in grade.grade.params}
LIMITS = {
    "CPU seconds for one test case or one line of a cell (`--timeout`)": OPTIONS["timeout"],
    "wall-clock seconds for each of these CPU seconds": sandbox.WALL_CLOCK_FACTOR,
    "wall-clock seconds for one submitted notebook of one sheet, including the second run for "
    "follow-through marks (`--budget`)": marking.BUDGET,
    "notebooks of one sheet that are marked if a course policy chooses among them": batch.MAX_ATTEMPTS,
    "lines of code that are skipped before the rest of a sheet is abandoned": marking.MAX_RESTARTS,
    "CPU seconds for one call of a correct helper function": right_helpers.SECONDS,
    "calls of functions that run in the grader, in one test case": marking.MAX_CALLBACKS,
    "megabytes of memory for all processes of a submission together (`--memory`)": OPTIONS["memory"],
    "megabytes in `/tmp`": bwrap_config.DISK_BYTES >> 20,
    "files in `/tmp`": fork_server.MAX_FILES,
    "processes and threads": fork_server.MAX_PROCESSES,
    "sockets": fork_server.MAX_SOCKETS,
    "mapped memory regions": fork_server.MAX_MAPPINGS,
    "megabytes in one message from a sandbox": protocol.MAX_BYTES >> 20,
    "items in one message": protocol.MAX_ITEMS,
    "characters in one string, and in all arrays of strings of one message": protocol.MAX_TEXT,
    "megabytes of stored outputs for one notebook": marking.MAX_KEPT_BYTES >> 20,
    "megabytes that one answer may request from correct helper functions": right_helpers.MAX_KEPT_BYTES >> 20,
    "megabytes of one notebook": archives.NOTEBOOK >> 20,
    "megabytes of one archive": archives.ARCHIVE >> 20,
    "megabytes of all notebooks of one submission": batch.MAX_BYTES >> 20,
    "notebooks in one submission": class_folder.NOTEBOOKS,
    "members in one archive": archives.MEMBERS,
    "gigabytes in the archive of a class": class_folder.CLASS >> 30,
    "cells in one notebook": reading.CELLS,
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
    assert (
        f"64 processes with 64 open files each can fill {fork_server.MAX_PROCESSES * 64 // 2:,} pipes" in PAGE
    )
