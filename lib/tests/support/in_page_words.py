"""Try every exercise in a page, with stub, reference, other answers and every known mistake: the same words?

python lib/tests/support/in_page_words.py [chromium|firefox] [NN ...]

It takes about three minutes and needs no built book. The words of the page must be those of this Python,
letter for letter.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / name) for name in ("lib", "lib/tests", "book", "book/_ext")]
SEED = 11
#: Words that may differ, and why.
EXPLAINED = {
    "07.expand_scores columns_as_tokens": "Python 3.12 forgets the name in a comprehension that raised",
    "07.rope kept_integers": "the page names its whole numbers int32",
    "08.gelu tanh_form": "two numbers are equally wrong but for the last bit",
}
NOT_MISTAKES = ("stub", "reference", "other")

#: Run here and there: what `check` says of every answer that an exercise knows.
SAID = """
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
"""


def here(number):
    """Return the words of this Python for a sheet, from a process of its own."""
    code = f"{SAID}\nprint(json.dumps(said({number!r}, {SEED})))"
    with tempfile.TemporaryDirectory() as state:
        known = os.environ | {"CLEARHEAD_STATE": state, "PYTHONPATH": str(ROOT / "lib")}
        made = subprocess.run([sys.executable, "-c", code], env=known, check=True, stdout=subprocess.PIPE)
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


def kind(key):
    """Return what an answer is: "stub", "reference", "other" or the name of a mistake."""
    return key.split()[1]


def counts(told):
    """Return how many right answers pass, and how many mistakes are called by their names."""
    right = [text.startswith("✓") for key, text in told.items() if kind(key) in ("reference", "other")]
    named = [kind(key) in text for key, text in told.items() if kind(key) not in NOT_MISTAKES]
    return f"{sum(right)} of {len(right)} right answers pass, {sum(named)} of {len(named)} mistakes named"


def main(browser, numbers):
    """Compare sheet by sheet; end with 1 where a word differs."""
    from clearhead.checks import registry
    from support.in_page_site import running_site

    different = 0
    with tempfile.TemporaryDirectory() as folder, running_site(browser, Path(folder)) as run:
        for number in numbers or registry.numbers():
            begun = time.perf_counter()
            ours, theirs = here(number), there(run, number)
            wrong = [key for key in ours if theirs.get(key) != ours[key]]
            took = time.perf_counter() - begun
            print(f"sheet {number}: {counts(theirs)}, {len(wrong)} in other words, {took:.0f} s", flush=True)
            for key in wrong:
                print(f"--- {key}: {EXPLAINED.get(key)}\nhere:  {ours[key]}\nthere: {theirs.get(key)}")
            different += len(set(wrong) - set(EXPLAINED))
    return min(different, 1)


if __name__ == "__main__":
    chosen = [word for word in sys.argv[1:] if word.isdigit()]
    sys.exit(main("firefox" if "firefox" in sys.argv else "chromium", chosen))
