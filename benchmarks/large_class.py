"""Grade a large class in three ways; measure time and memory, and compare the files after two interruptions.

$ python benchmarks/large_class.py --students 5000 --jobs 2
"""

import argparse
import filecmp
import io
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from clearhead.grading.commands.example import UNSCALED, answers

GRADE = [sys.executable, "-c", "from clearhead.grading.cli import main; main()", "grade"]
KILLS = (0.3, 0.65)  # the shares of the class that are marked when the grader is killed
EVERY = 2.0  # seconds between two looks at the memory


def zipped(text):
    """Return an archive that contains one notebook."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("hw/05_attention.ipynb", text)
    return made.getvalue()


def write_class(folder, students):
    """Write hand-ins of sheet 05: right, incomplete, wrong, damaged, archived, or with an endless loop."""
    kinds = [
        *[(".ipynb", answers().encode())] * 10,
        *[(".ipynb", answers(sharpen=None, attention_backward=None).encode())] * 5,
        *[(".ipynb", answers(attention_weights=UNSCALED).encode())] * 5,
        *[(".zip", zipped(answers()))] * 3,
        (".zip", zipped(answers())[:-40]),
        (".ipynb", answers(qkv="def qkv(X, W_q, W_k, W_v)\n    return X").encode()),
    ]
    loop = answers(sharpen="def sharpen(*a):\n    while True:\n        pass").encode()
    folder.mkdir()
    for number in range(students):
        suffix, raw = kinds[number % len(kinds)] if number % 500 != 250 else (".ipynb", loop)
        (folder / f"s{number:05}{suffix}").write_bytes(raw)


def memory(process):
    """Return the memory in MB of a process with all its descendants (shared pages once), and of itself."""
    children = {}
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit():
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
        except OSError:
            continue
    family, sizes = [process], {}
    for one in family:
        family += children.get(one, [])
        try:
            lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
            sizes[one] = next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
        except (OSError, StopIteration):
            continue
    return sum(sizes.values()), sizes.get(process, 0)


def run(folder, out, jobs, *more, kill_at=None):
    """Grade the class; return seconds, CPU seconds and memory over time; stop after `kill_at` submissions."""
    command = [*GRADE, "in", "--out", out, "--sheet", "05", "-j", str(jobs), "--seed", "s", "--timeout", "1"]
    begun, seen = time.monotonic(), []
    process = subprocess.Popen(
        [*command, *more], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    marks, ended = folder / out / "marks", 0
    while not ended:
        seen.append(memory(process.pid))
        if kill_at and marks.exists() and len(os.listdir(marks)) >= kill_at:
            process.send_signal(signal.SIGKILL)
        time.sleep(EVERY)
        ended, code, used = os.wait4(process.pid, os.WNOHANG)
    process.returncode, expected = os.waitstatus_to_exitcode(code), -signal.SIGKILL if kill_at else 0
    if process.returncode != expected:
        raise SystemExit(f"{out}: the grader ended with {process.returncode}, not {expected}.")
    return time.monotonic() - begun, used.ru_utime + used.ru_stime, seen


def differing(one, other):
    """Return the files that differ between two runs."""
    names = {
        path.relative_to(place)
        for place in (one, other)
        for path in place.rglob("*")
        if path.is_file() and path.name != "timings.json"
    }
    return [n for n in names if not ((one / n).exists() and (other / n).exists())
            or not filecmp.cmp(one / n, other / n, shallow=False)], len(names)  # fmt: skip


def main():
    """Print the measurements."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--students", type=int, default=5000)
    options.add_argument("--jobs", type=int, default=2)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_class(folder / "in", given.students)
        seconds, cpu, seen = run(folder, "whole", given.jobs)
        print(f"{given.students} submissions, {given.jobs} workers: {seconds:.0f} s, {cpu:.0f} CPU s")
        fifths = [seen[i * len(seen) // 5 : (i + 1) * len(seen) // 5] for i in range(5)]
        for who, which in (("all processes", 0), ("the grader's own", 1)):
            medians = ", ".join(
                f"{statistics.median(look[which] for look in fifth):.0f}" for fifth in fifths if fifth
            )
            print(
                f"MB of {who}, median of each fifth: {medians}; peak {max(look[which] for look in seen):.0f}"
            )
        for share in KILLS:
            run(folder, "killed", given.jobs, "--resume", kill_at=share * given.students)
        left = len(list((folder / "killed" / "marks").iterdir()))
        run(folder, "killed", given.jobs, "--resume")
        wrong, files = differing(folder / "whole", folder / "killed")
        print(
            f"Killed twice, resumed with {left} marks kept: {len(wrong)} of {files} files differ. {wrong[:3]}"
        )
        raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
