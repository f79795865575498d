"""Drawings of decoding: top-p, beam search, the key-value cache, and speculative decoding."""

import numpy as np

from .. import style
from ..shapes import box, cell, drawing, line, words
from ..words import number


def nucleus_bar(names, p, limit, title=None):
    """Return a drawing of probabilities side by side, with the words that top-p keeps.

    Parameters
    ----------
    names : list of str
        The words, the most probable one first.
    p : (V) float
        Their probabilities.
    limit : float
        The sum that the kept words must reach.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    p = np.asarray(p, dtype=float)
    ends = np.cumsum(p)
    kept = int(np.searchsorted(ends, limit)) + 1
    width = 400

    def draw(axes):
        start = 0.0
        for i, (name, end) in enumerate(zip(names, ends, strict=True)):
            colour, strength = (style.WEIGHT, 0.45) if i < kept else (style.INK, 0.06)
            left, right = 10 + width * start, 10 + width * end
            box(axes, (left + right) / 2, 70, right - left - 2, 42, "", colour, strength, corner=2)
            if right - left > 54:
                words(axes, (left + right) / 2, 62, name)
                words(axes, (left + right) / 2, 80, number(p[i]))
            elif right - left > 34:
                words(axes, (left + right) / 2, 70, name, fontsize=12)
            start = end
        line(axes, (10 + width * limit, 32), (10 + width * limit, 48), head=True, width=2)
        words(axes, 10 + width * limit, 20, f"p = {limit:g}")
        last = 10 + width * ends[kept - 1]
        line(axes, (10, 118), (10, 124), (last, 124), (last, 118), colour=style.WEIGHT)
        said = f"the nucleus: {kept} words, together {ends[kept - 1]:.3f}"
        words(axes, (10 + last) / 2, 140, said, style.WEIGHT)

    said = ", ".join(f"{name} {number(value)}" for name, value in zip(names, p, strict=True))
    description = (
        f"A bar of length 1, cut into the probabilities {said}. A line at {limit:g} falls into the part of "
        f"{names[kept - 1]}, so {kept} words are kept, with {ends[kept - 1]:.3f} together."
    )
    return drawing(420, 156, draw, description, title)


def beam_tree(first, second, width, title=None):
    """Return a drawing of two steps of a beam search, with the kept texts and the greedy choice.

    Parameters
    ----------
    first : dict of str to float
        The probabilities of the first words.
    second : dict of str to dict
        For each first word the probabilities of the second ones.
    width : int
        The number of texts that are kept in each step.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    chances = {(a,): p for a, p in first.items()}
    texts = {(a, b): first[a] * p for a in second for b, p in second[a].items()}
    alive = sorted(chances, key=chances.get, reverse=True)[:width]
    texts = {text: p for text, p in texts.items() if text[:1] in alive}
    best = sorted(texts, key=texts.get, reverse=True)[:width]
    greedy = max((text for text in texts if text[:1] == alive[0]), key=texts.get)

    def draw(axes):
        rows = 46 + 32 * np.arange(len(texts))
        places = dict(zip(texts, rows, strict=True))
        firsts = {a: np.mean([places[text] for text in texts if text[:1] == a]) for a in alive}
        firsts |= {a: rows[-1] + 40 for a in chances if a not in alive}
        root = 28, np.mean(list(firsts.values()))
        for a, y in firsts.items():
            _branch(axes, (root[0] + 20, root[1]), (121, y), a in alive)
            _leaf(axes, 154, y, f"{''.join(a)}  {number(chances[a])}", a in alive)
        for text, y in places.items():
            _branch(axes, (187, firsts[text[:1]]), (257, y), text in best)
            _leaf(axes, 290, y, f"{''.join(text)}  {number(texts[text])}", text in best)
            if text == best[0]:
                words(axes, 332, y, "most probable", style.WEIGHT, "left")
            elif text == greedy:
                words(axes, 332, y, "greedy", anchor="left")
        box(axes, *root, 40, 26, "start")
        words(axes, 154, 18, "step 1")
        words(axes, 290, 18, "step 2")

    kept = " and ".join("".join(text) for text in best)
    description = (
        f"A tree of two steps. Of the first words, {' and '.join(a for (a,) in alive)} are kept; of their "
        f"continuations, {kept}, with {number(texts[best[0]])} and {number(texts[best[1]])}. Greedy decoding "
        f"would have found {''.join(greedy)}, {number(texts[greedy])}."
    )
    return drawing(440, 46 + 32 * len(texts) + 44, draw, description, title)


def _branch(axes, start, end, kept):
    colour = style.WEIGHT if kept else (style.INK, 0.35)
    line(axes, start, end, colour=colour, width=2 if kept else 1)


def _leaf(axes, x, y, name, kept):
    colour, strength = (style.WEIGHT, 0.3) if kept else (style.INK, 0.03)
    box(axes, x, y, 66, 26, name, colour, strength)


def key_value_cache(tokens, title=None):
    """Return a drawing of what each generation step computes, without a cache and with one.

    Parameters
    ----------
    tokens : list of str
        The tokens, in the order in which they are written.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    count, side = len(tokens), 30
    total = count * (count + 1) // 2

    def draw(axes):
        for left, cached in ((62, False), (262, True)):
            wide = side * count / 2
            words(axes, left + wide, 16, "with a cache" if cached else "without a cache", fontweight="bold")
            for step in range(count):
                y = 36 + (side + 6) * step
                for i in range(step + 1):
                    new = not cached or i == step
                    cell(axes, left + side * i, y, side - 3, style.KEY, 0.6 if new else 0.06)
                if not cached:
                    words(axes, left - 8, y + side / 2 - 2, f"word {step + 1}", anchor="right")
            y = 36 + (side + 6) * count + 12
            words(axes, left + wide, y, f"{count if cached else total} token-steps")
        y = 36 + (side + 6) * count + 44
        cell(axes, 62, y - 9, 18, style.KEY, 0.6)
        words(axes, 88, y, "computed now", anchor="left")
        cell(axes, 262, y - 9, 18, style.KEY, 0.06)
        words(axes, 288, y, "kept from before", anchor="left")

    description = (
        f"Two triangles, a row for each of {count} words. Without a cache, the row of a word computes all "
        f"words so far, which are {total} token-steps. With a cache, each row computes one word, and takes "
        f"the others from the cache, which makes {count}."
    )
    return drawing(420, 36 + (side + 6) * count + 62, draw, description, title)


def speculative_round(drafted, accepted, replacement, title=None):
    """Return a drawing of one round of speculative decoding.

    Parameters
    ----------
    drafted : list of str
        The words that the draft model proposes.
    accepted : int
        The number of them that the target model accepts, which is less than all.
    replacement : str
        The word with which it replaces the first rejected one.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    places = [128 + 82 * i for i in range(len(drafted))]

    def draw(axes):
        words(axes, 78, 30, "draft model:", anchor="right")
        words(axes, 78, 50, f"{len(drafted)} passes", anchor="right")
        words(axes, 78, 106, "target model:", anchor="right")
        words(axes, 78, 126, "one pass", anchor="right")
        words(axes, 78, 198, "text:", anchor="right")
        box(axes, (places[0] + places[-1]) / 2, 116, places[-1] - places[0] + 74, 40, "", style.INK, 0.06)
        for i, (x, name) in enumerate(zip(places, drafted, strict=True)):
            right = i < accepted
            box(axes, x, 40, 70, 30, name, style.INK, 0.08 if i <= accepted else 0.02)
            line(axes, (x, 56), (x, 94), head=True)
            said = "accept" if right else "reject" if i == accepted else "discard"
            words(axes, x, 116, said, style.WEIGHT if right else style.INK)
            if i <= accepted:
                colour = style.WEIGHT if right else style.INK
                line(axes, (x, 138), (x, 180), head=True, colour=colour)
                written = name if right else replacement
                box(axes, x, 198, 70, 30, written, colour, 0.3 if right else 0.08, dashed=not right)

    kept = ", ".join(drafted[:accepted])
    description = (
        f"Three rows. The draft model proposes {', '.join(drafted)}, one after the other. The target model "
        f"reads them in one pass, accepts {kept}, rejects {drafted[accepted]} and writes {replacement} "
        "in its place. What follows is discarded."
    )
    return drawing(places[-1] + 44, 220, draw, description, title)
