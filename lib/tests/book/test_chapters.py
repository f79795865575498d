"""A chapter quotes the library, keeps to its budgets, and carries no outputs."""

import ast
import importlib
import inspect
import pkgutil
import re

import pytest

import clearhead.maths
import quote
from clearhead.widgets import questions
from support.notebooks import CHAPTERS, EXERCISES, LOOKED_UP, SOLUTIONS, TAUGHT, code_cells, name, read
from support.places import ROOT

CELL_LINES, COLUMNS = 12, 88
PARTS = ["You will be able to", "minutes", "What you can now do", "Further reading"]


def without_docstrings(tree):
    """Return the source of a syntax tree whose functions and classes have lost docstrings and decorators."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = [
                each for each in node.decorator_list if ast.unparse(each) not in ("checked", "in_float32")
            ]
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def quotations():
    for path in TAUGHT:
        for cell in filter(quote.builds, read(path).cells):
            for node in ast.parse(cell.source).body:
                yield pytest.param(
                    cell.metadata["from"], node, id=f"{path.stem}:{getattr(node, 'name', 'statement')}"
                )


@pytest.mark.parametrize(("module", "shown"), list(quotations()))
def test_a_quotation_is_the_library(module, shown):
    assert isinstance(shown, ast.FunctionDef | ast.ClassDef), (
        "a quoting cell holds functions and classes only"
    )
    built = getattr(importlib.import_module(module), shown.name)
    assert without_docstrings(shown) == without_docstrings(ast.parse(inspect.getsource(built))), (
        "run `make quote`"
    )


@pytest.mark.parametrize("path", [*TAUGHT, *LOOKED_UP], ids=name)
def test_quotations_and_folds_are_fresh_to_the_letter(path):
    assert quote.stale(path) == []


@pytest.mark.parametrize("path", TAUGHT, ids=name)
def test_each_guess_of_a_chapter_has_its_question(path):
    asked = re.findall(r"Predict\(\"([^\"]+)\"\)", "\n".join(cell.source for cell in code_cells(path)))
    for id in asked:
        assert questions.find(id)["id"] == id


def public_names():
    modules = {module.name for module in pkgutil.iter_modules(clearhead.maths.__path__)} - {
        "tables",
        "contracts",
    }
    for module in (importlib.import_module(f"clearhead.maths.{each}") for each in modules):
        yield from (
            key for key, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__
        )


@pytest.mark.parametrize("path", [*TAUGHT, *LOOKED_UP], ids=name)
def test_no_chapter_defines_a_library_name_of_its_own(path):
    own = {
        node.name
        for cell in code_cells(path)
        if not quote.builds(cell)
        for node in ast.walk(ast.parse(re.sub(r"^[%!].*$", "", cell.source, flags=re.M)))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    assert own & set(public_names()) == set()


@pytest.mark.parametrize("path", TAUGHT, ids=name)
def test_a_chapter_does_not_import_what_it_builds(path):
    built = {
        node.name for cell in filter(quote.builds, code_cells(path)) for node in ast.parse(cell.source).body
    }
    imported = {
        alias.name
        for cell in code_cells(path)
        for node in ast.walk(ast.parse(cell.source))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("clearhead.maths")
        for alias in node.names
        if alias.asname is None
    }
    assert built & imported == set()


@pytest.mark.parametrize("path", TAUGHT, ids=name)
def test_a_chapters_cells_fit_the_page(path):
    long = [
        cell.id
        for cell in code_cells(path)
        if len(cell.source.splitlines()) > CELL_LINES and not quote.builds(cell)
    ]
    wide = [
        cell.id
        for cell in code_cells(path)
        if any(len(line) > COLUMNS for line in cell.source.splitlines()) and not quote.builds(cell)
    ]
    assert long == []
    assert wide == [], f"more than {COLUMNS} columns need a scroll bar on the page"


@pytest.mark.parametrize("path", TAUGHT, ids=name)
def test_a_chapter_has_its_parts(path):
    text = "\n".join(cell.source for cell in read(path).cells)
    assert [part for part in PARTS if part not in text] == []
    chapter = path.stem[:2] if path in CHAPTERS else path.stem.removeprefix("appendix_")
    assert f'SelfCheck("{chapter}")' in text
    assert (f"../exercises/{path.name}" in text) == (path in CHAPTERS)
    assert "Predict(" in text


@pytest.mark.parametrize("path", [*TAUGHT, *LOOKED_UP, *SOLUTIONS, *EXERCISES], ids=name)
def test_notebooks_carry_no_outputs_and_stable_ids(path):
    notebook = read(path)
    assert [cell.id for cell in code_cells(path) if cell.outputs or cell.execution_count] == []
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    assert notebook.metadata.kernelspec.name == "python3"
    assert notebook.metadata.language_info.name == "python"
    assert "jupytext" not in notebook.metadata


@pytest.mark.parametrize("path", [*TAUGHT, *LOOKED_UP, *SOLUTIONS], ids=name)
def test_images_and_links_stay_at_home(path):
    text = "\n".join(cell.source for cell in read(path).cells)
    assert re.findall(r"!\[[^\]]*\]\(https?://", text) == [], "a page fetches nothing when it is read"
    for target in re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", text):
        assert (path.parent / target).exists(), f"{target} does not exist"


def test_every_chapter_has_sheet_and_toc_entry():
    """Every chapter has a sheet and a place in the book."""
    toc = (ROOT / "_toc.yml").read_text()
    assert [path.stem for path in TAUGHT if f"chapters/{path.stem}" not in toc] == []
    for path in CHAPTERS:
        assert (ROOT / "exercises" / path.name).exists()
        assert (ROOT / "solutions" / path.name).exists()
