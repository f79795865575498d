"""Where the tests, the library and the repository are."""

from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
LIBRARY = TESTS.parent
ROOT = LIBRARY.parent
