"""A tutor for assistants: an MCP server over a student's sheet that helps, and does not contain the answer.

`trying.py` tries the student's code in a sandbox. `sheet.py` puts into sentences what was found out, as far
as `withheld.py` and the instructor's policy allow it. `log.py` keeps it in a file of the student's, and
`server.py` offers it to an assistant.
"""
