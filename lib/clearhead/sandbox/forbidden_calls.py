"""A seccomp filter: the system calls that no answer needs, and that a sandbox is better without."""

import ctypes
import errno
import platform
import struct

_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_NUMBERS = {  # name: (x86_64, aarch64)
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "fanotify_init": (300, 262),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "mount": (165, 40),
    "move_mount": (429, 429),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "request_key": (249, 218),
    "semget": (64, 190),
    "setns": (308, 268),
    "shmget": (29, 194),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
_CLONE, _CLONE3 = {"x86_64": 56, "aarch64": 220}, 435
_NEW_NAMESPACE = 0x7E020000
_SOCKET, _FAMILIES = (
    {"x86_64": 41, "aarch64": 198},
    (1, 2, 10, 16),
)  # local, internet, and what asks for names
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000


def _program(machine):
    """Return the filter as a list of instructions (code, jump if true, jump if false, number)."""
    column = list(_ARCHITECTURE).index(machine)
    program = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, _ARCHITECTURE[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),
    ]
    if machine == "x86_64":  # the x32 calls have other numbers
        program += [(_AT_LEAST, 0, 1, 0x40000000), (_RETURN, 0, 0, _KILL)]
    refused = {numbers[column]: errno.EPERM for numbers in _NUMBERS.values()}
    refused |= {_CLONE3: errno.ENOSYS, 425: errno.ENOSYS}  # C libraries then fall back to older calls
    for number, reason in refused.items():
        program += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE | reason)]
    families = [(_EQUAL, len(_FAMILIES) - i, 0, family) for i, family in enumerate(_FAMILIES)]
    return [
        *program,
        (_EQUAL, 0, len(families) + 3, _SOCKET[machine]),
        (_LOAD, 0, 0, 16),
        *families,
        (_RETURN, 0, 0, _REFUSE | errno.EAFNOSUPPORT),
        (_RETURN, 0, 0, _ALLOW),
        (_EQUAL, 0, 3, _CLONE[machine]),
        (_LOAD, 0, 0, 16),  # the flags of clone
        (_ANY_BIT, 0, 1, _NEW_NAMESPACE),
        (_RETURN, 0, 0, _REFUSE | errno.EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]


def forbid():
    """Forbid these calls for this process and all that come from it. Privileges must be given up before."""
    code = b"".join(struct.pack("HBBI", *instruction) for instruction in _program(platform.machine()))
    filter = ctypes.create_string_buffer(code)
    header = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(filter))
    libc = ctypes.CDLL(None, use_errno=True)
    mode = ctypes.c_ulong(2)
    if libc.prctl(22, mode, ctypes.create_string_buffer(header), ctypes.c_ulong(0), ctypes.c_ulong(0)):
        raise OSError(ctypes.get_errno(), "seccomp")
