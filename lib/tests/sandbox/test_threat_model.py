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
    "CPU seconds for one case or one line of a cell (`--timeout`)": OPTIONS["timeout"],
    "seconds by the clock for each of these CPU seconds": sandbox.WALL_CLOCK_FACTOR,
    "seconds by the clock for one hand-in of one sheet, both markings together (`--budget`)": marking.BUDGET,
    "hand-ins of one sheet that are marked where a policy asks for all": batch.MAX_ATTEMPTS,
    "lines of cells that are left out before a sheet is given up": marking.MAX_RESTARTS,
    "CPU seconds of one call of a right helper": right_helpers.SECONDS,
    "calls of functions that stay with the grader, in one case": marking.MAX_CALLBACKS,
    "megabytes of memory, all processes of a submission together (`--memory`)": OPTIONS["memory"],
    "megabytes in `/tmp`": bwrap_config.DISK_BYTES >> 20,
    "files in `/tmp`": fork_server.MAX_FILES,
    "processes and threads": fork_server.MAX_PROCESSES,
    "sockets": fork_server.MAX_SOCKETS,
    "mapped regions of memory": fork_server.MAX_MAPPINGS,
    "megabytes of one message out of a sandbox": protocol.MAX_BYTES >> 20,
    "items of one message": protocol.MAX_ITEMS,
    "megabytes of outputs that are kept of one notebook": marking.MAX_KEPT_BYTES >> 20,
    "megabytes that one answer may ask right helpers for": right_helpers.MAX_KEPT_BYTES >> 20,
    "megabytes of one notebook": archives.NOTEBOOK >> 20,
    "megabytes of one archive": archives.ARCHIVE >> 20,
    "megabytes of all notebooks of one submission": batch.MAX_BYTES >> 20,
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
    assert (
        f"64 processes with 64 open files each can fill {fork_server.MAX_PROCESSES * 64 // 2:,} pipes" in PAGE
    )
