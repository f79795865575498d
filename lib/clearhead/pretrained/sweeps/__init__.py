"""The results of long sweeps, recorded by the scripts in `recipes/sweeps`."""

import json
from pathlib import Path


def place(name):
    """Return the path of the file of the sweep `name`."""
    return Path(__file__).with_name(f"{name}.json")


def recorded_sweep(name):
    """Return the recorded result of a sweep over seeds and settings.

    The chapter that reports the sweep shows its code and runs a small part of it; `recipes/sweeps/NAME.py`
    runs the whole of it, and `make test-recorded` repeats it every week and compares.

    Parameters
    ----------
    name : str
        Such as "delta_rule".

    Returns
    -------
    result : dict
        What the recipe measured: numbers, strings, lists and dicts.

    Raises
    ------
    ValueError
        Where no sweep of that name was recorded.
    """
    if not place(name).exists():
        known = ", ".join(sorted(path.stem for path in Path(__file__).parent.glob("*.json")))
        raise ValueError(f"no sweep is recorded under {name!r}; recorded are: {known or 'none'}")
    return json.loads(place(name).read_text("utf-8"))["result"]
