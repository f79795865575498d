"""The files for those who report, contribute and cite: forms are complete, links lead somewhere."""

import re

import pytest
import yaml

from support.places import ROOT

GITHUB = ROOT / ".github"
FORMS = [path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"]
PAPER = ROOT / "book" / "paper"
#: What GitHub accepts in a form: the kind of a field, and what its attributes must have.
FIELDS = {
    "markdown": {"value"},
    "input": {"label"},
    "textarea": {"label"},
    "dropdown": {"label", "options"},
    "checkboxes": {"label", "options"},
}


def faults_of_form(form):
    """Return what GitHub would refuse in a form for issues."""
    faults = [f"{key} is missing" for key in ("name", "description", "body") if not form.get(key)]
    fields = form.get("body", [])
    ids = [field["id"] for field in fields if "id" in field]
    faults += [f"the id {each} is there twice" for each in set(ids) if ids.count(each) > 1]
    for field in fields:
        lacking = FIELDS.get(field["type"], {"a known type"}) - set(field["attributes"])
        faults += [f"{field['type']}: {each} is missing" for each in sorted(lacking)]
        if field["type"] != "markdown" and not re.fullmatch(r"[\w-]+", field.get("id", "")):
            faults.append(f"{field['type']} has no id")
    return faults


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_form_for_issues_is_one_that_github_accepts(path):
    assert faults_of_form(yaml.safe_load(path.read_text("utf-8"))) == []


def test_faults_of_a_form_are_found():
    field = {"type": "input", "id": "a", "attributes": {}}
    form = {"name": "A", "body": [field, field, {"type": "field", "attributes": {"label": "b"}}]}
    assert faults_of_form(form) == [
        "description is missing", "the id a is there twice", "input: label is missing",
        "input: label is missing", "field: a known type is missing", "field has no id",
    ]  # fmt: skip


def test_four_kinds_of_report_have_a_form():
    assert {path.stem for path in FORMS} == {"wrong_number", "confusing_sentence", "bug", "idea"}


@pytest.mark.parametrize("path", sorted(GITHUB.glob("*.md")), ids=lambda path: path.stem)
def test_links_of_the_community_files_lead_somewhere(path):
    text = path.read_text("utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (GITHUB / target).exists(), target


def test_form_names_in_the_support_page_exist():
    names = {yaml.safe_load(path.read_text("utf-8"))["name"] for path in FORMS}
    named = re.findall(r"form \*([^*]+)\*", (GITHUB / "SUPPORT.md").read_text("utf-8"))
    assert len(named) >= 2
    for each in named:
        assert any(name.startswith(each) for name in names), each


def test_paper_cites_what_its_bibliography_holds():
    text, sources = (PAPER / "paper.md").read_text("utf-8"), (PAPER / "paper.bib").read_text("utf-8")
    known = re.findall(r"^@\w+\{(\w+),", sources, re.M)
    assert len(known) == len(set(known))
    assert set(re.findall(r"@(\w+)", text.split("---\n", 2)[2])) == set(known)


def test_paper_has_the_parts_that_the_journal_asks_for():
    _, head, text = (PAPER / "paper.md").read_text("utf-8").split("---\n", 2)
    front = yaml.safe_load(head)
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= set(front)
    listed = {each["index"] for each in front["affiliations"]}
    assert {each["affiliation"] for each in front["authors"]} <= listed
    assert (PAPER / front["bibliography"]).exists()
    headings = re.findall(r"^# (.+)$", text, re.M)
    for needed in ("Summary", "Statement of need", "Audience", "Learning objectives", "References"):
        assert needed in headings


def test_citation_names_authors_title_and_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors", "version", "license"} <= set(cited)
    for author in cited["authors"]:
        assert author.get("name") or {"given-names", "family-names"} <= set(author)
