"""Interactive figures in pages: the `{live}` directive, and a still picture for each figure of a notebook.

A page contains only the small parts of its figures. Their code, their style and their large data are in
scripts in `_static/figures`, which several pages share, and which a browser can also load from a disk.
"""

import functools
import json
import re
from hashlib import sha256
from pathlib import Path

from docutils import nodes
from ipywidgets.embed import dependency_state
from myst_nb.core.render import sanitize_script_content
from sphinx.builders.html._assets import _JavaScript
from sphinx.util.docutils import SphinxDirective

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
#: Values with more characters than this are written to a script of their own.
EXTERNAL_FROM = 20_000
#: The folder of the scripts, and the length of the hash of their contents at the end of their names.
FOLDER, DIGEST = "figures", 12
SCRIPT = re.compile(rf'"([a-z0-9_]+-[0-9a-f]{{{DIGEST}}})"')


class Live(SphinxDirective):
    """The directive that puts an interactive figure into a page, with any traits as JSON in its body."""

    required_arguments = 1
    has_content = True

    def run(self):
        """Return the container of the figure, which holds its state, its view, and its picture for print."""
        from clearhead import widgets

        for path in sorted(Path(widgets.__file__).parent.rglob("*.*")):
            if path.suffix in {".py", ".js", ".css", ".toml"}:
                self.env.note_dependency(str(path))
        name = self.arguments[0]
        if name not in widgets.__all__:
            raise self.error(f"There is no figure {name!r}; the figures are {', '.join(widgets.__all__)}.")
        try:
            figure = getattr(widgets, name)(**json.loads("\n".join(self.content) or "{}"))
        except (ValueError, TypeError) as error:
            raise self.error(f"{name} cannot be made: {error}") from None
        number = self.env.new_serialno("clearhead-live")
        figure_id = sha256(f"{self.env.docname} {number}".encode()).hexdigest()[:32]
        return [_widget(nodes.raw("", in_page(figure, figure_id), format="html"), of=name)]


def in_page(figure, figure_id):
    """Return the HTML of one figure: its state, its view and its fallback."""
    saved = dependency_state([figure], drop_defaults=False)[figure.model_id]
    state = {"version_major": 2, "version_minor": 0, "state": {figure_id: saved}}
    view = {"version_major": 2, "version_minor": 0, "model_id": figure_id}
    return _script(STATE, state) + _script(VIEW, view) + figure.fallback


def _script(kind, content):
    return f'<script type="{kind}">{sanitize_script_content(json.dumps(content))}</script>\n'


def _widget(*children, of=None):
    """Return the container of a figure, with a class for its name by which the style reserves room."""
    return nodes.container("", *children, classes=["ch-widget", *([f"ch-of-{of.lower()}"] if of else [])])


def slim(saved):
    """Return the part of the saved widget state that a page keeps, and a dict of scripts with the rest.

    Of a figure the page keeps its small traits, the names of the scripts that hold its code (`_esm`, to be
    joined) and its style (`_css`), and for each large trait in `external` its path, its script, its size in
    bytes, whether it was bytes, and whether the figure can be drawn before it has come (its trait `lazy`
    names those). Layouts stay out: nothing in a page reads them.
    """
    scripts, state = {}, {}
    for model_id, model in saved["state"].items():
        if model["model_module"] == "anywidget":
            state[model_id] = _slim_figure(model, scripts)
    return {**saved, "state": state}, scripts


def _slim_figure(model, scripts):
    """Return the part of one figure's state that a page keeps, and add the other parts to `scripts`."""

    def put(value, name):
        name = f"{name}-{sha256(json.dumps(value).encode()).hexdigest()[:DIGEST]}"
        scripts[name] = value
        return name

    def put_external(path, value, size, **more):
        more |= {"lazy": True} if path[0] in values.get("lazy", ()) else {}
        external.append({"path": path, "script": put(value, "data"), "size": size, **more})

    values, buffers, external, kit = dict(model["state"]), [], [], kit_text()
    values.pop("layout", None)
    code, own = values["_esm"], values["_anywidget_id"].rpartition(".")[2].lower()
    values["_esm"] = [put(kit, "kit")] if code.startswith(kit) else []
    values["_esm"].append(put(code.removeprefix(kit), own))
    values["_css"] = put(values["_css"], "style")
    for name in [name for name in values if not name.startswith("_")]:
        if (size := len(json.dumps(values[name]))) > EXTERNAL_FROM:
            put_external([name], values.pop(name), size)
    for buffer in model.get("buffers", []):
        if (size := len(buffer["data"])) > EXTERNAL_FROM:
            put_external(buffer["path"], buffer["data"], size, bytes=True)
        else:
            buffers.append(buffer)
    return {**model, "state": values, "buffers": buffers, "external": external}


@functools.cache
def kit_text():
    """Return the code that all figures share, with which the code of each figure begins."""
    from clearhead.widgets import figure

    return "".join((figure.HERE / name).read_text("utf-8") + "\n" for name in figure.KIT)


def slim_script(app, body):
    """Return a page's state script without its large parts, which are written to separate scripts."""
    slimmed, scripts = slim(json.loads(body.replace(r"<\/", "</")))
    folder = Path(app.outdir) / "_static" / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in scripts.items():
        path = folder / f"{name}.js"
        if not path.exists():  # its name contains a hash of its content
            text = f"(self.clearheadFigures ??= {{}})[{json.dumps(name)}] = {json.dumps(value)};\n"
            path.write_text(text, "utf-8")
    return sanitize_script_content(json.dumps(slimmed))


def slim_page(app, body):
    """Return a page's HTML with the large parts of its state scripts in separate scripts."""
    opening = f'<script type="{STATE}">'
    pattern = re.compile(rf"(?<={re.escape(opening)}).*?(?=</script>)", re.S)
    return pattern.sub(lambda found: slim_script(app, found[0]), body) if opening in body else body


def scripts_named(text):
    """Return the set of names of the figure scripts that the HTML of a page needs."""
    return set(SCRIPT.findall(text)) if STATE in text else set()


def keep_fallbacks(app, doctree, docname):
    """Keep the HTML of each figure of a notebook beside its view, and remove buttons that need a kernel."""
    for bundle in list(doctree.findall(nodes.container)):
        if bundle.get("nb_element") != "mime_bundle":
            continue
        outputs = {child["mime_type"]: child for child in bundle.children}
        if VIEW in outputs and "text/html" in outputs:
            outputs[VIEW].children = [_widget(*outputs[VIEW].children, *outputs["text/html"].children)]
        elif VIEW in outputs:  # a button that needs a kernel
            bundle.parent.remove(bundle)


def move_data_out(app, pagename, templatename, context, doctree):
    """Move the large parts of a page's figures into separate scripts, and add the code that loads them."""
    context["script_files"] = [_slimmed(app, script) for script in context.get("script_files", [])]
    context["body"] = slim_page(app, context.get("body", ""))
    loaded = any("clearhead-live" in str(script.filename) for script in context["script_files"])
    if has_figure(context["body"]) and not loaded:
        context["script_files"].append(_JavaScript("_static/clearhead-live.js", defer="defer"))


def _slimmed(app, script):
    attributes = getattr(script, "attributes", {})
    if attributes.get("type") != STATE:
        return script
    rest = {name: value for name, value in attributes.items() if name != "body"}
    return _JavaScript(None, priority=script.priority, body=slim_script(app, attributes["body"]), **rest)


def has_figure(body):
    """Return True if the HTML of a page contains a figure or an output to be guessed."""
    return bool(re.search(rf"{re.escape(VIEW)}|tag_reveal", body))
