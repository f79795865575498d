"""The warm server: it imports NumPy and PyTorch once, and opens a room for each submission by forking.

It starts empty, not as a copy of the grader: no reference, seed or other submission is in its memory.
"""

import contextlib
import fcntl
import gc
import importlib
import json
import os
import signal
import socket
import sys
import types

from . import guest, linux, room

OPEN, CLOSE, WAIT = b"o", b"c", b"w"
USERS = 2_000_000  # root's rooms run as a user that nobody else is
HIGH = 50  # the two connections of a guest get this number and the next


def main(number):
    """Serve one grader over the socket of that number, until it hangs up."""
    control = socket.socket(fileno=number)
    length = int.from_bytes(control.recv(8, socket.MSG_WAITALL), "big")
    config = json.loads(control.recv(length, socket.MSG_WAITALL))
    config["limits"]["uid"] = USERS + os.getpid()
    exercises = warm(config)
    gc.collect()
    gc.freeze()
    if config["isolated"]:
        linux.adopt_orphans()
    control.sendall(b"k")
    door = None
    while True:
        order, handles, _, _ = socket.recv_fds(control, 1, 2)
        if door is not None:
            status = _close(door, wait=order == WAIT)
            door = None
        if not order:
            return
        if order != OPEN:
            control.sendall(bytes([status]))
            continue
        door = os.fork()
        if not door:
            control.close()
            _be_a_guest(config, exercises, *handles)
        for handle in handles:
            os.close(handle)


def warm(config):
    """Import what submissions need, put what they may see in place of the library, return the exercises."""
    for package in config["packages"]:
        importlib.import_module(package)
    if "torch" in config["packages"]:
        sys.modules["torch"].set_num_threads(1)
    for name in [n for n in sys.modules if n.partition(".")[0] == "clearhead"]:
        del sys.modules[name]
    _stand_in("clearhead.checks", dict.fromkeys(("check", "hint", "score", "report"), _nothing))
    sys.modules["clearhead.checks"].ready = lambda *ids: False
    for name, package, source in config["modules"]:
        module = _stand_in(name, {"__package__": package})
        exec(compile(source, f"<{name}>", "exec"), module.__dict__)
    prepared = {}
    for id, exercise in config["exercises"].items():
        driver = exercise["driver"] and getattr(sys.modules[exercise["driver"][0]], exercise["driver"][1])
        prepared[id] = guest.prepare(exercise | {"id": id}, driver)
    return prepared


def _nothing(*arguments, **named):
    """Stand for a check, a hint, a score or a report: say nothing."""


def _stand_in(name, content):
    """Return a module of that name, entered with its packages among the modules."""
    parent, _, last = name.rpartition(".")
    if name not in sys.modules:
        module = sys.modules[name] = types.ModuleType(name)
        module.__path__ = []
        if parent:
            setattr(_stand_in(parent, {}), last, module)
    sys.modules[name].__dict__.update(content)
    return sys.modules[name]


def _close(door, wait):
    """End a room, and return only when nothing of it is left: the status of its door."""
    patience = 40 if wait else 0
    status = None
    while True:
        child, found = os.waitpid(door, os.WNOHANG)
        if child:
            status = os.waitstatus_to_exitcode(found)
            break
        if patience <= 0:
            os.kill(door, signal.SIGKILL)
            os.waitpid(door, 0)
            break
        patience -= 1
        signal.sigtimedwait({signal.SIGCHLD}, 0.05)
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        return 255 if status is None else status & 0xFF


def _be_a_guest(config, exercises, channel, report):
    """Enter a room, serve one submission, and end."""
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        os.set_blocking(report, False)
        line = socket.socket(fileno=fcntl.fcntl(channel, fcntl.F_DUPFD, HIGH))
        tell = fcntl.fcntl(report, fcntl.F_DUPFD, HIGH)
        os.closerange(3, HIGH)
        os.closerange(HIGH + 2, 4096)
        guest.quiet()
        try:
            if config["isolated"]:
                room.enter(config["limits"], lambda **facts: _tell(tell, facts))
            else:
                os.setsid()
        except Exception as error:
            said = {
                "is": "no room",
                "why": f"{type(error).__name__}: {error}",
                "refused": isinstance(error, linux.NotAllowed),
            }
            line.sendall(guest.wire.pack(said))
            os._exit(1)
        os.close(tell)
        line.sendall(guest.wire.pack({"is": "room"}))
        guest.serve(line, exercises, config["limits"]["seconds"])
    finally:
        os._exit(1)


def _tell(pipe, facts):
    """Write one line of facts to the grader; drop it where the grader is busy."""
    with contextlib.suppress(OSError):
        os.write(pipe, json.dumps(facts).encode() + b"\n")
