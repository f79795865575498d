"""More wrong answers of 10.generate."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _loop(
    crop=lambda ids, c: ids[-c:], steps=lambda n: n, before=lambda ids, new, stop: False,
    back=lambda ids, new, n: ids,
    add=lambda ids, token: [*ids, token], ends=lambda token, stop, ids: token == stop,
):  # fmt: skip
    """Return a loop that crops, ends, adds or returns in another way."""

    def answer(choose, ids, length, stop, context_length):
        prompt = len(ids)
        ids = list(ids)
        for _ in range(steps(length)):
            if before(ids, ids[prompt:], stop):
                break
            token = choose(crop(ids, context_length))
            ids = add(ids, token)
            if ends(token, stop, ids):
                break
        return back(ids, ids[prompt:], length)

    return answer


def _asked_once_more(choose, ids, length, stop, context_length):
    ids, token = list(ids), choose(list(ids)[-context_length:])
    for _ in range(length):
        ids.append(token)
        if token == stop:
            break
        token = choose(ids[-context_length:])
    return ids


def _cut_once(choose, ids, length, stop, context_length):
    ids, shown = list(ids), list(ids)[-context_length:]
    for _ in range(length):
        token = choose(shown)
        ids, shown = [*ids, token], [*shown, token]
        if token == stop:
            break
    return ids


MORE = (
    Mistake(
        "stop_anywhere_in_the_prompt_counts",
        _loop(before=lambda ids, new, stop: stop in ids),
        "You look for the stop in the whole text, the prompt included. Only a token that you add ends it.",
    ),
    Mistake(
        "one_round_too_few",
        _loop(steps=lambda n: n - 1),
        "One token too few is added where no stop comes, unless `length` is 0: there are `length` rounds.",
    ),
    Mistake(
        "crop_one_long",
        _loop(lambda ids, c: ids[-c - 1 :]),
        "Of a long text you show choose one token too many. It sees at most `context_length`.",
    ),
    Mistake(
        "all_but_the_latest_shown",
        _loop(lambda ids, c: ids[:-c] or ids),
        "ids[:-context_length] leaves the latest tokens out. They are the ones to show: "
        "ids[-context_length:].",
    ),
    Mistake(
        "shown_back_to_front",
        _loop(lambda ids, c: ids[-c:][::-1]),
        "You show choose the tokens from back to front. Keep their order.",
    ),
    Mistake(
        "put_in_front",
        _loop(add=lambda ids, token: [token, *ids]),
        "You put the new token in front. It comes at the end.",
    ),
    Mistake(
        "added_twice",
        _loop(add=lambda ids, token: [*ids, token, token]),
        "You added each token twice.",
    ),
    Mistake(
        "stops_at_a_repeated_token",
        _loop(ends=lambda token, stop, ids: token == stop or token in ids[:-1]),
        "You stop at a token that was there before. Only `stop` ends the text.",
    ),
    Mistake(
        "length_of_the_result",
        _loop(back=lambda ids, new, n: ids[:n]),
        "You cut the result to `length` tokens. `length` counts the new ones alone.",
    ),
    Mistake(
        "new_tokens_and_the_prompt_exchanged",
        _loop(back=lambda ids, new, n: [*new, *ids[: len(ids) - len(new)]]),
        "The new tokens stand in front of the prompt. They come behind it.",
    ),
    Mistake(
        "last_token_dropped",
        _loop(back=lambda ids, new, n: ids[:-1] if new else ids),
        "The last of the new tokens is missing.",
    ),
    Mistake(
        "never_begins",
        _loop(steps=lambda n: 0),
        "Nothing is added: the prompt came back.",
    ),
    Mistake(
        "floats_returned",
        _loop(back=lambda ids, new, n: np.array(ids, dtype=float)),
        "Your ids are floats, and a float picks no row of a table. Make whole numbers: dtype=int.",
    ),
    Mistake(
        "asked_once_more",
        _asked_once_more,
        "Where no stop comes you ask choose once more at the end, and add nothing. Ask only to add a token.",
    ),
    Mistake(
        "added_as_a_number",
        _loop(add=lambda ids, token: list(np.array(ids) + token)),
        "You added the number of the new token to each id: + does so with an array. Put the token behind: "
        "[*ids, token].",
    ),
    Mistake(
        "cut_once",
        _cut_once,
        "You cut once, before the loop, and then choose sees more and more. Cut in each round: "
        "ids[-context_length:].",
    ),
)
