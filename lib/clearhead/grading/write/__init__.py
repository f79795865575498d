"""Pages and tables for people and platforms, written from stored marks.

These are a page and a Gradescope file for each student, the tables of the class, a report on its frequent
mistakes, and a folder of answers for programs that detect similar ones.
"""
