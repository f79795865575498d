"""Isolation: a sandbox in which a student's code runs, with what its sheet may import and no answer."""
