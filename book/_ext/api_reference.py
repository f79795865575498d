"""The API pages, made from docstrings: `book/api_PACKAGE.md` has a section for each module of PACKAGE."""

import ast
import re

from conventions import PACKAGE

MARK = re.compile(r"^<!-- api: (\w+) -->$", re.M)
#: No type in a shape table is a link, because shape tables are written for people, not for cross-references.
OPTIONS = {
    "napoleon_use_param": False,
    "napoleon_use_rtype": False,
    "napoleon_google_docstring": False,
    "autodoc_inherit_docstrings": False,
    "autodoc_typehints": "none",  # no page explains the types in PyTorch's signatures
}


def modules(package):
    """Yield the path, the dotted name and the first line of each documented module with public members."""
    for path in sorted((PACKAGE / package).rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        public = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name[0] != "_"]
        if public and ast.get_docstring(tree):
            dotted = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
            yield path, dotted, ast.get_docstring(tree).splitlines()[0]


def section(dotted, first_line):
    """Return the Markdown of the section on one module."""
    name = dotted.split(".", 2)[2]
    directive = f".. automodule:: {dotted}\n   :members:\n   :member-order: bysource"
    return f"## {name}\n\n{first_line}\n\n```{{eval-rst}}\n{directive}\n```\n"


def write_sections(app, docname, source):
    """Replace the mark in an API page by a section for each module, and record the files of the page."""
    for package in MARK.findall(source[0]):
        found = list(modules(package))
        for path, _, _ in found:
            app.env.note_dependency(str(path))
        text = "\n".join(section(dotted, line) for _, dotted, line in found)
        source[0] = source[0].replace(f"<!-- api: {package} -->", text)


def drop_module_docstring(app, what, name, thing, options, lines):
    """Remove the docstring of a module, because its first line is already above its members."""
    if what == "module":
        lines.clear()


def keep_equations(app, what, name, thing, options, lines):
    """Show the first indented block, the equation, above a docstring's sections verbatim."""
    for number in range(1, len(lines)):
        if lines[number].startswith("----"):
            return
        if lines[number].startswith("    ") and not lines[number - 1].strip():
            lines[number:number] = ["::", ""]
            return


def read_docstrings(app):
    """Set up the extensions of Sphinx that read docstrings, and connect the steps in their order."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", keep_equations)
    app.setup_extension("sphinx.ext.napoleon")
    app.connect("autodoc-process-docstring", drop_module_docstring)
    for option, value in OPTIONS.items():
        app.config[option] = value
