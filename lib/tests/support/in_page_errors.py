"""What readers will try, and the sentence that they must get: code, its line, how its error begins."""

ERRORS = [
    ("x = 1\n1 / 0", 2, "ZeroDivisionError: division by zero"),
    ("def f(:\n    pass", 1, "SyntaxError: invalid syntax"),
    ("import numpy as np\nnp.zeros((2**13, 2**14))", 2, "MemoryError: Unable to allocate 1.00 GiB"),
    ("import numpy as np\nnp.zeros(2**28)", 2, "ValueError: array is too big"),
    ("def f():\n    return f()\nf()", 2, "RecursionError: maximum recursion depth exceeded"),
    ("input('a name')", 1, "RuntimeError: input() cannot ask in the page: write the value into the code"),
    ("import torch", 1, "PyTorch does not run in the page: this needs Jupyter."),
    ("from clearhead.nets import models", 1, "PyTorch does not run in the page: this needs Jupyter."),
    ("raise SystemExit", 1, "SystemExit: the cell asked Python to end. It goes on."),
    ("while True:\n    pass", 1, "Stopped: it is still running: is there a loop that never ends?"),
    ("10 ** 10 ** 7", 1, "Stopped: it is still running: is there a loop that never ends?"),
]

#: A recursion past the machine's own stack, where no Python can be told.
KILLS_PYTHON = """import sys
sys.setrecursionlimit(10**8)
def f():
    return [f()][0]
max([1], key=lambda _: f())"""
