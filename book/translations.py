"""A report on the lines of pages that a translation lacks, and on catalogue entries that no page needs.

python book/translations.py           print the report; an incomplete translation is not an error
python book/translations.py --new     add the untranslated lines to the catalogues, as empty entries
"""

import sys
from pathlib import Path

from babel.messages.pofile import write_po

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "book" / "_ext"))

import translated_pages  # noqa: E402


def report(new=False):
    """Return a line on the state of each translated page, followed by the entries that it lacks."""
    lines = []
    for path in sorted((ROOT / "book" / "locale").glob("*/LC_MESSAGES/*.po")):
        language, name = path.parts[-3], path.stem
        messages, text = translated_pages.catalogue(language, name), translated_pages.english(name)
        _, lacking = translated_pages.translated(text, messages)
        state = "complete" if not lacking else f"{len(lacking)} entries to look at"
        lines += [f"{path.relative_to(ROOT)}: {state}", *(f"  {each}" for each in lacking)]
        if new and lacking:
            for line in text.split("\n"):
                if english := translated_pages.LINE.fullmatch(line)["text"]:
                    messages.add(english, messages.get(english).string if messages.get(english) else "")
            with path.open("wb") as file:
                write_po(file, messages, width=0, omit_header=False)
    return lines


if __name__ == "__main__":
    print(*report("--new" in sys.argv), sep="\n")
