"""A button under a check that shows the next hint, in a notebook that has ipywidgets."""

import html
import sys

from .. import in_lab


def possible():
    """Return True in a notebook whose kernel has ipywidgets."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if getattr(shell, "kernel", None) is None:
        return False
    try:
        import ipywidgets  # noqa: F401
    except ImportError:
        return False
    return True


def show(next_hint):
    """Show the button. `next_hint()` returns the words of a hint, and whether it was the last one."""
    import ipywidgets
    from IPython.display import display

    button = ipywidgets.Button(description="Show a hint")
    words = ipywidgets.HTML()

    def pressed(_):
        said, last = next_hint()
        words.value += f"<p>{html.escape(said)}</p>"
        button.description = "No more hints" if last else "Show the next hint"
        button.disabled = last

    button.on_click(pressed)
    both = ipywidgets.VBox([button, words])
    if in_lab.sent():
        in_lab.show_with_still(both, "", "Run this check again for its hints.")
    else:
        display(both)
