"""What no page loads is left out."""

from pathlib import Path

#: The theme's icon script (templates/static leaves it out of the pages), maps for debuggers, and fonts in the
#: format of browsers that are gone: 5.6 MB.
NOT_LOADED = ("scripts/fontawesome.js*", "scripts/*.map", "styles/*.map", "vendor/fontawesome/webfonts/*.ttf")


def leave_out(app, exception):
    """Remove those of the theme's files that no page loads."""
    if exception or app.builder.format != "html":
        return
    for pattern in NOT_LOADED:
        for path in (Path(app.outdir) / "_static").glob(pattern):
            path.unlink()


def connect(app):
    """Run when the pages are written."""
    app.connect("build-finished", leave_out)
