"""The removal of files from the book that no page uses."""

import re
from importlib.util import find_spec
from pathlib import Path

from fontTools.subset import Options, Subsetter, load_font, save_font
from live_figures import FOLDER, scripts_named

ICONS = "vendor/fontawesome/webfonts/fa-solid-900"
THEME = Path("theme/pydata_sphinx_theme/static")
#: The theme's icon script, which templates/static leaves out, source maps, and complete icon fonts.
NOT_LOADED = (
    "scripts/fontawesome.js*",
    "scripts/*.map",
    "styles/*.map",
    "vendor/fontawesome/webfonts/*.ttf",
    f"{ICONS}.woff2",
)
#: A CSS rule that draws icons by name, an icon in a style sheet (as a number or a character), an icon's name.
DRAWN = re.compile(r'(?:\.fa-[\w-]+:before,?)+\{content:"[^"]*"\}')
ICON = re.compile(r'"\\(f[0-9a-f]{3})"|([\ue000-\uf8ff])')
NAME = re.compile(r"\bfa-[\w-]+")


def remove_unloaded(app):
    """Remove the files of the theme that no page loads."""
    for pattern in NOT_LOADED:
        for path in (Path(app.outdir) / "_static").glob(pattern):
            path.unlink()


def remove_unnamed(app):
    """Remove the scripts of figures, and the icons of the theme, that no page uses."""
    static = Path(app.outdir) / "_static"
    pages = [*Path(app.outdir).rglob("*.html"), *static.glob("*.js"), *static.glob("scripts/*.js")]
    icons, scripts = set(), set()
    for text in (page.read_text("utf-8") for page in pages):
        icons.update(NAME.findall(text))
        scripts |= scripts_named(text)
    for path in (static / FOLDER).glob("*.js"):
        if path.stem not in scripts:  # of an older build
            path.unlink()
    cut_icons(static, icons)


def cut_icons(static, used):
    """Remove the icons that are not used, which reduces the font and its rules from 0.18 to 0.01 MB."""
    style = static / "styles/pydata-sphinx-theme.css"
    text = style.read_text("utf-8")
    text = DRAWN.sub(lambda rule: rule[0] if used & set(NAME.findall(rule[0])) else "", text)
    text = text.replace(f'url(../{ICONS}.woff2) format("woff2"),', "")
    style.write_text(text, "utf-8")
    styles = [*static.glob("*.css"), *static.glob("styles/*.css")]
    found = {icon for each in styles for icon in ICON.findall(each.read_text("utf-8"))}
    letters = {int(number, 16) if number else ord(itself) for number, itself in found}
    write_font(letters, static / f"{ICONS}.ttf")


def write_font(letters, path):
    """Write the theme's icon font with only the given characters."""
    theme = Path(find_spec("pydata_sphinx_theme").submodule_search_locations[0]) / THEME
    options = Options(layout_features=[], glyph_names=False, notdef_outline=True)
    font, cut = load_font(theme / f"{ICONS}.ttf", options), Subsetter(options)
    cut.populate(unicodes=letters)
    cut.subset(font)
    save_font(font, path, options)
