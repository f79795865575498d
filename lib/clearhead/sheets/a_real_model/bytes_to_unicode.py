"""Cases of 17.bytes_to_unicode."""

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    letters = "".join(rng.choice(list("abcxyzABCXYZ.,!?"), size=8))
    accents = "".join(rng.choice(list("éüñøß¿"), size=4))
    chinese = "".join(chr(n) for n in rng.integers(0x4E00, 0x9FA5, size=3))
    control = "".join(chr(n) for n in rng.integers(0, 33, size=6))
    return [
        Case(
            "a space, by hand",
            ("a b",),
            "The space is byte 32. The characters from chr(256) on belong to the bytes 0, 1, 2, ..., "
            "so the space becomes chr(288), which is Ġ.",
            expected="aĠb",
        ),
        Case("letters and punctuation", (letters + "!~",), "Printable bytes keep their own characters."),
        Case(
            "the space, newline, tab and other control characters",
            (control + " \n\t",),
            "The bytes 0 to 32 are not printable.",
        ),
        Case("letters with accents", (accents + "¡¬®",), "In UTF-8, each of these characters is two bytes."),
        Case(
            "Chinese characters",
            (chinese,),
            "In UTF-8, each of these characters is three bytes. The bytes 127 to 160 and 173 are not "
            "printable.",
        ),
        Case(
            "the delete character and bytes that are not printable",
            ("\x7f" + "".join(chr(n) for n in rng.integers(0x80, 0xA1, size=4)) + "í",),
            "The bytes 127 to 160 and 173 are not printable. They continue after the 33 characters "
            "that belong to the bytes 0 to 32.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
