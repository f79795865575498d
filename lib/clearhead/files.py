"""Write files so that nobody ever meets half of one."""

import os


def write_whole(place, text, mode=0o666):
    """Write a text file whole, or not at all; `mode` says who may read and write it."""
    beside = place.with_name(f"{place.name}.{os.getpid()}.part")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with open(handle, "w", encoding="utf-8") as file:
        file.write(text)
    beside.replace(place)
