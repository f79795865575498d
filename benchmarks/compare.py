"""Compare two implementations by timing them in turns, so that a busy machine slows both, and by memory."""

import dataclasses
import json
import multiprocessing
import os
import platform
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent


@dataclasses.dataclass(frozen=True)
class Row:
    """One line of a table: what was compared, both measurements, and the goal for their ratio or for ours."""

    subject: str
    what: str
    ours: float
    peer: float
    unit: str
    against: str
    goal: float | None = None  # for the ratio ours / peer; None: no goal, only told
    note: str = ""
    limit: float | None = None  # what this machine allows at best, by `ceilings`, in the same unit
    fair: bool = True  # whether all else that belongs to the goal was kept, such as a loss or a time

    @property
    def ratio(self):
        return self.ours / self.peer

    @property
    def holds(self):
        return None if self.goal is None else self.fair and self.ratio <= self.goal


def _once(call, times):
    begun = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - begun) / times


def in_turns(calls, rounds=7, least=0.05):
    """Return the seconds of each call, and the median ratio of each to the first, measured in turns.

    Every second turn goes backwards, so that no call always follows the same one.

    Parameters
    ----------
    calls : dict of name -> function without arguments
        The first is the one that the others are divided by.
    rounds : int
        How many turns each call gets.
    least : float
        Seconds that a turn takes at least: a short call is repeated within its turn.
    """
    times = {}
    for name, call in calls.items():
        call()  # warm up
        times[name] = max(1, round(least / max(_once(call, 1), 1e-9)))
    ways = [list(calls), list(calls)[::-1]]
    turns = [{name: _once(calls[name], times[name]) for name in ways[k % 2]} for k in range(rounds)]
    first = next(iter(calls))
    seconds = {name: statistics.median(turn[name] for turn in turns) for name in calls}
    ratios = {name: statistics.median(turn[name] / turn[first] for turn in turns) for name in calls}
    return seconds, ratios


def _highest_memory(forget=False):
    """Return the peak memory of this process in bytes, since its start or since the last reset."""
    status = Path("/proc/self/status")
    if forget and os.access("/proc/self/clear_refs", os.W_OK):
        Path("/proc/self/clear_refs").write_text("5")
    if status.exists() and (found := re.search(r"VmHWM:\s+(\d+) kB", status.read_text())):
        return 1024 * int(found[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _peak_inside(pipe, prepare, work, arguments):
    prepared = prepare(*arguments)
    before = _highest_memory(forget=True)
    begun = time.perf_counter()
    work(*prepared)
    seconds = time.perf_counter() - begun
    pipe.send((_highest_memory() - before, seconds))


def peak(prepare, work, *arguments):
    """Return the peak memory of `work(*prepare(*arguments))` beyond its prepared arguments, and its seconds.

    It runs in a process of its own, whose highest resident memory the operating system writes down. Both
    functions stand at the top of a module.
    """
    here, there = multiprocessing.get_context("spawn").Pipe(duplex=False)
    process = multiprocessing.get_context("spawn").Process(
        target=_peak_inside, args=(there, prepare, work, arguments)
    )
    process.start()
    there.close()
    try:
        used, seconds = here.recv()
        if used <= 0:
            raise RuntimeError(f"{work.__name__}{arguments} used no memory at all: the measure is wrong")
        return used, seconds
    except EOFError:
        raise RuntimeError(f"{work.__name__}{arguments} ended without an answer") from None
    finally:
        process.join()


#: What an older processor is simulated by: the libraries are told to use no newer instructions.
SIMULATED = {
    "avx2": {
        "ATEN_CPU_CAPABILITY": "avx2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "OPENBLAS_CORETYPE": "Haswell",
        "MKL_CBWR": "AVX2",
        "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL",
    },
    "avx512": {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE_BF16"},
}


def kind():
    """Return the instruction set that this processor (or the simulated one) computes with, such as `avx2`."""
    import torch

    capability = torch.backends.cpu.get_cpu_capability().lower()
    allowed = "ONEDNN_MAX_CPU_ISA" not in os.environ
    return "amx" if capability == "avx512" and torch.cpu._is_amx_tile_supported() and allowed else capability


def _cpu():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _commit():
    """Return the commit that is measured, with a plus if files differ from it, or "" without git."""
    if not shutil.which("git"):
        return ""
    ways = {"cwd": HERE, "capture_output": True, "text": True, "check": False}
    head = subprocess.run(["git", "rev-parse", "--short", "HEAD"], **ways).stdout.strip()
    changed = subprocess.run(["git", "status", "--porcelain", "--", "..", ":!results"], **ways).stdout
    return head + "+" * bool(changed)


def busy(seconds=1.0):
    """Return the fraction of the cores that other processes use in one second, or None if it is unknown."""
    stat = Path("/proc/stat")
    if not stat.exists():
        return None
    before = [int(ticks) for ticks in stat.read_text().splitlines()[0].split()[1:9]]
    time.sleep(seconds)
    after = [int(ticks) for ticks in stat.read_text().splitlines()[0].split()[1:9]]
    spent = [late - early for early, late in zip(before, after, strict=True)]
    return round(1 - (spent[3] + spent[4]) / sum(spent), 2)  # all but idle and waiting for a disk


def machine():
    """Return what the measurements were made on: processor, cores, memory, versions and other load."""
    import numpy
    import torch

    pages = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 0
    return {
        "commit": _commit(),
        "processor": _cpu(),
        "cores": os.cpu_count(),
        "memory in GiB": round(pages / 2**30, 1),
        "instructions": kind() + (" (simulated)" if "ONEDNN_MAX_CPU_ISA" in os.environ else ""),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
        "busy before": busy(),
    }


def isolated(function, *arguments, threads=None):
    """Return the result of `module:function(*arguments)` in a fresh Python with a number of threads."""
    module, name = function.split(":")
    code = (
        f"import json, {module}; print(json.dumps({module}.{name}(*json.loads({json.dumps(arguments)!r}))))"
    )
    environment = os.environ | ({"OMP_NUM_THREADS": str(threads)} if threads else {})
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=HERE, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return json.loads(done.stdout.splitlines()[-1])


def cost(command, folder, **environment):
    """Return the CPU seconds of a command, including its child processes, and its wall-clock seconds."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])  # for its tools
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PATH": path} | environment
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError((done.stdout + done.stderr)[-2000:])
    after, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - begun
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, seconds
