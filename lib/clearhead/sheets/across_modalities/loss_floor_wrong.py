"""More wrong answers of 14.loss_floor."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _counts(labels):
    return np.unique(labels, return_counts=True)[1]


def _of(value):
    """Return value(counts)."""
    return lambda labels: float(value(_counts(labels)))


def _with_empty_names(labels):
    counts = np.bincount(labels)
    with np.errstate(all="ignore"):
        return (counts * np.log(counts)).sum() / len(labels)


def _runs(labels):
    cuts = np.flatnonzero(np.diff(labels)) + 1
    n = np.diff([0, *cuts, len(labels)])
    return float((n * np.log(n)).sum() / len(labels))


MORE = (
    Mistake(
        "numbers_that_do_not_occur",
        _with_empty_names,
        "Where a number does not occur you took 0 times the logarithm of 0, which is no number. Leave it "
        "out: "
        "np.unique counts only what is there.",
    ),
    Mistake(
        "chance_of_a_hit",
        _of(lambda n: len(n) / n.sum()),
        "That is how often the best guess is right. The loss is the surprise, ln n for each image.",
    ),
    Mistake(
        "logarithm_of_the_mean_group",
        _of(lambda n: np.log((n * n).sum() / n.sum())),
        "You took the logarithm of the mean group of an image. Take ln n for each image, then the mean.",
    ),
    Mistake(
        "one_added",
        _of(lambda n: (n * np.log(n + 1)).sum() / n.sum()),
        "You added 1 to the counts. Among n equal captions the surprise is ln n.",
    ),
    Mistake(
        "others_alone",
        _of(lambda n: (n * np.log(np.maximum(n - 1, 1))).sum() / n.sum()),
        "You counted the other images of a name alone. The image itself is one of the n.",
    ),
    Mistake(
        "repeated_images_alone",
        _of(lambda n: (n * np.log(n)).sum() / max(n[n > 1].sum(), 1)),
        "You divided by the number of images whose name is repeated. Divide by all B.",
    ),
    Mistake(
        "surplus_images_alone",
        _of(lambda n: ((n - 1) * np.log(n)).sum() / n.sum()),
        "Of each name you left one image out. All n of them have the surprise ln n.",
    ),
    Mistake(
        "squares_in_the_sum",
        _of(lambda n: (n * n * np.log(n)).sum() / n.sum()),
        "n stands twice before the logarithm. Each of the n images has the surprise ln n: n · ln n.",
    ),
    Mistake(
        "sign_exchanged",
        _of(lambda n: -(n * np.log(n)).sum() / n.sum()),
        "Your loss has a minus sign. -ln(1/n) is ln n.",
    ),
    Mistake(
        "roots_of_the_counts",
        _of(lambda n: (n * np.sqrt(n)).sum() / n.sum()),
        "You took roots. The surprise among n equal captions is ln n.",
    ),
    Mistake(
        "base_ten",
        _of(lambda n: (n * np.log10(n)).sum() / n.sum()),
        "Your logarithm has base 10. Nats are natural logarithms.",
    ),
    Mistake(
        "counts_in_place_of_logarithms",
        _of(lambda n: (n * n).sum() / n.sum()),
        "You took n for the surprise. Among n equal captions it is ln n.",
    ),
    Mistake(
        "e_to_the_loss",
        _of(lambda n: np.exp((n * np.log(n)).sum() / n.sum())),
        "You took e to the loss. Return the loss in nats.",
    ),
    Mistake(
        "runs_alone",
        _runs,
        "You counted only equal labels that stand side by side. Count all of a name: np.unique.",
    ),
    Mistake(
        "median",
        _of(lambda n: np.median(np.repeat(np.log(n), n))),
        "You took the median over the images. Take the mean.",
    ),
)
