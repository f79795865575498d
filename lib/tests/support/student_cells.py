"""Cells as students write them, each with what Jupyter's `check` says of the answer in them."""

from clearhead.grading.commands.example import IMPORTS

RIGHT = "def sharpen(q, k_near, k_far, weight):\n"
RIGHT += "    return np.log(weight / (1 - weight)) / (q @ (k_near - k_far) / np.sqrt(len(q)))\n"
LAMBDA = "lambda q, n, f, w: np.log(w / (1 - w)) / (q @ (n - f) / np.sqrt(len(q)))\n"
WRONG = "def sharpen(q, k_near, k_far, weight):\n    return 0.0\n"
STUB = "def sharpen(q, k_near, k_far, weight):\n    raise NotImplementedError  # your turn\n"
BETTER = RIGHT.replace("sharpen", "better")
DECORATED = "def wrap(f):\n    return lambda *a: f(*a)\n@wrap\n"


def _indented(text, by="    "):
    return "".join(by + line for line in text.splitlines(True))


def _prompted(text, first=">>> ", other="... "):
    lines = text.splitlines(True)
    return first + lines[0] + "".join(other + line for line in lines[1:])


#: A name, the cells after the imports, and whether the answer is right in Jupyter.
CELLS = {
    "plain": ([RIGHT], True),
    "files of a command": (["files = !ls\nn = len(files)\n" + RIGHT], True),
    "a timing that is kept": (["t = %timeit -o -n1 -r1 1\n" + RIGHT], True),
    "a command over two lines": (["!pip --version \\\n   --quiet\n" + RIGHT], True),
    "a command with an apostrophe": (["!echo it's\n!echo (\n" + RIGHT], True),
    "indented as a whole": ([_indented(RIGHT)], True),
    "indented by tabs": ([_indented(RIGHT, "\t")], True),
    "classic prompts": ([_prompted(RIGHT)], True),
    "IPython's prompts": ([_prompted(RIGHT, "In [3]: ", "   ...: ")], True),
    "examples in a docstring": (
        [RIGHT.replace("\n    return", '\n    """Doc.\n\n    >>> 1 + 1\n    2\n    """\n    return')],
        True,
    ),
    "questions": (["?np\nnp.log?\nnp.l*g?\nnp.exp??\n" + RIGHT], True),
    "a drawing magic": (["%matplotlib inline\n" + RIGHT], True),
    "timed": (["%%time\n" + RIGHT], True),
    "timed below blank lines": (["\n\n%%time\n" + RIGHT], True),
    "captured and timed": (["%%capture\n%%time\n" + RIGHT], True),
    "timed many times": (["%%timeit -n1 -r1\n" + RIGHT], False),
    "a cell of another language": (["%%html\n" + RIGHT], False),
    "an assignment that is timed": ([BETTER, "%time sharpen = better"], True),
    "a string with a line separator": (["s = 'a\u2028b\x85c'\n%matplotlib inline\n" + RIGHT], True),
    "a string with a form feed": (["s = 'a\x0cb'\n%matplotlib inline\n" + RIGHT], True),
    "Windows line ends": ([("%matplotlib inline\n" + RIGHT).replace("\n", "\r\n")], True),
    "old Macintosh line ends": ([("%matplotlib inline\n" + RIGHT).replace("\n", "\r")], True),
    "a semicolon at the end": ([RIGHT + "sharpen;"], True),
    "waits at the top level": (["import asyncio\nawait asyncio.sleep(0)\n" + RIGHT], True),
    "waits, then assigns": (
        [BETTER, "import asyncio\nasync def f():\n    return better\nsharpen = await f()"],
        True,
    ),
    "displays": (["display(np.zeros(2))\n" + RIGHT], True),
    "asks for the shell": (["get_ipython().run_line_magic('matplotlib', 'inline')\n" + RIGHT], True),
    "signs inside a string": (
        ["s = '''\n!ls\n%time\nwhat?\n'''\nassert s.count('!ls') == 1\n" + RIGHT],
        True,
    ),
    "a modulo over two lines": (["a = (5\n%3)\nassert a == 2\n" + RIGHT], True),
    "a non-breaking space": ([RIGHT.replace("return ", "return\u00a0")], False),
    "a lambda": (["sharpen = " + LAMBDA], True),
    "a lambda after a wrong def": ([WRONG, "sharpen = " + LAMBDA], True),
    "an alias after a wrong def": ([WRONG, BETTER, "sharpen = better"], True),
    "wrapped after a wrong def": (
        [WRONG, BETTER, "from functools import partial\nsharpen = partial(better)"],
        True,
    ),
    "decorated": ([DECORATED + RIGHT], True),
    "wrapped under its own name": ([RIGHT, "old = sharpen\nsharpen = lambda *a: old(*a)"], True),
    "wrong by a later lambda": ([RIGHT, "sharpen = lambda *a: 0.0"], False),
    "wrong by a later alias": ([RIGHT, "def bad(*a):\n    return 0.0\nsharpen = bad"], False),
    "wrong by a later def": ([RIGHT, WRONG], False),
    "right by a later def": ([WRONG, RIGHT], True),
    "defined inside if": ([WRONG, "if True:\n" + _indented(RIGHT)], True),
    "a callable object": (
        ["class A:\n    def __call__(self, *a):\n        return f(*a)\nf = " + LAMBDA + "sharpen = A()"],
        True,
    ),
    "a cell that is no Python before it": (["def (", RIGHT], True),
}
#: Where the grader is kinder than a fresh run of all cells in Jupyter: nothing that a student did is lost.
KINDER = {
    "the stub stands after the answer": ([RIGHT, STUB], True),
    "the stub stands after a lambda": (["sharpen = " + LAMBDA, STUB], True),
    "a stub inside if after the answer": ([RIGHT, "if True:\n" + _indented(STUB)], True),
    "an alias of a stub after the answer": (
        [RIGHT, STUB.replace("sharpen", "todo") + "sharpen = todo"],
        True,
    ),
    "the name is used again for an array": ([RIGHT, "sharpen = np.zeros(3)"], True),
    "the name is deleted": ([RIGHT, "del sharpen"], True),
    "what it needs comes later": (["sharpen = better", BETTER], True),
    "only the stub": ([STUB], False),
    "an alias of nothing": (["sharpen = None"], False),
}
ALL = {name: ([IMPORTS, *cells], right) for name, (cells, right) in (CELLS | KINDER).items()}
