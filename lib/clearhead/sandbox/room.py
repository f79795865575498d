"""A room: the namespaces, files and limits in which one submission runs, and in which all of it ends.

Three processes make a room. The *door* leaves the namespaces of the machine. The *keeper* is process 1 of
the room: it sets up the files, measures, and when it ends, the kernel ends every process of the room. The
*guest* runs the student's code, without any privilege. Door and keeper run no line of the student's.
"""

import os
import resource
import signal
import sys
from pathlib import Path

from . import forbidden_calls, linux

MEGABYTE = 1 << 20
PROCESSES = 64
FILES_MEGABYTES = 128
TICK = 0.05
LINKS = {"/dev/shm": "/tmp", "/home": "/tmp", "/dev/fd": "/proc/self/fd"}
DEVICES = ("null", "zero", "full", "random", "urandom")
_USR = tuple(f"/usr{local}/{part}" for local in ("", "/local") for part in ("bin", "lib", "lib64", "share"))
SYSTEM = (*_USR, "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")
PARTS = ("bin", "lib", "lib64", "pyvenv.cfg")  # of the folder of a Python
OVER_MEMORY, OVER_PROCESSES = 101, 102


def enter(limits, report):
    """Go into a new room. Only the guest returns from here; door and keeper end inside."""
    linux.die_with_parent()
    as_root = os.geteuid() == 0
    uid, gid = os.getuid(), os.getgid()
    new = linux.NEW_MOUNTS | linux.NEW_PIDS | linux.NEW_NETWORK | linux.NEW_IPC | linux.NEW_HOST
    linux.unshare(new | linux.NEW_CGROUP | (0 if as_root else linux.NEW_USER))
    if not as_root:
        linux.be_the_user_of_a_room(uid, gid)
    keeper = os.fork()
    if keeper:
        report(keeper=keeper)
        _end_as(keeper)
    linux.die_with_parent()
    linux.set_dumpable(False)
    _furnish(limits["folders"], limits["hidden"])
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    guest = os.fork()
    if guest:
        _keep(guest, limits, report)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    os.chdir("/tmp")
    linux.give_up_privileges(limits["uid"] if as_root else None)
    _limit(limits)
    linux.set_dumpable(True)  # before that, all of /proc/self belongs to root
    Path("/proc/self/oom_score_adj").write_text("1000")  # where the machine runs short, it ends a guest first
    forbidden_calls.forbid()


def _end_as(child):
    """Wait for a child, and end with its status."""
    _, status = os.waitpid(child, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _furnish(folders, hidden):
    """Make a new root: system and Python read-only, /proc of this room alone, /tmp empty and small."""
    linux.mount("none", "/", flags=linux.RECURSIVE | linux.PRIVATE)
    root = Path("/sys")  # every machine has this folder, and no answer needs it
    linux.mount("room", root, "tmpfs", linux.NO_SUID | linux.NO_DEVICES, "size=4m,mode=755")
    flags = linux.NO_SUID | linux.NO_DEVICES
    for name, size in {"proc": "", "tmp": f"size={FILES_MEGABYTES}m,nr_inodes=8192,mode=1777"}.items():
        (root / name).mkdir()
        linux.mount("room", root / name, "tmpfs" if size else "proc", flags, size)
    for folder in [*SYSTEM, *folders, *(f"/dev/{name}" for name in DEVICES)]:
        _show(Path(folder), root)  # Python may itself lie under /tmp or /home
    for folder in hidden:
        if (root / folder[1:]).is_dir():
            linux.mount("nothing", root / folder[1:], "tmpfs", linux.READ_ONLY)
    for link, target in LINKS.items():
        if not (root / link[1:]).exists():
            (root / link[1:]).symlink_to(target)
    linux.become_root_folder(root)
    linux.mount("none", "/", flags=32 | linux.READ_ONLY | linux.BIND | linux.NO_SUID | linux.NO_DEVICES)


def _show(path, root):
    """Show one folder or file of the machine in the room, read-only."""
    place = root / str(path)[1:]
    if not path.exists() or place.exists():
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():
        place.symlink_to(os.readlink(path))
        return
    place.mkdir() if path.is_dir() else place.touch()
    linux.mount(path, place, flags=linux.BIND | linux.RECURSIVE)
    if not str(path).startswith("/dev/"):
        linux.forbid_writing(place)


def _limit(limits):
    """Set what the kernel limits by itself: memory, files and processes of the guest."""
    memory = limits["megabytes"] * MEGABYTE + _statistics("self")["VmSize"]
    for what, most in {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: FILES_MEGABYTES * MEGABYTE,
        resource.RLIMIT_NOFILE: 64,
        resource.RLIMIT_NPROC: PROCESSES,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_SIGPENDING: 256,
        resource.RLIMIT_STACK: 64 * MEGABYTE,
    }.items():
        resource.setrlimit(what, (most, most))


def _keep(guest, limits, report):
    """Tell the time and memory used, until the guest ends or takes too much; then end the room."""
    most, last = limits["megabytes"] * MEGABYTE, None
    while True:
        while True:
            try:
                child, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                os._exit(0)
            if child == guest:
                os._exit(_ending(status))
            if not child:
                break
        seconds, memory, processes = usage()
        if memory > most:
            os._exit(OVER_MEMORY)
        if processes > PROCESSES:
            os._exit(OVER_PROCESSES)
        if seconds != last:
            report(cpu=seconds, megabytes=memory // MEGABYTE)
            last = seconds
        signal.sigtimedwait({signal.SIGCHLD}, TICK)


def _ending(status):
    """Return 0 for a guest that ended by itself, else the number of the signal that ended it."""
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def usage():
    """Return the CPU seconds, bytes of memory and number of tasks of all processes that /proc shows."""
    ticks = memory = tasks = 0
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            fields = Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2].split()
            found = _statistics(name) if name != "1" else {}
        except OSError:  # it ended in between
            continue
        ticks += sum(map(int, fields[11:15]))
        tasks += int(fields[17])
        memory += found.get("RssAnon", 0) + found.get("RssShmem", 0)
    return ticks / os.sysconf("SC_CLK_TCK"), memory, tasks


def _statistics(process):
    """Return the memory figures of one process, in bytes."""
    lines = (line.split() for line in Path(f"/proc/{process}/status").read_text("latin-1").splitlines())
    return {words[0][:-1]: int(words[1]) << 10 for words in lines if len(words) == 3 and words[2] == "kB"}


def own_packages():
    """Return the folders in which this package is installed: the room does not show them."""
    return sorted(f"{path}/clearhead" for path in sys.path if os.path.isdir(f"{path}/clearhead"))


def python_folders():
    """Return the folders that hold this Python and its packages; a course may lie beside them."""
    homes = {home for prefix in (sys.prefix, sys.base_prefix) for home in (prefix, os.path.realpath(prefix))}
    found = {f"{home}/{part}" for home in homes for part in PARTS}
    found |= {path for path in sys.path if path.endswith("-packages")}
    inner = {f for f in found if any(f != o and f.startswith(o + "/") for o in found | set(SYSTEM))}
    return sorted(f for f in found - inner - set(SYSTEM) if os.path.exists(f))


def shown_to_students(path):
    """Return the folder of a room in which a file of this machine can be read, or ""."""
    places = {os.path.realpath(path), os.path.abspath(path)}
    folders = {os.path.realpath(folder) for folder in [*SYSTEM, *python_folders()]}
    return next((f for f in sorted(folders) for p in places if p == f or p.startswith(f + "/")), "")
