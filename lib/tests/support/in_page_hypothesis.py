"""Stands in for hypothesis in the page's Python, where its compiled part cannot run: a few examples each.

It knows the strategies that the tests of NumPy's side use; any other skips its test.
"""

import functools
import inspect
import random
import sys
import types

import numpy as np
import pytest

EXAMPLES = 8


class Unmet(Exception):
    """Raised where a drawn example is not one that the test is about."""


def assume(condition):
    """Pass over an example."""
    if not condition:
        raise Unmet


class Strategy:
    """Draws values with a random generator of Python's."""

    def __init__(self, draw):
        self.draw = draw

    def __or__(self, other):
        return Strategy(lambda rng: rng.choice([self, other]).draw(rng))

    def map(self, made):
        """Return the strategy of what a function makes of each value."""
        return Strategy(lambda rng: made(self.draw(rng)))

    def filter(self, kept):
        """Return the strategy of the values that a function keeps."""
        return Strategy(lambda rng: next(v for v in iter(lambda: self.draw(rng), self) if kept(v)))

    def flatmap(self, made):
        """Return the strategy of what the strategies draw that a function makes of each value."""
        return Strategy(lambda rng: made(self.draw(rng)).draw(rng))


def many(element, min_size=0, max_size=8, **named):
    """Return a strategy of lists."""
    return Strategy(lambda rng: [element.draw(rng) for _ in range(rng.randint(min_size, max_size))])


def array(dtype, shape, elements=None, **named):
    """Return a strategy of arrays."""

    def draw(rng):
        sizes = shape.draw(rng) if isinstance(shape, Strategy) else shape
        flat = [elements.draw(rng) for _ in range(int(np.prod(sizes)))]
        return np.array(flat, dtype).reshape(sizes)

    return Strategy(draw)


class Strategies(types.ModuleType):
    """The strategies, by name."""

    integers = staticmethod(lambda low=-99, high=99, **named: Strategy(lambda rng: rng.randint(low, high)))
    floats = staticmethod(lambda low=-9, high=9, **named: Strategy(lambda rng: rng.uniform(low, high)))
    booleans = staticmethod(lambda: Strategy(lambda rng: rng.random() < 0.5))
    sampled_from = staticmethod(lambda values: Strategy(lambda rng: rng.choice(list(values))))
    none = staticmethod(lambda: Strategy(lambda rng: None))
    just = staticmethod(lambda value: Strategy(lambda rng: value))
    lists = staticmethod(many)
    tuples = staticmethod(lambda *each: Strategy(lambda rng: tuple(one.draw(rng) for one in each)))
    data = staticmethod(
        lambda: Strategy(lambda rng: types.SimpleNamespace(draw=lambda one, **n: one.draw(rng)))
    )

    @staticmethod
    def text(alphabet="aé b\n", **sizes):
        """Return a strategy of texts."""
        return many(Strategies.sampled_from(alphabet), **sizes).map("".join)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments, **named: Strategy(lambda rng: pytest.skip(f"needs hypothesis: {name}"))


def given(*by_position, **by_name):
    """Return a decorator: the test runs with a few drawn examples."""

    def decorate(test):
        names = list(inspect.signature(test).parameters)
        drawn = dict(zip(names[len(names) - len(by_position) :], by_position, strict=True)) | by_name

        def tried(**fixed):
            rng = random.Random(test.__name__)
            for _ in range(EXAMPLES):
                try:
                    test(**fixed, **{name: strategy.draw(rng) for name, strategy in drawn.items()})
                except Unmet:
                    continue

        functools.update_wrapper(tried, test)
        del tried.__wrapped__
        kept = [p for name, p in inspect.signature(test).parameters.items() if name not in drawn]
        tried.__signature__ = inspect.Signature(kept)
        return tried

    return decorate


def settings(*arguments, **named):
    """Return a decorator that changes nothing."""
    return lambda test: test


def install():
    """Put the stand-in where tests import it from."""
    here = sys.modules["hypothesis"] = types.ModuleType("hypothesis")
    here.__dict__.update(given=given, settings=settings, assume=assume, strategies=Strategies("strategies"))
    extra, numpy = types.ModuleType("hypothesis.extra"), types.ModuleType("hypothesis.extra.numpy")
    numpy.arrays = array
    sys.modules |= {"hypothesis.strategies": here.strategies, "hypothesis.extra": extra}
    sys.modules["hypothesis.extra.numpy"] = numpy
