"""Make the fonts of the pages again: fetch three families, keep the letters and weights that the book uses.

python book/fonts/make.py        needs npm, and `pip install fonttools brotli`; writes book/static/fonts

Source Serif 4 is for reading, Source Sans 3 for headings, menus and figures, Iosevka for code: at half an em
a letter, 88 columns fit the page. All three are under the SIL Open Font License 1.1.
"""

import shutil
import subprocess
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter, load_font, save_font
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FOLDER = Path(__file__).resolve().parents[1] / "static" / "fonts"
PACKAGES = {
    "serif": "@fontsource-variable/source-serif-4@5.3.1",
    "sans": "@fontsource-variable/source-sans-3@5.3.0",
    "mono": "@fontsource/iosevka@5.3.0",
}
LATIN = {*range(0x20, 0x7F), *range(0xA0, 0x180), *map(ord, "‐‑–—‘’“”„†‡•…′″‹›€™−∞×·√≈≠≤≥←↑→↓↔½¼¾²³¹₀₁₂₃₄ᵀ")}
GREEK = {*range(0x391, 0x3AA), *range(0x3B1, 0x3CA)}
SIGNS = {*map(ord, "✓✗▶▸▾■□●○─│┌┐└┘├┤┬┴┼█▏▎▍▌▋▊▉░▒▓∈∑∏∂∇⊤⊥⟨⟩ℓ⁻ˡ₅₆₇₈₉⁰⁴⁵⁶⁷⁸⁹ᵢⱼ⋅")}
#: What is written, from which file of which package, its letters, its features of layout.
FONTS = (
    ("serif", "serif", "source-serif-4-latin-wght-normal", LATIN, ("kern", "liga", "onum", "lnum", "tnum")),
    ("serif-italic", "serif", "source-serif-4-latin-wght-italic", LATIN, ("kern", "liga")),
    ("serif-greek", "serif", "source-serif-4-greek-wght-normal", GREEK, ("kern",)),
    ("sans", "sans", "source-sans-3-latin-wght-normal", LATIN, ("kern", "tnum")),
    ("mono", "mono", "iosevka-latin-400-normal", LATIN | GREEK | SIGNS, ()),
)
LIGHTEST, BOLDEST = 400, 700


def fetched(package, folder):
    """Return the folder of an npm package, fetched and unpacked."""
    command = ["npm", "pack", "--silent", "--pack-destination", str(folder), package]
    name = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1]
    with tarfile.open(folder / name) as archive:
        archive.extractall(folder / name.removesuffix(".tgz"), filter="data")
    return folder / name.removesuffix(".tgz") / "package"


def _reloaded(font):
    """Return a font after saving and loading it, so that its tables agree after weights have been removed."""
    file = BytesIO()
    font.flavor = None
    font.save(file)
    file.seek(0)
    return TTFont(file, lazy=False)


def make(source, target, letters, features):
    """Write a font that holds only some letters and features, and the weights from regular to bold."""
    options = Options(flavor="woff2", lazy=False, layout_features=list(features), hinting=False)
    font = load_font(str(source), options)
    if "fvar" in font:
        font = _reloaded(instantiateVariableFont(font, {"wght": (LIGHTEST, BOLDEST)}, inplace=True))
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    save_font(font, str(target), options)


def main():
    """Write every font and the licences; say how large they are."""
    (FOLDER / "licences").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        packages = {family: fetched(package, Path(folder)) for family, package in PACKAGES.items()}
        for name, family, file, letters, features in FONTS:
            target = FOLDER / f"{name}.woff2"
            make(packages[family] / "files" / f"{file}.woff2", target, letters, features)
            print(f"{target.name:20} {target.stat().st_size / 1000:6.1f} kB")
        for family, package in packages.items():
            shutil.copyfile(package / "LICENSE", FOLDER / "licences" / f"{family}.txt")


if __name__ == "__main__":
    main()
