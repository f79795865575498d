"""Offline editions of the book: a zip file of the pages, and a PDF that needs no LaTeX.

python book/editions.py zip     _build/transformers-with-a-clear-head.zip: unpack it, open index.html
python book/editions.py pdf     _build/transformers-with-a-clear-head.pdf: printed by Chromium
"""

import shutil
import subprocess
import sys
import zipfile

from playwright.sync_api import sync_playwright

import chromium
from build import HTML, JUPYTER_BOOK, ROOT

NAME = "transformers-with-a-clear-head"
ONE_PAGE = ROOT / "_build" / "singlehtml"
FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # a fixed date, so that the same pages always give the same file
MINUTES = 60_000
#: Nothing can be unfolded on paper, so answers to self-checks are opened, and hints and solutions removed.
UNFOLD = """() => {
  document.querySelectorAll('details.ch-collapsible').forEach(fold => fold.remove());
  document.querySelectorAll('details').forEach(fold => { fold.open = true; });
}"""
FOOTER = '<div style="font-size:8px;width:100%;text-align:center"><span class="pageNumber"></span></div>'


def make_zip():
    """Write the pages and all files they need, except the model, to a zip file, and return its path."""
    target = ROOT / "_build" / f"{NAME}.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(path for path in HTML.rglob("*") if path.is_file() and path.suffix != ".gguf"):
            inside = zipfile.ZipInfo(f"{NAME}/{path.relative_to(HTML).as_posix()}", FIRST_DAY)
            inside.external_attr, inside.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(inside, path.read_bytes())
    return target


def one_page():
    """Build the whole book as one HTML page with Sphinx, and return the path of the page."""
    command = [*JUPYTER_BOOK, "build", ".", "--builder", "singlehtml", "-n", "-q"]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    page = ONE_PAGE / "whole.html"  # its links are relative to here, but Sphinx writes it one folder deeper
    shutil.copyfile(ONE_PAGE / "book" / "index.html", page)
    return page


def make_pdf():
    """Print the book with Chromium as a PDF with bookmarks and accessibility tags, and return its path."""
    path = chromium.found()
    if path is None:
        sys.exit("The PDF is printed by Chromium or Chrome, and none is on the path: install one.")
    target, page = ROOT / "_build" / f"{NAME}.pdf", one_page()
    with sync_playwright() as playwright:
        sheet = chromium.launch(playwright, path).new_page(viewport={"width": 1000, "height": 1400})
        sheet.set_default_timeout(10 * MINUTES)
        sheet.goto(page.as_uri(), wait_until="load")
        sheet.evaluate(UNFOLD)
        margin = {side: "16mm" for side in ("top", "bottom", "left", "right")}
        sheet.pdf(
            path=target,
            format="A4",
            scale=0.75,
            margin=margin,
            outline=True,
            tagged=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=FOOTER,
        )
    return target


def main(edition):
    """Make one edition from the built book, and print its path and size."""
    if not (HTML / "index.html").exists():
        sys.exit("Build the book first: make book")
    made = {"zip": make_zip, "pdf": make_pdf}[edition]()
    print(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(sys.argv[1])
