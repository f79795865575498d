"""Write the API pages from docstrings: `book/api_PACKAGE.md` has a section for each module of PACKAGE."""

import ast
import re

from conventions import PACKAGE

MARK = re.compile(r"^<!-- api: (\w+) -->$", re.M)
#: Shape tables are for people, not for cross-references: no type in them is a link.
OPTIONS = {
    "napoleon_use_param": False,
    "napoleon_use_rtype": False,
    "napoleon_google_docstring": False,
    "autodoc_inherit_docstrings": False,
    "autodoc_typehints": "none",  # the types of a signature of PyTorch are explained on no page
}


def modules(package):
    """Return the dotted names and first lines of the modules in a package that have public members."""
    for path in sorted((PACKAGE / package).rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        public = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name[0] != "_"]
        if public and ast.get_docstring(tree):
            dotted = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
            yield path, dotted, ast.get_docstring(tree).splitlines()[0]


def section(dotted, first_line):
    """Return the Markdown of one module."""
    name = dotted.split(".", 2)[2]
    directive = f".. automodule:: {dotted}\n   :members:\n   :member-order: bysource"
    return f"## {name}\n\n{first_line}\n\n```{{eval-rst}}\n{directive}\n```\n"


def write_sections(app, docname, source):
    """Replace the mark in an API page by one section per module, and record the files of the page."""
    for package in MARK.findall(source[0]):
        found = list(modules(package))
        for path, _, _ in found:
            app.env.note_dependency(str(path))
        text = "\n".join(section(dotted, line) for _, dotted, line in found)
        source[0] = source[0].replace(f"<!-- api: {package} -->", text)


def drop_module_docstring(app, what, name, thing, options, lines):
    """Remove a module's own docstring, because its first line is already above its members."""
    if what == "module":
        lines.clear()


def keep_equations(app, what, name, thing, options, lines):
    """Show the indented equation above a docstring's sections verbatim."""
    for number in range(1, len(lines)):
        if lines[number].startswith("----"):
            return
        if lines[number].startswith("    ") and not lines[number - 1].strip():
            lines[number:number] = ["::", ""]
            return


def read_docstrings(app):
    """Let Sphinx read docstrings; steps of one event run in the order in which they are connected."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", keep_equations)
    app.setup_extension("sphinx.ext.napoleon")
    app.connect("autodoc-process-docstring", drop_module_docstring)
    for option, value in OPTIONS.items():
        app.config[option] = value
