"""Python's side of the page: run a cell, keep what it prints, watch the clock where there are no signals."""

import ast
import builtins
import importlib.util
import io
import json
import linecache
import signal
import symtable
import sys
import sysconfig
import time
import traceback
import types
from pathlib import Path

import numpy as np

ROOM = " (Python in the page has 1 GB of memory)"
PRINTED = 200_000  # characters of one run that the page shows
ABSENT = {"torch": "PyTorch", "sklearn": "scikit-learn", "matplotlib": "Matplotlib", "IPython": "IPython"}
ABSENT |= {
    name: name
    for name in (
        "scipy",
        "pandas",
        "threadpoolctl",
        "transformers",
        "ipywidgets",
        "anywidget",
        "sympy",
    )
}
LEFT_OUT = (
    "clearhead.nets",
    "clearhead.training",
    "clearhead.pretrained.convert",
    "clearhead.pretrained.minilm",
)
LEFT_OUT += (
    "clearhead.pretrained.live",
    "clearhead.pretrained.induction",
)
DRAWN = ("clearhead.widgets", "clearhead.figures.block_diagram", "matplotlib", "IPython")
variables = {"__name__": "__main__", "__builtins__": builtins}


class Stopped(BaseException):
    """Raised in a cell that runs too long; no `except Exception` catches it."""


class Printed(io.TextIOBase):
    """Keeps the first characters of what is printed, counts the rest, and shows it while it comes."""

    encoding = "utf-8"

    def __init__(self, show):
        self.show, self.parts, self.length, self.shown, self.due = show, [], 0, 0, 0.0

    def writable(self):
        """Return True."""
        return True

    def write(self, text):
        """Keep a text, and show what there is ten times a second."""
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
        """Return what is kept, and how much is not."""
        rest = self.length - PRINTED
        return "".join(self.parts) + (f"\n... and {rest:,} characters more, not shown\n" if rest > 0 else "")


class Clock:
    """Signals from the page's own clock, and the lines of a cell, each told when it first begins."""

    TOOL = sys.monitoring.DEBUGGER_ID

    def __init__(self):
        self.alarm = self.tell = None
        sys.monitoring.use_tool_id(self.TOOL, "lines")
        sys.monitoring.register_callback(self.TOOL, sys.monitoring.events.LINE, self.line)

    def line(self, code, number):
        """Tell the page a line of the cell, once."""
        self.tell(number)
        return sys.monitoring.DISABLE

    def watch(self, code):
        """Tell the lines of a code object, and of those inside it."""
        sys.monitoring.set_local_events(self.TOOL, code, sys.monitoring.events.LINE)
        for part in code.co_consts:
            if isinstance(part, type(code)):
                self.watch(part)

    def setitimer(self, which, seconds, interval=0.0):
        """Stand in for signal.setitimer, which the browser lacks."""
        self.alarm(seconds, interval)
        return 0.0, 0.0


clock = Clock()
signal.setitimer = clock.setitimer


def overrun(number, frame):
    """Raise Stopped: the page rings when a cell has run too long."""
    raise Stopped("it is still running: is there a loop that never ends?")


signal.signal(signal.SIGINT, overrun)


def place_of(kind):
    """Stand in for sysconfig.get_path, which knows neither the zip nor the place of NumPy here."""
    return "/lib/python312.zip" if kind == "stdlib" else "/lib/python3.12/"


sysconfig.get_path = place_of


def no_input(prompt=""):
    """Stand in for input, which would wait for ever."""
    raise RuntimeError("input() cannot ask in the page: write the value into the code")


builtins.input = no_input


def narrow(x):
    """Return an array of 64-bit integers as one of this machine's 32 bits where they fit, else as it is."""
    long = isinstance(x, np.ndarray) and x.dtype == np.int64 and x.size
    fits = long and max(-int(x.min()), int(x.max())) < 2**31
    return x.astype(np.intp) if fits else x


class Generator(np.random.Generator):
    """Draws the integers that other machines draw, as arrays of this 32-bit machine's own integers.

    NumPy draws 64 bits everywhere; here it then refuses them as counts, and prints them with their dtype.
    """

    def integers(self, *arguments, **named):
        """Return random integers; a dtype that is asked for stays."""
        drawn = super().integers(*arguments, **named)
        return drawn if "dtype" in named else narrow(drawn)

    def choice(self, *arguments, **named):
        """Return a random choice."""
        return narrow(super().choice(*arguments, **named))

    def __reduce__(self):
        return Generator, (self.bit_generator,)


def default_rng(seed=None, new=np.random.default_rng):
    """Return a Generator, as numpy.random.default_rng does."""
    return Generator(new(seed).bit_generator)


np.random.Generator, np.random.default_rng = Generator, default_rng


class Recorded:
    """Stands in for what draws: nothing is drawn, the page shows the recorded picture."""

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return self

    def __call__(self, *arguments, **named):
        return self

    __getitem__ = __add__ = __iadd__ = __call__

    def __setitem__(self, key, value):
        """Take anything."""


def pictures():
    """Return `clearhead.figures` as the page has it: tables are real, what draws is recorded."""
    import clearhead

    room, folder = types.ModuleType("clearhead.figures"), Path(clearhead.__file__).with_name("figures")
    room.__path__ = [str(folder)]

    def named(name):
        if name in ("show", "table"):
            return getattr(importlib.import_module("clearhead.figures.tables"), name)
        if name.startswith("__") or (folder / f"{name}.py").exists():  # a module: imported, then found
            raise AttributeError(name)
        return Recorded()

    room.__getattr__ = named
    return room


if importlib.util.find_spec("matplotlib") is None:
    sys.modules["clearhead.figures"] = pictures()


class Absent:
    """Stands in for a package that the page lacks: what is asked of it says so."""

    def __init__(self, name):
        self.__dict__["_name"] = name

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        raise ModuleNotFoundError(self._name, name=self._name)

    __call__ = __mro_entries__ = __getitem__ = __iter__ = __enter__ = lambda self, *_, **named: self.missing


def spared(tree):
    """Return a cell without its imports of absent packages; their names stand for what is missing.

    A cell that imports also goes without its lines that use them, such as a seed for PyTorch.
    """
    kept, imports = [], any(isinstance(part, ast.Import | ast.ImportFrom) for part in tree.body)
    for statement in tree.body:
        names = absent_names(statement)
        variables.update({name: stand_in(package) for name, package in names.items()})
        if imports and uses_absent(statement):
            variables.update({name: Absent("torch") for name in made(statement)})
        elif not names:
            kept.append(statement)
    tree.body = kept
    return tree


def made(statement):
    """Return the names that a statement makes, not those inside its functions."""
    top = symtable.symtable(ast.unparse(statement), "cell", "exec")
    found = {name.get_name() for name in top.get_symbols() if name.is_assigned() or name.is_namespace()}
    return found - passing(statement)


def passing(statement):
    """Return the names that live inside a comprehension alone: Python 3.12 counts them as the cell's."""
    targets = (part.target for part in ast.walk(statement) if isinstance(part, ast.comprehension))
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def uses_absent(statement):
    """Return True where a statement, or a function in it, reads a name that stands for an absent package."""
    tables, inner = [symtable.symtable(ast.unparse(statement), "cell", "exec")], passing(statement)
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for name in (each for each in table.get_symbols() if each.get_name() not in inner):
            own = name.is_global() or table.get_type() == "module"
            if own and name.is_referenced() and isinstance(variables.get(name.get_name()), Absent):
                return True
    return False


def stand_in(package):
    """Return what stands for a package that the page lacks."""
    return Recorded() if package in DRAWN else Absent(package)


class Datasets(types.ModuleType):
    """Stands in for `sklearn.datasets`: the two sets that the book reads, from files beside the library."""

    def load_digits(self, *, return_X_y=False):
        """Return 1,797 written digits of 8 × 8 pixels, from 0 to 16, and what they are."""
        return self._table("digits", return_X_y, lambda data: {"images": data.reshape(-1, 8, 8)})

    def load_wine(self, *, return_X_y=False):
        """Return 13 measurements of 178 wines, and their growers."""
        return self._table("wine", return_X_y, lambda data: {})

    def _table(self, name, return_X_y, more):
        import clearhead

        rows = np.load(Path(clearhead.__file__).parents[1] / f"{name}.npy").astype(float)
        data, target = rows[:, :-1], rows[:, -1].astype(int)
        return (data, target) if return_X_y else types.SimpleNamespace(data=data, target=target, **more(data))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise ModuleNotFoundError("sklearn", name="sklearn")


if importlib.util.find_spec("sklearn") is None:
    sys.modules["sklearn"] = types.ModuleType("sklearn")
    sys.modules["sklearn"].datasets = sys.modules["sklearn.datasets"] = Datasets("sklearn.datasets")


def lacking(module):
    """Return the package that the page lacks, "" where it has the module."""
    if module.startswith("sklearn.datasets.") and hasattr(Datasets, module.rpartition(".")[2]):
        return ""
    parts = module.split(".")
    prefixes = (".".join(parts[:length]) for length in range(1, len(parts) + 1))
    return next((name for name in prefixes if name in ABSENT or name in DRAWN or name in LEFT_OUT), "")


def absent_names(statement):
    """Return the names that an import would take from absent packages, with the package of each."""
    if isinstance(statement, ast.ImportFrom) and not statement.level:
        found = {n.asname or n.name: lacking(f"{statement.module}.{n.name}") for n in statement.names}
        return {name: package for name, package in found.items() if package}
    if isinstance(statement, ast.Import):
        found = {n.asname or n.name.split(".")[0]: lacking(n.name) for n in statement.names}
        return {name: package for name, package in found.items() if package}
    return {}


def run(source, cell, spare, show):
    """Run a cell; return what it printed, its last value as text and as HTML, and its error, as JSON.

    With `spare` it runs without its imports of packages that the page lacks.
    """
    name = f"<{cell}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    printed = Printed(show)
    kept = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = printed
    result = {"html": None, "last": None, "error": None, "line": None}
    begun = time.perf_counter()
    try:
        body, last = parts(source, name, spare)
        exec(body, variables)
        value = eval(last, variables) if last else None
        if value is not None and not isinstance(value, Recorded):
            builtins._ = variables["_"] = value
            result["html"] = html(value)
            result["last"] = repr(value)
            print(result["last"])
    except BaseException as error:
        result |= {"error": in_words(error), "line": line_of(error, name)}
        printed.write(story(error, result, name))
    finally:
        sys.stdout, sys.stderr = kept
    seconds = round(time.perf_counter() - begun, 3)
    return json.dumps(result | {"text": printed.text(), "seconds": seconds})


def parts(source, name, spare):
    """Return the code of a cell, and of its last line apart where that is an expression, else None."""
    tree = spared(ast.parse(source, name)) if spare else ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    if last is not None and source.rstrip().endswith(";"):
        tree.body.append(last)
        last = None
    code = compile(tree, name, "exec")
    clock.watch(code)
    return code, last and compile(ast.Expression(last.value), name, "eval")


def html(value):
    """Return the HTML of a value that has one, else None."""
    try:
        made = value._repr_html_()
    except Exception:
        return None
    return made if isinstance(made, str) else None


def in_words(error):
    """Return an error in one sentence."""
    missing = (error.name or "").split(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    if missing in ABSENT or missing == "clearhead":
        named = ABSENT.get(missing, "PyTorch")
        return f"{named} does not run in the page: this needs Jupyter. Here there are NumPy and clearhead."
    if isinstance(error, FileNotFoundError) and str(error.filename).startswith("/book/"):
        return "This reads a file of the library that is not in the page: it works in Jupyter."
    if isinstance(error, Stopped):
        return f"Stopped: {error}"
    if isinstance(error, SystemExit):
        return "SystemExit: the cell asked Python to end. It goes on."
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg}"
    try:
        said = f"{type(error).__name__}: {error}"[:2000].rstrip(": ")
        return said + (ROOM if isinstance(error, MemoryError) or "array is too big" in said else "")
    except Exception:
        return f"{type(error).__name__}: (its message could not be read)"


def line_of(error, name):
    """Return the number of the cell's own line where an error was raised, or None."""
    if isinstance(error, SyntaxError) and error.filename == name:
        return error.lineno
    found = [step.lineno for step in traceback.extract_tb(error.__traceback__) if step.filename == name]
    return found[-1] if found else None


def story(error, result, name):
    """Return what the page shows of an error: the lines of the reader's own cells, then the error."""
    steps = [(step.filename, step.lineno, step.line) for step in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename == name:
        steps = [(name, error.lineno, (error.text or "").strip())]
    own = [(name, number, line) for name, number, line in steps if name.startswith("<") and line]
    own = own if len(own) <= 6 else [*own[:3], ("", 0, ""), *own[-3:]]
    lines = [f"line {number}: {line}" if number else "..." for name, number, line in own]
    return "\n".join([*lines, result["error"], ""])


def records():
    """Return what the library remembers of the exercises, as JSON."""
    from clearhead.checks import progress

    return json.dumps(progress.records())
