"""Run the command `jupyter-book` without what costs time and changes nothing in the pages.

python book/sphinx_step.py build . -n -W
"""

import gc
import sys


def spare_time():
    """Leave out work whose result no step of the build uses; call this before anything else is imported.

    `jsonschema` compiles 38 grammars for internationalised addresses, and no schema of a notebook or of a
    book asks for them. The garbage collector looks through millions of nodes of pages that are all in use.
    """
    sys.modules.setdefault("rfc3987_syntax", None)  # an import of it fails, and jsonschema goes on without
    gc.set_threshold(1_000_000, 100, 1000)


if __name__ == "__main__":
    spare_time()
    from jupyter_book.cli.main import main

    main()
