"""Draw a live figure in an empty page, without the book around it."""

import json
from base64 import b64encode

from anywidget import AnyWidget

from clearhead import widgets

# The two others ask, and compute nothing.
FIGURES = [name for name in widgets.__all__ if name not in ("Predict", "SelfCheck")]
MODEL = """
    class Model {
      constructor(state) { this.state = state; this.heard = {}; }
      get(name) {
        const text = this.state[name]?.base64;
        if (!text) return this.state[name];
        return new DataView(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
      }
      set(name, value) { this.state[name] = value; (this.heard["change:" + name] ?? []).forEach((f) => f()); }
      on(event, f) { (this.heard[event] ??= []).push(f); }
      off() {}
      save_changes() {}
    }
    const load = (text) => import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
"""
#: The beginning of a script about the GPT that is shown live: its parts have names, and it ends with a brace.
IN_THE_WRITER = f"""async ([text, state, inputs]) => {{
    {MODEL} const {{ Writer, render }} = (await load(text)).default, model = new Model(state);
    const get = (name) => model.get(name); """


def plain(value):
    """Return arrays as lists and −inf as a word, so that JSON can carry them."""
    return json.loads(json.dumps(value, default=lambda a: a.tolist()).replace("-Infinity", '"-inf"'))


def state_of(figure):
    """Return the figure's own traits, with bytes as base64, so that JSON can carry them."""
    own = {name: getattr(figure, name) for name in figure.traits(sync=True) if not hasattr(AnyWidget, name)}
    carried = {name: value for name, value in own.items() if not name.startswith("_")}
    return {
        name: {"base64": b64encode(value).decode()} if isinstance(value, bytes) else value
        for name, value in carried.items()
    }


def numbers(value):
    """Return every number in nested lists and dicts, in order."""
    if isinstance(value, dict):
        return [each for key in sorted(value) for each in numbers(value[key])]
    if isinstance(value, list):
        return [each for item in value for each in numbers(item)]
    return [float(value)]


def drawn(page, figure, look, **state):
    """Return what `look`, JavaScript on the element `el`, finds in a figure that was drawn in the page."""
    plain_state = state_of(figure)
    code = f"""async ([text, css, state]) => {{
        {MODEL} document.body.replaceChildren();
        const style = document.body.appendChild(document.createElement("style")); style.textContent = css;
        const el = document.body.appendChild(document.createElement("div"));
        const model = new Model(state);
        (await load(text)).default.render({{ model, el }});
        const wait = (ms) => new Promise((done) => setTimeout(done, ms));
        {look} }}"""
    return page.evaluate(code, [figure._esm, figure._css, plain_state | state])
