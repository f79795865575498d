"""The wrong answers of 11.greedy_translate."""

import numpy as np

from clearhead.checks.exercise import Mistake


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


def _until(step, source, start, stops, longest):
    """Return the words in front of the first that is one of the stops."""
    target = [start]
    while len(target) <= longest:
        token = int(np.argmax(step(source, target)[-1]))
        if token in stops:
            break
        target.append(token)
    return target[1:]


MISTAKES = (
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
        "One word is missing where no stop comes: `longest` counts the new words alone, without start and "
        "stop.",
    ),
    Mistake(
        "start_is_always_1",
        lambda step, source, start, stop, longest: _greedy()(step, source, 1, stop, longest),
        "You wrote 1 for the start token. Use the argument start.",
    ),
    Mistake(
        "start_ends_it",
        lambda step, source, start, stop, longest: _until(step, source, start, {start, stop}, longest),
        "Your sentence ends where the start token is written. Only the stop token ends it.",
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
        "Where no stop comes you write as many words as the source has. Write `longest` then.",
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
        "Where there are several rows you read the one before the last. The last row says the next word.",
    ),
    Mistake(
        "place_in_the_whole_table",
        _greedy(row=np.argmax),
        "np.argmax without an axis counts through all rows of the logits. Take the last row first: "
        "np.argmax(logits[-1]).",
    ),
    Mistake(
        "least_likely_word",
        _greedy(row=lambda logits: np.argmin(logits[-1])),
        "You take the least likely word. Take the likeliest: np.argmax.",
    ),
    Mistake(
        "second_likeliest_word",
        _greedy(row=lambda logits: np.argsort(logits[-1])[-2]),
        "You take the second likeliest word. Take the likeliest.",
    ),
    Mistake(
        "likeliest_of_the_mean",
        _greedy(row=lambda logits: np.argmax(logits.mean(axis=0))),
        "You take the mean of all rows. Only the last row is about the next word.",
    ),
    Mistake(
        "nothing_without_a_stop",
        _greedy(finish=lambda target, stopped, stop: target[1:] if stopped else []),
        "Where no stop comes you return nothing. Return the words that are there after `longest` rounds.",
    ),
)
