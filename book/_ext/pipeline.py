"""The steps that this book adds to Jupyter Book, in five lists, each in the order in which its steps run.

Sphinx reads the source of each page and parses it into a tree of nodes. When all pages have been read, it
resolves each tree, writes it as HTML into a template, and finally writes the files that all pages share. Each
list belongs to one of these stages, and its steps run from top to bottom, so that a step comes after those on
which it depends. A new step is a function with the arguments of its stage, and a line in its list.
"""

import os

import accessibility
import addresses
import api_reference
import asides
import collapsible_code
import coverage_directive
import exercise_pages
import figure_captions
import live_figures
import machine_directive
import math_renderer
import memoized
import outdated_pages
import page_head
import python_in_page
import sidebar
import talk_directive
import translated_pages
import typography
import unused_files
from claims_directive import Claims
from sphinx.transforms.post_transforms import SphinxPostTransform

#: The source of a page, before it is parsed: step(app, docname, source).
SOURCE = (
    translated_pages.translate,
    exercise_pages.add_help,  # the cells of a sheet are complete after it
    exercise_pages.write_table,
    api_reference.write_sections,
    python_in_page.state_how_many_run,
    python_in_page.note_live_cells,
)
#: The tree of a page that was just parsed: step(app, doctree).
READ = (
    page_head.number_title,
    machine_directive.open_chapter,
    python_in_page.attach_live_cells,
)
#: The tree of a page that will be written, when all pages have been read: step(app, doctree, docname).
NODES = (
    live_figures.keep_fallbacks,
    collapsible_code.collapse_cells,
    python_in_page.mark_live_cells,  # around folded cells
    typography.keep_together,
    asides.make_asides,
    coverage_directive.aim,
)
#: The context with which a page is written: step(app, pagename, templatename, context, doctree).
PAGE = (
    machine_directive.add_style,
    talk_directive.add_files,
    python_in_page.add_scripts,
    page_head.leave_out_thebe,  # every script has been added
    live_figures.move_data_out,
    accessibility.correct_html,
    sidebar.make_once,
    page_head.describe,
    math_renderer.keep_punctuation,
    figure_captions.add_captions,
    typography.colour_symbols,
    typography.wrap_long_lines,
    typography.style_tables_once,
    translated_pages.mark_language,
    page_head.add_metadata,
    page_head.write_search_terms,
    addresses.add_buttons,
)
#: The files of a book whose pages have been written: step(app).
END = (
    unused_files.remove_unloaded,
    unused_files.remove_unnamed,
    typography.write_fonts,
    python_in_page.write_scripts,
    addresses.write_sitemap,
    addresses.write_redirect,
)

DIRECTIVES = {
    "claims": Claims,
    "coverage": coverage_directive.Coverage,
    "live": live_figures.Live,
    "machine": machine_directive.Machine,
    "machine-close-up": machine_directive.CloseUp,
    "talk": talk_directive.Talk,
}


def in_order(steps):
    """Return one listener that calls each step with the arguments of its event."""

    def run(*arguments):
        for step in steps:
            step(*arguments)

    return run


class ChangeNodes(SphinxPostTransform):
    """The transform that runs `NODES` on the tree of each page."""

    default_priority = 3  # before myst-nb chooses one format of each output
    formats = ("html",)

    def run(self, **kwargs):
        """Run the steps of `NODES` on the tree of one page."""
        in_order(NODES)(self.app, self.document, self.env.docname)


def finish(app, exception):
    """Run the steps of `END` when all pages of the book have been written."""
    if exception is None and app.builder.format == "html":
        in_order(END)(app)


def setup(app):
    """Connect each list of steps to its stage of the build, and register directives, nodes and options."""
    memoized.memoize()
    app.connect("config-inited", memoized.declare_parallel)
    app.connect("config-inited", addresses.use_repository)
    app.connect("env-get-outdated", outdated_pages.chapters_executed_again)
    app.connect("source-read", in_order(SOURCE))
    app.connect("doctree-read", in_order(READ), priority=400)  # before Sphinx collects the titles
    app.add_post_transform(ChangeNodes)
    app.connect("html-page-context", in_order(PAGE), priority=990)  # after the theme and other extensions
    app.connect("build-finished", finish)
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    others = dict.fromkeys(("latex", "text", "man", "texinfo"), (machine_directive.leave_out, None))
    app.add_node(machine_directive.Drawing, html=(machine_directive.write, None), **others)
    app.add_html_math_renderer(
        "mathml", (math_renderer.write_inline, None), (math_renderer.write_block, None)
    )
    api_reference.read_docstrings(app)
    app.add_config_value("clearhead_edition", os.environ.get("CLEARHEAD_EDITION", ""), "env")
    app.add_config_value("clearhead_run_chapters", True, "env")
    app.add_js_file("look.js", defer="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 1}
