"""Run every recorded sweep again: `make test-recorded`, weekly, because together they take many minutes."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import sweep
from clearhead.pretrained.sweeps import recorded_sweep


@pytest.mark.parametrize("name", sweep.names())
def test_second_run_supports_the_recorded_conclusions(name):
    sweep.recipe(name).agrees(recorded_sweep(name), sweep.run(name))
