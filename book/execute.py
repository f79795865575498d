"""The parallel execution of chapters and appendices into the cache of the book build.

A chapter runs again if its code, the part of the library that it imports, the requirements, or the processor
has changed, but not if only its prose has changed. The cache is that of jupyter-cache, in which
`jupyter-book build .` finds the outputs.
"""

import hashlib
import json
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import nbformat
import psutil
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_client import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from build import machine
from warm_kernels import kernel_managers

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".cache" / "executed"
PACKAGE = ROOT / "lib" / "clearhead"
SECONDS_PER_CELL = 300
CPU_TIMES = ("user", "system", "children_user", "children_system")
#: The chapters that take longest. They start first, so that no worker is idle while the last one runs.
LONG = ("03_", "11_", "13_", "15_", "17_", "18_", "19_", "20_", "appendix_")
IMPORT = re.compile(
    r"^\s*(?:from|import)\s+clearhead\.(\w+)|^\s*from clearhead import (.+)$"
    r"|import_module\(.clearhead\.(\w+)",
    re.M,
)


def subpackages_imported(code):
    """Return the set of subpackages of `clearhead` that Python code names in its imports."""
    return {name for found in IMPORT.findall(code) for name in re.findall(r"\w+", " ".join(found))}


def subpackages_needed(code):
    """Return the set of subpackages that `code` imports directly or through other subpackages."""
    needed, waiting = set(), subpackages_imported(code)
    while waiting:
        name = waiting.pop()
        needed.add(name)
        inside = "\n".join(path.read_text("utf-8") for path in (PACKAGE / name).rglob("*.py"))
        waiting |= subpackages_imported(inside) - needed
    return needed


def key(notebook):
    """Return a hash of what a chapter needs besides its own code: machine, requirements, library and data."""
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    digest = hashlib.sha256(machine().encode())
    files = [ROOT / "requirements.txt", ROOT / "constraints.txt", PACKAGE / "__init__.py"]
    for name in sorted(subpackages_needed(code)):
        files += sorted((PACKAGE / name).rglob("*"))
    if "benchmarks/results" in code:
        files += sorted((ROOT / "benchmarks" / "results").glob("*.json"))
    for path in files:
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()


def stale(paths, cache, keys):
    """Return a dict of the notebooks that must run, after removing their old results from the cache."""
    waiting = {}
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        fresh = key(notebook)
        try:
            record = cache.match_cache_notebook(notebook)
        except KeyError:
            record = None
        if record and keys.get(path.name) == fresh:
            continue
        if record:
            cache.remove_cache(record.pk)
        waiting[path] = (notebook, fresh)
    return dict(sorted(waiting.items(), key=lambda each: not each[0].name.startswith(LONG)))


def cpu_seconds(process):
    """Return the CPU seconds, user and system, that a process and its finished children have used."""
    return sum(getattr(process.cpu_times(), kind, 0.0) for kind in CPU_TIMES)


def run(path, notebook, kernel_manager=AsyncKernelManager):
    """Execute a notebook in place, in a kernel of its own, and return the time that it took.

    Returns
    -------
    times : dict of str to float
        "execution_seconds" by the clock, and "cpu_seconds" of the kernel with its threads and processes.
    """
    begun, used = time.perf_counter(), [0.0]

    def note(**_):
        used.append(cpu_seconds(psutil.Process(client.km.provisioner.pid)))

    client = NotebookClient(
        notebook,
        timeout=SECONDS_PER_CELL,
        kernel_name="python3",
        kernel_manager_class=kernel_manager,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
        record_timing=False,  # timings would enter the cells' metadata, and with it the cache's hash
        resources={"metadata": {"path": str(path.parent)}},
        on_cell_executed=note,
    )
    client.execute()
    return {"execution_seconds": time.perf_counter() - begun, "cpu_seconds": used[-1]}


def say(times):
    """Return the times of a chapter as a string."""
    return f"{times['execution_seconds']:6.1f} s, {times['cpu_seconds']:6.1f} CPU-seconds"


def where(path, notebook, error):
    """Return a paragraph that names the notebook, the code cell and the error that stopped it."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    ran = [
        number for number, cell in enumerate(cells, 1) if cell.get("execution_count") or cell.get("outputs")
    ]
    number = ran[-1] if ran else 1
    source = "\n".join("    " + line for line in cells[number - 1].source.splitlines())
    reason = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).strip().splitlines()
    name = f"{error.ename}: {error.evalue}" if isinstance(error, CellExecutionError) else reason[-1]
    cell = f"{path.relative_to(ROOT)}, code cell {number} of {len(cells)}"
    return f"{cell}, stopped with\n  {name}\nThe cell:\n{source}"


def execute(paths, workers):
    """Run each chapter that is out of date, print a line for each, and return the messages of failed ones."""
    cache = get_cache(CACHE)
    ledger = CACHE / "keys.json"
    keys = json.loads(ledger.read_text()) if ledger.exists() else {}
    waiting, failures = stale(paths, cache, keys), []
    if not waiting:
        print(f"chapters: {len(paths)} of {len(paths)} are up to date", flush=True)
    else:
        print(f"chapters: executing {len(waiting)} of {len(paths)}, {workers} at a time", flush=True)
    with kernel_managers(len(waiting)) as manager, ThreadPoolExecutor(workers) as pool:
        jobs = {pool.submit(run, path, notebook, manager): path for path, (notebook, _) in waiting.items()}
        for count, job in enumerate(as_completed(jobs), 1):
            path = jobs[job]
            notebook, fresh = waiting[path]
            try:
                times = job.result()
            except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
                failures.append(where(path, notebook, error))
                print(f"  [{count}/{len(jobs)}] {path.stem:28} FAILED", flush=True)
                continue
            cache.cache_notebook_bundle(
                CacheBundleIn(notebook, str(path), data=times),
                check_validity=False,
                overwrite=True,
            )
            keys[path.name] = fresh
            ledger.write_text(json.dumps(keys, indent=1))
            print(f"  [{count}/{len(jobs)}] {path.stem:28} {say(times)}", flush=True)
    return failures


def main(names):
    """Execute the named chapters or all of them, and exit with status 1 if one of them ended in an error."""
    workers = max(1, int(os.environ.get("CLEARHEAD_JOBS") or os.cpu_count() or 1))
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // workers)))
    os.environ.update(PYTHONHASHSEED="0", CLEARHEAD_STATE=str(CACHE / "progress"))
    book = [*sorted((ROOT / "chapters").glob("*.ipynb")), *sorted((ROOT / "book").glob("*.ipynb"))]
    paths = [Path(name).resolve() for name in names] or book
    failures = execute(paths, workers)
    for failure in failures:
        print("\n" + failure, file=sys.stderr)
    sys.exit(bool(failures))


if __name__ == "__main__":
    main(sys.argv[1:])
