"""The grader's side of a sandbox: building it, starting a student process, and exchanging messages."""

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

from . import bwrap_config, forbidden_calls, fork_server, protocol

START = "import sys; sys.path += {paths!r}; from clearhead.sandbox.fork_server import main; main({number})"
WALL_CLOCK_FACTOR = 6  # a second of CPU may take this many seconds by the clock, on a busy machine
STARTUP_SECONDS = 120  # for processes that the grader itself starts
FIRST_UID = 2_000_000  # the sandboxes of root run under user IDs that nobody else has
EXIT_REASONS = {
    fork_server.MEMORY: "took too much memory",
    fork_server.TOO_MANY_PROCESSES: "started too many processes",
    fork_server.TOO_MANY_FILES: "made too many files",
    fork_server.TOO_MANY_SOCKETS: "opened too many sockets",
}
BWRAP_REFUSAL = re.compile(
    r"(?m)^bwrap: (?!.*source path|exec).*(not permitted|denied|namespace|left on device).*"
)


class SandboxError(RuntimeError):
    """Raised when the sandbox fails, which is a fault of the grader or the machine, not of a student."""


class SandboxUnavailable(SandboxError):
    """Raised when the kernel or the administrator of the machine does not allow a sandbox."""


class SubmissionEnded(Exception):
    """Raised when a submission exceeds a limit, ends or breaks the protocol, as `status` says."""

    def __init__(self, status, why):
        super().__init__(why)
        self.status = status


class Sandbox:
    """A sandbox that is built when it is needed, and in which at most one student process runs."""

    def __init__(self, config):
        self.config, self.channel, self.cpu, self.process = config, None, 0.0, None
        self._build()

    def _build(self):
        """Begin to build the sandbox, which imports packages while the grader continues."""
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.output, self.ready = tempfile.TemporaryFile(), False  # noqa: SIM115 - closed by stop()
        isolated, rules = self.config["isolated"], None
        files = bwrap_config.package_files(tuple(self.config["packages"]))
        folders = sorted({os.path.dirname(path) for path in files})
        paths = [bwrap_config.LIBRARY_FOLDER, *folders] if isolated else sys.path
        arguments = ["-I", "-c", START.format(paths=paths, number=theirs.fileno())]
        if isolated:
            rules = forbidden_calls.compiled()
            arguments = bwrap_config.command(self.config, rules, arguments)
        self.process = subprocess.Popen(
            arguments if isolated else [sys.executable, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=self.output,
            stderr=self.output,
            pass_fds=[theirs.fileno(), *([rules] if isolated else [])],
            env=bwrap_config.ENVIRONMENT | bwrap_config.ONE_THREAD,
            cwd="/",
            start_new_session=True,
        )
        theirs.close()
        if isolated:
            os.close(rules)
        self.control.settimeout(STARTUP_SECONDS)
        settings = {name: self.config[name] for name in ("isolated", "packages", "exercises", "limits")}
        settings["limits"] |= {
            "uid": FIRST_UID + os.getpid(),
            "disk": bwrap_config.DISK_BYTES,
            "space": settings["limits"]["megabytes"],
            "files": 64,
            "processes": fork_server.MAX_PROCESSES,
            "sockets": fork_server.MAX_SOCKETS,
        }
        with contextlib.suppress(OSError):  # a sandbox that has ended already is found by open()
            self.control.send(json.dumps(settings).encode())

    def _last_output(self):
        """Return the last 1,500 characters that the sandbox printed."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        self.output.seek(0)
        return self.output.read().decode(errors="replace")[-1500:]

    def open(self, megabytes=0):
        """Start a student process; if its memory is limited, it may not store data anywhere else.

        Raises
        ------
        SandboxUnavailable
            If this machine does not allow a sandbox.
        SandboxError
            If the sandbox fails for any other reason.
        """
        if self.process is None:
            self._build()
        self.cpu, self.ended = 0.0, None
        if not self.ready:
            self._receive_control(STARTUP_SECONDS)
            self.ready = True
        self.channel, channel = socket.socketpair()
        order = fork_server.MEASURED_LIMITS | {"space": megabytes} if megabytes else {}
        try:
            socket.send_fds(self.control, [json.dumps(order).encode()], [channel.fileno()])
        except OSError:
            raise self._failure() from None
        finally:
            channel.close()

    def _receive_control(self, seconds):
        """Return True if process 1 sends a report within this time; raise an error if it has ended."""
        if not select.select([self.control], [], [], seconds)[0]:
            if seconds:
                raise self._failure()
            return False
        try:
            words = self.control.recv(1 << 12)
        except OSError:
            words = b""
        if not words:
            raise self._failure()
        message = json.loads(words)
        self.cpu = message.get("cpu", self.cpu)
        if "ended" in message:
            self.ended = message
        return True

    def _failure(self):
        """Stop the sandbox, and return the error that says why it ended."""
        words = self._last_output()
        self.stop()
        refused = BWRAP_REFUSAL.search(words)
        return (
            SandboxUnavailable(refused[0]) if refused else SandboxError(f"The sandbox does not work. {words}")
        )

    def send(self, head, value=None):
        """Send one message; raise SubmissionEnded if it is not read within the time limit."""
        data = memoryview(protocol.pack(head, value))
        self.channel.settimeout(0.2)
        while data:
            if time.monotonic() > self.last_time:
                raise SubmissionEnded("timeout", "did not listen")
            try:
                data = data[self.channel.send(data) :]
            except TimeoutError:
                continue
            except OSError:
                raise self._how_it_ended() from None

    def set_time_limit(self, seconds, wall_seconds=None):
        """Allow this many CPU seconds from now on, and by default six times as many wall-clock seconds."""
        while self._receive_control(0):
            continue
        clock = WALL_CLOCK_FACTOR * seconds if wall_seconds is None else wall_seconds
        self.last_cpu, self.last_time = self.cpu + seconds, time.monotonic() + clock

    def receive(self):
        """Return the head and the value of the next message; raise SubmissionEnded after the time limit."""
        size = int.from_bytes(self._receive_exactly(8), "big")
        if size > protocol.MAX_BYTES:
            raise SubmissionEnded("crashed", "broke the connection (a message that is too large)")
        try:
            return protocol.unpack(self._receive_exactly(size))
        except protocol.MalformedMessage as error:
            raise SubmissionEnded("crashed", f"broke the connection ({error})") from None

    def _receive_exactly(self, count):
        """Return exactly this many bytes from the student process."""
        parts = bytearray()
        while len(parts) < count:
            wait = self.last_time - time.monotonic()
            if wait <= 0 or self.cpu > self.last_cpu:
                raise SubmissionEnded("timeout", "took too long")
            listen = [self.channel] if self.ended else [self.channel, self.control]
            ready = select.select(listen, [], [], min(wait, 1))[0]
            if self.control in ready:
                self._receive_control(0)
            if self.channel in ready:
                try:
                    part = self.channel.recv(min(count - len(parts), 1 << 20))
                except OSError:
                    part = b""
                if not part:
                    raise self._how_it_ended()
                parts += part
        return bytes(parts)

    def _how_it_ended(self):
        """Return a SubmissionEnded that says how the student process ended, after killing it if needed."""
        status = self._wait_for_end()
        why = EXIT_REASONS.get(status) or (f"was ended by signal {status}" if 0 < status < 65 else "ended")
        return SubmissionEnded("memory" if status == fork_server.MEMORY else "crashed", why)

    def _wait_for_end(self, seconds=2):
        """Return the status with which the student process ended; kill it after this many seconds."""
        until = time.monotonic() + seconds
        while not self.ended and time.monotonic() < until:
            if select.select([self.control], [], [], 0.1)[0]:
                self._receive_control(0)
        if not self.ended:
            with contextlib.suppress(OSError):
                self.control.send(fork_server.END_SUBMISSION)
            while not self.ended:
                self._receive_control(STARTUP_SECONDS)
        return self.ended["ended"]

    def close(self):
        """Stop the student process, if there is one, and all its descendants."""
        if self.channel is None or self.process is None:
            return
        self.channel.close()
        self.channel = None
        self._wait_for_end(0)
        if self.ended["last"]:  # some of its files cannot be removed, so the next one gets a new sandbox
            self.stop()

    def stop(self):
        """Stop the sandbox, if it is running."""
        if self.process is None:
            return
        self.control.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.output.close()
        self.process = None
