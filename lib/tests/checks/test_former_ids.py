"""What students stored under the earlier id of an exercise is found again under its present one."""

import json
import re
import tracemalloc

import pytest

from clearhead.checks import check, former_ids, hint, progress, ready, registry
from clearhead.grading.collect import cell_locator
from clearhead.grading.mark import worker
from clearhead.sandbox import reading
from clearhead.sandbox.isolation import problem
from support.places import ROOT

missing = problem()
isolated = pytest.mark.skipif(bool(missing), reason=f"students' code cannot be isolated here: {missing}")
SETTINGS = {"secret": "s", "seconds": 5, "megabytes": 2048, "partial": False, "isolated": True}
SHEETS = sorted({id[:2] for id in former_ids.PRESENT_IDS})


@pytest.fixture(autouse=True)
def own_state(tmp_path, monkeypatch):
    """Keep the progress of these tests out of the user's own."""
    monkeypatch.setenv("CLEARHEAD_STATE", str(tmp_path))
    monkeypatch.setattr(progress, "_memory", {})


def handed_in_earlier(number):
    """Return the solved notebook of a sheet, as bytes, with the names that its functions had earlier."""
    notebook = json.loads((ROOT / "solutions" / f"{registry.file_stem(number)}.ipynb").read_text("utf-8"))
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        for old, new in former_ids.renamed_functions(number).items():
            text = re.sub(rf"(?<!\.)\b{new}\b", old, text.replace(f"{number}.{new}", f"{number}.{old}"))
        cell["source"] = text.splitlines(keepends=True)
    return json.dumps(notebook).encode()


@pytest.mark.parametrize(("old", "new"), former_ids.PRESENT_IDS.items())
def test_every_earlier_id_leads_to_an_exercise(old, new):
    assert registry.exercise(old).id == registry.exercise(old.lstrip("0")).id == new
    assert old not in {e.id for e in registry.sheet(old[:2]).exercises}


def test_the_cells_of_an_earlier_notebook_run_in_jupyter(capsys):
    """Its checks, hints and `ready` name the earlier ids."""

    def product_shape(left, right):
        return registry.exercise("00.matmul_shape").reference(left, right)

    check("00.product_shape", product_shape)
    hint("00.product_shape")
    hint("00.product_shape")
    told = capsys.readouterr().out
    assert "✓ 00.matmul_shape: all" in told
    assert "Hint 2 of 3 for 00.matmul_shape" in told
    assert ready("00.product_shape")
    assert progress.records().keys() == {"00.matmul_shape"}


def test_progress_under_an_earlier_id_counts(tmp_path):
    record = progress.EMPTY_RECORD | {"points": 4, "out_of": 4, "passed": True, "attempts": 2}
    (tmp_path / "progress.json").write_text(json.dumps({"19.penalise": record, "19.min_p": record}))
    assert progress.records() == {"19.apply_frequency_penalty": record, "19.min_p": record}


def test_the_newer_of_two_records_of_one_exercise_counts(tmp_path):
    old, new = (progress.EMPTY_RECORD | {"points": n, "out_of": 4, "attempts": n} for n in (1, 3))
    text = json.dumps({"19.apply_frequency_penalty": new, "19.penalise": old})
    (tmp_path / "progress.json").write_text(text)
    assert progress.records() == {"19.apply_frequency_penalty": new}


@isolated
@pytest.mark.parametrize("number", SHEETS)
def test_a_notebook_with_earlier_names_earns_all_points(number):
    earlier = handed_in_earlier(number)
    assert not set(former_ids.renamed_functions(number).values()) & set(
        re.findall(r"def (\w+)", str(earlier))
    )
    marks, _ = worker.grade("ada", {number: earlier}, [], SETTINGS | {"sheets": [number]})
    worker.drop_sandboxes()
    assert {row["id"]: row["status"] for row in marks["exercises"]} == {
        e.id: "passed" for e in registry.sheet(number).exercises
    }
    assert all(row["code"] for row in marks["exercises"])


@isolated
def test_a_large_notebook_with_earlier_names_earns_all_points():
    """It is too large to be read outside the sandbox, where its functions are renamed then."""
    earlier = json.loads(handed_in_earlier("08"))
    earlier["metadata"]["picture"] = "x" * cell_locator.MOST
    raw = json.dumps(earlier).encode()
    assert cell_locator.with_present_functions(raw, "08") is raw
    marks, _ = worker.grade("ada", {"08": raw}, [], SETTINGS | {"sheets": ["08"]})
    worker.drop_sandboxes()
    assert {row["status"] for row in marks["exercises"]} == {"passed"}


def test_a_notebook_of_many_objects_is_not_parsed_outside():
    """Parsed, each byte of it takes thirty bytes of memory outside the sandbox."""
    raw = b'{"crossover": 0, "cells": [' + b'{"":0},' * (2 << 20) + b"{}]}"
    tracemalloc.start()
    try:
        cell_locator.with_present_functions(raw, "08")
        assert tracemalloc.get_traced_memory()[1] < len(raw)
    finally:
        tracemalloc.stop()


NAMES = {"visible": "bytes_to_unicode"}


def notebook(*cells):
    """Return a notebook with these cells of code, as bytes."""
    return json.dumps({"cells": [{"cell_type": "code", "source": source} for source in cells]}).encode()


@pytest.mark.parametrize(
    "source",
    ["figure.set(visible=True)", "visible = 3", "def bytes_to_unicode(text): ...", "print('visible')"],
)
def test_a_notebook_without_an_earlier_function_stays_as_it_is(source):
    raw = notebook("# visible", source)
    assert reading.with_present_names(raw, NAMES) is raw


def test_a_notebook_with_both_functions_keeps_both():
    raw = notebook("def visible(text):\n    return 1", "def bytes_to_unicode(text):\n    return 2")
    assert reading.with_present_names(raw, NAMES) is raw


@pytest.mark.parametrize(
    "raw", [b"visible {", b'"def visible("', b'{"cells": {"def visible(": 1}}', b"\xffvisible"]
)
def test_a_damaged_notebook_stays_as_it_is(raw):
    assert reading.with_present_names(raw, NAMES) is raw


def test_only_the_function_itself_is_renamed():
    source = "async_ = 1\ndef visible(text):\n    return style.visible + invisible(text)\nvisible('a')"
    ((_, text),) = reading.cells(reading.with_present_names(notebook(source), NAMES))
    assert text == source.replace("def visible", "def bytes_to_unicode").replace(
        "\nvisible('a')", "\nbytes_to_unicode('a')"
    )


def test_an_answer_by_assignment_is_renamed():
    raw = notebook("visible = lambda text: text", "visible('a')")
    renamed = reading.cells(reading.with_present_names(raw, NAMES))
    assert [text for _, text in renamed] == [
        "bytes_to_unicode = lambda text: text",
        "bytes_to_unicode('a')",
    ]


def test_an_earlier_notebook_is_loaded_into_the_page():
    raw = reading.with_present_names(handed_in_earlier("19"), former_ids.renamed_functions("19"))
    found, said = reading.answers(raw, {"19.quantize_keys": "quantize_keys"})
    assert "def quantize_keys(K):" in found["19.quantize_keys"]
    assert said == []
