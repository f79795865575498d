"""The look of the pages: chapter numbers, captions, fonts at first paint, and colours of symbols."""

import html
import json
import re
from base64 import b64encode
from pathlib import Path

from docutils import nodes
from light_pictures import lighter

from clearhead.figures.tables import SHEET

CHAPTER = re.compile(r"chapters/(\d\d)_")
EXERCISES = re.compile(r"exercises/(\d\d)_")
FIRST_SCRIPT = Path(__file__).resolve().parents[1] / "static" / "first.js"
COVERS = Path(__file__).resolve().parents[1] / "static" / "covers"
#: What a student looks up that the glossary lacks, or links to its first use and not to where it is taught.
TEACHES = {
    "chapters/02_embeddings": (
        "embedding",
        "token",
        "tokenizer",
        "tokenization",
        "word2vec",
        "word vectors",
        "BPE",
    ),
    "chapters/03_before_attention": ("RNN", "LSTM", "GRU", "convolution", "recurrent network"),
    "chapters/04_soft_dictionary": ("softmax",),
    "chapters/05_attention": ("attention", "self-attention", "scaling", "QKV", "sqrt d_k"),
    "chapters/06_multi_head": ("head", "heads"),
    "chapters/07_positions": ("rotary", "RoPE", "sinusoidal", "position"),
    "chapters/08_block": ("residual", "feed-forward", "transformer block", "parameter count", "dropout"),
    "chapters/09_masking_and_training": ("mask", "causal mask", "padding", "teacher forcing", "training"),
    "chapters/10_decoding": ("temperature", "sampling", "greedy", "top-k", "top-p", "KV cache", "generation"),
    "chapters/11_encoder_decoder": ("BERT", "T5", "translation", "encoder decoder"),
    "chapters/12_scalability": ("flash attention", "long context", "quadratic"),
    "chapters/13_vision": ("ViT", "vision transformer", "image"),
    "chapters/14_across_modalities": ("CLIP", "multimodal", "DNA"),
    "chapters/15_capstone": ("GPT-2", "induction", "interpretability"),
    "chapters/16_since_gpt2": ("LLaMA", "SwiGLU", "RMSNorm", "MoE"),
    "chapters/appendix_gpt_without_autograd": ("gradient", "backpropagation", "Adam"),
}
#: Fonts, written into a script that has them before anything is drawn, also from disk: file, name, what else.
#: What a style asks for comes later, even what stands in the style itself, and lines break anew.
WEIGHTS = {"weight": "400 700"}
FIRST = (
    ("serif", "Source Serif 4", WEIGHTS),
    ("serif-italic", "Source Serif 4", WEIGHTS | {"style": "italic"}),
    ("serif-greek", "Source Serif 4", WEIGHTS | {"unicodeRange": "U+391-3A9, U+3B1-3C9"}),
    ("sans", "Source Sans 3", WEIGHTS),
    ("mono", "Iosevka", {}),
    ("maths", "STIX Math", {}),
)
READY = """for (const [name, more, packed] of {FONTS}) {
  const letters = atob(packed), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  document.fonts.add(new FontFace(name, bytes, more));
}
"""
#: Chapters in which Q, K, V and A always mean queries, keys, values and weights.
COLOURED = ("00", "04", "05", "06", "07", "11", "12")
MEANINGS = {"q": "query", "k": "key", "v": "value", "a": "weight"}
SYMBOL = r"(?:W_)?([QKVA])(?:_\w{1,2})?|(?:W_)?([qkv])(?:_\w)?|(a_\d)"
INLINE = re.compile(
    rf'<code class="ch-short docutils literal notranslate"><span class="pre">(?:{SYMBOL})</span></code>'
)
NAME = re.compile(rf'<span class="n">(?:{SYMBOL})</span>')
#: What no line parts: an operator between two short names or numbers, and code of so many letters.
EXPRESSION, SHORT = re.compile(r"(?<=\b\w) ([=≈<>≤≥×]) (?=[−\w]{1,5}\b)|(?<=\d) (×) (?=\d)"), 20
CAPTION = re.compile(r'data-caption="([^"]*)" ')
PICTURE = re.compile(
    r'(<div class="ch-fallback">)?<svg class="ch-picture"(.*?)aria-label="([^"]*)"(.*?)</svg>', re.S
)


#: A block of code; a tag; what opens a block before its first line; how many letters fit in a fold.
CODE, TAG = re.compile(r'<div class="highlight"><pre>.*?</pre>', re.S), re.compile("<.*?>")
OPENED, LONG = re.compile(r"(?:<div[^>]*><pre>(?:<span></span>)?)?"), 70

#: Where a style says the size of letters; the pixels that a picture has on a phone 390 pixels wide.
FONT, PHONE = re.compile(r"font(?:-size)?:[^;\"]*?([\d.]+)px"), 366

TABLE_STYLE = re.compile(r"<style>\.ch-tables.*?</style>", re.S)


def number_title(app, doctree):
    """Put a chapter's number before its title: in the page, the side bar and the search alike."""
    found = CHAPTER.match(app.env.docname)
    title = doctree.next_node(nodes.title)
    if found and title is not None and not title.astext()[:1].isdigit():
        title.insert(0, nodes.Text(f"{int(found[1])} "))


def keep_together(app, doctree, docname):
    """Let no line end inside a short expression, "T = 3" or "2 × 5", or inside a short piece of code."""
    for text in list(doctree.findall(nodes.Text)):
        if isinstance(text.parent, nodes.literal):
            if len(text) <= SHORT:
                text.parent["classes"].append("ch-short")
        elif isinstance(text.parent, nodes.paragraph | nodes.entry | nodes.emphasis | nodes.strong):
            text.parent.replace(
                text, nodes.Text(EXPRESSION.sub(lambda found: found[0].replace(" ", "\u00a0"), text))
            )


def page_context(app, pagename, templatename, context, doctree):
    """Number the pictures of a page, colour its symbols, and ask for its fonts."""
    found = CHAPTER.match(pagename) or EXERCISES.match(pagename)
    body = context.get("body", "")
    body = with_captions(lighter(body), f"{int(found[1])}." if CHAPTER.match(pagename) else "")
    if found and found[1] in COLOURED:
        body = f'<div class="ch-symbols">{NAME.sub(_named, INLINE.sub(_named, body))}</div>'
    body = CODE.sub(lambda found: with_long_lines(found[0]), body)
    if 'class="ch-tables"' in body:  # their style once, not once a table
        body = f"{SHEET}{TABLE_STYLE.sub('', body)}"
    context["body"] = f"<script>{FIRST_SCRIPT.read_text('utf-8')}</script>{body}" if body else body
    context["metatags"] = context.get("metatags", "") + head(context, found and found[1])
    if pagename == "search":  # into the head: the list of scripts has been replaced by now
        table = taught((Path(app.srcdir) / "book" / "glossary.md").read_text("utf-8"))
        context["metatags"] += f"<script>var clearheadTaught = {json.dumps(table)};</script>\n"


def taught(glossary):
    """Return which page teaches each term: by `TEACHES`, else by the first link of the glossary's entry."""
    entries = re.findall(r"^(?!\s|```|#)(.+)\n((?:  .*\n?)+)", glossary, re.M)
    links = {term: re.search(r"\.\./(chapters/\w+)\.ipynb", text) for term, text in entries}
    table = {term: link[1] for term, link in links.items() if link}
    return table | {term: page for page, terms in TEACHES.items() for term in terms}


def with_captions(body, prefix):
    """Return a page in which each picture is a figure with its number and its words under it."""
    count = iter(range(1, 1000))

    def captioned(found):
        fallback, before, words, after = found.groups()
        if fallback:
            return found[0]
        label = f"Figure {prefix}{next(count)}"
        width, shown = re.search(r' width="(\d+)"', before), CAPTION.search(before)
        before = CAPTION.sub("", before)
        said = shown[1] if shown else words
        told = f"{label}. {words}" if said != words else f"{label}, told below"  # once is enough
        picture = f'<svg class="ch-picture"{before}aria-label="{told}"{after}</svg>'
        if width:
            picture = readable(picture, int(width[1]), label)
        caption = f'<figcaption><span class="ch-caption-number">{label}.</span> {said}</figcaption>'
        return f'<figure class="ch-static">{picture}{caption}</figure>'

    return PICTURE.sub(captioned, body)


def with_long_lines(code):
    """Return a block of code in which each long line can go on in the next, under its own beginning."""
    lines = code.split("\n")
    for place, line in enumerate(lines):
        text = html.unescape(TAG.sub("", line))
        if len(text) > LONG and line.count("<span") == line.count("</span"):
            step = 4 + len(text) - len(text.lstrip())
            opened = OPENED.match(line)[0]
            rest = line[len(opened) :]
            ended = rest.partition("</pre>")
            lines[place] = f'{opened}<span class="ch-long" style="--step:{step}">{ended[0]}</span>'
            lines[place] += "".join(ended[1:])
    return "\n".join(lines)


def readable(picture, width, label):
    """Return a picture that does not shrink until its words are smaller than 11 pixels: it scrolls, instead.

    Powers of ten, which matplotlib writes smaller than the rest, do not count.
    """
    sizes = [float(size) for size in FONT.findall(picture)]
    least = width * 11 / min((size for size in sizes if size >= 12), default=14)
    style = f"--ch-natural:{width};--ch-least:{least:.0f}"
    scroll = f' tabindex="0" role="region" aria-label="{label}, to scroll"' if least > PHONE else ""
    return f'<div class="ch-view" style="{style}"{scroll}>{picture}</div>'


def _named(found):
    letter = next(group for group in found.groups() if group)[0].lower()
    return re.sub(r'class="', f'class="ch-as-{MEANINGS[letter]} ', found[0], count=1)


def head(context, chapter=None):
    """Return what stands in the head of each page: the icon for phones, and what a shared link shows.

    Of a chapter and its sheet a shared link shows their part of the machine, of other pages the cover.
    """
    title = html.escape(re.sub("<.*?>", "", str(context.get("title", ""))), quote=True)
    site = html.escape(str(context.get("docstitle", "")), quote=True)
    shared = {"og:title": title or site, "og:site_name": site, "og:type": "book"}
    if context.get("pageurl"):  # a picture must have its whole address: without html_baseurl there is none
        shows = f"covers/{chapter}.png" if chapter and (COVERS / f"{chapter}.png").exists() else "cover.png"
        shared |= {
            "og:url": context["pageurl"],
            "og:image": f"{context['html_baseurl'].rstrip('/')}/_static/{shows}",
        }
    icon = context["pathto"]("_static/icon.png", resource=True)
    return f'<link rel="apple-touch-icon" href="{icon}" />\n' + "".join(
        f'<meta property="{name}" content="{said}" />\n' for name, said in shared.items()
    )


def write_fonts(app, exception):
    """Put the fonts of the first screen into a script."""
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    fonts = [
        (name, more, b64encode((static / "fonts" / f"{file}.woff2").read_bytes()).decode())
        for file, name, more in FIRST
    ]
    (static / "fonts.js").write_text(READY.replace("{FONTS}", json.dumps(fonts)), "utf-8")


def setup(app):
    app.connect("doctree-read", number_title, priority=400)  # before Sphinx collects the titles
    app.connect("doctree-resolved", keep_together)
    app.connect("html-page-context", page_context, priority=995)
    app.connect("build-finished", write_fonts)
    app.add_js_file("look.js", defer="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 1}
