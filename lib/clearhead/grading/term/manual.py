"""Exercises that only a person can mark, such as an explanation or a talk: defined by the rules of a term."""

from dataclasses import dataclass, replace

WAITING, NO_BONUS = "not marked yet", "no bonus"


@dataclass(frozen=True)
class Manual:
    """An exercise that is marked by hand."""

    id: str
    title: str
    points: float  # at most, unless it is a bonus
    sheet: str = ""  # the number of the sheet that it belongs to; "" for an exercise of the term
    bonus: bool = False  # its points add to the sum but not to the points that can be had


@dataclass(frozen=True)
class Marked:
    """What a student has for such an exercise: `points` is None as long as nobody has marked it."""

    exercise: Manual
    points: float | None = None
    words: str = ""

    @property
    def waits(self):
        """Whether a sum without this mark would be wrong: a bonus may be missing, and is then none."""
        return self.points is None and not self.exercise.bonus

    @property
    def says(self):
        """What is said of it beside the marks."""
        exercise = self.exercise
        if self.points is None:
            return f"{exercise.title}: {WAITING if self.waits else NO_BONUS}."
        if exercise.bonus:
            return f"{exercise.title}: {self.points:g} bonus points."
        return f"{exercise.title}: {self.points:g} of {exercise.points:g} points."


def marked(exercises, by_hand):
    """Return the Marked of each exercise, from what was said by hand of a student."""
    return tuple(Marked(exercise, *by_hand.get(exercise.id, (None, ""))) for exercise in exercises)


def out_of(exercises):
    """Return the points that can be had for these exercises: a bonus comes on top."""
    return sum(exercise.points for exercise in exercises if not exercise.bonus)


def added(result, told, absent):
    """Return the result of a sheet with the marks of its exercises that are marked by hand.

    They count in full, however late the notebook was. As long as one of them is not marked, the sheet has no
    mark, since its sum would be wrong; a sheet that was not handed in waits for nobody.
    """
    if not told:
        return result
    given = sum(mark.points or 0 for mark in told)
    waits = any(mark.waits for mark in told) and result.status != absent
    known = result.points is not None
    return replace(
        result,
        status=WAITING if waits and known else result.status,
        points=round(result.points + given, 2) if known and not waits else None,
        earned=result.earned + given,
        out_of=result.out_of + out_of(mark.exercise for mark in told),
        says=result.says + tuple(mark.says for mark in told),
        by_hand=told,
    )
