"""The object that `get_ipython()` returns without IPython, which runs Python and ignores commands."""

import ast
import asyncio
import inspect
import time
from functools import cache
from types import SimpleNamespace

from . import syntax

RUNS_PYTHON = ("time", "prun")  # line magics whose statement runs in the notebook's namespace
SILENT = (
    "matplotlib",
    "config",
    "load_ext",
    "reload_ext",
    "autoreload",
    "xmode",
    "precision",
    "pdb",
    "pinfo",
)
SILENT += ("pinfo2", "psearch")
POLL = 0.01  # seconds to wait before asking again whether another thread has a result
AWAITS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


class Output(list):
    """The output of a command, as IPython returns it; here it is always empty."""

    l = list = property(list)
    n = nlstr = s = spstr = property(lambda self: "")


class Shell:
    """A replacement for IPython's shell, for notebooks that run without IPython.

    `namespace` is that of the notebook. `tell` is called with a sentence for each command that is left out.
    """

    def __init__(self, namespace, tell=lambda words: None):
        self.user_ns, self._tell = namespace, tell

    def run_line_magic(self, name, line="", *_, **__):
        """Return the result of `%name line`: its value for %time, a report for %timeit, else None."""
        if name in RUNS_PYTHON:
            return self._run_statement(line)
        if name == "timeit":
            known = dict.fromkeys(("best", "worst", "average", "stdev", "compile_time"), 0.0)
            return SimpleNamespace(**known, timings=[], all_runs=[], loops=1, repeat=1)
        if name not in SILENT:
            self._tell(f"`%{name} {line}`".replace(" `", "`") + " was left out: it needs IPython.")
        return None

    def magic(self, line):
        """Return the result of a line magic, which is given as one string such as "%time f(x)"."""
        name, _, rest = line.lstrip("%").partition(" ")
        return self.run_line_magic(name, rest)

    def run_cell_magic(self, name, line, body):
        """Run the body of a cell magic whose names stay defined, and ignore any other cell magic."""
        self.run_cell(f"%%{name} {line}\n{body}")

    def run_cell(self, text, *_, **__):
        """Run a cell in the namespace of the notebook."""
        tree, left_out = syntax.module(text)
        if left_out:
            self._tell(f"`%%{left_out}` was left out, with its cell: it needs IPython.")
        execute(compile(tree, "<cell>", "exec", flags=AWAITS), self.user_ns)

    def system(self, command):
        """Ignore a command, and report that it was left out."""
        self._tell(f"`!{command.strip()}` was left out: there is no command line here.")

    def getoutput(self, command, *_, **__):
        """Report that a command was left out, and return its empty output."""
        self.system(command)
        return Output()

    def _run_statement(self, line):
        tree, _ = syntax.module(line.strip())
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        execute(compile(tree, "<magic>", "exec", flags=AWAITS), self.user_ns)
        return last and execute(
            compile(ast.Expression(last.value), "<magic>", "eval", flags=AWAITS), self.user_ns
        )

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments, **named: None


class _Loop(asyncio.base_events.BaseEventLoop):
    """An event loop that only waits, so that it works without sockets, in the page and in a sandbox."""

    def __init__(self):
        super().__init__()
        self._selector = self

    def select(self, seconds=None):
        """Wait for some seconds, and return the empty list of events."""
        time.sleep(POLL if seconds is None else seconds)
        return []

    def _process_events(self, events):
        pass

    def _write_to_self(self):
        pass


def execute(code, namespace):
    """Run compiled code, in which `await` may occur at the top level, and return its value."""
    value = eval(code, namespace)
    if not (code.co_flags & inspect.CO_COROUTINE and inspect.iscoroutine(value)):
        return value
    around = asyncio._get_running_loop()  # a page has its own loop, which cannot be run from here
    asyncio._set_running_loop(None)
    try:
        return _loop().run_until_complete(value)
    finally:
        asyncio._set_running_loop(around)


@cache
def _loop():
    return _Loop()
