"""Cases of 09.training_pairs."""

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .drivers import run_pairs

WORDS = [
    "after",
    "long",
    "day",
    "work",
    "she",
    "sat",
    "down",
    "enjoy",
    "warm",
    "cup",
    "coffee",
    "tea",
    "soup",
    "king",
]


def cases(rng):
    def drawn(length):
        return [str(word) for word in rng.permutation(WORDS)[:length]]

    counted = (
        "T tokens give T - 1 pairs",
        lambda pairs, tokens: len(pairs) == max(len(tokens) - 1, 0),
    )
    return [
        Case(
            "three words, by hand",
            (["a", "warm", "cup"],),
            "After ‘a’ comes ‘warm’, and after ‘a warm’ comes ‘cup’. Nothing is known to come after ‘cup’.",
            expected=[(["a"], "warm"), (["a", "warm"], "cup")],
            properties=(counted,),
        ),
        Case(
            "five random words", (drawn(5),), "Each prefix begins at the first token.", properties=(counted,)
        ),
        Case("twelve random words", (drawn(12),), "Twelve words give eleven pairs.", properties=(counted,)),
        Case(
            "a word that occurs twice",
            (["the", "cup", "and", "the", "soup"],),
            "The second ‘the’ has three words before it.",
            properties=(counted,),
        ),
        Case(
            "only one word", (drawn(1),), "The only token has no next token, so the answer is an empty list."
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, driver=run_pairs)
