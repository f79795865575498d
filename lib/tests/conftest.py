"""What every test shares: one thread, and each property tried on the same examples in every run."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

from hypothesis import settings

settings.register_profile("book", max_examples=25, deadline=None, derandomize=True, database=None)
settings.load_profile("book")
