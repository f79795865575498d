"""The few Linux calls that Python 3.11 has no name for: namespaces, mounts, privileges."""

import ctypes
import errno
import os
import platform
from contextlib import contextmanager
from pathlib import Path

NEW_MOUNTS, NEW_CGROUP, NEW_HOST, NEW_IPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
NEW_USER, NEW_PIDS, NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000

NO_SUID, NO_DEVICES, BIND, RECURSIVE, PRIVATE = 2, 4, 4096, 16384, 1 << 18
READ_ONLY = 1
DETACH = 2

_DUMPABLE, _DROP_BOUND, _NO_NEW_PRIVILEGES, _DEATH_SIGNAL, _AMBIENT, _SUBREAPER = 4, 24, 38, 1, 47, 36
_MOUNT_SETATTR = 442  # the same number on every kind of processor
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}


#: What a kernel says that does not allow, or does not know, namespaces and their mounts.
REFUSALS = {errno.EPERM, errno.EACCES, errno.ENOSYS, errno.ENOSPC, errno.EINVAL, errno.ENODEV, errno.EUSERS}


class NotAllowed(OSError):
    """Raised where the kernel does not allow a room, as against a fault of ours."""


@contextmanager
def _asked():
    """Make a refusal of the kernel known as one."""
    try:
        yield
    except OSError as error:
        if error.errno in REFUSALS:
            raise NotAllowed(error.errno, error.strerror) from None
        raise


def known_processor():
    """Return True on a processor whose system calls are known here."""
    return platform.machine() in _PIVOT_ROOT


def _libc():
    return ctypes.CDLL(None, use_errno=True)


def _must(result, what):
    """Raise OSError where a call failed."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


@_asked()
def unshare(flags):
    """Leave the namespaces named by the flags for new ones."""
    _must(_libc().unshare(ctypes.c_int(flags)), "unshare")


@_asked()
def be_the_user_of_a_room(uid, gid):
    """Map the user that we were outside to one of the new user namespace."""
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"1000 {uid} 1")
    Path("/proc/self/gid_map").write_text(f"1000 {gid} 1")


@_asked()
def mount(source, target, kind="", flags=0, options=""):
    """Mount `source` at `target`."""
    words = [str(word).encode() for word in (source, target, kind)]
    _must(
        _libc().mount(*words, ctypes.c_ulong(flags), options.encode() or None),
        f"mount {kind or 'bind'} at {target}",
    )


@_asked()
def forbid_writing(target):
    """Make a mount, and all mounts below it, read-only, without devices and set-user-id programs."""
    attributes = (ctypes.c_uint64 * 4)(0x1 | 0x2 | 0x4, 0, 0, 0)
    result = _libc().syscall(
        _MOUNT_SETATTR, -100, str(target).encode(), 0x8000, ctypes.byref(attributes), ctypes.c_size_t(32)
    )
    _must(result, f"make {target} read-only")


@_asked()
def become_root_folder(folder):
    """Make a mounted folder the root of the file system, and let the old root go."""
    os.chdir(folder)
    _must(_libc().syscall(_PIVOT_ROOT[platform.machine()], b".", b"."), "pivot_root")
    _must(_libc().umount2(b".", DETACH), "let the old root go")
    os.chdir("/")


def _prctl(option, value=0, *more):
    values = [ctypes.c_ulong(v) for v in (value, *more, 0, 0, 0)][:4]
    return _libc().prctl(ctypes.c_int(option), *values)


def die_with_parent():
    """Ask for SIGKILL when the parent process ends."""
    _must(_prctl(_DEATH_SIGNAL, 9), "prctl")


def adopt_orphans():
    """Become the parent of all processes below whose own parent ends."""
    _must(_prctl(_SUBREAPER, 1), "prctl")


def set_dumpable(allowed):
    """Say whether other processes of the same user may look into this one."""
    _must(_prctl(_DUMPABLE, int(allowed)), "prctl")


def give_up_privileges(uid=None):
    """Become user `uid` (None: stay), without capabilities, for ever."""
    _prctl(_AMBIENT, 4)
    for capability in range(64):
        _prctl(_DROP_BOUND, capability)
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    header, nothing = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    _must(_libc().capset(ctypes.byref(header), ctypes.byref(nothing)), "capset")
    _must(_prctl(_NO_NEW_PRIVILEGES, 1), "prctl")
