"""A check can be followed: from `check` to the words, an answer passes few files, and seldom comes back."""

import pytest

from support.walk import following, handed_on, named, returns, right, unknown


@pytest.mark.parametrize("answer", [right, named, unknown])
@pytest.mark.parametrize("follow", [following, handed_on])
def test_an_answer_passes_few_files_and_seldom_returns(follow, answer):
    """Before running, reading and printing were parted, the known mistake came back 50 times.

    An unknown answer passes one file more, in which two mistakes at once are looked for.
    """
    files = follow(answer)
    assert files[0] == "checks/notebook.py"
    assert len(set(files)) <= 13, list(dict.fromkeys(files))
    assert returns(files) <= 20, files


def test_returns_are_counted():
    assert returns(["a", "b", "c"]) == 0
    assert returns(["a", "b", "a", "b", "c", "a"]) == 3
