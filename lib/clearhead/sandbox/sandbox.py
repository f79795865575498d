"""The grader's side of a room: build it, let a guest in, send, receive within limits, end it."""

import contextlib
import json
import os
import re
import select
import socket
import subprocess
import sys
import tempfile
import time

from . import forbidden_calls, forker, room, wire

START = "import sys; sys.path += {paths!r}; from clearhead.sandbox.forker import main; main({number})"
WALL = 6  # a second of CPU may take this many seconds by the clock, on a busy machine
PATIENCE = 120  # for what the grader itself starts
USERS = 2_000_000  # root's rooms run as a user that nobody else is
ENDINGS = {
    forker.MEMORY: "took too much memory",
    forker.MANY_PROCESSES: "started too many processes",
    forker.MANY_FILES: "made too many files",
    forker.MANY_SOCKETS: "opened too many sockets",
}
REFUSED = re.compile(r"(?m)^bwrap: (?!.*source path|exec).*(not permitted|denied|namespace|left on device).*")


class Broken(RuntimeError):
    """Raised where the sandbox does not work: a fault of the grader or the machine, not of a student."""


class Refused(Broken):
    """Raised where the machine does not allow a room: its kernel or its administrator says no."""


class Ended(Exception):
    """Raised where a submission went on too long, died or broke the rules; `status` says which."""

    def __init__(self, status, why):
        super().__init__(why)
        self.status = status


class Sandbox:
    """One room, which is built when it is needed, and at most one guest in it."""

    def __init__(self, config):
        self.config, self.channel, self.cpu, self.process = config, None, 0.0, None
        self._build()

    def _build(self):
        """Begin to build the room: it imports what it needs while the grader does the same."""
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.said, self.ready = tempfile.TemporaryFile(), False  # noqa: SIM115 - closed by stop()
        alone, rules = self.config["isolated"], None
        files = room.package_files(tuple(self.config["packages"]))
        folders = sorted({os.path.dirname(path) for path in files})
        paths = [room.COURSE, *folders] if alone else sys.path
        arguments = ["-I", "-c", START.format(paths=paths, number=theirs.fileno())]
        if alone:
            rules = forbidden_calls.compiled()
            arguments = room.command(self.config, rules, arguments)
        self.process = subprocess.Popen(
            arguments if alone else [sys.executable, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=self.said,
            stderr=self.said,
            pass_fds=[theirs.fileno(), *([rules] if alone else [])],
            env=room.ENVIRONMENT | room.ONE_THREAD,
            cwd="/",
            start_new_session=True,
        )
        theirs.close()
        if alone:
            os.close(rules)
        self.control.settimeout(PATIENCE)
        own = {name: self.config[name] for name in ("isolated", "packages", "exercises", "limits")}
        own["limits"] |= {"uid": USERS + os.getpid(), "disk": room.DISK}
        own["limits"] |= {"space": own["limits"]["megabytes"], "files": 64, "processes": forker.PROCESSES}
        own["limits"] |= {"sockets": forker.SOCKETS}
        with contextlib.suppress(OSError):  # a room that has ended already is found by open()
            self.control.send(json.dumps(own).encode())

    def _words(self):
        """Return the last words of the room."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        self.said.seek(0)
        return self.said.read().decode(errors="replace")[-1500:]

    def open(self, megabytes=0):
        """Let a guest in; one with so few megabytes may hold nothing anywhere else.

        Raises
        ------
        Refused
            Where this machine allows no room.
        Broken
            For any other fault.
        """
        if self.process is None:
            self._build()
        self.cpu, self.ended = 0.0, None
        if not self.ready:
            self._hear(PATIENCE)
            self.ready = True
        self.channel, channel = socket.socketpair()
        order = forker.NARROW | {"space": megabytes} if megabytes else {}
        try:
            socket.send_fds(self.control, [json.dumps(order).encode()], [channel.fileno()])
        except OSError:
            raise self._broken() from None
        finally:
            channel.close()

    def _hear(self, seconds):
        """Hear what process 1 of the room says, if it says something in that time: CPU seconds, or an end."""
        if not select.select([self.control], [], [], seconds)[0]:
            if seconds:
                raise self._broken()
            return False
        try:
            words = self.control.recv(1 << 12)
        except OSError:
            words = b""
        if not words:
            raise self._broken()
        told = json.loads(words)
        self.cpu = told.get("cpu", self.cpu)
        if "ended" in told:
            self.ended = told
        return True

    def _broken(self):
        """Return what the room died of."""
        words = self._words()
        self.stop()
        refused = REFUSED.search(words)
        return Refused(refused[0]) if refused else Broken(f"The sandbox does not work. {words}")

    def send(self, head, value=None):
        """Send one message; raise Ended where the guest does not read it in the time that was allowed."""
        data = memoryview(wire.pack(head, value))
        self.channel.settimeout(0.2)
        while data:
            if time.monotonic() > self.last_time:
                raise Ended("timeout", "did not listen")
            try:
                data = data[self.channel.send(data) :]
            except TimeoutError:
                continue
            except OSError:
                raise self._ended() from None

    def allow(self, seconds, by_the_clock=None):
        """Allow the guest, from now on, that many seconds of CPU; by the clock, six times as many."""
        while self._hear(0):
            continue
        clock = WALL * seconds if by_the_clock is None else by_the_clock
        self.last_cpu, self.last_time = self.cpu + seconds, time.monotonic() + clock

    def receive(self):
        """Return head and value of the next message; raise Ended where the time that was allowed is over."""
        size = int.from_bytes(self._exactly(8), "big")
        if size > wire.MOST:
            raise Ended("crashed", "broke the connection (a message that is too large)")
        try:
            return wire.unpack(self._exactly(size))
        except wire.Malformed as error:
            raise Ended("crashed", f"broke the connection ({error})") from None

    def _exactly(self, count):
        """Return the next bytes of the guest's, exactly so many."""
        parts = bytearray()
        while len(parts) < count:
            wait = self.last_time - time.monotonic()
            if wait <= 0 or self.cpu > self.last_cpu:
                raise Ended("timeout", "took too long")
            listen = [self.channel] if self.ended else [self.channel, self.control]
            ready = select.select(listen, [], [], min(wait, 1))[0]
            if self.control in ready:
                self._hear(0)
            if self.channel in ready:
                try:
                    part = self.channel.recv(min(count - len(parts), 1 << 20))
                except OSError:
                    part = b""
                if not part:
                    raise self._ended()
                parts += part
        return bytes(parts)

    def _ended(self):
        """Return Ended, with how the guest died; one that only hung up is ended."""
        status = self._wait()
        why = ENDINGS.get(status) or (f"was ended by signal {status}" if 0 < status < 65 else "ended")
        return Ended("memory" if status == forker.MEMORY else "crashed", why)

    def _wait(self, seconds=2):
        """Return how the guest ended; it is ended where it does not end by itself."""
        until = time.monotonic() + seconds
        while not self.ended and time.monotonic() < until:
            if select.select([self.control], [], [], 0.1)[0]:
                self._hear(0)
        if not self.ended:
            with contextlib.suppress(OSError):
                self.control.send(forker.CLOSE)
            while not self.ended:
                self._hear(PATIENCE)
        return self.ended["ended"]

    def close(self):
        """End the guest, and all that it began, where one is in."""
        if self.channel is None or self.process is None:
            return
        self.channel.close()
        self.channel = None
        self._wait(0)
        if self.ended["last"]:  # it left behind what cannot be removed: the next one gets a new room
            self.stop()

    def stop(self):
        """End the room."""
        if self.process is None:
            return
        self.control.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.said.close()
        self.process = None
