"""Notebooks and archives that are broken, edited or traps, each with the marks that it must get."""

import json
import os
import stat
import zipfile

from clearhead.grading.commands.example import IMPORTS, RIGHT, answers, notebook

ALL_UNREADABLE = dict.fromkeys(RIGHT, ("unreadable",))
STUB = "def qkv(X, W_q, W_k, W_v):\n    raise NotImplementedError  # your turn\n"
WRONG = "def qkv(X, W_q, W_k, W_v):\n    return 1\n"
CELLS = [IMPORTS, *RIGHT.values()]


def _old(cells):
    """Return a notebook as nbformat 3 had it."""
    made = [{"cell_type": "code", "input": c, "language": "python", "outputs": []} for c in cells]
    return json.dumps({"worksheets": [{"cells": made}], "metadata": {}, "nbformat": 3, "nbformat_minor": 0})


def _changed(**changes):
    return json.dumps(json.loads(answers()) | changes)


NOTEBOOKS = {
    "correct": (answers(), {}),
    "check cells deleted": (notebook(*CELLS), {}),
    "check cells that fail": (notebook(*CELLS, "check('05.qkv', 5)", "assert False", "1/0"), {}),
    "the stub stands after the answer": (notebook(*CELLS, STUB), {}),
    "the stub stands before the answer": (notebook(IMPORTS, STUB, *RIGHT.values()), {}),
    "every cell twice": (notebook(*CELLS, *CELLS), {}),
    "the last answer counts": (notebook(IMPORTS, WRONG, *RIGHT.values()), {}),
    "cells in the opposite order": (notebook(*reversed(CELLS)), {}),
    "one cell for all, with an error inside": (notebook("\n".join([IMPORTS, "1/0", *RIGHT.values()])), {}),
    "a name used again for an array": (notebook(*CELLS, "attention_weights = np.zeros(3)\nqkv = None"), {}),
    "a cell that is no Python": (notebook(*CELLS, "def ("), {}),
    "magics": (
        notebook("%matplotlib inline\n!ls\n?np", "%%bash\nls", "%%time\n" + IMPORTS, *RIGHT.values()),
        {},
    ),
    "no metadata at all": (json.dumps({"cells": [{"cell_type": "code", "source": c} for c in CELLS]}), {}),
    "an unknown kernel": (_changed(metadata={"kernelspec": {"name": "fortran", "display_name": "?"}}), {}),
    "metadata of the wrong kind": (_changed(metadata=7, nbformat="x"), {}),
    "source as lines": (
        json.dumps({"cells": [{"cell_type": "code", "source": c.splitlines(True)} for c in CELLS]}),
        {},
    ),
    "cells of the wrong kind": (json.dumps({"cells": [None, 5, *json.loads(answers())["cells"], []]}), {}),
    "nbformat 3": (_old(CELLS), {}),
    "a byte order mark": ("\ufeff" + answers(), {}),
    "all answers missing": (notebook(IMPORTS), dict.fromkeys(RIGHT, ("missing",))),
    "all stubs": (
        notebook(IMPORTS, *(f"def {name}(*a):\n    raise NotImplementedError\n" for name in RIGHT)),
        dict.fromkeys(RIGHT, ("not_attempted",)),
    ),
    "broken JSON": (answers()[:-40], ALL_UNREADABLE),
    "an empty file": ("", ALL_UNREADABLE),
    "not a notebook": ("[1, 2, 3]", ALL_UNREADABLE),
    "not text": (os.urandom(3000), ALL_UNREADABLE),
    "letters of another encoding": (
        answers().replace("import", "# \u00e9\\nimport", 1).encode("latin-1"),
        ALL_UNREADABLE,
    ),
    "forty thousand statements": (notebook(*CELLS, "x = 1\n" * 40_000), {}),
    "forks before its answers": (
        notebook(IMPORTS, "import os\nos.fork()", *RIGHT.values()),
        dict.fromkeys(RIGHT, ("passed", "crashed", "missing", "failed", "timeout")),
    ),
    "JSON a million deep": ('{"cells":' + "[" * 10**6, ALL_UNREADABLE),
    "JSON of ten million lists": (
        '{"cells": [' + "[]," * 9 * 10**6 + "[]]}",
        dict.fromkeys(RIGHT, ("unreadable", "missing", "memory", "crashed", "timeout")),
    ),
    "JSON with a giant number": ('{"cells": ' + "9" * 10**6 + "}", ALL_UNREADABLE),
    "a gigantic file": (b" " * (31 << 20), ALL_UNREADABLE),
    "brackets a hundred thousand deep": (notebook(*CELLS, "(" * 10**5), {}),
    "minus signs a hundred thousand long": (notebook(*CELLS, "-" * 10**5 + "1"), {}),
    "ten thousand cells": (notebook(*CELLS, *["1"] * 10**4), {}),
}
NAMES = [
    '=HYPERLINK("x")',
    "<script>alert(1)",
    "-2+3",
    "@SUM(A1)",
    "\u202egnp.exe",
    "a\tb\x1b[31m",
    "ää 张伟",
    "x" * 200,
]


def write_notebooks(folder, entries):
    """Write one folder a student, with one notebook each."""
    for student, (text, _) in entries.items():
        (folder / student).mkdir()
        raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        (folder / student / "05_attention.ipynb").write_bytes(raw)


def _archive(path, name, data, **attributes):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        member = zipfile.ZipInfo(name)
        member.compress_type = zipfile.ZIP_DEFLATED
        for key, value in attributes.items():
            setattr(member, key, value)
        archive.writestr(member, data)


def write_archives(folder):
    """Write archives, links and pipes, and return the statuses that each must get."""
    right = answers()
    _archive(folder / "good archive.zip", "work/05_attention.ipynb", right)
    _archive(folder / "climbing archive.zip", "../../05_attention.ipynb", right)
    _archive(folder / "absolute archive.zip", "/etc/05_attention.ipynb", right)
    _archive(
        folder / "archive with a link.zip",
        "05_attention.ipynb",
        "/etc/passwd",
        external_attr=(stat.S_IFLNK | 0o777) << 16,
    )
    _archive(folder / "a gigabyte of zeros.zip", "05_attention.ipynb", bytes(200 << 20))
    (folder / "broken archive.zip").write_bytes(b"PK\x03\x04" + os.urandom(500))
    with zipfile.ZipFile(folder / "too many members.zip", "w") as archive:
        for number in range(40_000):
            archive.writestr(f"{number}.ipynb", "")
    with zipfile.ZipFile(folder / "archive by LZMA.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("05_attention.ipynb", right)
    plain = (folder / "good archive.zip").read_bytes()
    for name, place, value in (("encrypted", 6, 1), ("of an unknown method", 8, 9)):
        raw = bytearray(plain)
        raw[place] = raw[plain.index(b"PK\x01\x02") + place + 2] = value
        (folder / f"archive {name}.zip").write_bytes(raw)
    (folder / "folder that is a link").symlink_to(folder / "correct")
    (folder / "hard link").mkdir()
    (folder / "hard link" / "05_attention.ipynb").hardlink_to(folder / "correct" / "05_attention.ipynb")
    with zipfile.ZipFile(folder / "nested archive.zip", "w") as archive:
        archive.write(folder / "good archive.zip", "inner.zip")
    (folder / "linked.ipynb").symlink_to(folder / "correct" / "05_attention.ipynb")
    (folder / "link inside").mkdir()
    (folder / "link inside" / "05_attention.ipynb").symlink_to(folder / "correct" / "05_attention.ipynb")
    (folder / "pipe").mkdir()
    os.mkfifo(folder / "pipe" / "05_attention.ipynb")
    (folder / "single.ipynb").write_text(right)
    good = {"good archive", "nested archive", "single", "archive by LZMA", "hard link"}
    names = [p.stem if p.suffix == ".zip" else p.name for p in folder.iterdir() if p.suffix == ".zip"]
    names += ["linked", "link inside", "pipe", "single", "folder that is a link", "hard link"]
    return {name: {} if name in good else ALL_UNREADABLE for name in names}
