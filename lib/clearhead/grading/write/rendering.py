"""Rendering of the grader's pages from templates, with all untrusted text escaped."""

import re
from datetime import datetime
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from ..collect.untrusted_text import clean
from .grade_table import format_points

_CODE = re.compile(r"`([^`\n]+)`")
TEMPLATES = Path(__file__).parent / "templates"


def code_as_html(text):
    """Return an untrusted string as HTML, in which text between backticks is code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(str(text)))))


def sentence(text):
    """Return a string with a full stop at its end, unless it ends with another punctuation mark."""
    text = str(text).rstrip()
    return (
        text
        if text.endswith((".", "!", "?", "…", ":")) and not text.endswith("..")
        else f"{text.rstrip('.')}."
    )


def moment(time):
    """Return a time in ISO 8601 in a readable form, to the minute, with its time zone."""
    return f"{datetime.fromisoformat(time):%Y-%m-%d %H:%M %Z}".strip()


@cache
def _environment():
    made = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    made.filters |= {"code": code_as_html, "clean": lambda text: clean(text, 200), "moment": moment}
    made.filters |= {"sentence": sentence, "figures": format_points}
    return made


def render(template, **values):
    """Return the page that a template makes of the given values."""
    return _environment().get_template(template).render(**values)
