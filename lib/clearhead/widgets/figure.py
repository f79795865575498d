"""The base class of all interactive figures: a JavaScript source, a description, and static pictures."""

import html
import inspect
from pathlib import Path

import anywidget
import numpy as np
import traitlets

from .. import in_lab
from ..figures.words import symbols

HERE = Path(__file__).parent
KIT = ("kit/maths.js", "kit/frame.js", "kit/drawings.js")


def source(name, *more):
    """Return the JavaScript module of one figure: the kit, further parts of the kit, and its own file.

    A part is the name of a file, or the text that `inside` gives.
    """
    return "\n".join(_text(part) for part in (*KIT, *more, name))


def inside(name):
    """Return the JavaScript of one figure as a part of another one, which uses it as `kit.inside`."""
    return f"kit.inside = (() => {{\n{_text(name).replace('export default', 'return')}}})();"


def _text(part):
    return part if "\n" in part else (HERE / part).read_text("utf-8")


class Numbers(traitlets.List):
    """A trait for a list, a tuple or an array of numbers, which are stored as (nested) lists of floats."""

    def validate(self, owner, value):
        """Return the numbers as lists; raise TraitError if the value does not consist of numbers."""
        try:
            array = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            raise traitlets.TraitError(f"{self.name} needs numbers, in rows of equal length.") from None
        return super().validate(owner, array.tolist())


class Figure(anywidget.AnyWidget):
    """An interactive figure. A subclass sets its JavaScript in `_esm`, and defines `words` and `pictures`.

    Its `what_to_see` is one sentence that says what to see or to do, and it is the default of the trait
    `headline`, which is shown above the controls in a page and in Jupyter, and above the pictures where no
    JavaScript runs. Only questions, which begin with their own text, have no such sentence.
    """

    what_to_see = ""
    headline = traitlets.Unicode().tag(sync=True)
    _css = "".join((HERE / f"kit/{name}.css").read_text("utf-8") for name in ("kit", "flow"))

    @traitlets.default("headline")
    def _headline(self):
        return self.what_to_see

    @staticmethod
    def samples(rng):
        """Return random inputs of `compute`, for a test that compares Python and JavaScript."""
        raise NotImplementedError

    @staticmethod
    def compute(**inputs):
        """Return every number that the figure shows, computed as in its JavaScript."""
        raise NotImplementedError

    def _computed(self, **others):
        """Return the result of `compute` for the traits with the names of its inputs, except for `others`."""
        names = inspect.signature(self.compute).parameters.keys() - others.keys()
        return self.compute(**{name: getattr(self, name) for name in names}, **others)

    @property
    def words(self):
        """Return one or two sentences, made from the data, on what the figure now shows."""
        raise NotImplementedError

    def pictures(self):
        """Return the pictures that replace the figure in print, and where no JavaScript runs."""
        return []

    @property
    def fallback(self):
        """Return HTML with the headline, the pictures and the words, for readers without JavaScript."""
        drawn = "".join(picture.captioned("ch-part") for picture in self.pictures())
        return self._still(f"{drawn}<p>{html.escape(self.words)}</p>")

    def _still(self, inner):
        """Return HTML that replaces the figure: its headline, followed by `inner`."""
        return f'<div class="ch-fallback"><p><strong>{symbols(self.headline)}</strong></p>{inner}</div>'

    def __repr__(self):
        return self.words

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return {**data, "text/html": self.fallback}, metadata

    def _ipython_display_(self):
        if not in_lab.sent():
            raise NotImplementedError  # IPython shows the bundle
        in_lab.show_with_still(
            self, self.fallback, "This is a still picture: choose Run, Run All Cells to make it interactive."
        )


def expect_shape(name, value, shape, why):
    """Raise a ValueError unless an array has a shape, in which None stands for any size."""
    found = np.shape(value)
    if len(found) != len(shape) or any(b is not None and a != b for a, b in zip(found, shape, strict=True)):
        wanted = ", ".join("any" if size is None else str(size) for size in shape)
        raise ValueError(f"{name} has shape {found}, but the figure needs ({wanted}): {why}.")
