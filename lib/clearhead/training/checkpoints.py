"""Checkpoints: everything on which the next training step depends, in one file."""

import io
import pickle
from copy import deepcopy
from pathlib import Path

import torch

from clearhead.files import write_whole

from .history import History

PARTS = {"model", "optimizer", "history", "rng", "torch", "cuda"}


def save(path, model, optimizer, history, rng=None):
    """Save everything on which the next training step depends.

    Parameters
    ----------
    path : str or Path
        The file. An older one is replaced only when the new one is whole.
    model : nn.Module
        Its parameters and buffers are saved.
    optimizer : torch.optim.Optimizer or Together
        What it remembers is saved.
    history : History
        It tells the step.
    rng : numpy.random.Generator, optional
        What the batches are drawn from: its state is the position in the data.
    """
    state = {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "history": history.as_dict(),
        "rng": None if rng is None else rng.bit_generator.state,
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
    }
    whole = io.BytesIO()
    torch.save(state, whole)
    write_whole(path, whole.getbuffer())


def resume(path, model, optimizer, rng=None):
    """Return the history of a saved training run, after restoring everything else, completely or not at all.

    Parameters
    ----------
    path : str or Path
        A file from `save`.
    model : nn.Module
        Made as the saved one was. It gets the saved parameters.
    optimizer : torch.optim.Optimizer or Together
        Made as the saved one was. It gets back what it remembered.
    rng : numpy.random.Generator, optional
        Gets back its state, so that the next batch is the one that would have come. PyTorch's own
        random state, which dropout uses, is put back too.

    Returns
    -------
    history : History
        For `train(..., history=history)`, which then goes on as if it had never stopped.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is no checkpoint, or a damaged one; if a random generator was saved and none is given, or
        the other way round; if the optimizer or the generator is not like the saved one, for example SGD
        where AdamW was saved.
    RuntimeError
        If the model is not like the saved one (PyTorch names the parameters).

    Notes
    -----
    Where an error is raised, model, optimizer and generators are as they were before.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"There is no checkpoint {path}: save one first.")
    state = _read(path)
    if (rng is None) != (state["rng"] is None):
        raise ValueError("Save and resume must both be given the rng of the batches, or neither.")
    before = deepcopy((model.state_dict(), optimizer.state_dict(), rng and rng.bit_generator.state))
    try:
        _put_back(model, optimizer, rng, state["model"], state["optimizer"], state["rng"])
        history = _rest_of(path, state)
    except Exception:
        _put_back(model, optimizer, rng, *before)
        raise
    if state["cuda"] and torch.cuda.is_available():
        torch.cuda.set_rng_state_all(state["cuda"])
    return history


def _put_back(model, optimizer, rng, weights, remembered, drawn):
    model.load_state_dict(weights)
    try:
        _check_same_kind(optimizer, remembered)
        optimizer.load_state_dict(remembered)
        if rng is not None:
            rng.bit_generator.state = drawn
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"The optimizer or the generator is not like the saved one ({error!r}).") from error


def _check_same_kind(optimizer, remembered):
    """Raise ValueError if an optimizer has other settings than the saved one.

    PyTorch itself compares only the numbers of groups and parameters, so it would let SGD continue with what
    AdamW remembered.
    """
    ours, theirs = (_settings(state) for state in (optimizer.state_dict(), remembered))
    if ours - theirs and theirs - ours:  # another version of PyTorch may only have added some
        raise ValueError(
            f"The optimizer is not like the saved one: it has the settings {', '.join(sorted(ours - theirs))}"
            f", but the saved one has {', '.join(sorted(theirs - ours))}. Make it as it was made before."
        )


def _settings(state):
    """Return the names of the settings in an optimizer's state; for several optimizers, those of all."""
    states = state.get("optimizers", [state])
    return {name for each in states for group in each["param_groups"] for name in group}


def _rest_of(path, state):
    """Return the history of a checkpoint, after PyTorch's random state has been restored."""
    try:
        history = History(**state["history"])
        torch.set_rng_state(state["torch"])
    except (TypeError, RuntimeError) as error:
        raise ValueError(f"{path} is a damaged checkpoint ({error}): save it anew.") from error
    return history


def _read(path):
    """Return the contents of a file written by `save`, or raise a ValueError that says what is wrong."""
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except (EOFError, RuntimeError, KeyError, OSError, pickle.UnpicklingError) as error:
        raise ValueError(f"{path} is no checkpoint, or not all of one is there: save it anew.") from error
    if not isinstance(state, dict) or not state.keys() >= PARTS or not isinstance(state["model"], dict):
        raise ValueError(f"{path} is a file of PyTorch, but no checkpoint: it was not written by `save`.")
    return state
