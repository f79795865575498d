"""Make lectures from the book: a built page is cut into slides, and its prose becomes speaker notes."""
