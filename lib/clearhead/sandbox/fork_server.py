"""Process 1 of a sandbox, which imports NumPy and PyTorch once, and forks a process for each submission.

It runs no student's code itself, and its memory holds no reference solution, seed or submission. The student
processes of one sandbox run one after the other and leave nothing to each other: all processes are ended, all
files are removed, and a sandbox that cannot be cleaned is abandoned. Linux does not let a process in a
sandbox end or stop its process 1.
"""

import contextlib
import ctypes
import gc
import importlib
import json
import os
import select
import shutil
import signal
import socket
import sys
import time
from pathlib import Path

from . import silent_checks, student_process

MEGABYTE = 1 << 20
MAX_PROCESSES, MAX_FILES, MAX_SOCKETS, MAX_MAPPINGS = 64, 8192, 64, 100_000
POLL_SECONDS = 0.05
CHANNEL = 50  # the number of a student process's connection to the grader
# How a student process ended, besides the numbers of signals:
MEMORY, TOO_MANY_PROCESSES, TOO_MANY_FILES, TOO_MANY_SOCKETS = 101, 102, 103, 104
# Limits where memory is measured, so that a process cannot store data elsewhere:
MEASURED_LIMITS = {"files": 8, "processes": 1, "disk": 0, "sockets": 0, "measured": True}
# Megabytes that such a process may use of the memory that was mapped but unused when it began:
MEASURED_SLACK = 2
QUICK_FIELDS = ("status", "RssAnon", "RssShmem")
EXACT_FIELDS = ("smaps_rollup", "Pss_Anon", "Pss_Shmem")  # these take longer to read
END_SUBMISSION = b"c"


def main(number):
    """Serve one grader over the socket with this file descriptor, until the grader closes the connection."""
    control = socket.socket(fileno=number)
    config = json.loads(control.recv(1 << 20))
    limits, isolated = config["limits"], config["isolated"]
    if isolated and os.geteuid() == 0:
        _drop_privileges(limits["uid"])
    _set_dumpable(not isolated)
    before = set(os.listdir("/tmp")) if isolated else set()
    exercises = preload(config)
    if isolated and not _remove_leftovers(before):  # submissions could change a package's own files
        return
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    control.send(b"{}")
    kept, empty = (set(os.listdir("/tmp")), usage(exact=True)[1]) if isolated else (set(), 0)
    while True:
        order, handles, _, _ = socket.recv_fds(control, 1 << 10, 1)
        if not order:
            return
        if not handles:  # a student process that has ended already is to be ended
            continue
        given = limits | json.loads(order)
        process = os.fork()
        if not process:
            control.close()
            _serve_submission(handles[0], given, isolated, exercises)
        os.close(handles[0])
        status = _watch_submission(process, control, given, isolated, empty)
        _kill_all(process, isolated)
        clean = not isolated or _remove_leftovers(kept)
        control.send(json.dumps({"ended": status, "last": not clean}).encode())
        if not clean:
            return


def _drop_privileges(uid):
    """Switch permanently to an unprivileged user ID, or to 65534 if this one cannot be used."""
    os.setgroups([])
    try:
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    except OSError:
        os.setresgid(65534, 65534, 65534)
        os.setresuid(65534, 65534, 65534)


def _set_dumpable(allowed):
    """Set whether other processes of the same user may inspect this one."""
    ctypes.CDLL(None).prctl(4, ctypes.c_ulong(allowed), *[ctypes.c_ulong(0)] * 3)


def preload(config):
    """Import the packages that submissions need, and return what is needed to call each answer."""
    for package in config["packages"]:
        importlib.import_module(package)
    if not config["isolated"]:  # a sandbox has no checks, so that they are replaced here as well
        vars(importlib.import_module("clearhead.checks")).update(vars(silent_checks))
    if "torch" in config["packages"]:
        sys.modules["torch"].set_num_threads(1)
    if "matplotlib" in config["packages"]:  # it looks for fonts once, here, instead of in every submission
        importlib.import_module("matplotlib.pyplot")
    prepared = {}
    for id, exercise in config["exercises"].items():
        module, name = exercise["driver"] or (None, None)
        driver = getattr(importlib.import_module(module), name) if module else None
        prepared[id] = student_process.prepare(id, exercise["answer_name"], driver)
    return prepared


def _serve_submission(handle, limits, isolated, exercises):
    """Apply the limits to this process, serve one submission, and exit."""
    try:
        os.setsid()
        line = socket.socket(fileno=os.dup2(handle, CHANNEL))
        os.closerange(3, CHANNEL)
        os.closerange(CHANNEL + 1, 4096)
        student_process.discard_output()
        if isolated:
            os.chdir("/tmp")
            _set_dumpable(True)
            # A machine that runs out of memory ends a student process first:
            Path("/proc/self/oom_score_adj").write_text("1000")
            _limit(limits)
        student_process.serve(line, exercises, limits["seconds"])
    finally:
        os._exit(1)


def _limit(limits):
    """Set the resource limits that the kernel itself enforces for this process."""
    import resource  # not at the top, because Windows lacks it, and gets a message that Linux is needed

    space = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    data = resource.RLIM_INFINITY
    if limits.get("measured"):  # otherwise, unmapping libraries would free address space for other data
        data = limits["space"] * MEGABYTE + _memory("self", "status", "VmData")
    for what, most in {
        resource.RLIMIT_AS: limits["space"] * MEGABYTE + space,
        resource.RLIMIT_DATA: data,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: limits["disk"],
        resource.RLIMIT_NOFILE: limits["files"],
        resource.RLIMIT_NPROC: limits["processes"],
        resource.RLIMIT_SIGPENDING: 256,
        resource.RLIMIT_STACK: 64 * MEGABYTE,
    }.items():
        resource.setrlimit(what, (most, most))


def _watch_submission(process, control, limits, isolated, empty):
    """Report CPU time until the process ends, exceeds a limit, or must end; return how it ended."""
    begun, handle, reported, most = usage(), os.pidfd_open(process), None, limits["megabytes"] * MEGABYTE
    opened, turn = sockets(), 0
    held = (limits["space"] + MEASURED_SLACK) * MEGABYTE if limits.get("measured") else most
    try:
        while True:
            ended, status = os.waitpid(-1, os.WNOHANG)  # orphans of a student process are ours, too
            if ended == process:
                return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
            if ended:
                continue
            seconds, memory, processes, files = usage() if isolated else (_seconds(str(process)), 0, 0, 0)
            if memory - begun[1] > most:
                os.kill(-1, signal.SIGSTOP)  # nothing grows while it is measured
                if usage(exact=True)[1] - empty > most:
                    return MEMORY
                os.kill(-1, signal.SIGCONT)
            if held < most and memory - begun[1] > held:
                return MEMORY
            if processes > limits["processes"] + 1:
                return TOO_MANY_PROCESSES
            if files - begun[3] > MAX_FILES:
                return TOO_MANY_FILES
            if isolated and sockets() - opened > limits["sockets"]:
                return TOO_MANY_SOCKETS
            turn += 1
            if isolated and turn % 5 == 0 and mappings() > MAX_MAPPINGS:
                return MEMORY
            if seconds != reported:
                reported = seconds
                with contextlib.suppress(BlockingIOError):
                    spent = seconds - begun[0] if isolated else seconds
                    control.send(json.dumps({"cpu": spent}).encode(), socket.MSG_DONTWAIT)
            if control in select.select([handle, control], [], [], POLL_SECONDS)[0]:
                control.recv(1)
                return signal.SIGKILL
    finally:
        os.close(handle)


def usage(exact=False):
    """Return the CPU seconds, memory, tasks and files of this sandbox; `exact` counts shared memory once."""
    disk = os.statvfs("/tmp")
    memory, tasks = (disk.f_blocks - disk.f_bfree) * disk.f_frsize, 0
    seconds = -time.process_time()  # the time of watching is not that of the student process
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):  # it ended in between
            seconds += _seconds(name)
            tasks += len(os.listdir(f"/proc/{name}/task"))
            memory += _memory(name, *(EXACT_FIELDS if exact else QUICK_FIELDS))
    return seconds, memory, tasks, disk.f_files - disk.f_ffree


def sockets():
    """Return the number of sockets of this sandbox, open or in transit, each of which has kernel buffers."""
    lines = Path("/proc/net/sockstat").read_text().splitlines()
    return int(lines[0].split()[2])


def mappings():
    """Return the number of memory regions that this sandbox's processes have mapped, up to MAX_MAPPINGS.

    Each takes about 250 bytes of the kernel's memory, which no limit counts. A process that cannot be
    inspected is assumed to have a region for each page by which it is larger than process 1.
    """
    found = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/maps", "rb", buffering=0) as file:
                while found <= MAX_MAPPINGS and (text := file.read(1 << 16)):
                    found += text.count(b"\n")
        except PermissionError:
            with contextlib.suppress(OSError):
                more = _memory(name, "status", "VmSize") - _memory("self", "status", "VmSize")
                found += max(0, more // os.sysconf("SC_PAGE_SIZE"))
        except OSError:  # it ended in between
            continue
    return found


def _memory(process, file, *kinds):
    """Return the sum, in bytes, of these kinds of memory of a process, according to a file in /proc."""
    try:
        lines = Path(f"/proc/{process}/{file}").read_text("latin-1").splitlines()
    except PermissionError:  # for a process that cannot be inspected, shared memory counts in full
        return _memory(process, *QUICK_FIELDS)
    return sum(int(line.split()[1]) for line in lines if line.startswith(kinds)) << 10


def _seconds(process):
    """Return the CPU seconds of a process, and of those of its children that have ended."""
    fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _kill_all(process, isolated):
    """Kill the student process and all its descendants, and return when all of them have ended."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL) if isolated else os.killpg(process, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def _remove_leftovers(kept):
    """Remove all files in /tmp except `kept`, and return True if this succeeds."""
    try:
        for name in set(os.listdir("/tmp")) - kept:
            path = Path("/tmp", name)
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        return set(os.listdir("/tmp")) == kept
    except (OSError, RecursionError):
        return False
