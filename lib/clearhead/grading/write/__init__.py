"""Write pages and tables for people and platforms from stored marks.

These are a page and a Gradescope file for each student, the tables of the class, a report on what it did not
understand, and a folder of answers for programs that compare them.
"""
