"""The commands for grading, which turn options and files into messages and an exit status.

The commands call the other folders in their order, and contain none of their logic.
"""
