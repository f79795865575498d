"""19.penalise: A penalty that softmax can trust."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import softmax

from .penalise_wrong import MORE


def penalise(logits, said, presence, frequency):
    """Return the logits minus `presence` for each word that was said and `frequency` for each time."""
    times = np.bincount(said, minlength=len(logits))
    return logits - presence * (times > 0) - frequency * times


def _by_loop(logits, said, presence, frequency):
    z = np.array(logits, dtype=float)
    for word in said:
        z[word] -= frequency
    for word in set(said.tolist()):
        z[word] -= presence
    return z


def _with(rule):
    def answer(logits, said, presence, frequency):
        return rule(logits, np.bincount(said, minlength=len(logits)), presence, frequency)

    return answer


def _as_ctrl(z, times, presence, frequency):
    theta = 1 + presence + frequency * times
    return np.where(times > 0, np.where(z > 0, z / theta, z * theta), z)


def _cases(rng):
    V = int(rng.integers(6, 12))
    z, said = 2 * rng.normal(size=V), rng.integers(V - 2, size=9)
    return [
        Case(
            "by hand",
            (np.array([2.0, 1.0, 0.0]), np.array([0, 0, 2]), 0.5, 0.25),
            "Word 0 came twice: 0.5 + 2 · 0.25 less. Word 2 came once. Word 1 stays.",
            expected=np.array([1.0, 1.0, -0.75]),
        ),
        Case("nothing was said", (z, np.array([], dtype=int), 0.5, 0.5), "Nothing changes.", expected=z),
        Case("presence alone", (z, said, 1.5, 0.0), "How often a word came does not count here."),
        Case("frequency alone", (z, said, 0.0, 0.7), "Each time counts."),
        Case("both", (z, said, 0.9, 0.4), "One for having been said, one for each time."),
        Case("logits below zero", (z - 20, said, 0.9, 0.4), "A shifted row must lose the same."),
    ]


EXERCISE = Exercise(
    id="19.penalise",
    title="A penalty that softmax can trust",
    reference=penalise,
    cases=_cases,
    hints=(
        "Count how often each word was said. Then two things are subtracted.",
        "np.bincount(said, minlength=len(logits)) counts. The presence penalty needs only whether it "
        "is above 0.",
        "times = np.bincount(said, minlength=len(logits)); return logits - presence * (times > 0) - "
        "frequency * times",
    ),
    mistakes=(
        Mistake(
            "divided",
            _with(_as_ctrl),
            "You divide or multiply. Then it matters where the zero of the logits lies, which "
            "softmax does not know. Subtract.",
        ),
        Mistake(
            "each_word_once",
            _with(lambda z, times, presence, frequency: z - (presence + frequency) * (times > 0)),
            "Each time counts for `frequency`. You count a word once. (`z[said] -= ...` does so, "
            "too: count first.)",
        ),
        Mistake(
            "presence_each_time",
            _with(lambda z, times, presence, frequency: z - (presence + frequency) * times),
            "`presence` counts once for each word, however often it came.",
        ),
        Mistake(
            "added",
            _with(lambda z, times, presence, frequency: z + presence * (times > 0) + frequency * times),
            "You make words that were said likelier. Subtract.",
        ),
        Mistake(
            "the_last_word_alone",
            lambda logits, said, presence, frequency: penalise(logits, said[-1:], presence, frequency),
            "You look at the last word only. All words so far count.",
        ),
        Mistake(
            "exchanged",
            lambda logits, said, presence, frequency: penalise(logits, said, frequency, presence),
            "You exchanged the two penalties: `frequency` is the one that counts each time.",
        ),
        Mistake(
            "from_the_second_time",
            _with(
                lambda z, times, presence, frequency: (
                    z - presence * (times > 0) - frequency * np.maximum(times - 1, 0)
                )
            ),
            "You begin to count at the second time. `frequency` counts from the first.",
        ),
        Mistake(
            "presence_for_all",
            _with(lambda z, times, presence, frequency: z - presence - frequency * times),
            "You take `presence` off every word. Only words that were said lose it.",
        ),
        Mistake(
            "the_share_of_times",
            _with(
                lambda z, times, presence, frequency: (
                    z - presence * (times > 0) - frequency * times / max(times.sum(), 1)
                )
            ),
            "You take the share of a word. `frequency` counts for each time that it came.",
        ),
        Mistake(
            "divided_by_one_and_more",
            _with(lambda z, times, presence, frequency: z / (1 + presence * (times > 0) + frequency * times)),
            "You divide. Subtract, so that it does not matter where the zero of the logits lies.",
        ),
        Mistake(
            "probabilities_returned",
            lambda logits, said, presence, frequency: softmax(penalise(logits, said, presence, frequency)),
            "You return probabilities. Return logits.",
        ),
        Mistake(
            "only_what_was_said",
            lambda logits, said, presence, frequency: penalise(logits, said, presence, frequency)[
                np.unique(said).astype(int)
            ],
            "You returned the logits of words that were said alone. Return all of them, (V,).",
        ),
        Mistake(
            "penalties_in_their_place",
            _with(
                lambda z, times, presence, frequency: np.where(times > 0, -presence - frequency * times, z)
            ),
            "You put the penalty in the place of the logit. Subtract it from the logit.",
        ),
        Mistake(
            "counted_once_more",
            _with(
                lambda z, times, presence, frequency: (
                    z - presence * (times > 0) - frequency * (times + 1) * (times > 0)
                )
            ),
            "You count each word once more than it was said. `frequency` counts as often as it came.",
        ),
        *MORE,
    ),
    alternatives=(_by_loop,),
    stars=1,
    minutes=15,
)
