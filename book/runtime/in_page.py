"""Python's side of the page: run a cell, capture its output, and explain errors in a sentence."""

import ast
import builtins
import io
import json
import linecache
import sys
import time
import traceback
from pathlib import Path

from in_page_absent import ABSENT, Recorded, variables, without_unavailable
from in_page_browser import Stopped, clock

from clearhead.checks.former_ids import renamed_functions
from clearhead.errors import UserError
from clearhead.sandbox import reading
from clearhead.sandbox.shell import AWAITS, Shell, execute
from clearhead.sandbox.syntax import lines_of, module

MEMORY_LIMIT = " (Python in the page has 1 GB of memory)"
LOADED = "/tmp/loaded.ipynb"
PRINTED = 200_000  # characters of one run that the page shows


class Printed(io.TextIOBase):
    """A stream that keeps the first characters of the output, counts the rest, and shows it meanwhile."""

    encoding = "utf-8"

    def __init__(self, show):
        self.show, self.parts, self.length, self.length_shown, self.due = show, [], 0, 0, 0.0

    def writable(self):
        """Return True."""
        return True

    def write(self, text):
        """Store a string, and show the output ten times a second."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if self.length < PRINTED:
            self.parts.append(text[: PRINTED - self.length])
            if time.monotonic() > self.due:
                self.due = time.monotonic() + 0.1
                self.show(self.text())
        self.length += len(text)
        return len(text)

    def text(self):
        """Return the stored output, and how much is missing."""
        rest = self.length - PRINTED
        return "".join(self.parts) + (f"\n... and {rest:,} characters more, not shown\n" if rest > 0 else "")


def run(source, cell, skip_unavailable, show):
    """Run a cell; return what it printed, its last value as text and as HTML, and its error, as JSON.

    With `skip_unavailable` it runs without its imports of packages that the page lacks.
    """
    name = f"<{cell}>"
    linecache.cache[name] = (len(source), None, lines_of(source), name)
    printed = Printed(show)
    streams = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = printed
    result = {"html": None, "last": None, "error": None, "line": None}
    started = time.perf_counter()
    try:
        body, last = parts(source, name, skip_unavailable)
        execute(body, variables)
        value = execute(last, variables) if last else None
        if value is not None and not isinstance(value, Recorded):
            builtins._ = variables["_"] = value
            result["html"] = html(value)
            result["last"] = repr(value)
            print(result["last"])
    except BaseException as error:
        result |= {"error": describe(error), "line": line_of(error, name)}
        printed.write(traceback_of(error, result, name))
    finally:
        sys.stdout, sys.stderr = streams
    seconds = round(time.perf_counter() - started, 3)
    return json.dumps(result | {"text": printed.text(), "seconds": seconds})


def parts(source, name, skip_unavailable):
    """Return the code of a cell, and of its last line apart where that is an expression, else None.

    The cell is read as Jupyter reads it; a cell magic that needs IPython is said to be left out.
    """
    tree, left_out = module(source, name)
    if left_out:
        print(f"This cell was left out: `%%{left_out}` needs Jupyter.")
    tree = without_unavailable(tree) if skip_unavailable else tree
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    if last is not None and source.rstrip().endswith(";"):
        tree.body.append(last)
        last = None
    code = compile(tree, name, "exec", flags=AWAITS)
    clock.watch(code)
    return code, last and compile(ast.Expression(last.value), name, "eval", flags=AWAITS)


def display(*values, **named):
    """Replace IPython's display: print each value."""
    for value in values:
        if not isinstance(value, Recorded):
            print(repr(value))


shell = Shell(variables, print)
variables.update(get_ipython=lambda: shell, display=display)


def load(request):
    """Return the answers to the exercises of a request, from the notebook in LOADED, as JSON."""
    try:
        raw, request = Path(LOADED).read_bytes(), json.loads(request)
        for number in {id[:2] for id in request["names"]}:
            raw = reading.with_present_names(raw, renamed_functions(number))
        found, messages = reading.answers(raw, **request)
    except UserError as error:
        found, messages = {}, [str(error)]
    return json.dumps({"answers": found, "messages": messages})


def html(value):
    """Return the HTML of a value that has one, else None."""
    try:
        names_bound_by = value._repr_html_()
    except Exception:
        return None
    return names_bound_by if isinstance(names_bound_by, str) else None


def describe(error):
    """Describe an error in one sentence."""
    missing = (error.name or "").split(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    if missing in ABSENT or missing == "clearhead":
        package = ABSENT.get(missing, "PyTorch")
        return f"{package} does not run in the page: this needs Jupyter. Here there are NumPy and clearhead."
    if isinstance(error, FileNotFoundError) and str(error.filename).startswith("/book/"):
        return "This reads a file of the library that is not in the page: it works in Jupyter."
    if isinstance(error, Stopped):
        return f"Stopped: {error}"
    if isinstance(error, SystemExit):
        return "SystemExit: the cell asked Python to end. It goes on."
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg}"
    try:
        message = f"{type(error).__name__}: {error}"[:2000].rstrip(": ")
        too_large = isinstance(error, MemoryError) or "array is too big" in message
        return message + (MEMORY_LIMIT if too_large else "")
    except Exception:
        return f"{type(error).__name__}: (its message could not be read)"


def line_of(error, name):
    """Return the number of the cell's own line where an error was raised, or None."""
    if isinstance(error, SyntaxError) and error.filename == name:
        return error.lineno
    found = [step.lineno for step in traceback.extract_tb(error.__traceback__) if step.filename == name]
    return found[-1] if found else None


def traceback_of(error, result, name):
    """Return the traceback for the page: the lines of the reader's own cells, then the error."""
    steps = [(step.filename, step.lineno, step.line) for step in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename == name:
        steps = [(name, error.lineno, (error.text or "").strip())]
    own = [(name, number, line) for name, number, line in steps if name.startswith("<") and line]
    own = own if len(own) <= 6 else [*own[:3], ("", 0, ""), *own[-3:]]
    lines = [f"line {number}: {line}" if number else "..." for name, number, line in own]
    return "\n".join([*lines, result["error"], ""])


def records():
    """Return the library's records of the exercises, as JSON."""
    from clearhead.checks import progress

    return json.dumps(progress.records())
