"""The search for submissions in the folder or archive of a class, with a `Submission` for each student.

The names of files and folders determine to whom a submission belongs. Notebooks and scripts are read here as
bytes and text, and none of their code is run.
"""
