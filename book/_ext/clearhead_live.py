"""Interactive figures in the page: the `{live}` directive, and a picture beside each figure of a notebook."""

import json
import re
from hashlib import sha256
from pathlib import Path

from docutils import nodes
from ipywidgets.embed import dependency_state
from myst_nb.core.render import sanitize_script_content
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
SHARED = ("_esm", "_css")


class Live(SphinxDirective):
    """Put an interactive figure into a prose page: its name, and in the body its traits as JSON, if any."""

    required_arguments = 1
    has_content = True

    def run(self):
        """Return the figure's state, its view, and its picture for print."""
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
    """Return the HTML of one figure: state, view and fallback."""
    saved = dependency_state([figure], drop_defaults=False)[figure.model_id]
    state = {"version_major": 2, "version_minor": 0, "state": {figure_id: saved}}
    view = {"version_major": 2, "version_minor": 0, "model_id": figure_id}
    return _script(STATE, slim(state)) + _script(VIEW, view) + figure.fallback


def _script(kind, content):
    return f'<script type="{kind}">{sanitize_script_content(json.dumps(content))}</script>\n'


def _widget(*children, of=None):
    """Return the place of a figure; a class with its name lets the style keep room for it."""
    return nodes.container("", *children, classes=["ch-widget", *([f"ch-of-{of.lower()}"] if of else [])])


def slim(saved):
    """Return saved widget state without layouts, each module and style once, under a short name."""
    shared, state = {}, {}
    for model_id, model in saved["state"].items():
        if model["model_module"] != "anywidget":
            continue
        values = dict(model["state"])
        for key in SHARED:
            if key in values:
                name = "@" + sha256(values[key].encode()).hexdigest()[:12]
                shared[name], values[key] = values[key], name
        state[model_id] = {**model, "state": values}
    return {**saved, "state": state, "shared": shared}


def slim_script(body):
    """Return the text of a page's state script, made slim."""
    return sanitize_script_content(json.dumps(slim(json.loads(body.replace(r"<\/", "</")))))


class PutFallbackBesideFigure(SphinxPostTransform):
    """Keep, beside the view of a notebook's figure, its HTML; what needs a kernel stays out of the page."""

    default_priority = 3  # before myst-nb chooses one output format

    def run(self, **kwargs):
        """Wrap the view and the HTML together, in place of the view alone."""
        for bundle in list(self.document.findall(nodes.container)):
            if bundle.get("nb_element") != "mime_bundle":
                continue
            outputs = {child["mime_type"]: child for child in bundle.children}
            if VIEW in outputs and "text/html" in outputs:
                outputs[VIEW].children = [_widget(*outputs[VIEW].children, *outputs["text/html"].children)]
            elif VIEW in outputs:  # a button that asks a kernel
                bundle.parent.remove(bundle)


def has_figure(body):
    """Return True when a page's HTML holds a figure or an output to be guessed."""
    return bool(re.search(rf"{re.escape(VIEW)}|tag_reveal", body))
