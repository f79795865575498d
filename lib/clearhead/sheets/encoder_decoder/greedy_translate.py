"""11.greedy_translate: Translate, and stop."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .drivers import run_greedy


def greedy_translate(step, source, start, stop, longest):
    """Return the new tokens, without start and stop; step(source, target) gives logits (T, V)."""
    target = [start]
    for _ in range(longest):
        token = int(np.argmax(step(source, target)[-1]))
        if token == stop:
            break
        target.append(token)
    return target[1:]


def _greedy(
    shown=lambda target, source: target, row=lambda logits: np.argmax(logits[-1]), ends=True,
    finish=lambda target, stopped, stop: target[1:], steps=lambda n: n,
):  # fmt: skip
    """Return a greedy translator in which each of these parts can be replaced by a wrong one."""

    def answer(step, source, start, stop, longest):
        target, stopped = [start], False
        for _ in range(steps(longest)):
            token = int(row(step(source, shown(target, source))))
            if token == stop and ends:
                stopped = True
                break
            target.append(token)
        return finish(target, stopped, stop)

    return answer


def _never_empty(step, source, start, stop, longest):
    target = [start, int(np.argmax(step(source, [start])[-1]))]
    while len(target) <= longest:
        token = int(np.argmax(step(source, target)[-1]))
        if token == stop:
            break
        target.append(token)
    return target[1:]


def _deaf(step, source, start, stop, longest):
    """Return the right words, but go on asking after the stop."""
    target = [start]
    for _ in range(longest):
        token = int(np.argmax(step(source, target)[-1]))
        if token != stop:
            target.append(token)
    return target[1:]


def _ended(words):
    return {"words": words, "asks step": "until the stop"}


def _written(table, source, words):
    """Return a table in which each of these words is followed by the next."""
    made = table.copy()
    places = np.cumsum((np.arange(len(words)) + 1) * (np.array(words) + 3)) + 7 * int(source.sum())
    for place, word in zip(places % len(table), words[1:], strict=False):
        made[place, word] = 30
    return made


def _greedy_cases(rng):
    V, M = int(rng.integers(6, 10)), 97
    source = rng.integers(3, V, size=int(rng.integers(4, 8)))
    table = rng.normal(size=(M, V))
    never, soon = table.copy(), table.copy()
    never[:, 2], never[:, 1] = -20, -20
    soon[:, 1] = -20
    first, second, stop = (int(token) for token in rng.permutation(np.arange(3, V))[:3])
    ends = _written(never, source, (1, first, second, stop))
    hand = np.tile([0.0, 0, 0, 1], (M, 1))
    hand[(4 + 7 * 5) % M] = [5, 0, 0, 0]  # behind the start: token 0
    hand[(4 + 2 * 3 + 7 * 5) % M] = [0, 0, 0, 9]  # then token 3
    hand[(4 + 2 * 3 + 3 * 6 + 7 * 5) % M] = [0, 0, 7, 0]  # then the stop, 2
    short = ("neither start nor stop is in the result", lambda out, table, source, start, stop, longest:
             start not in list(out["words"]) and stop not in list(out["words"]))  # fmt: skip
    return [
        Case("two words and a stop, by hand", (hand, np.array([2, 3]), 1, 2, 9), "It writes 0, then 3, then "
             "the stop, which ends the sentence.", expected=_ended([0, 3])),
        Case("no stop comes", (never, source, 1, 2, 6), "Then the longest length ends it.",
             properties=(short,)),
        Case("a stop at once", (np.tile([0.0, 0, 9, 0], (M, 1)), source, 1, 2, 5), "Then there is nothing to "
             "say: an empty list.", expected=_ended([])),
        Case("a short source, a long target", (never, source[:2], 1, 2, 15), "Only `longest` limits the "
             "target, not the source.", properties=(short,)),
        Case("another start token", (never, source, 50, 2, 6), "The start token is an argument."),
        Case("a stop after some words", (ends, source, 1, stop, 12), "The stop token ends the sentence, "
             "and is not part of it.", properties=(short,)),
        Case("another sentence", (never[::-1].copy(), source[::-1].copy() + 1, 1, 2, 8), "Is the whole "
             "target shown to step, start token first?", properties=(short,)),
        Case("any table", (soon, source, 1, 2, 7), "Read the last row of the logits.", properties=(short,)),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="11.greedy_translate",
    title="Translate, and stop",
    reference=greedy_translate,
    cases=_greedy_cases,
    hints=(
        "Begin with the start token alone. In each round ask step, choose a word, append it.",
        "step gives a row for each target token. The last row says what comes next. Its largest logit wins.",
        "target = [start]; in each round: token = int(np.argmax(step(source, target)[-1])); if token == stop "
        "break, else target.append(token). Return target[1:].",
    ),
    mistakes=(
        Mistake(
            "first_row_read",
            _greedy(row=lambda logits: np.argmax(logits[0])),
            "You read the first row of the logits: it always says the first word. Read the last one.",
        ),
        Mistake(
            "all_rows_read",
            _greedy(row=lambda logits: np.argmax(logits) % logits.shape[1]),
            "You look for the largest logit in all rows. Only the last row is about the next word.",
        ),
        Mistake(
            "stop_ignored",
            _greedy(ends=False),
            "Your sentence goes on after the stop token. Leave the loop when it comes.",
        ),
        Mistake(
            "stop_kept",
            _greedy(finish=lambda target, stopped, stop: target[1:] + [stop] * stopped),
            "The stop token is still in your result. It ends the sentence, and is not a part of it.",
        ),
        Mistake(
            "start_kept",
            _greedy(finish=lambda target, stopped, stop: target),
            "The start token is still in your result.",
        ),
        Mistake(
            "last_word_shown",
            _greedy(shown=lambda target, source: target[-1:]),
            "You show step the last word only. It needs the whole target so far.",
        ),
        Mistake(
            "start_not_shown",
            _greedy(shown=lambda target, source: target[1:] or target),
            "The start token is no longer shown once there are words. It stays in front.",
        ),
        Mistake(
            "source_shown",
            _greedy(shown=lambda target, source: [*source, *target]),
            "You put the source in front of the target. The source is the first argument of step.",
        ),
        Mistake(
            "one_too_few",
            _greedy(steps=lambda n: n - 1),
            "One word is missing where no stop comes: `longest` counts the new words alone, without the "
            "start token.",
        ),
        Mistake(
            "start_is_always_1",
            lambda step, source, start, stop, longest: greedy_translate(step, source, 1, stop, longest),
            "You wrote 1 for the start token. Use the argument start.",
        ),
        Mistake(
            "never_empty",
            _never_empty,
            "You append the first word without a look at it. It may be the stop: then the result is empty.",
        ),
        Mistake(
            "length_of_the_source",
            lambda step, source, start, stop, longest: _greedy(steps=lambda n: len(source))(
                step, source, start, stop, longest
            ),
            "You write as many words as the source has. A translation may be longer or shorter.",
        ),
        Mistake(
            "asked_on_after_the_stop",
            _deaf,
            "The words are right, but you go on asking step after the stop. Leave the loop when it comes.",
        ),
        Mistake(
            "last_word_cut_off",
            _greedy(finish=lambda target, stopped, stop: target[1:-1]),
            "The last word is missing, whether or not a stop came. The stop was never appended, so cut "
            "nothing off.",
        ),
        Mistake(
            "one_too_many",
            _greedy(steps=lambda n: n + 1),
            "One word too many stands where no stop comes: write at most `longest` words.",
        ),
        Mistake(
            "row_before_the_last",
            _greedy(row=lambda logits: np.argmax(logits[-2:][0])),
            "You read the row before the last one. It says the word that is there already; the last "
            "row says the next.",
        ),
    ),
    alternatives=(_greedy(),),
    ids=True,
    stars=2,
    minutes=15,
    driver=run_greedy,
)
