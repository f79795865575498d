"""Submissions of a third hand: objects that lie, what runs later, what is inherited, the machine below."""

from clearhead.grading.commands.example import RIGHT
from support.hostile_answers import HOSTILE, in_answer, in_cell

LOST = ("failed", "error", "crashed", "timeout", "memory")
WRONG = "def sharpen(q, k_near, k_far, weight):\n    return 1.0\n"
FRAME = """
    import json, os
    def frame(call, value=1.0):
        head = [["type", "outcome"], ["call", call], ["error", ""], ["given", [None] * 4]]
        text = json.dumps([{"dict": head}, value]).encode()
        return len(text).to_bytes(8, "big") + text
    """

# objects that lie ------------------------------------------------------------------------------------------

in_answer(
    "an array that is another one at each look",
    """
    class Mask:
        looks = 0
        def __array__(self, *a, **k):
            Mask.looks += 1
            return np.array(float(Mask.looks))
        __float__ = __abs__ = lambda self: 0.0
        __eq__ = __ne__ = __lt__ = __gt__ = lambda *a: True
        shape, dtype, ndim, size = (), np.dtype(float), 0, 1
    return Mask()
    """,
    *LOST,
    then=False,
)
in_answer(
    "says that it is a number",
    """
    class Mask:
        __class__ = property(lambda self: float)
        def __getattr__(self, name): return lambda *a, **k: True
    return Mask()
    """,
    *LOST,
    then=False,
)
in_answer(
    "a pickle in the place of a message",
    """
    import os, pickle
    class Bomb:
        def __reduce__(self): return os.system, ("touch /tmp/owned",)
    text = pickle.dumps(Bomb())
    os.write(50, len(text).to_bytes(8, "big") + text)
    """,
    "crashed",
)
in_answer(
    "a result that changes after it was returned",
    """
    import threading, time
    found = np.zeros(())
    def change():
        while True:
            for n in range(1000): found[()] = n / 100
    threading.Thread(target=change, daemon=True).start()
    return found
    """,
    *LOST,
    then=False,
)
in_cell(
    "types with other methods",
    """
    import builtins, json, sys
    yes = lambda *a, **k: True
    builtins.isinstance = builtins.callable = yes
    builtins.abs = builtins.max = lambda *a, **k: 0.0
    json.dumps = lambda *a, **k: '[{"dict": [["type", "outcome"], ["passed", true], ["call", 1]]}, 1.0]'
    """,
    dict.fromkeys(RIGHT, ("passed", *LOST)) | {"sharpen": LOST},
    sharpen=WRONG,
)  # fmt: skip
in_cell(
    "another messenger",
    """
    import sys
    protocol = sys.modules["clearhead.sandbox.protocol"]
    old = protocol.pack
    protocol.pack = lambda head, value=None: old(dict(head, passed=True, points=99), 1.0)
    """,
    dict.fromkeys(RIGHT, LOST),
)  # fmt: skip

# what runs later, or beside ---------------------------------------------------------------------------------

in_answer("a farewell with a forged result", FRAME + """
    import atexit
    atexit.register(lambda: [os.write(50, frame(n)) for n in range(400)])
    raise SystemExit
    """, "error")  # fmt: skip
in_answer("a last word of an object", FRAME + """
    class Last:
        def __del__(self): os.write(50, frame(10**6))
    Last()
    """, "crashed")  # fmt: skip
in_answer(
    "a bomb that waits",
    """
    import os, threading
    threading.Timer(0.2, lambda: os.kill(os.getpid(), 9)).start()
    """,
    "passed",
    *LOST,
)
# On a busy machine it goes off while a later answer of the same student is tried:
HOSTILE["a bomb that waits"][1]["attention_backward"] = ("passed", "crashed")
in_answer(
    "an alarm in the middle of the answer's message",
    """
    import os, signal
    def ring(*a): os.write(50, b"x" * 100)
    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
    """,
    "passed",
    *LOST,
)
in_cell(
    "a tracer that rewrites what others compute",
    """
    import ctypes, sys
    def trace(frame, event, argument):
        for name in ("output", "outcome", "value", "facts"):
            if name in frame.f_locals and "clearhead" in str(frame.f_globals.get("__name__")):
                frame.f_locals[name] = 1.0
                ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
        return trace
    sys.settrace(trace)
    """,
    dict.fromkeys(RIGHT, ("passed", *LOST)) | {"sharpen": LOST},
    sharpen=WRONG,
)  # fmt: skip
in_cell(
    "an ear that hears every event",
    """
    import sys
    def hear(event, arguments):
        if event in ("open", "socket.connect", "compile"): raise RuntimeError(event)
    sys.addaudithook(hear)
    """,
    dict.fromkeys(RIGHT, ("passed", "missing", *LOST)),
)  # fmt: skip

# what is inherited ------------------------------------------------------------------------------------------

in_answer(
    "looks for open files",
    """
    import os
    found = {int(n): os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd")
             if os.path.lexists(f"/proc/self/fd/{n}")}
    others = {n: where for n, where in found.items() if where != "/dev/null" and "fd" not in where}
    if [w for n, w in others.items() if n != 50 or not w.startswith("socket:")]: raise SystemExit(str(others))
    """,
)
in_answer(
    "looks for words in the environment",
    """
    import os
    known = {"HOME", "LANG", "MPLBACKEND", "PATH", "PWD", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED"}
    more = {n for n in os.environ if not n.endswith("_NUM_THREADS")} - known
    if more - {"KMP_DUPLICATE_LIB_OK", "KMP_INIT_AT_FORK", "TORCH_NCCL_ASYNC_ERROR_HANDLING"}:
        raise SystemExit(str(more))
    """,
)
in_answer(
    "walks through memory for cases and for the secret",
    """
    import gc, types
    secret = bytes(c ^ 1 for c in TURNED).decode()
    for thing in gc.get_objects():
        if type(thing).__name__ in ("Case", "Mistake", "OneOf", "Marking"): raise SystemExit(str(type(thing)))
        if isinstance(thing, dict) and secret in [v for v in thing.values() if isinstance(v, str)]:
            raise SystemExit("secret")
    """.replace("TURNED", repr(bytes(c ^ 1 for c in b"a secret"))),
)
in_answer(
    "sends files along with noise",
    """
    import os, socket
    line = socket.socket(fileno=os.dup(50))
    for _ in range(20): socket.send_fds(line, [(2).to_bytes(8, "big"), b"[]"], [0] * 40)
    """,
    "crashed",
)
in_answer("messages of no length", "import os\nfor _ in range(1000): os.write(50, bytes(8))", "crashed")
in_answer(
    "hears what is meant for the answer",
    """
    import os, socket
    line = socket.socket(fileno=os.dup(50))
    try: found = line.recv(1 << 20, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError: found = b""
    if found: raise SystemExit("heard")
    """,
)

# the machine below ------------------------------------------------------------------------------------------

in_answer(
    "makes devices and new roots",
    """
    import os, stat
    for way in (lambda: os.mknod("/tmp/disk", 0o600 | stat.S_IFBLK, os.makedev(8, 0)),
                lambda: os.chroot("/tmp"), lambda: os.open("/dev/tty", os.O_RDWR),
                lambda: open("/dev/mem", "rb"), lambda: os.setgroups([0]), lambda: os.setgid(0)):
        try: way()
        except OSError: continue
        raise SystemExit("done")
    """,
)
in_answer(
    "poisons what the next one imports",
    """
    import os, sys
    places = {os.path.dirname(m.__file__) for m in list(sys.modules.values()) if getattr(m, "__file__", "")}
    for place in places:
        for name in ("owned.py", "__pycache__/owned.pyc", "__init__.py"):
            try: open(os.path.join(place, name), "a").close()
            except OSError: continue
            raise SystemExit(place)
    """,
)
in_answer(
    "links for the one who cleans up",
    """
    import os
    for number, goal in enumerate(("/", "/proc/1/root", "/dev", "/course", "..", "/tmp")):
        name = f"/tmp/{os.urandom(4).hex()}"
        os.symlink(goal, name)
        os.makedirs(f"{name}d/inner")
        os.symlink(goal, f"{name}d/inner/link")
    """,
)
in_answer(
    "takes its orphans in",
    """
    import ctypes, os, time
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    if not os.fork():
        if os.fork(): os._exit(0)
        os.setsid()
        time.sleep(10**6)
    os.wait()
    """,
)
in_answer(
    "processes by calls of the kernel",
    """
    import ctypes
    libc, made = ctypes.CDLL(None), 0
    while made < 1000:
        process = libc.syscall(57) if made % 2 else libc.syscall(56, 17, 0, 0, 0, 0)
        if process == 0:
            libc.pause()
        if process < 0: raise OSError("no more")
        made += 1
    """,
    *LOST,
)
in_answer(
    "children that hold nothing of their own",  # what they share with their parent counts once
    """
    import os, time
    if not hasattr(os, "made"):
        os.made = [os.fork() or time.sleep(600) for _ in range(50)]
        time.sleep(0.3)
    """,
)
in_answer(
    "memory in children that nobody may look into",
    """
    import ctypes, os, time
    told, tell = os.pipe()
    def hold():
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0); os.held = np.ones(15 * 10**6)
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
    "reads far behind an array",
    """
    far = np.lib.stride_tricks.as_strided(np.zeros(1), (1 << 22,), (4096,))
    return far.sum()
    """,
    *LOST,
    then=False,
)
in_answer("a number of three hundred digits", "return 10 ** 300", "failed", then=False)
in_answer("less than nothing", "return -float('inf')", "failed", then=False)
