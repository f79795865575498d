"""The gradebook of a term, computed from stored marks, a roster, a policy and manual grades.

No submission is marked again. Besides the table, there are a page for each student, receipts, and the tables
that Canvas and Moodle import.
"""
