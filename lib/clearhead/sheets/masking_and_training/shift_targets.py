"""09.shift_targets: Inputs and targets."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.text.batches import shift

from .shared import IGNORE, sizes
from .shift_targets_wrong import MORE


def shift_targets(ids, real):
    """Return inputs and targets (B, T-1) for ids (B, T), -100 where the target is padding by real (B, T)."""
    inputs, targets = shift(ids)
    return inputs, np.where(real[:, 1:], targets, IGNORE)


def _shift_cases(rng):
    def drawn(B, T, pad):
        lengths = rng.integers(2, T, size=B)
        lengths[0], lengths[-1] = 2, T
        real = np.arange(T) < lengths[:, None]
        return np.where(real, rng.integers(0, 50, size=(B, T)), pad), real

    B, T = sorted(sizes(rng, 2))
    last = (
        "the last real token of each sentence is a target",
        lambda out, ids, real: all(
            np.asarray(out[1])[b, n - 2] == ids[b, n - 1] for b, n in enumerate(real.sum(axis=1))
        ),
    )
    ids = np.array([[5, 0, 8, 3], [7, 2, 0, 0]])
    real = np.array([[True, True, True, True], [True, True, False, False]])
    by_hand = [np.array([[5, 0, 8], [7, 2, 0]]), np.array([[0, 8, 3], [2, IGNORE, IGNORE]])]
    return [
        Case(
            "two sentences, by hand",
            (ids, real),
            "In the first sentence 0 is a word: it is real. In the second, only 2 is a target.",
            expected=by_hand,
        ),
        Case("random sentences", drawn(B, T + 2, 0), "Is each target one further?", properties=(last,)),
        Case("padded with 9", drawn(B + 1, T + 4, 9), "Here 9 stands in the padding, and 9 is also a word.",
             properties=(last,)),
        Case("nothing is padded", (rng.integers(1, 9, size=(2, 5)), np.ones((2, 5), dtype=bool)),
             "Every input has a target."),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="09.shift_targets",
    title="Inputs and targets",
    reference=shift_targets,
    cases=_shift_cases,
    hints=(
        "The same rectangle twice: once without its last column, once without its first.",
        "inputs = ids[:, :-1], targets = ids[:, 1:]. A target is padding where real[:, 1:] is False.",
        "return ids[:, :-1], np.where(real[:, 1:], ids[:, 1:], -100)",
    ),
    mistakes=(
        Mistake(
            "not_shifted",
            lambda ids, real: (ids[:, :-1], np.where(real[:, :-1], ids[:, :-1], IGNORE)),
            "Your targets are the inputs themselves: the model would learn to copy. Targets are one further.",
        ),
        Mistake(
            "shifted_backwards",
            lambda ids, real: (ids[:, 1:], np.where(real[:, :-1], ids[:, :-1], IGNORE)),
            "Your model guesses the word before. Exchange the two: the target is the next token.",
        ),
        Mistake(
            "padding_counted",
            lambda ids, real: (ids[:, :-1], ids[:, 1:]),
            "The shift is right, but padding is still a target. Put -100 where real[:, 1:] is False.",
        ),
        Mistake(
            "real_of_the_inputs",
            lambda ids, real: (ids[:, :-1], np.where(real[:, :-1], ids[:, 1:], IGNORE)),
            "You asked whether the input is real. Ask whether the target is: real[:, 1:].",
        ),
        Mistake(
            "zeros_ignored",
            lambda ids, real: (ids[:, :-1], np.where(ids[:, 1:] != 0, ids[:, 1:], IGNORE)),
            "You took every 0 for padding. An id of 0 can be a word; `real` says what is padding.",
        ),
        Mistake(
            "inputs_and_targets_exchanged",
            lambda ids, real: shift_targets(ids, real)[::-1],
            "Both are right, but they have changed places: return the inputs first, then the targets.",
        ),
        Mistake(
            "padding_of_the_inputs_made_zero",
            lambda ids, real: (np.where(real, ids, 0)[:, :-1], np.where(real, ids, IGNORE)[:, 1:]),
            "You changed the padding of the inputs. Leave the inputs as they are: ids[:, :-1].",
        ),
        Mistake(
            "zero_in_place_of_ignore",
            lambda ids, real: (ids[:, :-1], np.where(real, ids, 0)[:, 1:]),
            "Padding became the target 0, and 0 is a word: the model would learn to say it. Put -100.",
        ),
        Mistake(
            "rolled_round",
            lambda ids, real: (ids, np.where(np.roll(real, -1, axis=1), np.roll(ids, -1, axis=1), IGNORE)),
            "np.roll brings the first word back as the last target. Cut instead: ids[:, :-1] and ids[:, 1:].",
        ),
        Mistake(
            "inputs_ignored_too",
            lambda ids, real: (
                np.where(real[:, :-1], ids[:, :-1], IGNORE),
                np.where(real[:, 1:], ids[:, 1:], IGNORE),
            ),
            "You put -100 into the inputs as well. There is no word -100; only targets are ignored.",
        ),
        Mistake(
            "ids_became_floats",
            lambda ids, real: tuple(1.0 * each for each in shift_targets(ids, real)),
            "Right, but floats came back, as np.zeros makes them, and a float picks no row of a table. "
            "Make arrays with dtype=int.",
        ),
        Mistake(
            "real_turned_round",
            lambda ids, real: (ids[:, :-1], np.where(real[:, 1:], IGNORE, ids[:, 1:])),
            "The words are ignored, and padding is asked for. Where real is True, the target stays.",
        ),
        Mistake(
            "inputs_shifted_as_well",
            lambda ids, real: (ids[:, 1:], shift_targets(ids, real)[1]),
            "Your inputs begin one token too late. They are all tokens but the last of each row.",
        ),
        Mistake(
            "minus_one_for_padding",
            lambda ids, real: (ids[:, :-1], np.where(real[:, 1:], ids[:, 1:], -1)),
            "Padding has the target -1. It is -100 here, which the loss leaves out.",
        ),
        Mistake(
            "full_width_kept",
            lambda ids, real: (ids, np.hstack([shift_targets(ids, real)[1], np.full((len(ids), 1), IGNORE)])),
            "Both are one column too wide. The last token has no next one: leave it out.",
        ),
        Mistake(
            "one_target_too_few",
            lambda ids, real: (
                ids[:, :-1],
                np.where(real[:, 1:] & np.pad(real[:, 2:], ((0, 0), (0, 1))), ids[:, 1:], IGNORE),
            ),
            "The last real target of each row is lost. A target counts where it is real itself.",
        ),
        Mistake(
            "two_tokens_ahead",
            lambda ids, real: (
                ids[:, :-1],
                np.pad(np.where(real[:, 2:], ids[:, 2:], IGNORE), ((0, 0), (0, 1)), constant_values=IGNORE),
            ),
            "Your targets stand two tokens ahead. The target is the next token.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda ids, real: (
            np.delete(ids, -1, axis=1),
            np.delete(ids, 0, axis=1) * real[:, 1:] - 100 * ~real[:, 1:],
        ),
        lambda ids, real: (
            [row[:-1] for row in ids],
            [
                [int(x) if r else -100 for x, r in zip(a[1:], b[1:], strict=True)]
                for a, b in zip(ids, real, strict=True)
            ],
        ),
    ),
    ids=True,
    stars=2,
    minutes=15,
)
