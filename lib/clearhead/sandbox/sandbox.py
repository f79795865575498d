"""The grader's side of the sandbox: start a warm server, open a room, send, receive within limits, close."""

import contextlib
import json
import os
import select
import socket
import subprocess
import sys
import tempfile
import time

from . import server, wire

WALL = 6  # a second of CPU may take this many seconds by the clock, on a busy machine
PATIENCE = 120  # for what the grader itself starts
ENVIRONMENT = {
    "HOME": "/home",
    "LANG": "C.UTF-8",
    "MPLBACKEND": "Agg",
    "PATH": "/usr/bin:/bin",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "TMPDIR": "/tmp",
}
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")}
ENVIRONMENT |= ONE_THREAD
ENDINGS = {101: "took too much memory", 102: "started too many processes"}


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
    """One warm server, and at most one open room."""

    def __init__(self, config):
        self.channel = self.report = None
        self.cpu = 0.0
        self.control, theirs = socket.socketpair()
        code = f"import sys; sys.path[:] = {sys.path!r}\n"
        code += f"from clearhead.sandbox.server import main; main({theirs.fileno()})"
        self.said = tempfile.TemporaryFile()  # noqa: SIM115 - closed by stop()
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-c", code],
            stdin=subprocess.DEVNULL,
            stdout=self.said,
            stderr=self.said,
            pass_fds=[theirs.fileno()],
            env=ENVIRONMENT,
            cwd="/",
            start_new_session=True,
        )
        theirs.close()
        self.ready = False
        self.control.settimeout(PATIENCE)
        text = json.dumps(config).encode()
        with contextlib.suppress(OSError):  # a server that has died already is found by open()
            self.control.sendall(len(text).to_bytes(8, "big") + text)

    def _wait_until_ready(self):
        """Wait until the server has imported what it needs: it does so while the grader does the same."""
        try:
            ready = self.control.recv(1)
        except OSError as error:
            ready = str(error).encode()
        if ready != b"k":
            why = self._words()
            self.stop()
            raise Broken(f"The sandbox server did not start. {why}")
        self.ready = True

    def _words(self):
        """Return the last words of the server."""
        self.process.poll()
        self.said.seek(0)
        return self.said.read().decode(errors="replace")[-1500:]

    def open(self):
        """Open a room; raise Refused where this machine does not let us, Broken for any other fault."""
        if not self.ready:
            self._wait_until_ready()
        self.channel, channel = socket.socketpair()
        self.report, report = os.pipe()
        os.set_blocking(self.report, False)
        self.cpu, self.lines, self.silent = 0.0, b"", False
        try:
            socket.send_fds(self.control, [server.OPEN], [channel.fileno(), report])
        except OSError:
            raise Broken(f"The sandbox server ended. {self._words()}") from None
        finally:
            channel.close()
            os.close(report)
        try:
            self.allow(PATIENCE)
            head, _ = self.receive()
        except Ended as error:
            raise Broken(f"No room could be opened: {error}") from None
        if head.get("is") != "room":
            kind = Refused if head.get("refused") else Broken
            raise kind(f"No room could be opened: {head.get('why')}")

    def send(self, head, value=None):
        """Send one frame; raise Ended where the guest does not read it in the time that was allowed."""
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

    def allow(self, seconds):
        """Allow the guest, from now on, that many seconds of CPU, and six times as long by the clock."""
        self.last_cpu, self.last_time = self._cpu() + seconds, time.monotonic() + WALL * seconds

    def receive(self):
        """Return the next frame; raise Ended where the time that was allowed is over."""

        def read(count):
            parts = bytearray()
            while len(parts) < count:
                wait = self.last_time - time.monotonic()
                if wait <= 0 or self._cpu() > self.last_cpu:
                    raise Ended("timeout", "took too long")
                told = [] if self.silent else [self.report]
                ready = select.select([self.channel, *told], [], [], min(wait, 0.25))[0]
                if self.channel not in ready:
                    continue
                part = self._part(min(count - len(parts), 1 << 20))
                parts += part
            return bytes(parts)

        try:
            return wire.unpack(*wire.receive(read))
        except wire.Malformed as error:
            raise Ended("crashed", f"broke the connection ({error})") from None

    def _part(self, count):
        try:
            part = self.channel.recv(count)
        except OSError:
            part = b""
        if not part:
            raise self._ended()
        return part

    def _cpu(self):
        """Return the CPU seconds that the room has used, as its keeper tells them."""
        try:
            while part := b"" if self.silent else os.read(self.report, 1 << 16):
                self.lines += part
            self.silent = True
        except BlockingIOError:
            pass
        *whole, self.lines = self.lines.split(b"\n")
        for line in whole:
            self.cpu = json.loads(line).get("cpu", self.cpu)
        return self.cpu

    def _ended(self):
        """Return Ended, with how the guest died."""
        status = self._order(server.WAIT)
        self._forget()
        why = ENDINGS.get(status) or (f"was ended by signal {status}" if 0 < status < 65 else "ended")
        return Ended("memory" if status == 101 else "crashed", why)

    def _order(self, order):
        try:
            self.control.sendall(order)
            answer = self.control.recv(1)
        except OSError:
            answer = b""
        if not answer:
            raise Broken(f"The sandbox server ended. {self._words()}")
        return answer[0]

    def _forget(self):
        self.channel.close()
        os.close(self.report)
        self.channel = self.report = None

    def close(self):
        """End the room, and all that is in it, where one is open."""
        if self.channel is not None:
            self._forget()
            self._order(server.CLOSE)

    def stop(self):
        """End the server, and with it any room."""
        self.control.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.said.close()
