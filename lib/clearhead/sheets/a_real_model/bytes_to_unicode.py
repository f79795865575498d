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
            "The space is byte 32. The signs from 256 on go to bytes 0, 1, 2, ... so it is chr(288), Ġ.",
            expected="aĠb",
        ),
        Case("letters and marks", (letters + "!~",), "What prints stays as it is."),
        Case("the space, a line end and a tab", (control + " \n\t",), "Bytes 0 to 32 do not print."),
        Case("letters with accents", (accents + "¡¬®",), "In UTF-8, each of these characters is two bytes."),
        Case("Chinese", (chinese,), "Three bytes for each character. Bytes 127 to 160 and 173 do not print."),
        Case(
            "delete, and bytes that do not print",
            ("\x7f" + "".join(chr(n) for n in rng.integers(0x80, 0xA1, size=4)) + "í",),
            "Bytes 127 to 160 and 173 do not print, so they go on with the numbers: 33 signs are taken "
            "already.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
