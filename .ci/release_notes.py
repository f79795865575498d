"""Print the notes of a release, which are its section of the changelog.

python .ci/release_notes.py v0.1.0

It stops where the tag is not the version of the library, or where the changelog has no such section.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSION = re.compile(r'^__version__ = "(.+)"$', re.M)


def notes(tag, version, changelog):
    """Return the section of a release in a changelog, without its heading.

    Raises
    ------
    ValueError
        Where the tag does not name the version, or the changelog has no text for it.
    """
    if tag != f"v{version}":
        raise ValueError(
            f"The tag is {tag!r}, but lib/clearhead/__init__.py states version {version}. "
            f"Tag v{version}, or change the version first."
        )
    sections = re.split(r"^## +", changelog, flags=re.M)[1:]
    for section in sections:
        heading, _, text = section.partition("\n")
        if heading.startswith(f"[{version}]") and text.strip():
            return text.strip() + "\n"
    raise ValueError(
        f"CHANGELOG.md has no section '## [{version}]' with text. "
        "Rename the section [Unreleased], and add its date."
    )


if __name__ == "__main__":
    stated = VERSION.search((ROOT / "lib" / "clearhead" / "__init__.py").read_text("utf-8"))[1]
    try:
        print(notes(sys.argv[1], stated, (ROOT / "CHANGELOG.md").read_text("utf-8")), end="")
    except ValueError as error:
        sys.exit(str(error))
