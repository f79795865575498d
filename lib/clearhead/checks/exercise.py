"""The parts of an exercise: its reference, cases, hints and known mistakes."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that students commonly write, with the message that explains it."""

    name: str  # snake_case, unique in its exercise: "softmax_over_queries"
    answer: Callable  # same signature as the reference
    message: str  # one or two sentences: what went wrong, what to do next


@dataclass(frozen=True)
class OneOf:
    """Several outputs of which each is right, such as either of the two values when two keys tie."""

    outputs: tuple


@dataclass(frozen=True)
class Case:
    """A case of an exercise: one call of the answer, with its arguments and the expected output."""

    name: str  # "two by three, worked by hand"
    arguments: tuple  # made fresh for each check
    about: str = ""  # shown when this case fails: what is special about it
    points: int = 1
    expected: object = None  # worked out by hand, or OneOf; None: computed by the reference
    properties: tuple = ()  # pairs (words, predicate(output, *arguments) -> bool)
    once: bool = False  # True if the case takes long, so that it is left out when more seeds are tried
    recorded: object = None  # in a class edition: what the reference and each known mistake did here
    #: The outcomes of the exercise's own answers, right and wrong, so that each of them runs only once.
    cached_outcomes: dict = field(default_factory=dict, init=False, compare=False, repr=False)


@dataclass(frozen=True)
class Exercise:
    """An exercise of a sheet, with an id of the form "NN.entry_point"."""

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
    #: The arguments of the driver that the answer gets in another form, each with a description of that form,
    #: in which "{}" is the shape, the values, or the seed of random values. A description is "" if that of
    #: another argument covers it. Explanations name only arguments that a description has in backticks.
    given: dict = field(default_factory=dict, hash=False)
    ids: bool = False  # True if the output holds ids or sizes, so that floats are refused
    returns: object = ()  # names of a driver's values in order, or a dict from each of its keys to words
    facts: Callable | None = None  # facts(output, *arguments) -> what is compared; computed by the grader
    needs: tuple = ()  # packages to import before the clock starts, such as ("torch",)
    megabytes: int = 0  # limit of the answer's memory in a class; 0: the limit of any other answer
    recorded: object = None  # in a class edition: what right and wrong answers did, for a few seeds
    text: object = None  # the ExerciseText of its Markdown file

    @property
    def answer_name(self):
        """Return the name of the function that the student writes."""
        return self.id.split(".", 1)[1]

    @property
    def rating(self):
        """Return the difficulty as filled stars out of three, such as "★★☆"."""
        return "★" * self.stars + "☆" * (3 - self.stars)


@dataclass(frozen=True)
class Sheet:
    """The exercises of one chapter, with the number and the title of their sheet."""

    number: str
    title: str
    exercises: tuple
