"""Graded exercises: `check`, `hint`, `score`, `report`."""
