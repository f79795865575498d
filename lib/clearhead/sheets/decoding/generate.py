"""10.generate: The loop."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .drivers import run_generate
from .generate_wrong import MORE


def generate(choose, ids, length, stop, context_length):
    """Return the prompt ids (S) with at most `length` tokens added, each by choose(the latest tokens)."""
    ids = list(ids)
    for _ in range(length):
        ids.append(choose(ids[-context_length:]))
        if ids[-1] == stop:
            break
    return ids


def _generator(crop=lambda ids, c: ids[-c:], ends=lambda token, stop: token == stop, steps=lambda n: n):
    """Return a generate that crops and ends in its own way."""

    def answer(choose, ids, length, stop, context_length):
        ids = list(ids)
        for _ in range(steps(length)):
            ids.append(choose(crop(ids, context_length)))
            if ends(ids[-1], stop):
                break
        return ids

    return answer


def _after(change):
    """Return generate with its text changed by change(text, prompt, stop)."""
    return lambda choose, ids, length, stop, c: change(
        generate(choose, ids, length, stop, c), list(ids), stop
    )


def _stop_before(choose, ids, length, stop, context_length):
    ids = list(ids)
    while len(ids) < 99 and length > 0 and ids[-1] != stop:
        ids.append(choose(ids[-context_length:]))
        length -= 1
    return ids


def _total_length(choose, ids, length, stop, context_length):
    return generate(choose, ids, max(length - len(ids), 0), stop, context_length)


def _text_cropped(choose, ids, length, stop, context_length):
    ids = list(ids)
    for _ in range(length):
        ids = ids[-context_length:]
        ids.append(choose(ids))
        if ids[-1] == stop:
            break
    return ids


def _with_arrays(choose, ids, length, stop, context_length):
    text = np.array(ids)
    while len(text) < len(ids) + length:
        text = np.append(text, choose(text[max(len(text) - context_length, 0) :]))
        if text[-1] == stop:
            return text
    return text


def _generate_cases(rng):
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


EXERCISE = Exercise(
    id="10.generate",
    title="The loop",
    reference=generate,
    cases=_generate_cases,
    hints=(
        "A loop of at most `length` rounds. In each: show choose the latest tokens, append what it says.",
        "The latest tokens are ids[-context_length:]. After appending, compare the new token with stop.",
        "In each round: token = choose(ids[-context_length:]); ids = [*ids, token]; if token == stop: "
        "break. Then return ids.",
    ),
    mistakes=(
        Mistake(
            "stop_ignored",
            _generator(ends=lambda token, stop: False),
            "Your text goes on after the stop token. Leave the loop when it comes.",
        ),
        Mistake(
            "stop_cut_away",
            _after(lambda text, prompt, stop: text[:-1] if stop in text[len(prompt) :] else text),
            "The stop token is missing. Here it stays in the text, as its last token.",
        ),
        Mistake(
            "prompt_missing",
            _after(lambda text, prompt, stop: text[len(prompt) :]),
            "You returned the new tokens alone. The text begins with the prompt.",
        ),
        Mistake(
            "no_crop",
            _generator(crop=lambda ids, c: ids),
            "You show choose the whole text. It can see the latest tokens only: ids[-context_length:].",
        ),
        Mistake(
            "first_tokens_shown",
            _generator(crop=lambda ids, c: ids[:c]),
            "You show choose the first tokens. It needs the latest ones: ids[-context_length:].",
        ),
        Mistake(
            "crop_one_short",
            _generator(crop=lambda ids, c: ids[-c + 1 :]),
            "Of a long text you show choose one token less than it may see.",
        ),
        Mistake(
            "last_token_only",
            _generator(crop=lambda ids, c: ids[-1:]),
            "You show choose the last token only. It may see context_length of them.",
        ),
        Mistake(
            "prompt_only",
            lambda choose, ids, length, stop, c: generate(
                lambda context: choose(list(ids)[-c:]), ids, length, stop, c
            ),
            "choose sees tokens of the prompt alone. What it said before must come back into its input.",
        ),
        Mistake(
            "text_cropped",
            _text_cropped,
            "You cut the text itself: the beginning of a long one is lost. Cut only what choose is shown.",
        ),
        Mistake(
            "stop_in_the_prompt_counts",
            _stop_before,
            "A stop token in the prompt ended your text. Look at the new token only.",
        ),
        Mistake(
            "length_counts_the_prompt",
            _total_length,
            "`length` is how many tokens are added; you took it for the length of the whole text.",
        ),
        Mistake(
            "one_round_too_many",
            _generator(steps=lambda n: n + 1),
            "One token too many is added where no stop comes: there are `length` rounds.",
        ),
        *MORE,
    ),
    alternatives=(_with_arrays,),
    ids=True,
    stars=2,
    minutes=15,
    driver=run_generate,
    returns={"text": "the tokens that you return", "shown to choose": "what you give to `choose`"},
    given="`choose` reads the next token from what_choose_says",
)  # fmt: skip
