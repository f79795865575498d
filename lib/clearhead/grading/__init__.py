"""A class: find the submissions, mark each in a sandbox, write marks and feedback."""
