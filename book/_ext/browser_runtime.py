"""Write the parts of the page's Python as scripts: the runtime, the library, data, and the sheets."""

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
#: What of the library the page needs: what runs with NumPy alone, and the data of the sheets.
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
PIECE = 750_000  # bytes of a file in one script: what loads is shown piece by piece


def megabytes(made):
    """Return the size in MB of what the first run loads, from the `parts`."""
    return round(sum(map(len, made.values())) / 1e6)


def library_files():
    """Return the files of `clearhead` that the page's Python needs, by their names."""
    names = sorted(str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*") if path.is_file())
    whole = {
        f"clearhead/{name}": (PACKAGE / name).read_bytes()
        for name in names
        if name.startswith(LIBRARY) and "__pycache__" not in name
        if name.endswith(DATA) or (name.startswith("sheets/") and name.endswith(".md"))
    }
    return without_answers(whole) if os.environ.get("CLEARHEAD_EDITION") == "class" else whole


def data_files():
    """Return the data that chapters take from other packages: scikit-learn's tables, Python's own manual."""
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
    """Return the files with the sheets of a class edition instead of the sheets."""
    from clearhead.authoring.class_sheets import class_files

    remaining = {name: content for name, content in files.items() if not name.startswith("clearhead/sheets/")}
    return remaining | class_files(ROOT / "_build" / "class_sheets")


def stored(files):
    """Return a zip file without compression and dates."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), content)
    return packed.getvalue()


def parts():
    """Return the parts that the page loads, by name, compressed; WebAssembly comes first, to be compiled."""
    made = {path.name.removesuffix(".gz"): path.read_bytes() for path in (RUNTIME / "files").glob("*.gz")}
    made["book.zip"] = gzip.compress(stored(library_files() | data_files()), 9, mtime=0)
    own = {path.name: path.read_bytes() for path in RUNTIME.glob("in_page*.py")}
    made["in_page.zip"] = gzip.compress(stored(own), 9, mtime=0)
    return dict(sorted(made.items(), key=lambda part: (not part[0].endswith(".wasm"), part[0])))


def write_runtime(folder, made):
    """Write the `parts`, which hold Python, NumPy and the library, as scripts; their list; and the editor.

    The list is written after the parts. Where the same list is there already, so are they.
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
    """Write each sheet's notebook as a script, so that the page can return it with the answers."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(exercises.glob("*.ipynb")):
        assign(folder / f"{path.stem}.js", f"sheet {path.stem}", json.loads(path.read_text("utf-8")))


def assign(path, name, value):
    """Write a script that stores a value in `clearheadParts`."""
    path.write_text(assigned(name, value), "utf-8")


def assigned(name, value):
    """Return the text of such a script."""
    return f"(self.clearheadParts ??= {{}})[{json.dumps(name)}] = {json.dumps(value)};\n"
