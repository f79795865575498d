"""Run by compile.mjs in the browser's Python: each module of two zips that a page imports becomes a .pyc."""

import importlib._bootstrap_external as external
import importlib.util
import marshal
import shutil
import sys
import zipfile

SITE = "/lib/python3.12/site-packages/"
PLACES = {"python_stdlib.zip": "/lib/python312.zip/", "numpy.zip": SITE}
#: What in_page.py and the library's checks import, besides NumPy.
NEEDED = "ast builtins copy dataclasses difflib functools inspect io itertools json linecache math secrets"
NEEDED += " signal sysconfig threading time traceback typing warnings zipfile collections.abc pathlib"


def imported():
    """Return the paths of all modules that are imported now."""
    specs = (getattr(module, "__spec__", None) for module in list(sys.modules.values()))
    return {spec.origin for spec in specs if spec is not None and spec.origin}


def compiled(source, place):
    """Return a .pyc file that is loaded without its source."""
    code = compile(source, place, "exec", dont_inherit=True)
    code = marshal.loads(marshal.dumps(code))  # written as a reader finds it: the same bytes each time
    return bytes(external._code_to_hash_pyc(code, importlib.util.source_hash(source), False))


def rewrite(name, prefix, wanted):
    """Replace in a zip each wanted module by its .pyc."""
    with zipfile.ZipFile(f"/zips/{name}") as archive:
        files = {entry: archive.read(entry) for entry in archive.namelist()}
    for entry in sorted(files):
        if entry.endswith(".py") and prefix + entry in wanted:
            files[entry + "c"] = compiled(files.pop(entry), prefix + entry)
    with zipfile.ZipFile(f"/zips/{name}", "w") as archive:
        for entry in sorted(files):
            archive.writestr(zipfile.ZipInfo(entry), files[entry])


shutil.unpack_archive("/zips/numpy.zip", SITE)
for module in ["numpy", *NEEDED.split()]:
    importlib.import_module(module)
wanted = imported()
for name, prefix in PLACES.items():
    rewrite(name, prefix, wanted)
print(f"{len(wanted)} modules compiled")
