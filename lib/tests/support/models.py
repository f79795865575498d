"""Models that are too large for the repository: their tests are skipped where they are not."""

import pytest


def here(find):
    """Return what a function finds, or skip and say what to install."""
    try:
        return find()
    except FileNotFoundError as missing:
        pytest.skip(str(missing))
