"""Drawings of how a model becomes an assistant: chat templates, LoRA, preferences, and group advantages."""

import numpy as np

from .. import style
from ..shapes import box, drawing, line, words
from ..words import number


def conversation(turns, title=None):
    """Return a drawing of a conversation as one text, with the special tokens that a template adds.

    Parameters
    ----------
    turns : list of (str, str)
        The speaker and the text of each turn; the last turn is the one that the model writes.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """

    def draw(axes):
        for i, (who, what) in enumerate(turns):
            y, last = 30 + 56 * i, i == len(turns) - 1
            words(axes, 92, y, who, anchor="right", fontweight="bold")
            box(axes, 128, y, 52, 32, "start", style.INK, 0.22, fontsize=12)
            colour = style.WEIGHT if last else style.INK
            box(axes, 266, y, 214, 32, what, colour, 0.3 if last else 0.06)
            box(axes, 400, y, 44, 32, "end", style.WEIGHT if last else style.INK, 0.22, fontsize=12)
            if not last:
                way = (422, y), (432, y), (432, y + 28), (102, y + 28), (102, y + 56), (101, y + 56)
                line(axes, *way[:-1], colour=(style.INK, 0.5))
        y = 30 + 56 * len(turns)
        words(axes, 102, y - 8, "grey: special tokens of the template", anchor="left")
        words(axes, 102, y + 14, "purple: what the model writes", style.WEIGHT, "left")

    said = "; ".join(f"{who}: {what}" for who, what in turns)
    description = (
        f"{len(turns)} turns under each other, joined into one line of text ({said}). Each has a special "
        "token at its beginning and one at its end. The model writes only the last turn, up to its end token."
    )
    return drawing(440, 56 + 56 * len(turns), draw, description, title)


def low_rank_update(inputs, outputs, rank, title=None):
    """Return a drawing, to scale, of a frozen matrix and of the two thin matrices that LoRA trains.

    Parameters
    ----------
    inputs : int
        The rows of the frozen matrix.
    outputs : int
        Its columns.
    rank : int
        The width of the thin matrices.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    unit = 130 / max(inputs, outputs)
    tall, wide, thin = unit * inputs, unit * outputs, unit * rank

    def draw(axes):
        y = 30 + tall / 2
        words(axes, 30, y, "y  =  x ·")
        box(axes, 66 + wide / 2, y, wide, tall, "W", style.INK, 0.08, corner=2, fontstyle="italic")
        after = 66 + wide
        words(axes, after + 38, y, "+   x ·")
        x = after + 66
        box(axes, x + thin / 2, y, thin, tall, "A", style.WEIGHT, 0.35, corner=2, fontstyle="italic")
        words(axes, x + thin + 14, y, "·")
        x += thin + 26
        box(axes, x + wide / 2, y, wide, thin, "B", style.WEIGHT, 0.35, corner=2, fontstyle="italic")
        low = 30 + tall + 20
        words(axes, 66 + wide / 2, low, f"{inputs} × {outputs}")
        words(axes, 66 + wide / 2, low + 20, f"{inputs * outputs} parameters,")
        words(axes, 66 + wide / 2, low + 40, "frozen")
        words(axes, after + 66 + thin / 2, low, f"{inputs} × {rank}", style.WEIGHT)
        words(axes, x + wide / 2, low, f"{rank} × {outputs}", style.WEIGHT)
        total = rank * (inputs + outputs)
        words(axes, x + wide / 2 - 24, low + 20, f"{total} parameters,", style.WEIGHT)
        words(axes, x + wide / 2 - 24, low + 40, "trained", style.WEIGHT)

    description = (
        f"Three matrices, drawn to scale: W with {inputs} rows and {outputs} columns, which is frozen, and "
        f"the thin matrices A, {inputs} by {rank}, and B, {rank} by {outputs}, which are trained."
    )
    return drawing(400, 30 + tall + 76, draw, description, title)


def preference_training(title=None):
    """Return a drawing of two methods that turn comparisons into a policy: a reward model, and DPO."""

    def draw(axes):
        for y, name in ((18, "with a reward model (RLHF)"), (186, "with DPO")):
            words(axes, 10, y, name, anchor="left", fontweight="bold")
        for y in (60, 228):
            box(axes, 60, y, 100, 44, "comparisons", style.INK, 0.06)
            box(axes, 390, y, 80, 44, "policy", style.WEIGHT, 0.3)
        line(axes, (110, 60), (154, 60), head=True)
        box(axes, 206, 60, 104, 44, "reward model", style.INK, 0.2)
        line(axes, (258, 60), (350, 60), head=True)
        words(axes, 304, 46, "rewards")
        line(axes, (390, 82), (390, 130), (206, 130), (206, 82), head=True)
        words(axes, 298, 146, "samples, in every step")
        line(axes, (110, 228), (350, 228), head=True)
        words(axes, 230, 214, "one loss, no samples")

    description = (
        "Two rows. With a reward model, comparisons train the reward model, which rewards the samples that "
        "the policy writes in every step. With DPO, one arrow leads from the comparisons to the policy."
    )
    return drawing(440, 256, draw, description, title)


def group_advantages(question, answers, rewards, advantages, title=None):
    """Return a drawing of a group of answers to one question, with rewards and advantages.

    Parameters
    ----------
    question : str
        The question.
    answers : list of str
        The answers that the policy wrote.
    rewards : (G) float
        The reward of each answer.
    advantages : (G) float
        The advantage of each answer.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    unit, zero = 84 / np.abs(advantages).max(), 336
    rows = [66 + 36 * i for i in range(len(answers))]

    def draw(axes):
        for x, name in ((60, "question"), (150, "group"), (216, "reward"), (zero, "advantage")):
            words(axes, x, 18, name, fontweight="bold")
        middle = (rows[0] + rows[-1]) / 2
        box(axes, 60, middle, 96, 34, question)
        for y, answer, reward, advantage in zip(rows, answers, rewards, advantages, strict=True):
            line(axes, (108, middle), (123, y), colour=(style.INK, 0.5))
            colour, strength = (style.WEIGHT, 0.35) if reward else (style.INK, 0.08)
            box(axes, 150, y, 54, 28, answer, colour, strength)
            words(axes, 216, y, f"{reward:g}")
            length = unit * advantage
            box(axes, zero + length / 2, y, abs(length), 20, "", colour, 0.45 if reward else 0.2, corner=2)
            outside = zero + (-8 if advantage > 0 else 8)
            side = "right" if advantage > 0 else "left"
            words(axes, outside, y, number(advantage), anchor=side)
        line(axes, (zero, rows[0] - 18), (zero, rows[-1] + 18))
        mean = np.mean(rewards)
        words(axes, zero, rows[-1] + 34, f"0 is the mean reward of the group, {mean:g}")

    said = ", ".join(f"{a}: {number(v)}" for a, v in zip(answers, advantages, strict=True))
    description = (
        f"One question, {question}, with a group of {len(answers)} answers, their rewards, and their "
        f"advantages as bars to the right and left of 0 ({said})."
    )
    return drawing(440, rows[-1] + 50, draw, description, title)
