"""The exercises: a folder for the sheet of a chapter, a file for an exercise.

`checks` finds them: a folder tells NUMBER and TITLE, the ORDER of its exercises, and which modules its
notebook USES; each file holds an EXERCISE. Beside them stand `drivers`, which run beside the student's
answer, what several exercises share, and, where an exercise is long, its wrong answers.

An instructor's own sheets lie in folders of the same form, which the environment variable CLEARHEAD_SHEETS
names, separated as in PATH. Each becomes a package beside these, with a number of its own.
"""

import os

__path__ += [folder for folder in os.environ.get("CLEARHEAD_SHEETS", "").split(os.pathsep) if folder]
