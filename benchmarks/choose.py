"""Choose rates, schedules and sizes on the last tenth of the text to learn from: never on the held-out text.

python benchmarks/choose.py --text FILE          each optimizer gets as many tries
What was tried, and the loss of each, goes to `results/choices.json`; the winners stand in `recipe.py`.
"""

import argparse
import dataclasses
import itertools
import json
from pathlib import Path

from compare import isolated
from recipe import SAME_SIZE

HERE = Path(__file__).parent
GPT2 = {"modern": False, "muon": False, "bfloat16": False}
#: Twelve tries for each optimizer: what is tried, beside what stays.
TRIES = {
    "AdamW, GPT-2": (GPT2, {"rate": (1e-3, 2e-3, 4e-3, 8e-3), "cool": (0.3, 0.6, 1.0)}),
    "AdamW, the modern model": ({"muon": False}, {"rate": (1e-3, 2e-3, 4e-3, 8e-3), "cool": (0.3, 0.6, 1.0)}),
    "Muon, the modern model": ({}, {"rate": (0.02, 0.03, 0.04), "others_rate": (0.5e-2, 1e-2, 2e-2, 3.5e-2)}),
}


def tried(text, fixed, grid):
    """Yield each point of a grid with its loss on the text to choose on."""
    for values in itertools.product(*grid.values()):
        changes = fixed | dict(zip(grid, values, strict=True))
        recipe = dataclasses.asdict(dataclasses.replace(SAME_SIZE, **changes))
        yield changes | isolated("recipe:run", str(text), recipe, True)


def main():
    """Try everything, print it, keep it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--text", type=Path, required=True)
    text, found = parser.parse_args().text, {}
    for name, (fixed, grid) in TRIES.items():
        found[name] = []
        for row in tried(text, fixed, grid):
            print(name, {key: row[key] for key in (*grid, "loss", "cpu")}, flush=True)
            found[name].append({key: row[key] for key in (*grid, "loss")})
    (HERE / "results" / "choices.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
