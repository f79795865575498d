"""The functions that learners call for graded exercises: `check`, `hint`, `score`, `report`, `ready`."""

from .notebook import CheckFailed, check, hint, ready, report, score

__all__ = ["CheckFailed", "check", "hint", "ready", "report", "score"]
