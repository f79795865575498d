"""09.training_pairs: One sentence, many pairs."""

from itertools import pairwise

from clearhead.checks.exercise import Case, Exercise, Mistake

from .drivers import run_pairs
from .training_pairs_wrong import MORE

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


def training_pairs(tokens):
    """Return every (prefix, next token) of a list of tokens (T): T - 1 pairs."""
    return [(tokens[:n], tokens[n]) for n in range(1, len(tokens))]


def _pairs_cases(rng):
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
            "After ‘a’ comes ‘warm’, after ‘a warm’ comes ‘cup’. Nothing is known to come after ‘cup’.",
            expected=[(["a"], "warm"), (["a", "warm"], "cup")],
            properties=(counted,),
        ),
        Case(
            "five random words", (drawn(5),), "Each prefix begins at the first token.", properties=(counted,)
        ),
        Case("twelve random words", (drawn(12),), "Is a pair missing?", properties=(counted,)),
        Case(
            "a word that comes twice",
            (["the", "cup", "and", "the", "soup"],),
            "The second ‘the’ has three words in front of it.",
            properties=(counted,),
        ),
        Case("one word alone", (drawn(1),), "One token has no next token: the answer is an empty list."),
    ]


EXERCISE = Exercise(
    id="09.training_pairs",
    title="One sentence, many pairs",
    reference=training_pairs,
    cases=_pairs_cases,
    hints=(
        "Where can you cut the sentence, so that there is something in front of the cut and behind it?",
        "The cut n runs from 1 to T - 1. In front of it stands tokens[:n]. What is the next token?",
        "[(tokens[:n], tokens[n]) for n in range(1, len(tokens))]",
    ),
    mistakes=(
        Mistake(
            "last_pair_missing",
            lambda tokens: [(tokens[:n], tokens[n]) for n in range(1, len(tokens) - 1)],
            "The last pair is missing. range(1, T) ends at T - 1, and tokens[T - 1] is the last token.",
        ),
        Mistake(
            "prefix_holds_the_answer",
            lambda tokens: [(tokens[: n + 1], tokens[n]) for n in range(1, len(tokens))],
            "Your prefixes hold their own answers. tokens[:n] ends before tokens[n].",
        ),
        Mistake(
            "empty_prefix",
            lambda tokens: [(tokens[:n], tokens[n]) for n in range(len(tokens))],
            "Your first prefix is empty. Here the first token is given; begin with n = 1.",
        ),
        Mistake(
            "answer_is_the_last_of_the_prefix",
            lambda tokens: [(tokens[:n], tokens[n - 1]) for n in range(1, len(tokens))],
            "Each answer is the last word of its own prefix. It must be the word after it: tokens[n].",
        ),
        Mistake(
            "one_word_prefixes",
            lambda tokens: [([a], b) for a, b in pairwise(tokens)],
            "Your prefixes have one word each. A prefix reaches back to the first word.",
        ),
        Mistake(
            "longest_first",
            lambda tokens: training_pairs(tokens)[::-1],
            "The pairs are right, but they begin with the longest prefix. Begin with the shortest.",
        ),
        Mistake(
            "prefix_as_text",
            lambda tokens: [(" ".join(tokens[:n]), tokens[n]) for n in range(1, len(tokens))],
            "You joined each prefix to one text. Leave it a list of words: tokens[:n].",
        ),
        Mistake(
            "prefix_as_a_tuple",
            lambda tokens: [(tuple(tokens[:n]), tokens[n]) for n in range(1, len(tokens))],
            "Your prefixes are tuples. A part of a list is a list: leave it one, tokens[:n].",
        ),
        Mistake(
            "all_that_follows",
            lambda tokens: [(tokens[:n], tokens[n:]) for n in range(1, len(tokens))],
            "Your answers are all words behind the cut. The answer is one word, the next: tokens[n].",
        ),
        Mistake(
            "same_prefix_in_all_pairs",
            lambda tokens: [(tokens[:-1], word) for word in tokens[1:]],
            "All your prefixes are the same, as when one list stands in each pair and grows. Make a new list "
            "for each pair: tokens[:n].",
        ),
        Mistake(
            "suffixes",
            lambda tokens: [(tokens[n:], tokens[n - 1]) for n in range(1, len(tokens))],
            "You guess the word in front from what comes after it. The prefix stands on the left of the cut.",
        ),
        Mistake(
            "word_before_prefix",
            lambda tokens: [(word, prefix) for prefix, word in training_pairs(tokens)],
            "The two are exchanged: first the prefix, then the next word.",
        ),
        Mistake(
            "answer_in_a_list",
            lambda tokens: [(prefix, [word]) for prefix, word in training_pairs(tokens)],
            "The next word stands in a list. It is a word, alone.",
        ),
        Mistake(
            "one_word_skipped",
            lambda tokens: [(tokens[:t], tokens[t + 1]) for t in range(1, len(tokens) - 1)],
            "You skipped a word: the answer is the one right behind the prefix.",
        ),
        *MORE,
    ),
    driver=run_pairs,
    alternatives=(
        lambda tokens: [[list(tokens[: i + 1]), word] for i, word in enumerate(tokens[1:])],
        lambda tokens: [
            (tokens[: -len(rest)], rest[0]) for rest in (tokens[n:] for n in range(1, len(tokens)))
        ],
    ),
    stars=1,
    minutes=5,
)
