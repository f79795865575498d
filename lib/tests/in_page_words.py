"""Try every exercise in a page, with stub, reference, other right answers and every known mistake: same words?

python lib/tests/in_page_words.py [chromium|firefox] [NN ...]      about three minutes; needs no built book

The words of the page must be those of this Python, letter for letter. Only what takes long may differ in its time.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "lib" / "tests"), str(ROOT / "book"), str(ROOT / "book" / "_ext")]
SEED = 11

#: Run here and there: what `check` says of every answer that an exercise knows.
SAID = '''
import contextlib, io, json
from clearhead.checks import check, registry

def unwritten(*arguments):
    raise NotImplementedError

def said(number, seed):
    told = {}
    for exercise in registry.sheet(number).exercises:
        if exercise.needs:
            continue
        answers = {"stub": unwritten, "reference": exercise.reference}
        answers |= {f"other {i}": other for i, other in enumerate(exercise.alternatives)}
        answers |= {mistake.name: mistake.answer for mistake in exercise.mistakes}
        for name, answer in answers.items():
            with contextlib.redirect_stdout(io.StringIO()) as text:
                check(exercise.id, answer, seed=seed)
            told[f"{exercise.id} {name}"] = text.getvalue()
    return told
'''


def here(number):
    """Return the words of this Python for a sheet, from a process of its own."""
    code = f"{SAID}\nprint(json.dumps(said({number!r}, {SEED})))"
    made = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return json.loads(made.stdout)


def there(run, number):
    """Return the words of the page's Python for a sheet."""
    code = f"{SAID}\nwith open('/said', 'w') as file:\n    json.dump(said({number!r}, {SEED}), file)"
    first = run(code, 900)
    words, size = "", 150_000  # the page shows 200,000 characters of a run
    while not first["error"]:
        result = run(f"print(open('/said').read()[{len(words)}:{len(words) + size}], end='')", 60)
        if result["error"] or not result["text"]:
            return json.loads(words)
        words += result["text"]
    raise RuntimeError(first["error"])


def named(told):
    """Return how many mistakes are called by their names, and how many there are."""
    kinds = [(key.split()[1], text) for key, text in told.items() if not key.split()[1] in ("stub", "reference", "other")]
    return sum(name in text for name, text in kinds), len(kinds)


def main(browser, numbers):
    """Compare sheet by sheet; end with 1 where a word differs."""
    from clearhead.checks import registry
    from in_page_site import opened

    different = 0
    with tempfile.TemporaryDirectory() as folder, opened(browser, Path(folder)) as run:
        for number in numbers or registry.numbers():
            begun = time.perf_counter()
            ours, theirs = here(number), there(run, number)
            right = sum("✓" in text.split(":")[0] for key, text in theirs.items() if key.split()[1] in ("reference", "other"))
            wrong = [key for key in ours if theirs.get(key) != ours[key]]
            print(f"sheet {number}: {len(ours)} answers, {right} right, %d of %d mistakes named, " % named(theirs), end="")
            print(f"{len(wrong)} in other words, {time.perf_counter() - begun:.0f} s", flush=True)
            for key in wrong:
                print(f"--- {key}\nhere:  {ours[key]}\nthere: {theirs.get(key)}")
            different += len(wrong)
    return min(different, 1)


if __name__ == "__main__":
    chosen = [word for word in sys.argv[1:] if word.isdigit()]
    sys.exit(main("firefox" if "firefox" in sys.argv else "chromium", chosen))
