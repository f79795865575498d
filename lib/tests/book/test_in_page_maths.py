"""The library's own tests pass in the page's Python: a second Python, the lowest NumPy that we promise."""

import tomllib
from collections import Counter

import pytest

from support import in_page_maths
from support.in_page_site import write_site
from support.places import LIBRARY

PROJECT = tomllib.loads((LIBRARY / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture(scope="module")
def python(browser, tmp_path_factory):
    """A function that runs code in the page's Python, where pytest and the tests are."""
    page = browser.new_page()
    page.goto(write_site(tmp_path_factory.mktemp("site")))

    def run(code, limit=30):
        return page.evaluate("([code, limit]) => clearhead.run(code, {limit})", [code, limit])

    in_page_maths.prepare(run, in_page_maths.test_files())
    yield run
    page.close()


@pytest.mark.pages
def test_what_is_computed_is_right_in_the_page_too(python):
    """One to two minutes; what needs PyTorch is skipped, and the rest may not shrink."""
    told = [in_page_maths.tried(python, path) for path in in_page_maths.test_files()]
    assert [failed for one in told for failed in one["failed"]] == []
    counts = sum((Counter(one["counts"]) for one in told), Counter())
    print(f"Python {told[0]['python']}, NumPy {told[0]['numpy']}: {dict(counts)}")
    assert counts["passed"] > 2000
    assert counts["skipped"] < counts["passed"] / 5  # those that compare with PyTorch
    assert told[0]["python"].startswith("3.12.")
    assert f"numpy>={told[0]['numpy'].rpartition('.')[0]}" in PROJECT["dependencies"]


@pytest.mark.pages
def test_a_wrong_library_is_found_out_there(python):
    edge_cases, test = (
        in_page_maths.TESTS / "maths" / "test_edge_cases.py",
        "::test_temperature_0_picks_in_each_row",
    )
    assert in_page_maths.tried(python, edge_cases, test)["failed"] == []
    wrong = "from clearhead.maths import softmax\nright = softmax.softmax\nsoftmax.softmax = lambda x: x"
    assert python(wrong)["error"] is None
    found = in_page_maths.tried(python, edge_cases, test)
    python("softmax.softmax = right")
    assert len(found["failed"]) == 1


def test_the_tests_of_the_maths_are_chosen_and_no_others():
    names = {path.stem for path in in_page_maths.test_files()}
    assert {
        "test_shape_tables",
        "test_edge_cases",
        "test_properties",
        "test_errors",
        "test_sampling",
    } <= names
    assert not {"test_in_page", "test_pages", "test_grading"} & names
