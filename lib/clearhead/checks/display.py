"""Text in lines that fit, and a button for hints in notebooks that support it."""

import html
import re
import sys
import textwrap

from .. import in_lab

LINE_WIDTH = 78


def split_lines(text):
    r"""Return the lines of a text, which end only at "\n", "\r\n" or "\r", as in Python source code."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removesuffix("\n").split("\n") if text else []


def wrapped(text):
    """Return a text in lines of at most 78 characters, broken between words but not inside short `code`."""
    return "\n".join(line if len(line) <= LINE_WIDTH else _in_lines(line) for line in split_lines(text))


def _in_lines(line):
    """Return a long line broken into several lines with the same indentation."""
    margin = line[: len(line) - len(line.lstrip())]
    protected = re.sub("`[^`]*`", lambda code: code[0].replace(" ", "\0"), line)
    lines = textwrap.wrap(protected, LINE_WIDTH, subsequent_indent=margin, break_on_hyphens=False)
    return "\n".join(lines).replace("\0", " ")


def print_text(text):
    """Print a text, with ASCII in place of ticks and stars if the console cannot show them."""
    text = wrapped(text)
    try:
        print(text)
    except UnicodeEncodeError:
        coding = sys.stdout.encoding or "ascii"
        for sign, words in {"✓": "ok", "✗": "--", "○": "..", "★": "*", "☆": "."}.items():
            text = text.replace(sign, words)
        print(text.encode(coding, "replace").decode(coding))


def has_buttons():
    """Return True if this runs in a notebook whose kernel has ipywidgets installed."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if getattr(shell, "kernel", None) is None:
        return False
    try:
        import ipywidgets  # noqa: F401
    except ImportError:
        return False
    return True


def show_hint_button(next_hint):
    """Show a button for `next_hint`, which returns a hint and whether it is the last one."""
    import ipywidgets
    from IPython.display import display

    button = ipywidgets.Button(description="Show a hint")
    words = ipywidgets.HTML()

    def pressed(_):
        hint, last = next_hint()
        words.value += f"<p>{html.escape(hint)}</p>"
        button.description = "No more hints" if last else "Show the next hint"
        button.disabled = last

    button.on_click(pressed)
    both = ipywidgets.VBox([button, words])
    if in_lab.sent():
        in_lab.show_with_still(both, "", "Run this check again for its hints.")
    else:
        display(both)
