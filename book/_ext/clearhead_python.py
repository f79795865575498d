"""Python in the page: the runtime as scripts, and each code cell that NumPy can run as a place to write it.

The page keeps its text, its order and its weight: what is added here loads when a reader runs the first cell.
"""

import ast
import base64
import functools
import gzip
import hashlib
import html
import io
import json
import os
import re
import shutil
import symtable
import sys
import tomllib
import zipfile
from pathlib import Path

import numpy as np
from clearhead_sheets import CHECK, NAME, STUB, text_of
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "book" / "runtime"
#: What of the library the page needs: what runs with NumPy alone, and the data of the sheets.
LIBRARY = (
    "__init__.py",
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
)
DRAWN = ("figures", "widgets")  # left out by in_page.py: the recorded picture stays
DATA = (".py", ".json", ".toml", "digits_vit.npz", "mini_clip.npz", "questions.npz")
DATA += ("word_vectors.npz", "sentences.npz", "smollm_tokens.npz", "smollm_recorded.npz", "smollm_lens.npz")
#: What of those rooms calls PyTorch, or reads a file that the page has not.
LEFT_OUT = ("pretrained.convert", "pretrained.minilm", "pretrained.live", "pretrained.induction")
#: Data of other packages that come with the page, see data_files.
DATA_SETS = ("sklearn.datasets.load_digits", "sklearn.datasets.load_wine")
#: A figure's class is asked for numbers: there is none in the page.
ASKED = re.compile(r"\b[A-Z]\w+\.compute\(")
PIECE = 750_000  # bytes of a file in one script: what loads is shown piece by piece
SCRIPTS = ("worker.js", "kernel.js", "keep.js", "notebook.js", "editor.js", "places.js", "sheet.js")
KEY = "clearhead_place"
#: Cells that lib/tests/in_page_chapters.py found to fail in the page, and what they need instead.
ELSEWHERE = {
    "73ff510f": "more time",  # chapter 10: thousands of texts
    "83589976": "more time",
    "0f9b7f58": "the machine's own memory",  # chapter 12: bytes and seconds are measured
    "f1ac8e53": "more time",  # a million keys
    "f1d5b2b6": "64 bits",  # chapter 16: a million squared
}
#: What the page calls packages that it lacks; the others are PyTorch, or need it.
NAMED = {"sklearn": "scikit-learn", "transformers": "transformers"}
SHARE = "<!-- cells that run in the page -->"


def note_places(app, docname, source):
    """Note for each code cell of a sheet or a chapter what the page does with it.

    The cells themselves stay as they are: a notebook that differs in one key would be executed again.
    """
    wanted = ("exercises/", "chapters/") if app.config.clearhead_run_chapters else ("exercises/",)
    if not docname.startswith(wanted):
        return
    from clearhead.checks import registry

    notebook = json.loads(source[0])
    code = [(i, cell) for i, cell in enumerate(notebook["cells"]) if cell["cell_type"] == "code"]
    missing, origin, noted = set(), {}, {}
    for (i, cell), (_, following) in zip(code, [*code[1:], (None, None)], strict=True):
        noted[i] = place(cell, following, registry.exercise)
        part, lacking = runs(missing, cell), needed(origin, text_of(cell))
        if noted[i]["part"] == "plain" and part == "none":
            noted[i]["needs"] = ELSEWHERE.get(cell["id"], lacking)
    app.env.temp_data[KEY] = noted


def keep_places(app, doctree):
    """Keep what was noted with the cells of the page, until it is written."""
    noted = app.env.temp_data.get(KEY, {})
    for cell in doctree.findall(nodes.container):
        if cell.get("nb_element") == "cell_code" and cell["cell_index"] in noted:
            cell[KEY] = noted[cell["cell_index"]]


def runs(missing, cell):
    """Return how much of a cell runs in the page, as `part_that_runs` does; some were tried, and do not."""
    if cell["id"] not in ELSEWHERE:
        return part_that_runs(missing, text_of(cell))
    missing |= set().union(*(names_of(part)[1] for part in ast.parse(text_of(cell)).body))
    return "none"


def needed(origin, text):
    """Return what a cell needs that the page lacks, in words; `origin` learns what its names come from."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return "PyTorch"
    for part in (each for each in ast.walk(tree) if isinstance(each, ast.Import | ast.ImportFrom)):
        prefix = f"{part.module}." if isinstance(part, ast.ImportFrom) else ""
        for name in (each for each in part.names if lacks(prefix + each.name)):
            named = NAMED.get((prefix + name.name).partition(".")[0], "PyTorch")
            origin[(name.asname or name.name).split(".")[0]] = {named}
    whole = set()
    for part in tree.body:
        read, made = names_of(part)
        found = set().union(*(origin.get(name, ()) for name in read))
        origin |= {name: origin.get(name, set()) | found for name in made}
        whole |= found
    return " and ".join(sorted(whole)) or "PyTorch"


def uses(missing, text):
    """Return True where a cell uses a name that the page lacks; what it imports or makes of one is added.

    A cell that imports runs without those of its lines that use such a name, as in_page.py runs it.
    """
    return part_that_runs(missing, text) == "none"


def part_that_runs(missing, text):
    """Return how much of a cell runs in the page: "all", "imports" where little else does, or "none"."""
    try:
        tree = ast.parse(text)
    except SyntaxError:  # a magic of IPython's
        return "none"
    imports = [part for part in ast.walk(tree) if isinstance(part, ast.Import | ast.ImportFrom)]
    for part in imports:
        prefix = f"{part.module}." if isinstance(part, ast.ImportFrom) else ""
        missing |= {(n.asname or n.name).split(".")[0] for n in part.names if lacks(prefix + n.name)}
    dropped = _dropped(missing, tree.body)
    if all(isinstance(part, ast.Expr) for part in dropped) and (not dropped or set(imports) & set(tree.body)):
        return "all"  # without a seed for PyTorch, at most
    if set(imports) & set(tree.body):
        return "imports"
    missing |= set().union(*(names_of(part)[1] for part in tree.body))  # the cell does not run
    return "none"


def _dropped(missing, statements):
    """Return the statements that read a missing name; what they make is missing, what others make is not."""
    dropped = []
    for part in statements:
        read, made = names_of(part)
        if read & missing or ASKED.search(ast.unparse(part)):
            dropped.append(part)
            missing |= made
        elif not isinstance(part, ast.Import | ast.ImportFrom):
            missing -= made
    return dropped


def cells_that_run():
    """Return how many code cells of the chapters run in the page, and how many there are."""
    counts = [0, 0]
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        cells, missing = json.loads(path.read_text("utf-8"))["cells"], set()
        for cell in (each for each in cells if each["cell_type"] == "code"):
            counts[0] += runs(missing, cell) == "all"
            counts[1] += 1
    return tuple(counts)


def say_how_many(app, docname, source):
    """Put into a page how many cells of the chapters run in the page."""
    if SHARE in source[0]:
        run, every = cells_that_run()
        words = f"{run} of the {every} code cells of the chapters ({run / every:.0%})"
        source[0] = source[0].replace(SHARE, words)


def names_of(statement):
    """Return the names of its notebook that a statement reads, also inside functions, and those it makes."""
    tables, read, made = [symtable.symtable(ast.unparse(statement), "cell", "exec")], set(), set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        top = table.get_type() == "module"
        for name in table.get_symbols():
            if name.is_referenced() and (top or name.is_global()):
                read.add(name.get_name())
            if top and (name.is_assigned() or name.is_imported() or name.is_namespace()):
                made.add(name.get_name())
    targets = (part.target for part in ast.walk(statement) if isinstance(part, ast.comprehension))
    inner = {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
    inner |= {part.name for part in ast.walk(statement) if isinstance(part, ast.ExceptHandler)}
    names = (part for part in ast.walk(statement) if isinstance(part, ast.Name))
    read |= {name.id for name in names if isinstance(name.ctx, ast.Del)}
    if isinstance(statement, ast.For):
        read = names_of_loop(statement)
    return read - inner, made - inner  # since Python 3.12 they count as the cell's own


def names_of_loop(loop):
    """Return the names that a loop reads before it makes them itself: its own, and those of its body."""
    read = names_of(ast.Expr(loop.iter))[0]
    own = {name.id for name in ast.walk(loop.target) if isinstance(name, ast.Name)}
    for part in [*loop.body, *loop.orelse]:
        needs, made = names_of(part)
        read |= needs - own
        own |= made
    return read


def lacks(module):
    """Return True for what the page's Python can neither run nor leave out, as it leaves out pictures."""
    package, _, rest = module.partition(".")
    if package == "clearhead":
        return rest.startswith(LEFT_OUT) or not rest.startswith(
            tuple(name.strip("/").removesuffix(".py") for name in (*LIBRARY, *DRAWN))
        )
    return module not in DATA_SETS and package not in {"numpy", "matplotlib", *sys.stdlib_module_names}


def place(cell, following, exercise):
    """Return what the page must know of a code cell: its part, its id, a hash of its text, its exercise."""
    text = text_of(cell)
    known = {"cell": cell["id"], "hash": hashlib.sha256(text.encode()).hexdigest()[:12]}
    checked = CHECK.search(text_of(following)) if following else None
    if STUB.search(text) and checked:
        found = exercise(checked[1])
        known |= {"part": "answer", "exercise": found.id, "needs": " ".join(found.needs)}
        return known | {"name": (NAME.findall(text) or [found.entry])[0]}
    return known | {"part": "check" if CHECK.search(text) else "plain"}


class MarkPlaces(SphinxPostTransform):
    """Put a marked element around each code cell that the page can run."""

    default_priority = 4
    formats = ("html",)

    def run(self, **kwargs):
        """Wrap each cell between an opening and a closing tag."""
        for cell in list(self.document.findall(nodes.container)):
            known = cell.get(KEY)
            if known:
                words = "".join(f' data-{name}="{html.escape(each)}"' for name, each in known.items() if each)
                opening = nodes.raw("", f'<div class="ch-place"{words}>', format="html")
                at = cell.parent.index(cell)
                cell.parent[at : at + 1] = [opening, cell, nodes.raw("", "</div>", format="html")]


def page_context(app, pagename, templatename, context, doctree):
    """Give each page its ticks, and a page that has places its scripts, style, and what they must know."""
    if "body" in context:
        app.add_js_file("python/ticks.js", defer="defer")
        known = {"version": version(), "sheets": sheets()}
        context["body"] += f'<script type="application/json" id="ch-sheets">{json.dumps(known)}</script>'
    if found := program(app.env.doc2path(pagename)):
        for name in SCRIPTS[:2]:
            app.add_js_file(f"python/{name}", defer="defer")
        context["body"] += f'<script type="application/json" id="ch-program">{in_script(found)}</script>'
    if 'class="ch-place"' not in context.get("body", ""):
        return
    app.add_css_file("python/python.css")
    early = context["pathto"]("_static/python/early.js", resource=True)
    context["metatags"] = context.get("metatags", "") + f'<script src="{early}"></script>'
    for name in SCRIPTS:
        app.add_js_file(f"python/{name}", defer="defer")
    known = {"page": pagename, "sheet": Path(pagename).name, "version": version(), "megabytes": megabytes()}
    context["body"] += f'<script type="application/json" id="ch-python">{json.dumps(known)}</script>'


def program(path):
    """Return the code of a chapter that a figure runs: its cells tagged `train`, and what it builds."""
    if not path.endswith(".ipynb") or not Path(path).exists():
        return ""
    cells = json.loads(Path(path).read_text("utf-8"))["cells"]
    tags = [set(cell["metadata"].get("tags", ())) for cell in cells]
    if not any("train" in found for found in tags):
        return ""
    wanted = [text_of(cell) for cell, found in zip(cells, tags, strict=True) if found & {"train", "builds"}]
    return "\n\n".join([*wanted, (RUNTIME / "train_in_page.py").read_text("utf-8")])


@functools.cache
def sheets():
    """Return how many exercises each sheet has, by the name of its page."""
    from clearhead.checks import registry

    return {registry.file_stem(sheet.number): len(sheet.exercises) for sheet in registry.sheets()}


def in_script(value):
    """Return JSON that no HTML parser mistakes for the end of a script."""
    return json.dumps(value).replace("<", r"\u003c")


def version():
    """Return the version of the book."""
    return tomllib.loads((ROOT / "lib" / "pyproject.toml").read_text("utf-8"))["project"]["version"]


@functools.cache
def megabytes():
    """Return what the first run loads, in MB."""
    return round(sum(map(len, parts().values())) / 1e6)


def library_files():
    """Return the files of `clearhead` that the page's Python needs, by their names."""
    package = ROOT / "lib" / "clearhead"
    names = sorted(str(path.relative_to(package)) for path in package.rglob("*") if path.is_file())
    whole = {
        f"clearhead/{name}": (package / name).read_bytes()
        for name in names
        if name.startswith(LIBRARY) and "__pycache__" not in name and name.endswith(DATA)
    }
    return without_answers(whole) if os.environ.get("CLEARHEAD_EDITION") == "class" else whole


def data_files():
    """Return the data that chapters take from other packages: scikit-learn's tables, Python's own manual."""
    from pydoc_data import topics

    from sklearn.datasets import load_digits, load_wine

    made = {"pydoc_data/__init__.py": b"", "pydoc_data/topics.py": Path(topics.__file__).read_bytes()}
    for name, (rows, classes), kind in (
        ("digits", load_digits(return_X_y=True), "uint8"),
        ("wine", load_wine(return_X_y=True), float),
    ):
        np.save(table := io.BytesIO(), np.column_stack([rows, classes]).astype(kind))
        made[f"{name}.npy"] = table.getvalue()
    return made


def without_answers(files):
    """Return the files with the sheets of a class edition in place of the sheets."""
    from clearhead.authoring.class_sheets import class_files

    kept = {name: content for name, content in files.items() if not name.startswith("clearhead/sheets/")}
    return kept | class_files(ROOT / "_build" / "class_sheets")


def stored(files):
    """Return a zip in which nothing is packed and nothing has a date."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), content)
    return packed.getvalue()


def parts():
    """Return what the page loads, by name, packed by gzip: WebAssembly first, it is compiled meanwhile."""
    made = {path.name.removesuffix(".gz"): path.read_bytes() for path in (RUNTIME / "files").glob("*.gz")}
    made["book.zip"] = gzip.compress(stored(library_files() | data_files()), 9, mtime=0)
    made["in_page.py"] = gzip.compress((RUNTIME / "in_page.py").read_bytes(), 9, mtime=0)
    return dict(sorted(made.items(), key=lambda part: (not part[0].endswith(".wasm"), part[0])))


def write_runtime(folder):
    """Write the scripts that hold Python, NumPy and the library into a folder, their list, and the editor."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    listed = []
    for name, packed in parts().items():
        pieces = [packed[start : start + PIECE] for start in range(0, len(packed), PIECE)]
        for number, piece in enumerate(pieces):
            assign(folder / f"{name}.{number}.js", f"{name}.{number}", base64.b64encode(piece).decode())
        digest = hashlib.sha256(packed).hexdigest()[:8]
        listed.append({"name": name, "pieces": len(pieces), "bytes": len(packed), "digest": digest})
    assign(folder / "list.js", "list", listed)
    shutil.copy2(RUNTIME / "files" / "codemirror.js", folder)
    shutil.copytree(RUNTIME / "licences", folder / "licences")


def write_sheets(exercises, folder):
    """Write each sheet's notebook as a script: the page gives it back with the answers."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(exercises.glob("*.ipynb")):
        assign(folder / f"{path.stem}.js", f"sheet {path.stem}", json.loads(path.read_text("utf-8")))


def assign(path, name, value):
    """Write a script that leaves a value in `clearheadParts`."""
    path.write_text(f"(self.clearheadParts ??= {{}})[{json.dumps(name)}] = {json.dumps(value)};\n", "utf-8")


def write_all(app, exception):
    """Write the scripts beside the pages."""
    if not exception and app.builder.format == "html":
        folder = Path(app.outdir) / "_static" / "python"
        write_runtime(folder / "runtime")
        write_sheets(Path(app.srcdir) / "exercises", folder / "sheets")


def setup(app):
    """Run after the folded hints and solutions are in the source, and before the pages are mended."""
    app.add_config_value("clearhead_run_chapters", True, "env")
    app.connect("source-read", note_places, priority=800)
    app.connect("source-read", say_how_many)
    app.connect("doctree-read", keep_places)
    app.add_post_transform(MarkPlaces)
    app.connect("html-page-context", page_context, priority=900)
    app.connect("build-finished", write_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 2}
