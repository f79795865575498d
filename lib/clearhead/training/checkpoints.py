"""Stop today, go on tomorrow: everything that the next step depends on, in one file."""

import io
from pathlib import Path

import torch

from clearhead.files import write_whole

from .history import History


def save(path, model, optimizer, history, rng=None):
    """Save what the next step of a training depends on.

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
    """Return the history of a saved training, with all else put back as it was.

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
        If a random generator was saved and none is given, or the other way round.
    RuntimeError
        If the model is not like the saved one (PyTorch names the parameters).
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"There is no checkpoint {path}: save one first.")
    state = torch.load(path, map_location="cpu", weights_only=True)
    if (rng is None) != (state["rng"] is None):
        raise ValueError("Save and resume must both be given the rng of the batches, or neither.")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    if rng is not None:
        rng.bit_generator.state = state["rng"]
    torch.set_rng_state(state["torch"])
    if state["cuda"] and torch.cuda.is_available():
        torch.cuda.set_rng_state_all(state["cuda"])
    return History(**state["history"])
