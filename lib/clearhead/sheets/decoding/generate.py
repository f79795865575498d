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
            "a choose that always returns 3, by hand",
            (always, np.array([1, 2]), 2, 0, 5),
            "Two tokens are added to 1, 2. `choose` first gets 1, 2, and then 1, 2, 3.",
            expected={"text": np.array([1, 2, 3, 3]), "shown to choose": ["1 2", "1 2 3"]},
        ),
        Case(
            "no stop token and a long context",
            (never, ids[:3], 6, 0, 20),
            "The context is long enough for the whole text, so choose gets all of it.",
            properties=(begins,),
        ),
        Case(
            "a short context",
            (never, ids, 5, 0, 3),
            "choose gets only the latest 3 tokens, but the text itself keeps all of them.",
            properties=(begins,),
        ),
        Case(
            "a stop token among the new tokens",
            (always, ids[:2], 6, 3, 4),
            "No token is added after the stop token.",
            properties=(begins,),
        ),
        Case(
            "stop tokens in the prompt",
            (never, np.array([2, 0, 5, 0]), 4, 0, 3),
            "A stop token in the prompt ends an earlier text. Only a stop token that you add ends this one.",
            properties=(begins,),
        ),
        Case(
            "a stop token in the middle of the prompt",
            (never, np.array([2, 0, 5]), 4, 0, 3),
            "Only a stop token that you add ends the text.",
            properties=(begins,),
        ),
        Case(
            "a random table of next tokens",
            (mixed, ids, 8, int(mixed[0]), 4),
            "choose gets the latest 4 tokens of the text in each round.",
            properties=(begins,),
        ),
        Case("a length of 0", (never, ids, 0, 0, 3), "No token is added, so the text is the prompt."),
    ]


EXERCISE = exercise_from_text(
    __file__,
    cases,
    driver=run_generate,
    given={"what_choose_says": "a `choose` that reads the next token from a table {}"},
    ids=True,
    returns={"text": "the tokens that you return", "shown to choose": "what you give to `choose`"},
)
