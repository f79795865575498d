"""A table of one function that borrows from another is read whatever was imported before."""

import subprocess
import sys

import pytest

from support.discovery import MATHS


@pytest.mark.parametrize("subject", sorted(MATHS))
def test_tables_that_are_borrowed_are_found(subject):
    """Whatever was imported before: a fresh process that imports one module reads all its tables."""
    code = (
        "import importlib, sys\n"
        "from clearhead.contracts import tables\n"
        "module = importlib.import_module(sys.argv[1])\n"
        "for f in list(vars(module).values()):\n"
        "    if hasattr(f, '__wrapped__'):\n"
        "        for row in tables.table(f):\n"
        "            for each in (row, *row.rows):\n"
        "                each.borrowed and tables.entries(each.borrowed)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, f"clearhead.maths.{subject}"], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
