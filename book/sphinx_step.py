"""Run the command `jupyter-book` without steps that cost time and do not change the pages.

python book/sphinx_step.py build . -n -W
"""

import functools
import gc
import os
import sys


def spare_time():
    """Disable work whose result no step of the build uses; call this before any other import.

    `jsonschema` compiles 38 grammars for internationalised addresses, and no schema of a notebook or of a
    book asks for them. The garbage collector looks through millions of nodes of pages that are all in use.
    """
    sys.modules.setdefault("rfc3987_syntax", None)  # an import of it fails, and jsonschema goes on without
    gc.set_threshold(1_000_000, 100, 1000)


def main():
    """Run the command, with a process for each job: Jupyter Book has no option for what Sphinx calls -j."""
    from jupyter_book import sphinx
    from jupyter_book.cli.main import main

    jobs = int(os.environ.get("CLEARHEAD_JOBS") or os.cpu_count() or 1)
    sphinx.build_sphinx = functools.partial(sphinx.build_sphinx, jobs=max(1, jobs))
    main()


if __name__ == "__main__":
    spare_time()
    main()
