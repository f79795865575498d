"""Cases of 10.generate."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .drivers import run_generate


def cases(rng):
    V = 7
    never, ids = rng.integers(1, V, size=V), rng.integers(1, V, size=6)  # 0 never comes
    mixed = rng.permutation(V)
    always = np.full(V - 2, 3)
    begins = (
        "the text begins with the prompt",
        lambda out, table, ids, *rest: list(np.asarray(out["text"]))[: len(ids)] == list(ids),
    )
    return [
        Case(
            "choose says 3, by hand",
            (always, np.array([1, 2]), 2, 0, 5),
            "Two tokens are added to 1, 2. The first time choose sees 1, 2, then 1, 2, 3.",
            expected={"text": np.array([1, 2, 3, 3]), "shown to choose": ["1 2", "1 2 3"]},
        ),
        Case("no stop, long context", (never, ids[:3], 6, 0, 20), "All of it is shown to choose.",
             properties=(begins,)),
        Case("short context", (never, ids, 5, 0, 3), "Only choose sees less: the latest 3.",
             properties=(begins,)),
        Case("the stop comes", (always, ids[:2], 6, 3, 4), "After the stop nothing is added.",
             properties=(begins,)),
        Case("a stop in the prompt", (never, np.array([2, 0, 5, 0]), 4, 0, 3),
             "A stop in the prompt ends an earlier text. Only a token that you add can end this one.",
             properties=(begins,)),
        Case("a stop in the middle of the prompt", (never, np.array([2, 0, 5]), 4, 0, 3),
             "Only a token that you add can end the text.", properties=(begins,)),
        Case("any next token", (mixed, ids, 8, int(mixed[0]), 4), "Compare what choose was shown.",
             properties=(begins,)),
        Case("length 0", (never, ids, 0, 0, 3), "Then the text is the prompt."),
    ]  # fmt: skip


EXERCISE = exercise_from_text(
    __file__,
    cases,
    driver=run_generate,
    given="`choose` reads the next token from what_choose_says",
    ids=True,
    returns={"text": "the tokens that you return", "shown to choose": "what you give to `choose`"},
)
