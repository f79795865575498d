"""The grader of a class, which turns submissions into marks, feedback and the gradebook of a term.

A submission passes through the folders in this order: `collect` finds it, `mark` runs its code in a sandbox
and judges each answer, `run` does so for a whole class and stores the marks, `write` turns marks into pages
and tables, and `gradebook` applies the policy of the term to them. With these parts, `tutor` helps a single
student. Each folder imports only those before it. `commands` calls them all, and `cli` is the command line.
"""
