"""More submissions with one trick each: forged data, lying objects, patched modules, floods."""

from clearhead.checks import registry
from support.hostile_answers import in_answer, in_cell

LOST = ("failed", "error", "crashed", "timeout", "memory")

# forged data -----------------------------------------------------------------------------------------------

SEND = """
    import json, os
    for call in (CALL, *range(1, 60)):
        head = [["type", "outcome"], ["call", call], ["error", ""], ["given", [None] * 4]]
        text = json.dumps([{"dict": head}, VALUE]).encode()
        os.write(50, len(text).to_bytes(8, "big") + text)
    """
for name, value in {
    "bytes": '{"bytes": "AAAA"}',
    "a tensor": '{"tensor": {"array": "float64", "shape": [], "raw": "AAAAAAAA8D8="}, "grad": True}',
    "a function": '{"callback": 0}',
    "objects": '{"array": "object", "shape": [1], "raw": "AAAAAAAA8D8="}',
    "a shape of a petabyte": '{"array": "float64", "shape": [10**7, 10**7], "raw": ""}',
    "a key twice": '{"dict": [["a", 1], ["a", 2]]}',
}.items():
    in_answer(f"forges {name}", SEND.replace("VALUE", value).replace("CALL", "1"), *LOST)
for call in ("True", "1.0", "None", "[1]", "-1"):
    in_answer(f"forges the call {call}", SEND.replace("VALUE", "1.0").replace("CALL", call), *LOST)
in_answer(
    "forges the result of the next call from a thread",
    """
    import json, os, threading, time
    def forge():
        for call in range(1, 400):
            head = [["type", "outcome"], ["call", call], ["error", ""], ["given", [None] * 4]]
            text = json.dumps([{"dict": head}, 1.0]).encode()
            try: os.write(50, len(text).to_bytes(8, "big") + text)
            except OSError: return
            time.sleep(0.01)
    threading.Thread(target=forge, daemon=True).start()
    """,
    "passed",  # its own later cases are lost; none is won
    *LOST,
)
for name, made in {
    "an array of numbers that are none": "np.array(np.nan)",
    "a structured array": "np.zeros(1, dtype=[('a', float)])",
    "an array of dates": "np.array('2026-01-01', dtype='M8[D]')",
    "a complex number": "1j",
    "an array of nothing": "np.zeros(1, dtype='V8')",
    "an array seen a million million times": "np.broadcast_to(1.0, (10**6, 10**6))",
    "one list in a list, seven times twenty": "[[[[[[[1.0] * 20] * 20] * 20] * 20] * 20] * 20] * 20",
    "a hundred thousand items": "[1.0] * 100_000",
    "a text of three megabytes": "'x' * 3 * 10**6",
    "a number that is no number": "float('nan')",
}.items():
    in_answer(f"returns {name}", f"return {made}", *LOST, then=False)
in_answer(
    "a list and a dict that lie",
    """
    class List(list):
        __len__ = lambda s: 1
        __iter__ = lambda s: iter([1.0])
    class Dict(dict):
        __getitem__ = get = lambda s, *k: 1.0
        items = lambda s: [("a", List([1.0]))]
    return Dict(a=List())
    """,
    *LOST,
    then=False,
)

# patched modules -------------------------------------------------------------------------------------------

in_cell(
    "an import hook",
    """
    import sys
    class Hook:
        def find_spec(self, name, *a): return None
    sys.meta_path.insert(0, Hook())
    """,
)
in_cell(
    "patched randomness and time",
    """
    import os, random, time
    np.random.default_rng = random.random = os.urandom = lambda *a, **k: 4
    time.monotonic = time.perf_counter = time.time = time.process_time = lambda: 0.0
    """,
)
in_cell(
    "modules in the way",
    """
    import os
    for name in ("numpy", "json", "sitecustomize", "usercustomize"):
        open(f"/tmp/{name}.py", "w").write("raise SystemExit")
    os.environ.update(LD_PRELOAD="/tmp/numpy.py", PYTHONPATH="/tmp", PYTHONSTARTUP="/tmp/json.py")
    """,
)
in_answer(
    "forges that nothing was written",
    """
    import sys
    frame = sys._getframe()
    while frame:
        for name in ("_changed", "changed", "_untouched"):
            if name in frame.f_globals: frame.f_globals[name] = lambda *a: ()
        frame = frame.f_back
    found = np.log(weight / (1 - weight)) / (q @ (k_near - k_far) / np.sqrt(len(q)))
    for array in (q, k_near, k_far): array[:] = 0
    return found
    """,
    "failed",
    then=False,
)
in_answer(
    "imports by every way",
    """
    import importlib, pkgutil, sys
    for way in (importlib.import_module, __import__, pkgutil.resolve_name):
        for name in ("clearhead.sheets.attention.sharpen", "clearhead.checks.verdicts", "clearhead.grading"):
            try: way(name)
            except (ImportError, AttributeError): continue
            raise SystemExit("found")
    """,
)

# floods and stalls -----------------------------------------------------------------------------------------

in_answer(
    "an error whose words never end",
    """
    class Odd(Exception):
        def __str__(self):
            while True: pass
    raise Odd
    """,
    *LOST,
)
in_cell(
    "a farewell that never ends", "import atexit\ndef stay():\n    while True: pass\natexit.register(stay)"
)
in_cell(
    "threads that compute for ever",
    """
    import threading
    def spin():
        while True: pass
    for _ in range(4): threading.Thread(target=spin, daemon=True).start()
    """,
    dict.fromkeys(("qkv", "attention_weights", "attention_row", "self_attention", "column_attention",
                   "sharpen", "attention_backward"), ("passed", "timeout")),
)  # fmt: skip
in_cell("a flood of warnings", "import warnings\nfor n in range(10**5): warnings.warn(str(n))")
in_cell("a sum of two hundred thousand terms", "x = " + "+".join(["1"] * 200_000))
in_cell("a text of eight megabytes", f"x = '{'x' * (8 << 20)}'")
in_answer(
    "a megabyte in the pipes of many processes",
    """
    import fcntl, os, time
    for _ in range(60):
        if not os.fork():
            for _ in range(20):
                reading, writing = os.pipe()
                try: fcntl.fcntl(writing, 1031, 1 << 20)
                except OSError: pass
                os.set_blocking(writing, False)
                try: os.write(writing, bytes(1 << 20))
                except OSError: pass
            time.sleep(600)
    """,
    "passed",
    *LOST,
)
in_answer("forks and goes on twice", "import os\nos.fork()", "passed", *LOST)

# words and names -------------------------------------------------------------------------------------------

in_answer("asks for points", "raise ValueError('5 of 5 points. Enter these by hand.')", "error")
in_cell(
    "magics of every kind",
    """
    %cd /
    %env X=1
    %run /etc/passwd
    %load x
    %reset -f
    %pip install evil
    !rm -rf /
    !!ls
    ?print
    print?
    %who
    %timeit 1
    %matplotlib inline
    %alias a b
    """,
)
in_cell("a module written by a magic", "%%writefile numpy.py\nraise SystemExit\n")

# the machine -----------------------------------------------------------------------------------------------

in_answer(
    "asks the kernel for favours",
    """
    import os
    for place, word in {"/proc/self/oom_score_adj": "-1000", "/proc/sysrq-trigger": "b",
                        "/proc/sys/kernel/core_pattern": "|/tmp/x", "/proc/sys/vm/drop_caches": "3"}.items():
        try:
            with open(place, "w") as file: file.write(word)
        except OSError: continue
        raise SystemExit(place)
    """,
)
in_answer("a pipe with a name", "import os\nos.mkfifo(f'/tmp/{os.urandom(4).hex()}')")
in_answer(
    "sockets of every family",
    """
    import socket
    for family in range(64):
        if family == 1: continue
        for kind in (1, 2, 3):
            try: socket.socket(family, kind)
            except OSError: continue
            raise SystemExit(str(family))
    """,
)
in_answer(
    "looks into every process",
    """
    import os
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if int(pid) == os.getpid(): continue
        for name in ("root/work", "root/root", "cwd", "exe"):
            look = os.listdir if "/" in name else os.readlink
            try: look(f"/proc/{pid}/{name}")
            except OSError: continue
            raise SystemExit(name)
    """,
)
HIDDEN = registry.exercise("05.sharpen").hints[0][:24].encode()
in_answer(
    "searches its own memory",  # for a hint, which stands beside the reference
    """
    turned, turn = TURNED, bytes(c ^ 1 for c in range(256))
    for line in open("/proc/self/maps"):
        first, last = (int(n, 16) for n in line.split()[0].split("-"))
        if " r" not in line or "[v" in line or last - first > 1 << 26: continue
        with open("/proc/self/mem", "rb", 0) as memory:
            memory.seek(first)
            if turned in (memory.read(last - first) or b"").translate(turn): raise SystemExit("found")
    """.replace("TURNED", repr(bytes(c ^ 1 for c in HIDDEN))),
)


# memory of the kernel, and signs between two sandboxes --------------------------------------------------

in_answer(
    "fills the buffers of sockets in many processes",
    """
    import os, socket, time
    for _ in range(40):
        if not os.fork():
            kept = [end for _ in range(24) for end in socket.socketpair()]
            for end in kept:
                end.setblocking(False)
                try:
                    while True: end.send(bytes(1 << 16))
                except OSError: pass
            time.sleep(600)
    time.sleep(600)
    """,
    "crashed",
)
in_answer(
    "hides sockets in flight in other sockets",
    """
    import socket, time
    kept = []
    for _ in range(40):
        outer, inner = socket.socketpair(), socket.socketpair()
        socket.send_fds(outer[0], [b"x"], [inner[0].fileno(), inner[1].fileno()])
        if not kept: kept.append(outer)
        else: socket.send_fds(kept[-1][0], [b"x"], [outer[0].fileno(), outer[1].fileno()])
    time.sleep(600)
    """,
    "crashed",
    "error",
)
in_answer(
    "enlarges the buffers of sockets and pipes",
    """
    import fcntl, os, socket
    ends, pipe = socket.socketpair(), os.pipe()
    orders = [lambda: fcntl.fcntl(pipe[0], 1031, 1 << 20)]
    orders += [lambda o=o: ends[0].setsockopt(1, o, 1 << 22) for o in (7, 8, 32, 33)]
    for order in orders:
        try: order()
        except OSError: continue
        raise SystemExit("larger")
    """,
)
in_answer(
    "signals to another sandbox by locks",
    """
    import fcntl, os
    with open(os.__file__) as file:
        orders = [lambda: fcntl.flock(file, fcntl.LOCK_SH), lambda: fcntl.lockf(file, fcntl.LOCK_SH)]
        orders += [lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)]
        orders += [lambda: fcntl.fcntl(file, fcntl.F_GETLK, bytes(32))]
        orders += [lambda: fcntl.fcntl(file, fcntl.F_NOTIFY, fcntl.DN_ACCESS)]
        for order in orders:
            try: order()
            except OSError: continue
            raise SystemExit("locked")
    """,
)
in_answer(
    "waits for another sandbox to open a file",
    """
    import ctypes, os
    if ctypes.CDLL(None).inotify_init() >= 0: raise SystemExit("watches")
    if ctypes.CDLL(None).inotify_init1(0) >= 0: raise SystemExit("watches")
    """,
)
in_answer(
    "reads what the machine does",
    """
    for name in ("cmdline", "loadavg", "uptime", "diskstats", "interrupts", "locks", "vmstat"):
        try: open(f"/proc/{name}").read()
        except OSError: continue
        raise SystemExit(name)
    """,
)
in_answer("an event loop", "import asyncio\nasync def three(): return 3\nassert asyncio.run(three()) == 3")
in_answer(
    "processes that answer by a queue",
    """
    import multiprocessing
    ways = multiprocessing.get_context("fork")
    line = ways.Pipe()
    child = ways.Process(target=lambda: line[1].send(3))
    child.start()
    assert line[0].recv() == 3
    child.join()
    """,
)
in_answer(
    "asks with bits that the kernel overlooks",  # it takes an int, and a filter sees 64 bits
    """
    import ctypes, os, socket
    kernel, above, size = ctypes.CDLL(None), 1 << 32, ctypes.c_int(1 << 22)
    file, pipe, (end, _) = os.open(os.__file__, 0), os.pipe(), socket.socketpair()
    def ask(number, *given):
        if os.uname().machine != "x86_64": return -1  # its numbers of calls
        return kernel.syscall(number, *(ctypes.c_long(g) if type(g) is int else g for g in given))
    if ask(72, pipe[0], above | 1031, 1 << 20) > 0: raise SystemExit("pipe")
    if ask(72, file, above | 36, ctypes.create_string_buffer(64)) == 0: raise SystemExit("lock")
    if ask(54, end.fileno(), 1, above | 7, ctypes.byref(size), 4) == 0: raise SystemExit("buffer")
    if ask(41, above | 2, 1, 0) >= 0: raise SystemExit("socket")
    """,
)
