"""17.visible: A sign for each byte."""

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.text.tokenizers.byte_level import visible_bytes

from .visible_wrong import MORE

SIGNS = visible_bytes()


def visible(text):
    """Return the bytes of a text in UTF-8, a visible sign for each, as the file of a tokenizer has them."""
    return "".join(SIGNS[byte] for byte in text.encode("utf-8"))


def _cases(rng):
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


def _table(prints):
    others = iter(range(256, 600))
    return [chr(b) if b in prints else chr(next(others)) for b in range(256)]


ASCII, ALL = _table(set(range(33, 127))), [chr(b + 256) for b in range(256)]
NO_HYPHEN = _table({*range(33, 127), *range(161, 256)})
PRINTS = [b for b in range(256) if chr(b) == SIGNS[b]]


EXERCISE = Exercise(
    id="17.visible",
    title="A sign for each byte",
    reference=visible,
    cases=_cases,
    hints=(
        "First the bytes: text.encode('utf-8'). Then a table of 256 signs, made once.",
        "Go through the bytes 0 to 255. One that prints gets chr(byte). Count the others: chr(256 + count).",
        "for byte in range(256): if byte prints: table.append(chr(byte)) else: table.append(chr(256 + "
        "n)); n += 1",
    ),
    mistakes=(
        Mistake(
            "characters_not_bytes",
            lambda text: "".join(SIGNS[ord(c)] if ord(c) < 256 else c for c in text),
            "You went through characters, or took an alphabet like latin-1, in which é is one byte. In UTF-8 "
            "it is two: use text.encode('utf-8').",
        ),
        Mistake(
            "all_bytes_moved",
            lambda text: "".join(ALL[b] for b in text.encode()),
            "You moved every byte up by 256. Those that print keep their own sign.",
        ),
        Mistake(
            "byte_plus_256",
            lambda text: "".join(SIGNS[b] if b in PRINTS else chr(256 + b) for b in text.encode()),
            "For a byte that does not print you took chr(256 + byte). The signs are given out in turn: "
            "count.",
        ),
        Mistake(
            "only_the_letters_of_english",
            lambda text: "".join(ASCII[b] for b in text.encode()),
            "You kept 33 to 126 alone. Bytes 161 to 172 and 174 to 255 print, too.",
        ),
        Mistake(
            "soft_hyphen_prints",
            lambda text: "".join(NO_HYPHEN[b] for b in text.encode()),
            "You kept 173. It is the soft hyphen, which does not print.",
        ),
        Mistake(
            "only_spaces",
            lambda text: text.encode().decode("latin-1").replace(" ", "Ġ"),
            "You moved the space alone. All bytes that do not print get a sign: line ends, tabs, and many of "
            "the bytes of Chinese.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda text: "".join(
            chr(b) if b in PRINTS else chr(256 + sum(i not in PRINTS for i in range(b)))
            for b in text.encode()
        ),
    ),
    stars=2,
    minutes=15,
)
