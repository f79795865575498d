"""The parts of an exercise: its reference, its cases, its hints and known mistakes."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that students really write, with the message for it."""

    name: str  # snake_case, unique in its exercise: "softmax_over_queries"
    answer: Callable  # same signature as the reference
    message: str  # one or two sentences: what went wrong, what to do next


@dataclass(frozen=True)
class OneOf:
    """Several outputs that are all right, such as either value if two keys tie."""

    outputs: tuple


@dataclass(frozen=True)
class Case:
    """One call of the answer, with the expected output."""

    name: str  # "two by three, worked by hand"
    arguments: tuple  # made fresh for each check
    about: str = ""  # shown when this case fails: what is special about it
    points: int = 1
    expected: object = None  # worked out by hand, or OneOf; None: computed by the reference
    properties: tuple = ()  # pairs (words, predicate(output, *arguments) -> bool)
    once: bool = False  # it takes long: where a mistake is looked for with more seeds, it is left out
    recorded: object = None  # in a class edition: what the reference and each known mistake did here
    #: The outcomes of our own answers, right and wrong: each of them runs once.
    cached_outcomes: dict = field(default_factory=dict, init=False, compare=False, repr=False)


@dataclass(frozen=True)
class Exercise:
    """One exercise of a sheet; its id is "NN.entry_point"."""

    id: str
    title: str
    reference: Callable
    cases: Callable  # cases(rng) -> list of Case: by hand, properties, random sizes, hard corner
    hints: tuple  # three, from a nudge to nearly the answer
    mistakes: tuple
    alternatives: tuple  # other right answers, accepted
    stars: int
    minutes: int
    tolerance: float = 1e-6
    driver: Callable | None = None  # driver(answer, *arguments) -> output; None: answer(*arguments)
    feed: Callable | None = None  # feed(*arguments) -> what a class's sandbox gets in place of the arguments
    #: From an argument of the driver that the answer gets in another form to the words for what it gets, in
    #: which "{}" is the shape, the values, or the seed of random ones; "" if those of another argument say
    #: it, too. Explanations name only the arguments whose names occur in these words in backticks.
    given: dict = field(default_factory=dict, hash=False)
    ids: bool = False  # ids or sizes come back, which pick rows or make arrays: floats are refused
    returns: object = ()  # for a driver's keys: the names of the values in order, or from each key to words
    facts: Callable | None = None  # facts(output, *arguments) -> what is compared; computed by the grader
    needs: tuple = ()  # packages to import before the clock starts, such as ("torch",)
    megabytes: int = 0  # in a class the kernel lets the answer take no more; 0: as much as any other
    recorded: object = None  # in a class edition: what right and wrong answers did, for a few seeds
    text: object = None  # what its Markdown file says, an ExerciseText

    @property
    def answer_name(self):
        """Return the name of the function that the student writes."""
        return self.id.split(".", 1)[1]

    @property
    def rating(self):
        """Return the difficulty as stars out of three."""
        return "★" * self.stars + "☆" * (3 - self.stars)


@dataclass(frozen=True)
class Sheet:
    """The exercises of one chapter."""

    number: str
    title: str
    exercises: tuple
