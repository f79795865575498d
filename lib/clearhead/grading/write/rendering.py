"""Pages of the grader in the look of the book, from templates; what others wrote is escaped."""

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
    """Return a text of whomever as text of a page; what stands between ` is code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(str(text)))))


def sentence(text):
    """Return a text that ends like a sentence, with one full stop."""
    text = str(text).rstrip()
    return (
        text
        if text.endswith((".", "!", "?", "…", ":")) and not text.endswith("..")
        else f"{text.rstrip('.')}."
    )


def moment(time):
    """Return a time of ISO 8601 as people read it, to the minute, with its zone."""
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
    """Return a page made from a template."""
    return _environment().get_template(template).render(**values)
