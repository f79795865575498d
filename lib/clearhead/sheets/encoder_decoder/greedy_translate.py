"""11.greedy_translate: Translate, and stop."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake, OneOf

from .drivers import run_greedy
from .greedy_translate_wrong import MISTAKES, _greedy, _until


def greedy_translate(step, source, start, stop, longest):
    """Return the new tokens, without start and stop; step(source, target) gives logits (T, V)."""
    target = [start]
    for _ in range(longest):
        token = int(np.argmax(step(source, target)[-1]))
        if token == stop:
            break
        target.append(token)
    return target[1:]


def _ended(words):
    return {"words": words, "asks step": "not too often"}


def _left_out(words):
    """Return what is seen where the start token was written, and left out of the result."""
    return {"words": words, "asks step": "more often than words come back"}


def _written(table, source, words):
    """Return a table in which each of these words is followed by the next."""
    made = table.copy()
    places = np.cumsum((np.arange(len(words)) + 1) * (np.array(words) + 3)) + 7 * int(source.sum())
    for place, word in zip(places % len(table), words[1:], strict=False):
        made[place, word] = 30
    return made


def _greedy_cases(rng):
    V, M = int(rng.integers(6, 10)), 499
    source = rng.integers(3, V, size=int(rng.integers(4, 8)))
    table = rng.normal(size=(M, V))
    never, soon = table.copy(), table.copy()
    never[:, 2], never[:, 1] = -20, -20
    soon[:, 1] = -20
    first, second, stop = (int(token) for token in rng.permutation(np.arange(3, V))[:3])
    ends = _written(never, source, (1, first, first, 2, first, second, second, stop))
    again = _written(never, source, (1, first, 1, second, stop))
    hand = np.tile([0.0, 0, 0, 1], (97, 1))
    hand[4 + 7 * 5] = [5, 0, 0, 0]  # behind the start: token 0
    hand[4 + 2 * 3 + 7 * 5] = [0, 0, 0, 9]  # then token 3
    hand[4 + 2 * 3 + 3 * 6 + 7 * 5] = [0, 0, 7, 0]  # then the stop, 2
    short = ("neither start nor stop is in the result", lambda out, table, source, start, stop, longest:
             start not in list(out["words"]) and stop not in list(out["words"]))  # fmt: skip
    return [
        Case("two words and a stop, by hand", (hand, np.array([2, 3]), 1, 2, 9), "Shown the start token, "
             "it writes 0, then 3, then the stop, which ends the sentence.", expected=_ended([0, 3])),
        Case("no stop comes", (never, source, 1, 2, 3), "Then `longest` ends it.", properties=(short,)),
        Case("a stop at once", (np.tile([0.0, 0, 9, 0], (89, 1)), source, 1, 2, 5), "Then there is nothing "
             "to say: an empty list.", expected=_ended([])),
        Case("a short source, a long target", (never, source[:2], 1, 2, 15), "Only `longest` limits the "
             "target, not the source.", properties=(short,)),
        Case("another start token", (never, source, 50, 2, 6), "The start token is an argument."),
        Case("a stop after some words", (ends, source, 1, stop, 12), "The stop token ends the sentence, "
             "and is not part of it. Any other word may be written, twice, too.", properties=(short,)),
        Case("the start token as a word", (again, source, 1, stop, 12), "Any token may be written, the start "
             "token, too. Only the stop token ends the sentence.",
             expected=OneOf((_ended([first, 1, second]), _left_out([first, second])))),
        Case("another sentence", (never[::-1].copy(), source[::-1].copy() + 1, 1, 2, 8), "Is the whole "
             "target shown to step, start token first?", properties=(short,)),
        Case("any table", (soon, source, 1, 2, 7), "Read the last row of the logits.", properties=(short,)),
    ]  # fmt: skip


def _asked_on(step, source, start, stop, longest):
    """Return the right words, asked for in a loop with a limit of its own."""
    return _greedy(steps=lambda n: n + 50)(step, source, start, stop, longest)[:longest]


def _ends_at_a_repeat(known):
    """Return a translator that also ends at a word that is one of known(target)."""

    def answer(step, source, start, stop, longest):
        target = [start]
        while len(target) <= longest:
            token = int(np.argmax(step(source, target)[-1]))
            if token == stop or token in known(target):
                break
            target.append(token)
        return target[1:]

    return answer


def _also_at(word):
    return lambda step, source, start, stop, longest: _until(step, source, start, {stop, word}, longest)


MORE = (
    Mistake(
        "asked_on_after_longest",
        _asked_on,
        "The words are right, but you go on asking step after `longest` words. Leave the loop then.",
    ),
    Mistake(
        "no_longer_than_the_source",
        lambda step, source, start, stop, longest: _greedy(steps=lambda n: min(n, len(source)))(
            step, source, start, stop, longest
        ),
        "Your sentence is never longer than the source. It may be: `longest` says how long.",
    ),
    Mistake(
        "at_least_as_long_as_the_source",
        lambda step, source, start, stop, longest: _greedy(steps=lambda n: max(n, len(source)))(
            step, source, start, stop, longest
        ),
        "Where the source has more than `longest` words, its length is your limit. `longest` alone is the "
        "limit.",
    ),
    Mistake(
        "two_too_few",
        _greedy(steps=lambda n: n - 2),
        "Two words are missing where no stop comes. `longest` counts the new words alone, without start and "
        "stop.",
    ),
    Mistake(
        "stop_is_always_2",
        lambda step, source, start, stop, longest: _greedy()(step, source, start, 2, longest),
        "You wrote 2 for the stop token. Use the argument stop.",
    ),
    Mistake(
        "step_read_backwards",
        lambda step, source, start, stop, longest: _greedy()(
            lambda source, target: step(target, source), source, start, stop, longest
        ),
        "You gave step its arguments in the wrong order: step(source, target).",
    ),
    Mistake(
        "ends_at_0",
        _also_at(0),
        "Your sentence ends at word 0 as well. It is a word as any other: `if not token` is true for 0, too. "
        "Compare with stop.",
    ),
    Mistake(
        "ends_at_2",
        _also_at(2),
        "Your sentence ends at word 2 as well. Only the argument stop says which word ends it.",
    ),
    Mistake(
        "ends_at_a_word_said_twice",
        _ends_at_a_repeat(lambda target: target[-1:]),
        "Your sentence ends where a word comes twice in a row. Only the stop token or `longest` ends it.",
    ),
    Mistake(
        "ends_at_a_known_word",
        _ends_at_a_repeat(lambda target: target),
        "Your sentence ends where a word comes again. Only the stop token or `longest` ends it.",
    ),
    Mistake(
        "start_and_stop_kept",
        _greedy(finish=lambda target, stopped, stop: target + [stop] * stopped),
        "The start token and the stop token are still in your result. Return the words between them.",
    ),
    Mistake(
        "stop_always_added",
        _greedy(finish=lambda target, stopped, stop: [*target[1:], stop]),
        "Your result always ends with the stop token. Return the words alone.",
    ),
    Mistake(
        "first_word_cut_off",
        _greedy(finish=lambda target, stopped, stop: target[2:]),
        "The first word is missing. Only the start token stands in front of it: target[1:].",
    ),
)


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
    mistakes=(*MISTAKES, *MORE),
    alternatives=(_greedy(),),
    ids=True,
    stars=2,
    minutes=15,
    driver=run_greedy,
    returns={"words": "the tokens that you return", "asks step": "how often you call `step`"},
    given="`step` reads its rows from what_step_gives",
)
