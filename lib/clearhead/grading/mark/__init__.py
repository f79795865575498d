"""Mark one submission: its notebooks and the settings go in, its marks as plain data come out.

`worker.grade` is the way in. The student's code runs in a sandbox, and every comparison is made outside it.
"""
