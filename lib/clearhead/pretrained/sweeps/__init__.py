"""The results of long sweeps, which the scripts in `recipes/sweeps` have recorded."""

import json
from pathlib import Path


def place(name):
    """Return the path of the file with the results of a sweep."""
    return Path(__file__).with_name(f"{name}.json")


def recorded_sweep(name):
    """Return the recorded result of a sweep over seeds and settings.

    The chapter that reports the sweep shows its code and runs a small part of it; `recipes/sweeps/NAME.py`
    runs the whole of it, and `make test-recorded` repeats it every week and compares.

    Parameters
    ----------
    name : str
        The name of the sweep, such as "delta_rule".

    Returns
    -------
    result : dict
        The measurements of the recipe: numbers, strings, lists and dicts.

    Raises
    ------
    ValueError
        If no sweep of that name was recorded.
    """
    if not place(name).exists():
        known = ", ".join(sorted(path.stem for path in Path(__file__).parent.glob("*.json")))
        raise ValueError(f"no sweep is recorded under {name!r}; recorded are: {known or 'none'}")
    return json.loads(place(name).read_text("utf-8"))["result"]
