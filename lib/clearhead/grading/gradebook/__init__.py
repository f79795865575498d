"""Compute the gradebook of a term from stored marks, a roster, a policy and manual grades.

Nothing is marked again. Beside the table there are a page for each student, receipts, and the tables that
Canvas and Moodle import.
"""
