"""The exercises: a folder a chapter, a file an exercise. The engine, `checks`, finds them here."""
