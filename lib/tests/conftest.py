"""What every test shares: one thread, the same examples in every run, and a fair share for each worker."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

settings.register_profile("book", max_examples=25, deadline=None, derandomize=True, database=None)
settings.load_profile("book")


def group(item):
    """Return the name of the group that a test runs in: its file; for the pages, the page."""
    file, values = item.path.stem, item.callspec.params if hasattr(item, "callspec") else {}
    page = values.get("visit", values.get("name"))
    return f"{file}-{page}" if file == "test_pages" and isinstance(page, str) else file


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the groups in its own hook of this name
def pytest_collection_modifyitems(items):
    """Let pytest-xdist share out groups (`--dist loadgroup`), the long ones first."""
    for item in items:
        item.add_marker(pytest.mark.xdist_group(group(item)))
    items.sort(key=lambda item: not group(item).startswith(("test_pages", "test_grading")))
