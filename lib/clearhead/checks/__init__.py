"""Graded exercises: `check`, `hint`, `score`, `report`, and `ready` for the cell that plugs it in."""

from .notebook import CheckFailed, check, hint, ready, report, score

__all__ = ["CheckFailed", "check", "hint", "ready", "report", "score"]
