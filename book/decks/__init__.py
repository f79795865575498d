"""Lectures out of the book: a built page is cut into slides, and its prose becomes the speaker's notes."""
