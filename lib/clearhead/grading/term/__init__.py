"""A term: many sheets, one table. Everything here is computed from the marks; nothing is marked again."""
