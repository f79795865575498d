"""Mark a whole class: from submissions to one file of marks per student in OUT/marks.

Submissions are handed out to worker processes or to a cluster. Marks that were made from the same files with
the same settings are kept where a run resumes.
"""
