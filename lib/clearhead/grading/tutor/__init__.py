"""A tutor for assistants: an MCP server that helps with a student's sheet without revealing answers.

`trying.py` runs the student's code in a sandbox. `sheet.py` turns the results into sentences, as far as
`withheld.py` and the instructor's policy allow it. `log.py` records them in a file on the student's machine,
and `server.py` offers them to an assistant.
"""
