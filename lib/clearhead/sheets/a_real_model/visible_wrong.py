"""More wrong answers of 17.visible."""

from clearhead.checks.exercise import Mistake

PRINTS = {*range(33, 127), *range(161, 173), *range(174, 256)}


def _signs(prints=PRINTS, first=256):
    """Return a sign for each byte: its own where it prints, else the next one from `first` on."""
    others = iter(range(first, first + 300))
    return [chr(byte if byte in prints else next(others)) for byte in range(256)]


def _written(signs, coding="utf-8"):
    return lambda text: "".join(signs[byte] for byte in text.encode(coding))


def _as_they_come(text):
    met, signs = {}, ""
    for byte in text.encode():
        signs += chr(byte if byte in PRINTS else 256 + met.setdefault(byte, len(met)))
    return signs


def _others_as(sign):
    """Return visible with another sign for a byte that does not print."""
    return lambda text: "".join(chr(byte) if byte in PRINTS else sign(byte) for byte in text.encode())


def _by_place(text):
    return "".join(chr(b if b in PRINTS else 256 + place) for place, b in enumerate(text.encode()))


MORE = (
    Mistake(
        "space_prints",
        _written(_signs(PRINTS | {32})),
        "You kept the space, as Python's isprintable does. Here the first byte that prints is 33.",
    ),
    Mistake(
        "delete_prints",
        _written(_signs(PRINTS | {127})),
        "You kept 127, which is delete and does not print. The first range ends with 126.",
    ),
    Mistake(
        "hard_space_prints",
        _written(_signs(PRINTS | {160})),
        "You kept 160, a space of its own kind. The second range begins with 161.",
    ),
    Mistake(
        "last_of_each_range_left_out",
        _written(_signs(PRINTS - {126, 172, 255})),
        "126, 172 and 255 print, too. Python's range leaves out its end: range(33, 127) ends with 126.",
    ),
    Mistake(
        "tilde_left_out",
        _written(_signs(PRINTS - {126})),
        "126 prints, too: range(33, 127) ends with 126.",
    ),
    Mistake(
        "counted_from_257",
        _written(_signs(first=257)),
        "Your signs stand one too far. The first byte that does not print gets chr(256).",
    ),
    Mistake(
        "in_the_order_of_the_text",
        _as_they_come,
        "You gave the signs out as bytes came in the text. The table is made once, for the bytes 0 to 255.",
    ),
    Mistake(
        "letters_and_digits_alone",
        _written(_signs({byte for byte in range(256) if chr(byte).isalnum()})),
        "You kept letters and digits alone. Points, commas and other marks print, too.",
    ),
    Mistake(
        "utf_16",
        _written(_signs(), "utf-16-le"),
        "You took UTF-16, two bytes a letter. Take text.encode('utf-8').",
    ),
    Mistake(
        "signs_in_a_list",
        lambda text: [*_written(_signs())(text)],
        "Your signs stand in a list. Return one text: ''.join(...).",
    ),
    Mistake(
        "space_alone_replaced",
        lambda text: text.replace(" ", "\u0120"),
        "You replaced the space alone. Every byte gets a character: also line ends, and the two bytes of é.",
    ),
    Mistake(
        "written_as_numbers",
        _others_as(lambda byte: f"\\x{byte:02x}"),
        "You wrote out the number of a byte that does not print. It gets one character: chr(256), "
        "chr(257), and so on.",
    ),
    Mistake(
        "dots_for_the_others",
        _others_as(lambda byte: "."),
        "All bytes that do not print became one sign, so nobody can come back. Each gets a character of "
        "its own: chr(256), chr(257), and so on.",
    ),
    Mistake(
        "the_others_dropped",
        _others_as(lambda byte: ""),
        "You dropped the bytes that do not print. Each gets a character: chr(256), chr(257), and so on.",
    ),
    Mistake(
        "printing_bytes_counted",
        _others_as(lambda byte: chr(256 + sum(each in PRINTS for each in range(byte)))),
        "For a byte that does not print you counted those before it that print. Count those that do not.",
    ),
    Mistake(
        "line_ends_stay",
        lambda text: _written(_signs())(text).replace(chr(256 + 10), "\n"),
        "You left line ends as they are. Byte 10 does not print, either.",
    ),
    Mistake(
        "ends_trimmed",
        lambda text: _written(_signs())(text.strip()),
        "You cut spaces or line ends off both ends. They belong to the text.",
    ),
    Mistake(
        "in_hexadecimal",
        lambda text: text.encode().hex(),
        "You wrote each byte as two digits. Each gets one character, and most keep their own: chr(byte).",
    ),
    Mistake(
        "numbers_of_signs",
        _others_as(lambda byte: str(256 + sum(each not in PRINTS for each in range(byte)))),
        "You wrote the numbers of the characters. Take chr of them.",
    ),
    Mistake(
        "bytes_came_back",
        lambda text: _written(_signs())(text).encode(),
        "You encoded the result once more. Return the text.",
    ),
    Mistake(
        "counted_from_255",
        _written(_signs(first=255)),
        "Your signs stand one too early. The first byte that does not print gets chr(256).",
    ),
    Mistake(
        "place_in_the_text",
        _by_place,
        "You took the place in the text. The number counts the bytes before it, from 0 to 255, that do not "
        "print.",
    ),
    Mistake(
        "low_line_for_the_space",
        lambda text: text.replace(" ", "\u2581"),
        "You wrote ▁ for the space, as other tokenizers do. Every byte gets a character; the space gets "
        "chr(288).",
    ),
    *(
        Mistake(
            f"byte_{byte}_left_out",
            _written(_signs(PRINTS - {byte})),
            f"You left out byte {byte}. It prints, too: it is the {place} of its range.",
        )
        for byte, place in ((33, "first"), (161, "first"), (172, "last"), (174, "first"))
    ),
)
