"""What every test shares: one thread, the same examples in every run, and a fair share for each worker."""

import os
import re

os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

settings.register_profile("book", max_examples=25, deadline=None, derandomize=True, database=None)
settings.load_profile("book")


def group(nodeid):
    """Return the name of the group that a test runs in: its file; for the pages, the page."""
    file, _, rest = nodeid.partition("::")
    page = re.search(r"\[(.+\.html)", rest)
    return f"{file} {page[1]}" if page else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give each worker of pytest-xdist a whole group at a time, so that a fixture for all of it is made once.

    Its own `--dist loadgroup` shares out single tests under pytest 9.2, without a word.
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return group(nodeid)

    return ByGroup(config, log)
