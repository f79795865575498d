"""What this book adds to Jupyter Book: live figures, offline files, folded hints and solutions."""

import clearhead_offline
import clearhead_pages
import clearhead_sheets
from clearhead_live import Live, PutFallbackBesideFigure


def setup(app):
    """Connect every part to Sphinx."""
    app.add_directive("live", Live)
    app.add_post_transform(PutFallbackBesideFigure)
    clearhead_sheets.connect(app)
    clearhead_pages.connect(app)
    clearhead_offline.connect(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 1}
