"""The commands that grade: options and files go in, words in a terminal and an exit status come out.

The commands call the other folders in their order and hold nothing of their work.
"""
