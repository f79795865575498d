"""Find the submissions: from the folder or archive of a class to one `Submission` for each student.

Names tell whose a submission is. Notebooks and scripts are read as bytes and text here; nothing in them runs.
"""
