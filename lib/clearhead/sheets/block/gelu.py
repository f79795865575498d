"""08.gelu: GELU, the exact one."""

import math

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import layers
from clearhead.maths.layers import gelu

from .shared import different_sizes


def _gelu_cases(rng):
    rows, columns = different_sizes(rng, 2)
    below = ("no number is larger than max(x, 0)", lambda y, x: np.all(y <= np.maximum(x, 0) + 1e-9))
    return [
        Case(
            "0, 1 and -1, by hand",
            (np.array([0, 1, -1]),),
            "84.134 % of a normal distribution lies below 1, and 15.866 % below -1.",
            expected=np.array([0.0, 0.841344746069, -0.158655253931]),
        ),
        Case("a table", (rng.normal(size=(rows, columns)),), "Each number alone.", properties=(below,)),
        Case("from -4 to 4", (np.linspace(-4, 4, 33),), "Print x beside your result, and plot both."),
        Case(
            "very large and very small", (np.array([-1000.0, -30.0, 30.0, 1000.0]),), "Φ goes to 0 or to 1."
        ),
    ]


def _erf(x):
    return np.vectorize(math.erf, otypes=[float])(x)


EXERCISE = Exercise(
    id="08.gelu",
    title="GELU, the exact one",
    reference=gelu,
    cases=_gelu_cases,
    hints=(
        "First compute the share Φ(x) for every x, then multiply by x.",
        "Φ(x) = (1 + erf(x / √2)) / 2. Do not forget the root, the 1 and the half.",
        "x * (1 + erf(x / np.sqrt(2))) / 2.",
    ),
    mistakes=(
        Mistake(
            "tanh_form",
            layers.gelu_tanh,
            "This is the form with tanh, as GPT-2 has it. It differs by less than 0.0005. Here we want erf.",
        ),
        Mistake(
            "sigmoid_form",
            lambda x: x * layers.sigmoid(1.702 * x),
            "x · sigmoid(1.702 x) is a quick approximation, off by up to about 0.02. Use erf.",
        ),
        Mistake(
            "silu_instead",
            lambda x: x * layers.sigmoid(x),
            "This is SiLU: x times its sigmoid. GELU has Φ.",
        ),
        Mistake(
            "relu_instead",
            lambda x: np.maximum(x, 0.0),
            "This is relu, with its corner at 0. GELU is smooth.",
        ),
        Mistake(
            "share_alone",
            lambda x: (1 + layers.erf(x / np.sqrt(2))) / 2,
            "This is the share Φ(x). One step is missing: multiply it by x.",
        ),
        Mistake(
            "root_forgotten",
            lambda x: x * (1 + layers.erf(x)) / 2,
            "Inside erf stands x / √2, not x: erf is made for a distribution with variance one half.",
        ),
        Mistake(
            "half_forgotten",
            lambda x: x * (1 + layers.erf(x / np.sqrt(2))),
            "1 + erf goes from 0 to 2. A share goes from 0 to 1: divide by 2.",
        ),
        Mistake(
            "one_forgotten",
            lambda x: x * layers.erf(x / np.sqrt(2)) / 2,
            "erf goes from -1 to 1. Add 1 before you divide by 2, so that the share begins at 0.",
        ),
        Mistake(
            "minus_in_the_bracket",
            lambda x: x - gelu(x),
            "You took 1 minus erf: the share that lies above x. Take the share below: 1 + erf.",
        ),
        Mistake(
            "root_on_the_wrong_side",
            lambda x: x * (1 + _erf(x * math.sqrt(2))) / 2,
            "You multiplied by the root of 2 inside erf. Divide by it.",
        ),
        Mistake(
            "divided_by_two_inside",
            lambda x: x * (1 + _erf(x / 2)) / 2,
            "You divided by 2 inside erf. Divide by its square root.",
        ),
        Mistake(
            "elu_instead",
            lambda x: np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1),
            "That is ELU, another curve.",
        ),
        Mistake(
            "half_of_one_alone",
            lambda x: x * (0.5 + _erf(x / np.sqrt(2))),
            "You halved the 1 alone. Both are halved: (1 + erf) / 2.",
        ),
        Mistake(
            "density_in_place_of_the_share",
            lambda x: x * np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi),
            "You multiplied by the height of the normal curve at x. Multiply by the share that lies below x.",
        ),
        Mistake(
            "root_outside",
            lambda x: x * (1 + _erf(x) / np.sqrt(2)) / 2,
            "You divided erf by √2. Divide x by it, inside: erf(x / √2).",
        ),
        Mistake(
            "share_added",
            lambda x: (x + _erf(x / np.sqrt(2))) / 2,
            "You added x and erf. Multiply x by the share: x · (1 + erf) / 2.",
        ),
    ),
    alternatives=(
        lambda x: 0.5 * x + 0.5 * x * layers.erf(x * 2**-0.5),
        lambda x: x - x * (1 + layers.erf(-x / np.sqrt(2))) / 2,
    ),
    stars=1,
    minutes=5,
)
