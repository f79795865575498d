"""Mark a whole class: submissions go in, one file of marks for each student comes out, in OUT/marks.

Submissions are handed out to worker processes or to a cluster. Marks that were made from the same files with
the same settings are kept where a run resumes.
"""
