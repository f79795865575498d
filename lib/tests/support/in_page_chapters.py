"""Run every cell of the chapters that the page offers to run: does it run there?

python lib/tests/support/in_page_chapters.py [chromium|firefox] [NN ...]

It takes some minutes and needs no built book.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / name) for name in ("lib", "lib/tests", "book", "book/_ext")]

import runnable_cells  # noqa: E402
from conventions import text_of  # noqa: E402

LIMIT = 120  # seconds: the page gives 30, and a busy machine takes longer
FORGET = "for _name in [n for n in globals() if not n.startswith('__')]:\n    del globals()[_name]"


def offered(path):
    """Return the code of the cells that a page offers to run, with their numbers."""
    missing, found = set(), []
    for number, cell in enumerate(json.loads(path.read_text("utf-8"))["cells"]):
        if cell["cell_type"] == "code" and runnable_cells.runs(missing, cell) != "none":
            found.append((number, text_of(cell)))
    return found


def problems(run, path):
    """Return one line for each offered cell of a chapter that ends with an error there."""
    run(FORGET, LIMIT)
    found = []
    for number, text in offered(path):
        result = run(text, LIMIT, f"cell {number}")
        if result["error"]:
            found.append(f"{path.stem}, cell {number}, line {result['line']}: {result['error']}")
    return found


def main(browser, numbers):
    """Try chapter by chapter; end with 1 where a cell fails."""
    from support.in_page_site import running_site

    failed = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        running_site(browser, Path(folder), skip_unavailable=True) as run,
    ):
        for path in sorted((ROOT / "chapters").glob("*.ipynb")):
            if not numbers or path.stem[:2] in numbers:
                begun = time.perf_counter()
                found = problems(run, path)
                took = time.perf_counter() - begun
                print(
                    f"{path.stem}: {len(offered(path))} cells, {took:.0f} s", *found, sep="\n    ", flush=True
                )
                failed += len(found)
    return min(failed, 1)


if __name__ == "__main__":
    chosen = [word for word in sys.argv[1:] if word.isdigit()]
    sys.exit(main("firefox" if "firefox" in sys.argv else "chromium", chosen))
