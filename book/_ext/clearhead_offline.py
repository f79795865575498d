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
#: In the theme's style: an icon of its own, and the icon that a class name shows.
OWN_GLYPH = re.compile(r'--pst-icon-[\w-]+:"(.)"|content:"\\(f[0-9a-f]{3})"')
NAMED_GLYPH = re.compile(r'((?:\.fa-[\w-]+:before,?)+){content:"\\([0-9a-f]+)"}')
SOLID = re.compile(r'url\(([^)]*)fa-solid-900\.woff2\) format\("woff2"\),url\([^)]*\) format\("truetype"\)')
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
    drawn = drawn_icons((theme() / "scripts" / script.name).read_text("utf-8"), used_icons(app) | {"xmark"})
    script.write_text(SCRIPT % json.dumps(drawn))
    for leftover in ("fontawesome.js.map", "bootstrap.js.map", "pydata-sphinx-theme.js.map"):
        (script.parent / leftover).unlink(missing_ok=True)


def drawn_icons(source, used):
    """Return {name: [width, height, path]}; a later set wins, and the solid set comes last."""
    icons = {}
    for name, width, height, others, path in DRAWN.findall(source):
        for each in {name, *re.findall(r'"([a-z0-9-]+)"', others)} & used:
            icons[each] = [int(width), int(height), json.loads(path) if path.startswith('"') else ""]
    return icons


def keep_used_glyphs(app, exception):
    """Replace the theme's icon font (156 kB) by one with those glyphs that a style or a page names."""
    static = Path(app.outdir) / "_static"
    fonts, style = static / "vendor/fontawesome/webfonts", static / "styles/pydata-sphinx-theme.css"
    if exception or app.builder.format != "html" or not style.exists():
        return
    from fontTools import subset

    rules = (theme() / "styles" / style.name).read_text("utf-8")
    font = subset.load_font(
        theme() / "vendor/fontawesome/webfonts/fa-solid-900.ttf", options := subset.Options()
    )
    chooser = subset.Subsetter(options)
    chooser.populate(unicodes=named_glyphs(rules, used_icons(app)))
    chooser.subset(font)
    font.flavor = "woff"
    font.save(fonts / "fa-solid-900.woff")
    style.write_text(SOLID.sub(r'url(\1fa-solid-900.woff) format("woff")', rules), "utf-8")
    for leftover in ("fa-solid-900.woff2", "fa-solid-900.ttf"):
        (fonts / leftover).unlink(missing_ok=True)


def named_glyphs(rules, used):
    """Return the code points of the icons that the style shows by itself, and of those that pages use."""
    others = NAMED_GLYPH.sub("", rules)
    own = {ord(sign) if sign else int(code, 16) for sign, code in OWN_GLYPH.findall(others)}
    names = (
        (set(re.findall(r"fa-([\w-]+):", found)), int(code, 16)) for found, code in NAMED_GLYPH.findall(rules)
    )
    return own | {code for found, code in names if found & used}


def used_icons(app):
    """Return the names of the icons that stand in the pages."""
    pages = "".join(path.read_text("utf-8") for path in Path(app.outdir).rglob("*.html"))
    return {name[3:] for classes in ICON.findall(pages) for name in classes.split() if name.startswith("fa-")}


def theme():
    """Return the folder of the theme's own static files."""
    import pydata_sphinx_theme

    return Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static"


def connect(app):
    """Run when the pages are written."""
    app.connect("build-finished", copy_mathjax)
    app.connect("build-finished", keep_used_icons)
    app.connect("build-finished", keep_used_glyphs)
