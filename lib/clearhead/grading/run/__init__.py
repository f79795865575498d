"""Marking of a whole class, which writes one file of marks per student to OUT/marks.

Submissions are distributed to worker processes or to a cluster. When a run is resumed, marks that were made
from the same files with the same settings are kept.
"""
