"""Recorded sweeps belong to the code that a chapter shows; `recipes/test_again.py` runs them again."""

import importlib
import json

import pytest

import sweep
from clearhead.pretrained import sweeps
from support.notebooks import read
from support.places import ROOT

SCRIPTS = sorted(path.stem for path in (ROOT / "recipes").glob("*.py") if not path.stem.startswith("test_"))


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_recipe_finds_what_it_imports(name):
    """A script that is run once, years ago, would not be noticed when the library changes below it."""
    importlib.import_module(name)


def test_each_recipe_has_its_record_and_each_record_its_recipe():
    recorded = {path.stem for path in sweeps.place("any").parent.glob("*.json")}
    assert recorded == set(sweep.names())


@pytest.mark.parametrize("name", sweep.names())
def test_record_was_made_by_the_present_code(name):
    """The recipe or the chapter's tagged cells may not change without the sweep being run again."""
    kept = json.loads(sweeps.place(name).read_text("utf-8"))
    assert kept["digest"] == sweep.digest(name), f"run again: python recipes/sweep.py {name}"


@pytest.mark.parametrize("name", sweep.names())
def test_recipe_accepts_its_own_record(name):
    """A comparison that could not even pass on the recorded numbers would never be run with success."""
    kept = sweeps.recorded_sweep(name)
    sweep.recipe(name).agrees(kept, kept)


@pytest.mark.parametrize("name", sweep.names())
def test_some_chapter_reports_the_sweep(name):
    chapters = sorted((ROOT / "chapters").glob("*.ipynb"))
    cells = [cell.source for path in chapters for cell in read(path).cells if cell.cell_type == "code"]
    assert any(f'recorded_sweep("{name}")' in cell for cell in cells)


def test_docstrings_and_comments_do_not_change_the_digest():
    plain = "def f(x):\n    return x + 1\n"
    worded = '"""Module."""\n\n# why\ndef f(x):\n    """Return x + 1."""\n    return x + 1\n'
    assert sweep.without_words(plain) == sweep.without_words(worded)
    assert sweep.without_words(plain) != sweep.without_words(plain.replace("+", "-"))


def test_unknown_sweep_is_refused_with_its_name():
    with pytest.raises(ValueError, match="no sweep is recorded under 'never_run'"):
        sweeps.recorded_sweep("never_run")


def test_cells_without_the_tag_are_refused():
    with pytest.raises(ValueError, match="sweep-never_run"):
        sweep.chapter_code("never_run")
