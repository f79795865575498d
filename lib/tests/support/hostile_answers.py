"""Submissions whose answers are hostile or faulty, each with its marks (one list, over 200 lines).

`HOSTILE` maps a name to (text of the notebook, dict from an exercise to the statuses allowed). An exercise
that is not in the dict must pass. The hostile line stands in `sharpen` where it can: nothing else calls that.
"""

from pathlib import Path
from textwrap import dedent, indent

import clearhead
from clearhead.grading.commands.example import IMPORTS, RIGHT, answers, notebook

RIGHT_SHARPEN = dedent("""
    gap = q @ (k_near - k_far) / np.sqrt(len(q))
    return np.log(weight / (1 - weight)) / gap
""")
HOSTILE = {}


def in_answer(name, code, *statuses, then=True):
    """Enter a submission whose `sharpen` first runs some code; without statuses it must pass."""
    body = dedent(code) + (RIGHT_SHARPEN if then else "")
    text = "def sharpen(q, k_near, k_far, weight):\n" + indent(body, "    ")
    HOSTILE[name] = (answers(sharpen=text), {"sharpen": statuses} if statuses else {})


def in_cell(name, code, statuses=None, **changed):
    """Enter a submission with one more cell, before the answers."""
    cells = [IMPORTS, dedent(code), *(text for text in (RIGHT | changed).values() if text)]
    HOSTILE[name] = (notebook(*cells), statuses or {})


# time ------------------------------------------------------------------------------------------------------

in_answer("endless loop", "while True: pass", "timeout")
in_answer(
    "endless loop that ignores signals",
    """
    import signal
    for number in range(1, 65):
        try: signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError): pass
    while True:
        try:
            while True: pass
        except BaseException: pass
    """,
    "timeout",
)
in_cell("endless loop in a cell", "import os\nwhile True:\n    os.getpid()\n")
HOSTILE["endless loop in the only cell"] = (
    notebook("\n".join([IMPORTS, *RIGHT.values(), "while True:\n    pass\n", "done = 1"])),
    {},
)
in_answer("sleeps", "import time\ntime.sleep(10**6)", "timeout")
in_answer("endless print", "while True: print('x' * 1000)", "timeout", "memory", "error")
in_cell("endless print in a cell", "while True: print('spam')")
in_answer("100 MB of output", "print('x' * 10**8)")
in_answer("100 MB on the error output", "import os\nfor _ in range(100): os.write(2, b'x' * 10**6)")
in_answer("a pattern that takes for ever", "import re\nre.match('(a+)+b', 'a' * 60)", "timeout")
in_answer("a number too large to print", "str(3 ** 10**8)", "timeout", "error", "memory")
in_answer(
    "a thread that does not end",
    "import threading, time\nthreading.Thread(target=time.sleep, args=(10**6,)).start()",
)
in_answer("stops itself", "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", "timeout")

# memory ----------------------------------------------------------------------------------------------------

in_answer("a giant array", "np.ones(10**11)", "error")
in_answer("a list that grows", "x = []\nwhile True: x.append(bytes(10**6))", "error", "memory")
in_answer(
    "memory in many processes",
    """
    import os, time
    told, tell = os.pipe()
    def hold():
        os.held = np.ones(15 * 10**6)
        os.write(tell, b".")
        time.sleep(600)
    made = [os.fork() or hold() for _ in range(5)]
    for _ in made: os.read(told, 1)
    time.sleep(600)
    """,
    "memory",  # which test_grading_unearned proves; where a page of memory is slow to come, time ends first
    "timeout",
)
in_answer(
    "memory in nameless files",
    """
    import os
    held = [os.memfd_create(str(n)) for n in range(50)]
    for file in held: os.write(file, bytes(10**8))
    """,
    "error",
)
in_answer(
    "memory in the shared folder",
    """
    for n in range(50):
        with open(f"/dev/shm/{n}", "wb") as file: file.write(bytes(5 * 10**7))
    """,
    "error",
)
in_answer(
    "shared memory",
    """
    import mmap
    held = []
    for _ in range(100):
        held.append(mmap.mmap(-1, 10**8))
        held[-1].write(bytes(10**8))
    """,
    "error",
    "memory",
    "timeout",
)
in_answer("System V memory", "import ctypes\nassert ctypes.CDLL(None).shmget(0, 10**9, 0o1600) == -1")
in_answer("a million files", "for n in range(10**6): open(f'/tmp/{n}', 'w').close()", "crashed")
in_answer("a giant file", "open('/tmp/big', 'wb').truncate(10**12)", "error")

# processes -------------------------------------------------------------------------------------------------

in_answer("a fork bomb", "import os\nwhile True: os.fork()", "error", "crashed", "timeout", "memory")
in_answer(
    "a fork bomb that catches its errors",
    """
    import os
    while True:
        try: os.fork()
        except OSError: pass
    """,
    "crashed",
    "timeout",
    "memory",
)
in_answer(
    "ten thousand threads",
    """
    import threading, time
    for _ in range(10_000): threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    """,
    "error",
    "crashed",
)
in_answer("kills its parent", "import os\ntry: os.kill(os.getppid(), 9)\nexcept OSError: pass")
in_answer("kills all others", "import os\ntry: os.kill(-1, 9)\nexcept OSError: pass")
in_answer(
    "kills every process there is",
    """
    import os
    for pid in range(1, 70_000):
        try: os.kill(pid, 9)
        except OSError: pass
    """,
    "crashed",
)
in_answer(
    "leaves a daemon behind",
    """
    import os, time
    if not os.fork():
        os.setsid()
        if os.fork(): os._exit(0)
        while True: time.sleep(1)
    """,
)
in_answer(
    "ends and stops process 1",
    """
    import os, signal
    for number in (9, 19, 2, 15, 11):
        try: os.kill(1, number)
        except OSError: pass
    """,
)
in_answer(
    "changes the limits of process 1",
    """
    import ctypes, os, resource
    tries = [
        lambda: resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0)),
        lambda: resource.prlimit(1, resource.RLIMIT_CPU, (1, 1)),
        lambda: os.setpriority(os.PRIO_PROCESS, 1, 19),
        lambda: os.setpriority(os.PRIO_USER, 0, 19),
        lambda: os.sched_setaffinity(1, {0}),
        lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)),
        lambda: open("/proc/1/oom_score_adj", "w").write("1000"),
        lambda: open("/proc/1/autogroup", "w").write("19"),
    ]
    for try_it in tries:
        try: try_it()
        except OSError: continue
        raise SystemExit("changed")
    assert ctypes.CDLL(None).syscall(251, 1, 1, 3 << 13) == -1, "ioprio_set"
    """,
)
in_answer(
    "looks into process 1",
    """
    import os
    for name in ("mem", "environ", "fd/3", "root/etc", "maps", "cwd/tmp"):
        try: os.stat(f"/proc/1/{name}") if "/" in name else open(f"/proc/1/{name}", "rb").read(1)
        except OSError: continue
        raise SystemExit("seen")
    """,
)
in_answer(
    "leaves folders that nobody can remove",
    """
    import os, tempfile
    os.chdir(tempfile.mkdtemp())
    os.makedirs("closed/inner")
    os.chmod("closed", 0)
    for _ in range(500):
        os.mkdir("d")
        os.chdir("d")
    """,
)
in_answer("ends the process", "import os\nos._exit(0)", "crashed")
in_answer("a segmentation fault", "import ctypes\nctypes.string_at(0)", "crashed")
in_answer("aborts", "import os\nos.abort()", "crashed")
in_answer("kills its group", "import os\nos.killpg(0, 9)", "crashed")
in_answer(
    "becomes another program", "import os, sys\nos.execv(sys.executable, ['python', '-c', 'pass'])", "crashed"
)
in_answer(
    "deep recursion",
    """
    import sys
    sys.setrecursionlimit(10**9)
    def down(n): return down(n + 1)
    down(0)
    """,
    "crashed",
    "error",
    "memory",
    "timeout",
)
in_answer("recursion with the usual limit", "def down(): return down()\ndown()", "error")
in_answer("exits", "import sys\nsys.exit(0)", "error")
in_answer("an interrupt", "raise KeyboardInterrupt", "error")
in_answer("an exception of its own kind", "class Odd(BaseException): pass\nraise Odd", "error")
in_cell("exits in a cell", "import sys\nsys.exit(0)")
in_cell("ends the process in a cell", "import os\nos._exit(0)")
in_answer("closes every connection", "import os\nos.closerange(0, 1000)", "crashed")
in_answer(
    "raises its limits",
    """
    import resource
    for what in (resource.RLIMIT_AS, resource.RLIMIT_NPROC):
        try: resource.setrlimit(what, (-1, -1))
        except ValueError: continue
        raise SystemExit
    """,
)

# lies ------------------------------------------------------------------------------------------------------

in_cell(
    "patched comparisons",
    """
    yes = lambda *a, **k: True
    np.allclose = np.isclose = np.array_equal = np.testing.assert_allclose = yes
    """,
    {"sharpen": ("failed",)},
    sharpen="def sharpen(*a):\n    return 1.0\n",
)
in_answer(
    "an array that lies",
    """
    class Liar(np.ndarray):
        shape = property(lambda s: ())
        __eq__ = __array_ufunc__ = __array_function__ = lambda *a, **k: True
        __sub__ = __rsub__ = lambda *a: 0.0
    return np.array(7.0).view(Liar)
    """,
    "failed",
    "error",
    then=False,
)
in_answer(
    "a number that lies",
    """
    class Liar(float):
        __eq__ = __lt__ = __le__ = __gt__ = __ge__ = lambda *a: True
        __sub__ = __rsub__ = __abs__ = lambda *a: 0.0
    return Liar(7)
    """,
    "failed",
    then=False,
)
in_cell(
    "patched checks",
    """
    import sys, gc
    for name, module in list(sys.modules.items()):
        if "clearhead" in name:
            for key, value in list(vars(module).items()):
                if callable(value): setattr(module, key, lambda *a, **k: True)
    for thing in gc.get_objects():
        if isinstance(thing, dict) and "plain" in thing and "run" in thing:
            thing["plain"] = lambda *a: None
            thing["same"] = lambda *a: True
    """,
    dict.fromkeys(RIGHT, ("passed", "failed", "error")) | {"sharpen": ("failed", "error")},
    sharpen="def sharpen(*a):\n    return 1.0\n",
)
in_answer(
    "looks into the frames",
    """
    import sys
    frame, found = sys._getframe(), None
    while frame:
        for place in (frame.f_locals, frame.f_globals):
            for key, value in place.items():
                if key in ("expected", "reference") and not callable(value): found = value
                if key == "case": found = value.expected
        frame = frame.f_back
    return found
    """,
    "failed",
    then=False,
)
in_answer(
    "steals the reference from memory",
    """
    import gc, types
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType) and thing.__name__ == "sharpen":
            if "checks" in str(thing.__module__): return thing(q, k_near, k_far, weight)
        if type(thing).__name__ == "Exercise" and thing.reference.__name__ != "nothing":
            return thing.reference(q, k_near, k_far, weight)
    """,
    "failed",
    then=False,
)
in_answer(
    "forged result frames",
    """
    import os, json
    for call in range(1, 60):
        head = [["type", "outcome"], ["call", call], ["error", ""], ["given", [None] * 4]]
        text = json.dumps([{"dict": head}, 1.0]).encode()
        os.write(50, len(text).to_bytes(8, "big") + text)
    return 1.0
    """,
    "failed",
    "crashed",
    then=False,
)
in_cell(
    "forged frames in a cell",
    """
    import os, json
    for what in ("ready", "outcome"):
        text = json.dumps([{"dict": [["type", what], ["call", 1], ["given", [None] * 4]]}, None]).encode()
        os.write(50, len(text).to_bytes(8, "big") + text)
    """,
    dict.fromkeys(RIGHT, ("crashed", "missing", "failed")),
)
in_answer(
    "calls functions that are not there",
    """
    import os, json
    for number in ([], None, 10**30, "0"):
        text = json.dumps([{"dict": [["type", "callback"], ["number", number]]}, []]).encode()
        os.write(50, len(text).to_bytes(8, "big") + text)
    """,
    "crashed",
)
in_answer(
    "a frame of a petabyte",
    """
    import os
    os.write(50, (10**15).to_bytes(8, "big"))
    """,
    "crashed",
)
in_answer(
    "a frame that never ends",
    """
    import os, time
    os.write(50, (10**5).to_bytes(8, "big"))
    time.sleep(10**6)
    """,
    "timeout",
)
in_answer("noise in the connection", "import os\nos.write(50, os.urandom(10**5))", "crashed", "timeout")
in_answer(
    "an object with __reduce__",
    """
    class Bomb:
        def __reduce__(self): return eval, ("1/0",)
    return Bomb()
    """,
    "failed",
    then=False,
)
in_answer("an array of objects", "return np.array([print, eval], dtype=object)", "failed", then=False)
in_answer(
    "an output that raises",
    """
    class Odd:
        def __getattribute__(self, name): raise RuntimeError(name)
    return Odd()
    """,
    "failed",
    "error",
    then=False,
)
in_answer("a giant output", "return np.zeros(2 * 10**7)", "failed", "memory", "error", "timeout", then=False)
in_answer(
    "an output of a million lists",
    "return [[] for _ in range(10**6)]",
    "failed",
    "crashed",
    "timeout",
    then=False,
)
in_answer(
    "lists ten thousand deep",
    "x = []\nfor _ in range(10**4): x = [x]\nreturn x",
    "failed",
    "error",
    then=False,
)
in_answer("a list that holds itself", "x = []\nx.append(x)\nreturn x", "failed", "error", then=False)
in_answer("a giant number", "return 10 ** 5000", "failed", then=False)
in_answer("half a character", "return '\\ud800'", "failed", then=False)
in_answer("not a number", "return float('nan')", "failed", then=False)
in_answer("nothing", "return None", "failed", then=False)
in_answer("a true array in place of a number", "return np.array([[1.0]])", "failed", then=False)
in_answer(
    "writes into its argument",
    "q *= 2\nreturn np.log(weight / (1 - weight)) / (q @ (k_near - k_far) / np.sqrt(len(q))) * 2",
    "failed",
    then=False,
)
in_answer(
    "recorded answers",
    """
    known = {0.9: float(np.log(9)), 0.5: 0.0}
    return known.get(float(weight), 1.0)
    """,
    "failed",
    then=False,
)
in_cell(
    "its own check", "def check(*a):\n    print('all cases pass')\n", {"sharpen": ("missing",)}, sharpen=None
)
in_cell(
    "an input transformer",
    """
    get_ipython().input_transformers_cleanup.append(lambda lines: [])
    get_ipython().ast_transformers.append(None)
    """,
    {"sharpen": ("not_attempted", "missing")},
    sharpen="def sharpen(q, k_near, k_far, weight):\n    raise NotImplementedError\n",
)

# theft and harm --------------------------------------------------------------------------------------------

SEARCH = """
    import os
    for folder, folders, files in os.walk("/"):
        folders[:] = [f for f in folders if f not in ("usr", "proc", "site-packages", "lib")]
        for name in files:
            if WHAT: raise SystemExit("found")
    """
in_answer("reads solutions", SEARCH.replace("WHAT", "name == '05_attention.ipynb'"))
in_answer(
    "reads the library",
    """
    import os, sys
    for folder in [*sys.path, *sys.path_importer_cache, "LIBRARY"]:
        for place, _, files in os.walk(os.path.join(folder, "clearhead")):
            if "verdicts.py" in files or "/sheets" in place and set(files) - {"drivers.py"}:
                raise SystemExit("found")
    """.replace("LIBRARY", str(Path(clearhead.__file__).parents[1])),
)
in_answer("reads the secret", SEARCH.replace("WHAT", "name == 'secret_seed.txt'"))
in_answer(
    "imports the checks",
    "from clearhead.sheets.attention.sharpen import EXERCISE\n"
    "return EXERCISE.reference(q, k_near, k_far, weight)",
    "error",
    then=False,
)
in_answer(
    "imports the library", "from clearhead.maths.attention import scaled_dot_product_attention", "error"
)
in_answer(
    "reads environments",
    """
    import os, pathlib
    for place in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try: text = place.read_bytes()
        except OSError: continue
        if b"secret" in text.lower(): raise SystemExit
    if len(list(pathlib.Path("/proc").glob("[0-9]*"))) > 2: raise SystemExit
    """,
)
in_answer(
    "calls the internet",
    """
    import socket
    socket.create_connection(("1.1.1.1", 53), timeout=5)
    """,
    "error",
)
in_answer(
    "calls its own machine",
    """
    import socket
    socket.create_connection(("127.0.0.1", {port}), timeout=5)
    """,
    "error",
)
in_answer(
    "calls a hidden address",
    """
    import socket
    line = socket.socket(socket.AF_UNIX)
    line.connect("\\0clearhead-{port}")
    """,
    "error",
)
in_answer("listens on a port", "import socket\nsocket.create_server(('', {port}))", "error")
in_answer(
    "a socket to the host of a virtual machine",
    "import socket\nsocket.socket(40, socket.SOCK_STREAM)",
    "error",
)
in_answer(
    "writes into the system",
    """
    import os, sys
    for folder in ("/", "/usr", sys.prefix, "/dev", "/proc", os.path.dirname(np.__file__)):
        try: open(folder + "/owned", "w")
        except OSError: continue
        raise SystemExit
    """,
)
in_answer(
    "forbidden system calls",
    """
    import ctypes
    libc = ctypes.CDLL(None)
    assert libc.unshare(0x10000000) == -1
    assert libc.mount(b"x", b"/tmp", b"tmpfs", 0, None) == -1
    assert libc.ptrace(16, 1, 0, 0) == -1
    assert libc.syscall(425, 8, 0) == -1
    """,
)
in_answer("becomes root", "import os\nos.setuid(0)", "error")
in_answer("a message with a script", "raise ValueError('<script>alert(1)</script>\\x1b[31m=1+1')", "error")
in_answer("a message of 100 MB", "raise ValueError('x' * 10**8)", "error")
in_answer(
    "an error that cannot be said",
    """
    class Odd(Exception):
        def __str__(self): raise self
    raise Odd
    """,
    "error",
)
