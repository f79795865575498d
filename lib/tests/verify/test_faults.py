"""Faults that people write are named truly, with an input small enough to be followed by hand."""

import numpy as np
import pytest
from faulty import FAULTS

from clearhead.verify import report
from clearhead.verify.entry_points import entry_points
from clearhead.verify.verifying import verify

IDS = [adapter.function.__name__ for _, _, adapter in FAULTS]


def test_there_are_at_least_thirty():
    assert len(FAULTS) >= 30
    assert len(set(IDS)) == len(IDS)


@pytest.mark.parametrize("seed", [1, 4321])
@pytest.mark.parametrize(("entry", "name", "adapter"), FAULTS, ids=IDS)
def test_a_fault_is_named_and_shown_small(entry, name, adapter, seed):
    found = verify(entry_points()[entry], adapter, seed)
    assert not found.passed
    assert found.mistake.name == name
    said = "\n".join(report.of_one(found))
    assert f"a known mistake, {name}." in said
    if found.smallest.outcome.error:
        return
    entries = sum(np.size(each) for each in found.smallest.arguments)
    assert entries <= 40, said
    assert "expected" in said
    assert "got" in said
