"""Marking of one submission, from its notebooks and the settings to its marks as plain data.

`worker.grade` is the entry point. The student's code runs in a sandbox, and every comparison is made outside
it.
"""
