"""Chapter 11 in one picture: who reads whom inside the encoder, inside the decoder, and between the two."""

from .ink import arch, box, fan, put, text, wire

SOURCE, TARGET = ["This", "course", "is", "fantastic"], ["<start>", "Este", "curso", "es"]
TOP, LOW = 82, 220


def families(narrow):
    """Return the pieces of the picture, its width and its height."""
    pitch, width, left, lift = (86, 80, 41, 0.17) if narrow else (166, 124, 111, 0.11)
    places = [left + pitch * i for i in range(4)]
    body = _readers(places, lift)
    for x, name in zip(places, SOURCE, strict=True):
        body += [box(x - width / 2, TOP, width, 30, "m-chip m-key"), put(x, TOP + 20, name)]
    for x, name in zip(places, TARGET, strict=True):
        asks = "m-query" * (name == TARGET[-1])
        body += [box(x - width / 2, LOW, width, 30, f"m-chip {asks or 'm-plain'}")]
        body += [put(x, LOW + 20, name, asks and "m-query m-strong")]
    says = (
        (16, "encoder: every token reads every token"),
        (LOW + 108, "decoder: a token reads those before it"),
    )
    says += (LOW - 46, "cross-attention:"), (LOW - 29, "es reads the source")
    body += [text(left - width / 2, y, words) for y, words in says]
    return body, 340 if narrow else 720, LOW + 114


def _readers(places, lift):
    """Draw an arc for each pair of readers, and the rays of the last target word."""
    body = []
    for i, x in enumerate(places):
        body.append(fan((x, TOP + 30), (places[3], LOW), 3, "m-weight", across=False))
        if i:
            body.append(wire([(x - 6, LOW + 42), (x - 6, LOW + 31)]))
        for later in places[i + 1 :]:
            rise = 18 + lift * (later - x)
            body += [arch(x + 6, later - 6, TOP, -rise), arch(x + 6, later - 6, LOW + 38, rise)]
    return body
