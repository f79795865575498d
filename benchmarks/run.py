"""Measure the library against its peers, and write the results as a table and as a JSON file.

python benchmarks/run.py                     five minutes: make bench
python benchmarks/run.py --full              all of it: make bench-full
    --nanogpt DIR --text FILE                also nanoGPT's documented CPU run, from a checkout and its text
    --only training,writing                  some subjects again; the rows of the others stay
    --like avx2                              as on an older processor: no newer instructions are used; with
                                             --only, its rows may stand among those of a real one, marked
Results go to `results/full-avx512.json`, or `quick` and what this processor counts with.
"""

import argparse
import dataclasses
import importlib
import json
import os
import sys
from pathlib import Path

from compare import SIMULATED, kind, machine

HERE = Path(__file__).resolve().parent
#: Where the helpers of the subjects lie: browsers and pages are driven as the tests drive them.
HELPERS = ("lib", "lib/tests", "book", "book/_ext")
#: What must be the same for rows to stand in one file.
SAME = ("processor", "cores", "instructions", "torch", "numpy")
SUBJECTS = (
    "ceilings",
    "training",
    "ablation",
    "attention",
    "writing",
    "talk",
    "in_page",
    "pages",
    "figures",
    "checks",
    "text",
    "grading",
    "build",
)


def told(row):
    """Return one line of text for a row."""
    mark = {True: "holds", False: "FALLS SHORT", None: ""}[row.holds]
    goal = f"(goal {row.goal:.3g})" if row.goal else ""
    numbers = f"{row.ours:10.3f} {row.unit} / {row.peer:10.3f} = {row.ratio:7.3f} {goal} {mark}"
    limit = f"the machine allows {row.limit:.3g}" if row.limit else ""
    return f"{row.subject:18} {row.what}\n{'':18} {numbers}   {row.against}. {row.note} {limit}"


def kept(out, names, facts):
    """Return the rows of an earlier run that are not measured again, its machine, and markers for new rows.

    It must be the same machine; but what is simulated may stand, marked, beside rows of a real one that has
    the same libraries.
    """
    before = json.loads(out.read_text()) if out.exists() else {"machine": {}, "rows": []}
    rows = [row for row in before["rows"] if row["by"] not in names]
    other = [key for key in SAME if before["machine"].get(key, facts[key]) != facts[key]]
    simulated = ["simulated" in each.get("instructions", "") for each in (before["machine"], facts)]
    if rows and simulated == [False, True] and not {"torch", "numpy"} & set(other):
        return rows, before["machine"], {"simulated": True}
    if rows and other:
        sys.exit(f"{out} was measured with another {', '.join(other)}: measure all of it, or use --out.")
    if rows:
        facts["busy before"] = max(facts["busy before"] or 0, before["machine"].get("busy before") or 0)
    return rows, facts, {}


def main():
    """Measure, print each row as soon as it is known, and write the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--full", action="store_true", help="everything, not five minutes")
    parser.add_argument("--only", help=f"some of {', '.join(SUBJECTS)}")
    parser.add_argument("--nanogpt", type=Path, help="a checkout of nanoGPT")
    parser.add_argument("--text", type=Path, help="the text to train on; nanoGPT's is tiny-shakespeare")
    parser.add_argument("--like", choices=SIMULATED, help="simulate an older processor")
    parser.add_argument("--out", type=Path, help="where the results go")
    options = parser.parse_args()
    if options.like and (wanted := SIMULATED[options.like]).items() - os.environ.items():
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | wanted)
    size = "full" if options.full else "quick"
    sys.path += [str(HERE.parent / folder) for folder in HELPERS]
    out = options.out or HERE / "results" / f"{size}-{kind()}.json"
    out.parent.mkdir(exist_ok=True)
    names = options.only.split(",") if options.only else SUBJECTS
    facts = machine()
    found, shown, marks = kept(out, names, facts) if options.only else ([], facts, {})
    for name in names:  # written after each
        for row in importlib.import_module(name).rows(options.full, options):
            print(told(row), flush=True)
            measured = {"by": name, "commit": facts["commit"]} | dataclasses.asdict(row)
            found.append(measured | {"ratio": row.ratio, "holds": row.holds} | marks)
        results = json.dumps({"machine": shown, "rows": found}, indent=1)
        out.write_text(results + "\n")  # kept if the next fails
    short = sum(row["holds"] is False for row in found)
    print(f"\n{len(found)} comparisons, {short} fall short of their goal: {out}")


if __name__ == "__main__":
    main()
