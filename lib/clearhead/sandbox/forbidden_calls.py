"""A seccomp filter for `bwrap --seccomp` against the system calls that no answer needs, by libseccomp.

These calls take memory that no limit counts, change the limits or the priority of process 1, make new
namespaces, signal to another sandbox through a file that both can read, or belong to parts of the kernel that
had many vulnerabilities.
"""

import ctypes
import errno
import os

LIBRARY = "libseccomp.so.2"
UNCOUNTED = "memfd_create memfd_secret mq_open msgget semget shmget"
OF_OTHERS = "ioprio_set kcmp pidfd_getfd process_madvise process_vm_readv process_vm_writev ptrace"
OF_OTHERS += " sched_setaffinity sched_setattr sched_setparam sched_setscheduler setpriority"
#: Memory of the kernel's own, which no limit counts; libseccomp 2.5 does not know all their names.
OF_THE_KERNEL = {"io_setup": None, "landlock_create_ruleset": 444, "landlock_add_rule": 445, "seccomp": None}
PROCESS = (22, 78)  # PR_SET_SECCOMP and PR_FUTEX_HASH, for the same reason
HOLES = "acct add_key bpf fanotify_init fsmount fsopen io_uring_setup kexec_load keyctl mount move_mount"
HOLES += " name_to_handle_at open_by_handle_at open_tree perf_event_open pivot_root request_key setns umount2"
HOLES += " unshare userfaultfd"
FAMILIES = (1,)  # sockets between processes of one sandbox; without a network, others are of no use
BUFFERS = (7, 8, 32, 33)  # SO_SNDBUF, SO_RCVBUF, and both by force: kernel memory that no limit counts
PIPE_SIZE = 1031  # F_SETPIPE_SZ, for the same reason
LOCKS = (5, 6, 7, 36, 37, 38, 1024, 1026)  # F_GETLK to F_OFD_SETLKW, F_SETLEASE, F_NOTIFY
SIGNS = "flock inotify_init inotify_init1"  # by which sandboxes could communicate through a shared file
NAMESPACES = (0x80, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
_INT = 0xFFFFFFFF  # the bits of an argument that the kernel reads if it expects an int
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_DIFFERS, _EQUALS, _ABOVE, _HAS = 1, 4, 6, 7  # what SCMP_CMP_NE, _EQ, _GT, _MASKED_EQ compare


class _Argument(ctypes.Structure):
    _fields_ = (
        ("place", ctypes.c_uint),
        ("how", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


def compiled():
    """Return the descriptor of an open file that holds the filter; raise OSError if libseccomp is missing."""
    library = ctypes.CDLL(LIBRARY)
    library.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(_ALLOW)))

    def refuse(call, reason=errno.EPERM, *argument):
        number, given = library.seccomp_syscall_resolve_name(call.encode()), _Argument(*argument)
        if number == -1:
            number = OF_THE_KERNEL.get(call) or -1
        action, count = ctypes.c_uint32(_REFUSE | reason), ctypes.c_uint(bool(argument))
        if number != -1 and library.seccomp_rule_add_array(rules, action, number, count, ctypes.byref(given)):
            raise OSError(f"libseccomp takes no rule for {call}")

    for call in [*f"{UNCOUNTED} {OF_OTHERS} {HOLES}".split(), *OF_THE_KERNEL]:
        refuse(call)
    for option in PROCESS:
        refuse("prctl", errno.EPERM, 0, _HAS, _INT, option)
    refuse("clone3", errno.ENOSYS)  # its flags lie in memory; C libraries then call clone
    refuse("prlimit64", errno.EPERM, 0, _DIFFERS, 0)
    for flag in NAMESPACES:
        refuse("clone", errno.EPERM, 0, _HAS, flag, flag)
    for call in SIGNS.split():
        refuse(call, errno.ENOLCK)
    for command in LOCKS:
        refuse("fcntl", errno.ENOLCK, 1, _HAS, _INT, command)
    refuse("fcntl", errno.EPERM, 1, _HAS, _INT, PIPE_SIZE)
    for option in BUFFERS:
        refuse("setsockopt", errno.EPERM, 2, _HAS, _INT, option)
    for family in set(range(FAMILIES[-1])) - set(FAMILIES):
        refuse("socket", errno.EAFNOSUPPORT, 0, _EQUALS, family)
    refuse("socket", errno.EAFNOSUPPORT, 0, _ABOVE, FAMILIES[-1])
    file = os.memfd_create("rules")
    if library.seccomp_export_bpf(rules, file):
        raise OSError("libseccomp writes no rules")
    library.seccomp_release(rules)
    os.lseek(file, 0, os.SEEK_SET)
    return file
