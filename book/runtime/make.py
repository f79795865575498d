"""Make `files/` again from the published packages: Python and NumPy for the browser, and the editor.

python book/runtime/make.py            make the files; needs node, npm and a network
python book/runtime/make.py --check    compare the files that are here with checksums.txt; needs neither
"""

import base64
import gzip
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FILES, SUMS = HERE / "files", HERE / "checksums.txt"

#: What npm must bring, to the last bit.
PACKAGES = {
    "pyodide@0.27.7": (
        "RUSVJlhQdfWfgO9hVHCiXoG+nVZQRS5D9FzgpLJ/VcgGBLSAKoPL8kTiOikxbHQm1kRISeWUBdulEgO26qpSRA=="
    ),
    "@emscripten-forge/numpy@2.0.1-py312h4e66579-0": (
        "64iP3tolNhBnKJBHs2b5Mg9s17BL8Bp9Ev2+U0fSCO3/zQlWQRCrExw2MgmfwjhNz+mwbKPG2eBsBcpBWV2xbA=="
    ),
}
#: Of NumPy nobody computes with these; `_multiarray_tests` stays, NumPy imports it.
LEFT_OUT = ("/tests/", "/f2py/", "/distutils/", "/_pyinstaller/", "/__pycache__/", "/doc/", "/include/")
LEFT_OUT += (
    "/_simd.",
    "/_operand_flag_tests.",
    "/_rational_tests.",
    "/_struct_ufunc_tests.",
    "/_umath_tests.",
)
KEPT = (".py", ".so")


def main():
    """Make the files, or compare what is here with the sums."""
    if "--check" not in sys.argv:
        with tempfile.TemporaryDirectory() as folder:
            make(Path(folder))
        SUMS.write_text(sums())
    if sums() != SUMS.read_text():
        sys.exit("book/runtime/files is not what checksums.txt says")
    total = sum(path.stat().st_size for path in FILES.iterdir())
    print(f"{len(list(FILES.iterdir()))} files as checksums.txt says, {total / 1e6:.1f} MB")


def sums():
    """Return a line for each file: the sha256 of what is in it, unpacked, and its name."""
    return "".join(
        f"{hashlib.sha256(unpacked(path)).hexdigest()}  {path.name}\n" for path in sorted(FILES.iterdir())
    )


def unpacked(path):
    """Return the bytes of a file, without gzip: zlib's versions pack differently."""
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def make(folder):
    """Fetch the packages into a folder, and write every file."""
    shutil.rmtree(FILES, ignore_errors=True)
    FILES.mkdir()
    python, numpy = (fetched(folder, name, known) for name, known in PACKAGES.items())
    for name in ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm"):
        write(name, without_map(python[f"package/{name}"]))
    lock = json.loads(python["package/pyodide-lock.json"]) | {"packages": {}}
    write("pyodide-lock.json", json.dumps(lock).encode())
    inner = next(content for name, content in numpy.items() if name.endswith(".tar.gz"))
    (folder / "python_stdlib.zip").write_bytes(stored(in_zip(python["package/python_stdlib.zip"])))
    (folder / "numpy.zip").write_bytes(stored(numpy_files(in_tar(inner))))
    compile_in(folder, python)
    for name in ("python_stdlib.zip", "numpy.zip"):
        write(name, (folder / name).read_bytes())
    (FILES / "codemirror.js").write_bytes(editor(folder))


def fetched(folder, package, known):
    """Return the files of an npm package, by name."""
    said = subprocess.run(
        ["npm", "pack", "--silent", package], cwd=folder, check=True, capture_output=True, text=True
    )
    packed = (folder / said.stdout.split()[-1]).read_bytes()
    if base64.b64encode(hashlib.sha512(packed).digest()).decode() != known:
        sys.exit(f"{package} is not the package that it was")
    return in_tar(packed)


def in_tar(packed):
    """Return the files in a tar.gz archive, by name."""
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        return {part.name: tar.extractfile(part).read() for part in tar.getmembers() if part.isfile()}


def in_zip(packed):
    """Return the files of a zip, by name."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def numpy_files(files):
    """Return the files of NumPy that the page needs, by their names under site-packages."""
    names = {name.partition("site-packages/")[2]: content for name, content in files.items()}
    return {
        name: content
        for name, content in names.items()
        if name.startswith("numpy/")
        and name.endswith(KEPT)
        and not any(part in f"/{name}" for part in LEFT_OUT)
    }


def stored(files):
    """Return a zip file without compression and dates, because gzip compresses the whole better."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name), files[name])
    return packed.getvalue()


def compile_in(folder, python):
    """Compile, in the two zips, the modules that every page imports at its start."""
    place = folder / "package"
    place.mkdir()
    for name, content in python.items():
        (folder / name).write_bytes(content)
    subprocess.run(["node", str(HERE / "compile.mjs"), str(folder), str(place / "pyodide.mjs")], check=True)


def without_map(script):
    """Return a script without the line that names its missing source map."""
    lines = script.splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(b"//# sourceMappingURL"))


def write(name, content):
    """Write a compressed file."""
    (FILES / f"{name}.gz").write_bytes(gzip.compress(content, 9, mtime=0))


def editor(folder):
    """Return CodeMirror as one script, from the versions that editor/package-lock.json names."""
    place = folder / "editor"
    shutil.copytree(HERE / "editor", place, ignore=shutil.ignore_patterns("node_modules"))
    subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=place, check=True)
    esbuild = ["node_modules/.bin/esbuild", "entry.js", "--bundle", "--minify", "--format=iife"]
    options = ["--global-name=ClearheadEditor", "--legal-comments=none", "--target=es2022", "--charset=utf8"]
    made = subprocess.run([*esbuild, *options], cwd=place, check=True, capture_output=True).stdout
    return b"/* CodeMirror 6, MIT licence: book/runtime/licences/codemirror.txt */\n" + made


if __name__ == "__main__":
    main()
