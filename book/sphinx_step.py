"""The command `jupyter-book`, without steps that cost time and do not change the pages.

python book/sphinx_step.py build . -n -W
"""

import functools
import gc
import os
import sys


def spare_time():
    """Disable work whose result no step of the build uses.

    It must be called before any other import. `jsonschema` would compile 38 grammars for internationalised
    addresses, which no schema of a notebook or of a book needs, and the garbage collector would search
    millions of nodes of pages that are all in use.
    """
    sys.modules.setdefault("rfc3987_syntax", None)  # its import fails, and jsonschema does without it
    gc.set_threshold(1_000_000, 100, 1000)


def main():
    """Run the command with several processes, an option of Sphinx that Jupyter Book does not offer."""
    from jupyter_book import sphinx
    from jupyter_book.cli.main import main

    jobs = int(os.environ.get("CLEARHEAD_JOBS") or os.cpu_count() or 1)
    sphinx.build_sphinx = functools.partial(sphinx.build_sphinx, jobs=max(1, jobs))
    main()


if __name__ == "__main__":
    spare_time()
    main()
