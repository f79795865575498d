"""Note what each sheet imports of the library: while grading, that much of it is there, and no more."""

import ast
import json
from pathlib import Path

PLACE = Path("lib") / "clearhead" / "grading" / "sheet_imports.json"
END = "## Plug it in"


def imports(text):
    """Return what a sheet imports: of the library, a dict from module to names; and the other modules.

    What it imports of the library after the last exercise, to plug it in, does not count.
    """
    library, modules, over = {}, set(), False
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        over |= cell["cell_type"] == "markdown" and source.startswith(END)
        for node in ast.walk(ast.parse(source)) if cell["cell_type"] == "code" else ():
            if isinstance(node, ast.Import):
                modules |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] != "clearhead":
                modules.add(node.module)
            elif isinstance(node, ast.ImportFrom) and not over and node.module != "clearhead.checks":
                library.setdefault(node.module, set()).update(alias.name for alias in node.names)
    library = {module: sorted(names) for module, names in sorted(library.items())}
    return {"library": library, "modules": sorted(modules)}


def table(sheets):
    """Return the text of the table for pairs (file name, text of a sheet)."""
    found = {name[:2]: imports(text) for name, text in sheets}
    return json.dumps(dict(sorted(found.items())), indent=1) + "\n"


def imports_of(number):
    """Return what the sheet of that number imports, as the table says."""
    known = json.loads(Path(__file__).with_name(PLACE.name).read_text())
    return known.get(number, {"library": {}, "modules": []})
