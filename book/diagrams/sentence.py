"""Draw the README's picture: one word of a sentence looks at the others, with the weights of LiveSentence.

python book/diagrams/sentence.py      writes book/diagrams/sentence.svg
"""

from html import escape
from pathlib import Path

from clearhead.widgets import LiveSentence

HERE = Path(__file__).resolve().parent
WIDTH, HEIGHT, BASE, LETTER, GAP = 640, 200, 150, 9, 16
STYLE = (
    "text{font:17px system-ui,sans-serif;fill:#24292f}.asks{fill:#0065a3;font-weight:700}"
    ".most{font-weight:700}.note{font-size:14px}.weight{fill:#8b3a80;font-size:14px}"
    "path{fill:none;stroke:#8b3a80;stroke-linecap:round}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.asks{fill:#6cc0f2}.weight{fill:#e6a3dc}"
    "path{stroke:#e6a3dc}}"
)


def places(tokens):
    """Return the middle of each word on a line that is centred in the picture."""
    widths = [LETTER * len(token) for token in tokens]
    left = (WIDTH - sum(widths) - GAP * (len(tokens) - 1)) / 2
    return [left + sum(widths[:i]) + GAP * i + width / 2 for i, width in enumerate(widths)]


def arc(start, end, weight):
    """Return an arc from the asking word to another; its thickness is the weight."""
    top = BASE - 30 - 0.42 * abs(end - start)
    return (
        f'<path d="M{start:.0f} {BASE - 22}Q{(start + end) / 2:.0f} {top:.0f} {end:.0f} {BASE - 22}" '
        f'stroke-width="{1 + 13 * weight:.2f}" stroke-opacity="{0.3 + 0.7 * weight:.2f}"/>'
    )


def draw(figure):
    """Return the picture of the figure's chosen word as SVG, with the figure's own words as its label."""
    head = figure.heads[figure.head]
    weights = figure.compute(head["Q"], head["K"], figure.temperature)["weights"][figure.chosen]
    middle, most = places(figure.tokens), int(weights.argmax())
    body = [
        arc(middle[figure.chosen], x, w)
        for x, w in zip(middle, weights, strict=True)
        if w > 0.01 and x != middle[figure.chosen]
    ]
    for i, (token, x) in enumerate(zip(figure.tokens, middle, strict=True)):
        kind = "asks" if i == figure.chosen else "most" if i == most else "rest"
        body.append(
            f'<text class="{kind}" x="{x:.0f}" y="{BASE}" text-anchor="middle">{escape(token)}</text>'
        )
        if weights[i] >= 0.05:
            place = f'x="{x:.0f}" y="{BASE + 24}" text-anchor="middle"'
            body.append(f'<text class="weight" {place}>{weights[i]:.2f}</text>')
    question = f"“{head['name']}” asks “{figure.tokens[figure.chosen]}”, and looks at every word."
    body.append(f'<text class="note" x="{WIDTH / 2}" y="30" text-anchor="middle">{escape(question)}</text>')
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
    return "\n".join(
        [opening, f"<title>{escape(figure.words)}</title><style>{STYLE}</style>", *body, "</svg>"]
    )


if __name__ == "__main__":
    (HERE / "sentence.svg").write_text(draw(LiveSentence()) + "\n", encoding="utf-8")
