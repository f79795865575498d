"""The page "Talk to a real model" without the book around it, for tests and measurements."""

import shutil
import sys

from support.places import ROOT

sys.path.append(str(ROOT / "book" / "_ext"))

from talk_directive import BOX, START, STYLE

#: The theme's colours that the style names, in light and in dark.
COLOURS = """
:root { --pst-color-border: #ced6dd; --pst-color-background: #fff; --pst-color-text-base: #222832;
  --pst-color-text-muted: #48566b; }
html[data-theme=dark] { --pst-color-border: #48566b; --pst-color-background: #14181e;
  --pst-color-text-base: #ced6dd; --pst-color-text-muted: #9ca4af; }
body { margin: 1rem; font-family: sans-serif; background: var(--pst-color-background);
  color: var(--pst-color-text-base); }"""


def write_site(folder, model=None):
    """Write the page and its files into a folder, the model too if it is given; return the page's path."""
    static = folder / "_static"
    shutil.copytree(ROOT / "book" / "static" / "talk", static / "talk")
    if model:
        (static / START).with_name("smollm2.gguf").symlink_to(model)
    book = (ROOT / "book" / "static" / "clearhead.css").read_text("utf-8")
    page = folder / "talk.html"
    page.write_text(
        '<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8"><title>Talk</title>'
        '<meta name="viewport" content="width=device-width">'
        f"<style>{COLOURS}{book}</style>"
        f'<link rel="stylesheet" href="_static/{STYLE}"><script defer src="_static/{START}"></script>'
        f"<main><h1>Talk to a real model</h1>{BOX}</main></html>",
        "utf-8",
    )
    return page
