"""The Python of the page, written as scripts: the runtime, the library, data, and the sheets."""

import base64
import gzip
import hashlib
import io
import json
import os
import shutil
import zipfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from conventions import PACKAGE, ROOT

RUNTIME = ROOT / "book" / "runtime"
#: The parts of the library that the page needs: those that require only NumPy, and the sheets.
LIBRARY = (
    "__init__.py",
    "errors.py",
    "files.py",
    "in_lab.py",
    "targets.py",
    "contracts/",
    "checks/",
    "sheets/",
    "maths/",
    "text/",
    "pretrained/",
    "figures/style.py",
    "figures/tables.py",
    "figures/words.py",
    "sandbox/__init__.py",
    "sandbox/reading.py",
    "sandbox/shell.py",
    "sandbox/syntax.py",
)
DATA = (".py", ".json", ".toml", "digits_vit.npz", "mini_clip.npz", "questions.npz")
DATA += ("word_vectors.npz", "sentences.npz", "smollm_tokens.npz", "smollm_recorded.npz", "smollm_lens.npz")
PIECE = 750_000  # bytes of a file in one script; the progress of loading is shown for each piece


def megabytes(made):
    """Return the total size of `parts`, which the first run loads, in MB."""
    return round(sum(map(len, made.values())) / 1e6)


def library_files():
    """Return a dict from the names of the files of `clearhead` that the page needs to their contents."""
    names = sorted(str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*") if path.is_file())
    whole = {
        f"clearhead/{name}": (PACKAGE / name).read_bytes()
        for name in names
        if name.startswith(LIBRARY) and "__pycache__" not in name
        if name.endswith(DATA) or (name.startswith("sheets/") and name.endswith(".md"))
    }
    return without_answers(whole) if os.environ.get("CLEARHEAD_EDITION") == "class" else whole


def data_files():
    """Return a dict of the data that chapters take from other packages, such as scikit-learn's tables."""
    from pydoc_data import topics

    made = {"pydoc_data/__init__.py": b"", "pydoc_data/topics.py": Path(topics.__file__).read_bytes()}
    tables = Path(find_spec("sklearn").submodule_search_locations[0]) / "datasets" / "data"  # not imported
    for name, file, header, kind in (
        ("digits", "digits.csv.gz", 0, "uint8"),
        ("wine", "wine_data.csv", 1, float),
    ):
        rows = np.loadtxt(tables / file, delimiter=",", skiprows=header)
        np.save(table := io.BytesIO(), rows.astype(kind))
        made[f"{name}.npy"] = table.getvalue()
    return made


def without_answers(files):
    """Return the files with the sheets of a class edition in place of the complete sheets."""
    from clearhead.authoring.class_sheets import class_files

    remaining = {name: content for name, content in files.items() if not name.startswith("clearhead/sheets/")}
    return remaining | class_files(ROOT / "_build" / "class_sheets")


def stored(files):
    """Return a zip file of the given files, without compression and dates."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), content)
    return packed.getvalue()


def parts():
    """Return a dict from the names of the parts that the page loads to their compressed contents.

    WebAssembly comes first, because it has to be compiled.
    """
    made = {path.name.removesuffix(".gz"): path.read_bytes() for path in (RUNTIME / "files").glob("*.gz")}
    made["book.zip"] = gzip.compress(stored(library_files() | data_files()), 9, mtime=0)
    own = {path.name: path.read_bytes() for path in RUNTIME.glob("in_page*.py")}
    made["in_page.zip"] = gzip.compress(stored(own), 9, mtime=0)
    return dict(sorted(made.items(), key=lambda part: (not part[0].endswith(".wasm"), part[0])))


def write_runtime(folder, made):
    """Write the `parts` as scripts, a list of these scripts, and the editor.

    The list is written after the parts, so if the same list already exists, the parts exist, too.
    """
    pieces = {
        name: [packed[start : start + PIECE] for start in range(0, len(packed), PIECE)]
        for name, packed in made.items()
    }
    listed = [
        {
            "name": name,
            "pieces": len(pieces[name]),
            "bytes": len(packed),
            "digest": hashlib.sha256(packed).hexdigest()[:8],
        }
        for name, packed in made.items()
    ]
    before = folder / "list.js"
    if not before.exists() or before.read_text("utf-8") != assigned("list", listed):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, parts_of_it in pieces.items():
            for number, piece in enumerate(parts_of_it):
                assign(folder / f"{name}.{number}.js", f"{name}.{number}", base64.b64encode(piece).decode())
        assign(before, "list", listed)
    shutil.copy2(RUNTIME / "files" / "codemirror.js", folder)
    shutil.copytree(RUNTIME / "licences", folder / "licences", dirs_exist_ok=True)


def write_sheets(exercises, folder):
    """Write each sheet's notebook as a script, so that the page can return it with a reader's answers."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(exercises.glob("*.ipynb")):
        assign(folder / f"{path.stem}.js", f"sheet {path.stem}", json.loads(path.read_text("utf-8")))


def assign(path, name, value):
    """Write a script that stores a value in `clearheadParts`."""
    path.write_text(assigned(name, value), "utf-8")


def assigned(name, value):
    """Return the text of a script that stores a value in `clearheadParts`."""
    return f"(self.clearheadParts ??= {{}})[{json.dumps(name)}] = {json.dumps(value)};\n"
