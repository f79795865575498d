"""14.loss_floor: How low can the loss go?"""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .loss_floor_wrong import MORE


def loss_floor(labels):
    """Return the least InfoNCE loss of a batch in which captions with one label (B) are the same."""
    counts = np.bincount(labels)
    counts = counts[counts > 0]
    return float((counts * np.log(counts)).sum() / counts.sum())


def _counts(labels):
    return np.unique(labels, return_counts=True)[1]


def _floor_cases(rng):
    labels = rng.integers(6, size=int(rng.integers(12, 20)))
    labels[:4] = 0, 0, 0, 1
    other = np.append(labels[::-1] + 3, [7, 7, 12])
    low = ("it is from 0 to ln B", lambda floor, labels: -1e-9 < floor <= np.log(len(labels)) + 1e-9)
    return [
        Case(
            "a name three times, a name once",
            (np.array([4, 4, 7, 4]),),
            "Three images share their belief among three equal captions: ln 3 each. The fourth is sure: 0.",
            expected=float(3 * np.log(3) / 4),
        ),
        Case("a random batch", (labels,), "How large is each group?", properties=(low,)),
        Case("another batch", (other,), "Labels may be any numbers.", properties=(low,)),
        Case("no name twice", (np.array([5, 2, 9]),), "Then the floor is 0.", expected=0.0),
        Case(
            "one name only",
            (np.full(6, 3),),
            "Then nothing can be told apart: ln B.",
            expected=float(np.log(6)),
        ),
    ]


EXERCISE = Exercise(
    id="14.loss_floor",
    title="How low can the loss go?",
    reference=loss_floor,
    cases=_floor_cases,
    hints=(
        "What is the best that one image can do if n captions of the batch are equal and right?",
        "Its surprise is ln n. Average this over the images, not over the names.",
        "n = np.unique(labels, return_counts=True)[1]; return (n * np.log(n)).sum() / n.sum().",
    ),
    mistakes=(
        Mistake(
            "always_zero",
            lambda labels: 0.0,
            "0 needs each image to be sure of its own caption. Among n equal captions the best is 1/n each.",
        ),
        Mistake(
            "entropy_of_the_names",
            lambda labels: float(np.log(len(labels)) - loss_floor(labels)),
            "That is the entropy of the names. The floor is ln B minus it.",
        ),
        Mistake(
            "mean_over_names",
            lambda labels: float(np.log(_counts(labels)).mean()),
            "You averaged over the names. A frequent name has more images, and each of them counts.",
        ),
        Mistake(
            "log_of_the_mean",
            lambda labels: float(np.log(_counts(labels).mean())),
            "You took the logarithm of the mean count. Take the logarithm for each image first.",
        ),
        Mistake(
            "log_of_how_many_names",
            lambda labels: float(np.log(len(_counts(labels)))),
            "You counted the different names. What matters is how often each one occurs.",
        ),
        Mistake(
            "chance",
            lambda labels: float(np.log(len(labels))),
            "ln B is what guessing gives: the worst of sensible values, not the best.",
        ),
        Mistake(
            "in_bits",
            lambda labels: float(loss_floor(labels) / np.log(2)),
            "You took the logarithm to base 2. Our losses are in nats: np.log.",
        ),
        Mistake(
            "summed",
            lambda labels: float(loss_floor(labels) * len(labels)),
            "You summed over the images. Take the mean.",
        ),
        Mistake(
            "largest_group_alone",
            lambda labels: np.log(np.unique(labels, return_counts=True)[1].max()),
            "You took the largest group alone. Each image pays the logarithm of its own group.",
        ),
        Mistake(
            "share_of_repeats",
            lambda labels: 1 - len(np.unique(labels)) / len(labels),
            "That is the share of repeats. A surprise is a logarithm.",
        ),
        Mistake(
            "mean_over_names_of_the_sums",
            lambda labels: (lambda n: (n * np.log(n)).mean())(np.unique(labels, return_counts=True)[1]),
            "You divided by how many names there are. Divide by how many images: B.",
        ),
        Mistake(
            "share_of_the_most",
            lambda labels: loss_floor(labels) / np.log(len(labels)) if len(labels) > 1 else 0.0,
            "You divided by ln B. The loss itself is asked for, in nats.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda labels: np.mean([np.log(np.sum(labels == label)) for label in labels]),
        lambda labels: np.log((labels[:, None] == labels).sum(axis=1)).mean(),
    ),
    stars=2,
    minutes=10,
)
