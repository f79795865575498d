"""Which functions the library offers, found by looking, so that a new one is tested without being listed."""

import importlib
import importlib.util
import inspect
import pkgutil
import re

import pytest

import clearhead.maths


def modules(package):
    """Return the modules of a layer, by name."""
    return {
        found.name: importlib.import_module(f"{package.__name__}.{found.name}")
        for found in pkgutil.iter_modules(package.__path__)
        if not found.name.startswith("_")
    }


def members(module, test=inspect.isfunction):
    """Return what a module defines itself under a public name."""
    return {
        name: member
        for name, member in inspect.getmembers(module, test)
        if member.__module__ == module.__name__ and not name.startswith("_")
    }


def snake(name):
    """Return the name of the function that computes what a class learns: PostNormBlock is post_norm_block."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


MATHS, NETS = modules(clearhead.maths), {}
if importlib.util.find_spec("torch"):  # without PyTorch, what needs NumPy alone is still tested
    NETS = modules(importlib.import_module("clearhead.nets"))
    NETS.pop("contracts")  # it reads tables, and has none
    NETS.pop("arrays")  # it takes arrays to tensors and back, so it has no twin

FUNCTIONS = [
    pytest.param(function, id=f"{subject}.{name}")
    for subject, module in MATHS.items()
    for name, function in members(module).items()
    if not name.startswith("check_")  # those raise or return None: test_errors.py
]
MODULE_TWINS = [
    pytest.param(function, modules[name], id=f"{subject}.{name}")
    for subject, module in MATHS.items()
    if subject in NETS
    for modules in [{snake(name): found for name, found in members(NETS[subject], inspect.isclass).items()}]
    for name, function in members(module).items()
    if name in modules
]
TWINS = [
    pytest.param(function, in_torch[name], id=f"{subject}.{name}")
    for subject, module in MATHS.items()
    if subject in NETS
    for in_torch in [members(NETS[subject])]
    for name, function in members(module).items()
    if name in in_torch
]
