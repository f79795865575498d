"""What the pages need without a network: MathJax, copied from its wheel. What no page loads is left out."""

import shutil
from importlib.util import find_spec
from pathlib import Path

MATHJAX = ("tex-mml-chtml.js", "input/tex/extensions", "output/chtml/fonts/woff-v2")
#: The theme's icon script (templates/static leaves it out of the pages), maps for debuggers, and fonts in the
#: format of browsers that are gone: 5.6 MB.
NOT_LOADED = ("scripts/fontawesome.js*", "scripts/*.map", "styles/*.map", "vendor/fontawesome/webfonts/*.ttf")


def copy_mathjax(app, exception):
    """Copy the MathJax files that the pages use from the sphinx-mathjax-offline wheel."""
    if exception or app.builder.format != "html":
        return
    wheel = Path(find_spec("sphinx-mathjax-offline").submodule_search_locations[0]) / "static/mathjax"
    for name in MATHJAX:
        place = Path(app.outdir) / "_static/vendor/mathjax" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if (wheel / name).is_dir():
            shutil.copytree(wheel / name, place, dirs_exist_ok=True)
        else:
            shutil.copy2(wheel / name, place)


def leave_out(app, exception):
    """Remove those of the theme's files that no page loads."""
    if exception or app.builder.format != "html":
        return
    for pattern in NOT_LOADED:
        for path in (Path(app.outdir) / "_static").glob(pattern):
            path.unlink()


def connect(app):
    """Run when the pages are written."""
    app.connect("build-finished", copy_mathjax)
    app.connect("build-finished", leave_out)
