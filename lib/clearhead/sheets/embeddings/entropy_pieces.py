"""Cases of 02.entropy_pieces."""

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

SIX = ["tall", "tall", "small", "small", "tallest", "smallest"]


def _text(rng, words, count):
    return "".join(words[int(i)] for i in rng.integers(len(words), size=count))


def _lexicon(rng, count):
    sizes = rng.integers(2, 6, size=count)
    return ["".join("abcdefg"[i] for i in rng.integers(7, size=size)) for size in sizes]


def cases(rng):
    same_text = (
        "the pieces, joined together, give the text",
        lambda pieces, text, order, threshold: "".join(pieces) == text,
    )
    threshold = float(rng.uniform(0.5, 0.9))
    return [
        Case(
            "six letters, by hand",
            ("ababac", 1, 0.5),
            "After a, the entropy is 0.64 nats, so the letters b and c that follow an a begin pieces.",
            expected=["a", "ba", "ba", "c"],
            properties=(same_text,),
        ),
        Case(
            "the six words of the chapter, in random order",
            (_text(rng, SIX, int(rng.integers(40, 50))), 2, 0.4),
            "The next letter is uncertain only after ll and after st.",
            2,
            properties=(same_text,),
        ),
        Case(
            "words of a random lexicon, with contexts of two letters",
            (_text(rng, _lexicon(rng, 8), int(rng.integers(30, 40))), 2, threshold),
            "Count the followers of each context in the whole text, and compute their entropy.",
            2,
            properties=(same_text,),
        ),
        Case(
            "words of a random lexicon, with contexts of three letters",
            (_text(rng, _lexicon(rng, 9), int(rng.integers(41, 50))), 3, threshold / 2),
            "The first three letters have no complete context.",
            properties=(same_text,),
        ),
        Case(
            "words of a random lexicon, with contexts of one letter",
            (_text(rng, _lexicon(rng, 5), int(rng.integers(20, 30))), 1, 2 * threshold),
            "With one letter of context, most letters are hard to predict.",
            properties=(same_text,),
        ),
        Case(
            "a rare follower, by hand",
            ("abababababababac", 1, 0.5),
            "The letter a is followed by b seven times and by c once, which is an entropy of 0.38 nats.",
            expected=["abababababababac"],
        ),
        Case(
            "a threshold of 0",
            ("abcabdab", 2, 0.0),
            "After ab comes c once and d once, whereas all other contexts have one follower and entropy 0.",
            expected=["ab", "cab", "dab"],
        ),
        Case(
            "a text without uncertainty",
            ("abcabcabc", 1, 0.1),
            "Each letter has only one follower, so the text remains in one piece.",
            expected=["abcabcabc"],
        ),
        Case(
            "a context longer than the text",
            ("ab", 5, 0.2),
            "No letter has a complete context, so the text remains in one piece.",
            expected=["ab"],
        ),
        Case(
            "an empty text",
            ("", 2, 0.3),
            "An empty text has no pieces, so return an empty list.",
            expected=[],
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
