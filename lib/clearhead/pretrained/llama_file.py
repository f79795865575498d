"""Reading of the tokenizer and the weights in a GGUF file of the Llama family."""

import numpy as np

from clearhead.text.tokenizers import ByteLevelTokenizer

CONTROL = 3  # the type of a token that does not represent text
ATTENTION = {"query": "attn_q", "key": "attn_k", "value": "attn_v", "output": "attn_output"}
FEED_FORWARD = {"gate": "ffn_gate", "up": "ffn_up", "down": "ffn_down"}


def read_tokenizer(metadata):
    """Return the tokenizer that a GGUF file describes.

    Parameters
    ----------
    metadata : dict
        The metadata of a `GGUF`.

    Returns
    -------
    tokenizer : ByteLevelTokenizer

    Raises
    ------
    ValueError
        If the file describes a tokenizer of another kind.
    """
    kind = metadata.get("tokenizer.ggml.model"), metadata.get("tokenizer.ggml.pre")
    if kind != ("gpt2", "smollm"):
        raise ValueError(f"The file has a tokenizer of the kind {kind}; we know ('gpt2', 'smollm').")
    lists = [metadata.get(f"tokenizer.ggml.{name}") for name in ("tokens", "token_type", "merges")]
    if not all(isinstance(each, list) for each in lists) or len(lists[0]) != len(lists[1]):
        raise ValueError("The file describes no whole tokenizer: tokens, their types, and merges.")
    pieces, kinds, merges = lists
    special = [piece for piece, kind in zip(pieces, kinds, strict=True) if kind == CONTROL]
    return ByteLevelTokenizer(pieces, [merge.split(" ") for merge in merges], special)


def read_parameters(file):
    """Return the weights in a GGUF file in the form for `clearhead.maths.llama.llama`.

    Parameters
    ----------
    file : GGUF

    Returns
    -------
    parameters : dict of llama
        Arrays in float32. A linear map is (in, out), and contiguous in this order, as the product x W needs.

    Raises
    ------
    ValueError
        If the file holds a model of another kind, or tensors that we do not use.
    """
    if (kind := file.metadata.get("general.architecture")) != "llama":
        raise ValueError(f"The file holds a model of the kind {kind!r}; we run 'llama'.")
    count = file.number("llama.block_count", int)

    def linear(i, names):
        arrays = {ours: file.array(f"blk.{i}.{theirs}.weight") for ours, theirs in names.items()}
        return {ours: {"weight": np.ascontiguousarray(array.T)} for ours, array in arrays.items()}

    parameters = {
        "tokens": np.asfortranarray(
            file.array("token_embd.weight")
        ),  # scoring reads all of it, reading a row
        "norm": {"gain": file.array("output_norm.weight")},
    }
    parameters["blocks"] = [
        {
            "attention_norm": {"gain": file.array(f"blk.{i}.attn_norm.weight")},
            "attention": linear(i, ATTENTION),
            "feed_forward_norm": {"gain": file.array(f"blk.{i}.ffn_norm.weight")},
            "feed_forward": linear(i, FEED_FORWARD),
        }
        for i in range(count)
    ]
    if len(file.tensors) != 2 + 9 * count:
        raise ValueError(
            f"{file.path} holds {len(file.tensors)} tensors, and we use {2 + 9 * count} of them."
        )
    return parameters
