"""Translated pages: lines are replaced, and what a catalogue lacks stays English and is reported."""

import sys
from types import SimpleNamespace

import pytest
from babel.messages.catalog import Catalog

from support.places import ROOT

sys.path.append(str(ROOT / "book" / "_ext"))
pytest.importorskip("sphinx")

import translated_pages

import translations

TEXT = "# A title\n\nA sentence with [a link](notation.md).\n\n* An item.\n* Another item.\n"


def messages(**entries):
    found = Catalog(locale="es")
    for english, spanish in entries.items():
        found.add(english.replace("_", " "), spanish)
    return found


def test_lines_are_translated_and_keep_their_marks():
    known = messages(A_title="Un título", **{"An item.": "Un punto.", "Another item.": "Otro punto."})
    page, lacking = translated_pages.translated(TEXT, known)
    assert page == "# Un título\n\nA sentence with [a link](notation.md).\n\n* Un punto.\n* Otro punto.\n"
    assert lacking == ["line 3 is not translated: A sentence with [a link](notation.md)."]


def test_changed_english_makes_a_translation_lag_behind():
    """The new line stays English, its old translation is reported, and neither is an error."""
    known = messages(**{"An item.": "Un punto."})
    page, lacking = translated_pages.translated("* An item, changed.", known)
    assert page == "* An item, changed."
    assert lacking == ["line 1 is not translated: An item, changed.", "no line needs the entry: An item."]


def test_fuzzy_and_empty_entries_do_not_count():
    known = messages(**{"An item.": "", "Another item.": "Otro punto."})
    known.get("Another item.").flags.add("fuzzy")
    page, lacking = translated_pages.translated(TEXT, known)
    assert page == TEXT
    assert len(lacking) == 4


def source_of(docname, builder="html"):
    """Return the source of a page of the book after the step."""
    env = SimpleNamespace(note_dependency=lambda path: None)
    app = SimpleNamespace(builder=SimpleNamespace(name=builder), env=env)
    source = [(ROOT / f"{docname}.md").read_text("utf-8")]
    translated_pages.translate(app, docname, source)
    return source[0]


def test_page_in_spanish_has_the_headings_of_the_english_page():
    here, there = source_of("book/how_to_read"), source_of("book/es/how_to_read")
    marks = [
        [line.split()[0] for line in text.split("\n") if line.startswith(("#", "* "))]
        for text in (here, there)
    ]
    assert marks[0] == marks[1]
    assert "<!-- translation" not in there
    assert "](../glossary.md)" in there
    assert there.startswith("---\nmyst:")


def test_each_page_leads_to_its_other_languages():
    assert 'lang="es" hreflang="es" href="es/how_to_read.html"' in source_of("book/how_to_read")
    assert 'lang="en" hreflang="en" href="../how_to_read.html"' in source_of("book/es/how_to_read")
    assert "ch-languages" not in source_of("book/notation")
    assert "ch-languages" not in source_of("book/how_to_read", "gettext")


def test_report_names_each_catalogue_and_never_fails():
    lines = translations.report()
    assert any(line.startswith("book/locale/es/LC_MESSAGES/how_to_read.po: ") for line in lines)


def test_every_language_has_an_invitation_and_a_catalogue():
    for page in (ROOT / "book").glob("??/*.md"):
        assert page.parent.name in translated_pages.INVITATION
        assert translated_pages.catalogue(page.parent.name, page.stem)
