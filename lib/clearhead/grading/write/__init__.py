"""Write what people and platforms read: marks that were kept go in, pages and tables come out.

These are a page and a Gradescope file for each student, the tables of the class, a report on what it did not
understand, and a folder of answers for programs that compare them.
"""
