"""03.path_length: How far apart are two tokens?"""

import math

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .path_length_wrong import MORE
from .shared import KINDS


def path_length(kind, i, j, window):
    """Return how many layers or steps lie between the token i and the output j; inf where there is no way."""
    away = abs(j - i)
    if kind == "convolution":
        reach = (window - 1) // 2
        return 1 if away == 0 else math.ceil(away / reach) if reach else math.inf
    if kind == "recurrent":
        return j - i + 1 if j >= i else math.inf
    return 1


def _path_with(change):
    """Return an answer that is right where `change` gives None."""

    def answer(kind, i, j, window):
        changed = change(kind, i, j, window)
        return path_length(kind, i, j, window) if changed is None else changed

    return answer


def _path_cases(rng):
    i, j = sorted(int(place) for place in rng.permutation(np.arange(3, 60))[:2])
    far = j - i + 30
    return [
        Case(
            "a convolution, 7 places on",
            ("convolution", 2, 9, 3),
            "Window 3 moves 1 place a layer.",
            expected=7,
        ),
        Case(
            "a window of 7, 5 places on",
            ("convolution", 2, 7, 7),
            "3 places a layer: one layer is too few for 5.",
            expected=2,
        ),
        Case("a window of 9, 5 places back", ("convolution", 7, 2, 9), "4 places a layer.", expected=2),
        Case("the same with window 7", ("convolution", 2, 9, 7), "3 places a layer: 3, 6, 9.", expected=3),
        Case("recurrent, 7 places on", ("recurrent", 2, 9, 3), "One step in, then 7 steps on.", expected=8),
        Case(
            "recurrent, backwards", ("recurrent", j, i, 5), "It reads from left to right.", expected=math.inf
        ),
        Case("recurrent, itself", ("recurrent", j, j, 5), "The token goes in with one step.", expected=1),
        Case("a convolution, backwards", ("convolution", i + far, i, 5), "Windows look to both sides."),
        Case("a convolution, itself", ("convolution", i, i, 3), "One layer is needed.", expected=1),
        Case(
            "a window of one", ("convolution", i, j, 1), "Can a token ever meet another?", expected=math.inf
        ),
        Case("a window of one, itself", ("convolution", j, j, 1), "It does meet itself.", expected=1),
        *(
            Case(
                f"{kind}, {words}",
                (kind, j, to, 3),
                "Every output looks at every token, in one layer.",
                expected=1,
            )
            for kind in (KINDS[0], KINDS[3])
            for words, to in (("itself", j), ("backwards", i))
        ),
        *(
            Case(f"{kind}, random places", (kind, i, i + far, 5), "Draw the way.")
            for kind in (*KINDS[1:3], KINDS[0], KINDS[3])
        ),
    ]


EXERCISE = Exercise(
    id="03.path_length",
    title="How far apart are two tokens?",
    reference=path_length,
    cases=_path_cases,
    hints=(
        "Count layers or steps, each with weights. Two of the four kinds always need one.",
        "A centred window of 5 reaches 2 places to each side. So 7 places need 4 layers: round up.",
        "convolution: math.ceil(abs(j - i) / reach), at least 1; recurrent: j - i + 1, or math.inf.",
    ),
    mistakes=(
        Mistake(
            "whole_window_as_reach",
            _path_with(
                lambda kind, i, j, window: (
                    max(1, math.ceil(abs(j - i) / (window - 1)))
                    if kind == "convolution" and window > 1
                    else None
                )
            ),
            "Your window reaches too far. It is centred: it reaches (window - 1) // 2 places to each side.",
        ),
        Mistake(
            "rounded_down",
            _path_with(
                lambda kind, i, j, window: (
                    max(1, abs(j - i) // ((window - 1) // 2))
                    if kind == "convolution" and window > 1
                    else None
                )
            ),
            "You rounded down. A layer that is used in part is still a layer: round up.",
        ),
        Mistake(
            "own_token_needs_no_layer",
            _path_with(lambda kind, i, j, window: 0 if i == j else None),
            "From a token to its own output the way is one layer, not none.",
        ),
        Mistake(
            "recurrence_both_ways",
            _path_with(lambda kind, i, j, window: abs(j - i) + 1 if kind == "recurrent" else None),
            "Your recurrent layer reads backwards, too. From a later token no way leads back: math.inf.",
        ),
        Mistake(
            "the_step_in_forgotten",
            _path_with(lambda kind, i, j, window: j - i if kind == "recurrent" and j >= i else None),
            "The first step is missing: the token enters the memory with a step of its own.",
        ),
        Mistake(
            "attention_walks",
            _path_with(lambda kind, i, j, window: abs(j - i) + 1 if kind == "attention" else None),
            "Attention does not walk from place to place. Every place looks at all places at once: 1.",
        ),
        Mistake(
            "attention_sees_no_later_token",
            _path_with(lambda kind, i, j, window: math.inf if kind == "attention" and j < i else None),
            "Your attention cannot see later tokens. That needs a mask (chapter 9); here there is none.",
        ),
        Mistake(
            "window_of_one_meets_nobody",
            _path_with(
                lambda kind, i, j, window: math.inf if kind == "convolution" and window == 1 else None
            ),
            "A window of 1 never leaves its place, but it does see its own token: 1 for i = j.",
        ),
        Mistake(
            "convolution_looks_forwards_only",
            _path_with(lambda kind, i, j, window: math.inf if kind == "convolution" and j < i else None),
            "Your convolution looks to one side. A centred window looks to both: take abs(j - i).",
        ),
        Mistake(
            "a_number_for_no_way",
            lambda kind, i, j, window: (
                -1 if path_length(kind, i, j, window) == math.inf else path_length(kind, i, j, window)
            ),
            "Where no way leads, return math.inf, not -1.",
        ),
        Mistake(
            "always_one_more_than_whole_steps",
            _path_with(
                lambda kind, i, j, window: (
                    (j != i) + abs(j - i) // (window // 2)
                    if kind == "convolution" and window > 1 and j != i
                    else None
                )
            ),
            "You come to one step too many where the reach divides the distance: there nothing is "
            "left over. Round up with math.ceil.",
        ),
        Mistake(
            "read_from_right_to_left",
            _path_with(
                lambda kind, i, j, window: (
                    (i - j + 1 if i >= j else math.inf) if kind == "recurrent" else None
                )
            ),
            "You let the recurrent layer read from right to left. It reads from left to right: there "
            "is a way where j >= i.",
        ),
        Mistake(
            "every_pair_walks_when_fully_connected",
            _path_with(lambda kind, i, j, window: max(1, abs(j - i)) if kind == "fully connected" else None),
            "A fully connected layer needs no walk: one layer joins all places.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda kind, i, j, window: {
            "fully connected": lambda: 1,
            "attention": lambda: 1,
            "recurrent": lambda: len(range(i, j + 1)) or math.inf,
            "convolution": lambda: (
                max(1, -(-abs(j - i) // (window // 2))) if window > 1 else 1 if i == j else math.inf
            ),
        }[kind](),
    ),
    stars=2,
    minutes=15,
)
