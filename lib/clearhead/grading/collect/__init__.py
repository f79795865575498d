"""Find what was handed in: a class's folder or archive goes in, a `Submission` for each student comes out.

Names tell whose a submission is. Notebooks and scripts are read as bytes and text here; nothing in them runs.
"""
