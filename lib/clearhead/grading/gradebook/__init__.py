"""Compute what counts in a term: kept marks, a roster, rules and marks by hand go in, one table comes out.

Nothing is marked again. Beside the table there are a page for each student, receipts, and the tables that
Canvas and Moodle import.
"""
