"""Python in the page: the runtime as scripts, and a place to write under each exercise of a sheet."""

import base64
import gzip
import hashlib
import io
import json
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "book" / "runtime"
#: What of the library the page needs: what runs with NumPy alone, and the data of the sheets.
LIBRARY = ("__init__.py", "checks/", "sheets/", "maths/", "text/", "pretrained/")
PIECE = 750_000  # bytes of a file in one script: what loads is shown piece by piece


def library_files():
    """Return the files of `clearhead` that the page's Python needs, by their names in the package's folder."""
    package = ROOT / "lib" / "clearhead"
    names = sorted(str(path.relative_to(package)) for path in package.rglob("*") if path.is_file())
    return {
        f"clearhead/{name}": (package / name).read_bytes()
        for name in names
        if name.startswith(LIBRARY) and "__pycache__" not in name and name.endswith((".py", ".json", ".toml"))
    }


def stored(files):
    """Return a zip in which nothing is packed and nothing has a date."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), content)
    return packed.getvalue()


def parts():
    """Return what the page loads, by name, each packed by gzip; the largest first, it takes longest to prepare."""
    made = {path.name.removesuffix(".gz"): path.read_bytes() for path in (RUNTIME / "files").glob("*.gz")}
    made["book.zip"] = gzip.compress(stored(library_files()), 9, mtime=0)
    made["in_page.py"] = gzip.compress((RUNTIME / "in_page.py").read_bytes(), 9, mtime=0)
    return dict(sorted(made.items(), key=lambda part: -len(part[1])))


def write_runtime(folder):
    """Write the scripts that hold Python, NumPy and the library into a folder, and their list."""
    folder.mkdir(parents=True, exist_ok=True)
    listed = []
    for name, packed in parts().items():
        pieces = [packed[start : start + PIECE] for start in range(0, len(packed), PIECE)]
        for number, piece in enumerate(pieces):
            assign(folder / f"{name}.{number}.js", f"{name}.{number}", base64.b64encode(piece).decode())
        digest = hashlib.sha256(packed).hexdigest()[:8]
        listed.append({"name": name, "pieces": len(pieces), "bytes": len(packed), "digest": digest})
    assign(folder / "list.js", "list", listed)


def assign(path, name, value):
    """Write a script that leaves a value in `clearheadParts`."""
    path.write_text(f"(self.clearheadParts ??= {{}})[{json.dumps(name)}] = {json.dumps(value)};\n", "utf-8")
