"""Grade a class: hand-ins go in; marks, feedback and the table of a term come out.

A hand-in passes through the folders in this order: `collect` finds it, `mark` runs its code in a sandbox and
judges each answer, `run` does so for a whole class and keeps the marks, `write` turns marks into pages and
tables, and `gradebook` applies the rules of the term to them. Each folder imports only those before it;
`commands` calls them all, and `cli` is the command line that users type.
"""
