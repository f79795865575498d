"""Files that the pages need without a network: MathJax from its wheel, and only those icons that are used."""

import json
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

MATHJAX = ("tex-mml-chtml.js", "input/tex/extensions", "output/chtml/fonts/woff-v2")
STYLES = {"fas": "solid", "fab": "brands", "far": "regular"}
ICON = re.compile(r'<i class="([^"]*\bfa-[^"]*)"')
DRAWN = re.compile(r'[{,]"?([a-z0-9-]+)"?:\[(\d+),(\d+),\[([^\]]*)\],"[0-9a-f]+",("[^"]+"|\[[^\]]+\])\]')
SCRIPT = """// The icons of this book, from Font Awesome Free (https://fontawesome.com), CC BY 4.0.
(() => {
  "use strict";
  const ICONS = %s;
  function draw() {
    for (const place of document.querySelectorAll("i[class*='fa-']")) {
      const name = [...place.classList].map((each) => ICONS[each.slice(3)]).find(Boolean);
      if (!name) continue;
      const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      for (const { name, value } of place.attributes) icon.setAttribute(name, value);
      icon.classList.add("svg-inline--fa");
      icon.setAttribute("viewBox", `0 0 ${name[0]} ${name[1]}`);
      icon.setAttribute("aria-hidden", "true");
      icon.removeAttribute("title");
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      path.setAttribute("fill", "currentColor");
      path.setAttribute("d", name[2]);
      icon.append(path);
      place.replaceWith(icon);
    }
  }
  draw();
})();
"""


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


def keep_used_icons(app, exception):
    """Replace the theme's icon script (1.5 MB) by one that draws the icons found in the pages."""
    script = Path(app.outdir) / "_static/scripts/fontawesome.js"
    if exception or app.builder.format != "html" or not script.exists():
        return
    pages = "".join(path.read_text("utf-8") for path in Path(app.outdir).rglob("*.html"))
    used = {name[3:] for classes in ICON.findall(pages) for name in classes.split() if name.startswith("fa-")}
    import pydata_sphinx_theme

    theme = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static/scripts"
    script.write_text(
        SCRIPT % json.dumps(drawn_icons((theme / script.name).read_text("utf-8"), used | {"xmark"}))
    )
    for leftover in ("fontawesome.js.map", "bootstrap.js.map", "pydata-sphinx-theme.js.map"):
        (script.parent / leftover).unlink(missing_ok=True)


def drawn_icons(source, used):
    """Return {name: [width, height, path]}; a later set wins, and the solid set comes last."""
    icons = {}
    for name, width, height, others, path in DRAWN.findall(source):
        for each in {name, *re.findall(r'"([a-z0-9-]+)"', others)} & used:
            icons[each] = [int(width), int(height), json.loads(path) if path.startswith('"') else ""]
    return icons


def connect(app):
    """Run when the pages are written."""
    app.connect("build-finished", copy_mathjax)
    app.connect("build-finished", keep_used_icons)
