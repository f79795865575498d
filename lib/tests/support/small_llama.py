"""A small Llama with random weights, the file in which it is kept as SmolLM2 is, and odd lines of text."""

import random
import struct
import unicodedata

import numpy as np
import pytest
import torch

from clearhead.text import corpora
from clearhead.text.tokenizers.byte_level import bytes_to_unicode

transformers = pytest.importorskip("transformers")

SMALL = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2)
SMALL |= dict(intermediate_size=64, vocab_size=280, rms_norm_eps=1e-5, tie_word_embeddings=True)


def string(words):
    return struct.pack("<Q", len(words.encode())) + words.encode()


def entry(name, value):
    """Return one entry of the header: a whole number, a float, a text or a list of texts or numbers."""
    if isinstance(value, list):
        kind = 8 if isinstance(value[0], str) else 5
        items = b"".join(string(each) if kind == 8 else struct.pack("<i", each) for each in value)
        return string(name) + struct.pack("<IIQ", 9, kind, len(value)) + items
    if isinstance(value, str):
        return string(name) + struct.pack("<I", 8) + string(value)
    letter, kind = ("<f", 6) if isinstance(value, float) else ("<I", 4)
    return string(name) + struct.pack("<I", kind) + struct.pack(letter, value)


def packed(array, kind):
    """Return the bytes of an array as the file keeps it, written apart from the code that reads them."""
    if kind == 0:
        return array.astype("<f4").tobytes()
    found = b""
    for block in array.reshape(-1, 32).astype(float):
        if kind == 8:
            scale = float(np.float16(np.abs(block).max() / 127)) or 1.0
            codes = np.clip(np.rint(block / scale), -127, 127)
            found += struct.pack("<e32b", scale, *codes.astype(int))
        else:
            low = float(np.float16(block.min()))
            scale = float(np.float16((block.max() - low) / 15)) or 1.0
            codes = [min(15, max(0, round((x - low) / scale))) for x in block]
            pairs = (codes[i] + 16 * codes[i + 16] for i in range(16))
            found += struct.pack("<ee16B", scale, low, *pairs)
    return found


def write(path, entries, tensors):
    """Write a GGUF file: entries name -> value, tensors name -> (array, kind)."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(entries))
    head += b"".join(entry(name, value) for name, value in entries.items())
    body = b""
    for name, (array, kind) in tensors.items():
        head += string(name) + struct.pack("<I", array.ndim)
        head += b"".join(struct.pack("<Q", size) for size in array.shape[::-1])
        head += struct.pack("<IQ", kind, len(body))
        body += packed(array, kind)
        body += bytes(-len(body) % 32)
    path.write_bytes(head + bytes(-len(head) % 32) + body)
    return path


def small_llama():
    """Return a Llama of `transformers` with random weights."""
    torch.manual_seed(0)
    config = transformers.LlamaConfig(**SMALL, rope_parameters={"rope_type": "default", "rope_theta": 1e5})
    theirs = transformers.LlamaForCausalLM(config).eval()
    with torch.no_grad():
        for weight in theirs.parameters():
            weight += 0.3 * torch.randn(weight.shape)
    return theirs


def neighbours(weight, heads):
    """Return the rows of a query or key matrix in the order in which neighbours are pairs."""
    return weight.reshape(heads, 2, -1, weight.shape[-1]).swapaxes(1, 2).reshape(weight.shape)


def halves(weight, heads):
    """Return the rows in the order of `transformers`: the inverse of `neighbours`."""
    return weight.reshape(heads, -1, 2, weight.shape[-1]).swapaxes(1, 2).reshape(weight.shape)


def places(blocks):
    """Return the name in `transformers` of each tensor of a GGUF file."""
    parts = {"attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj"}
    parts |= {"attn_output": "self_attn.o_proj", "attn_norm": "input_layernorm", "ffn_gate": "mlp.gate_proj"}
    parts |= {"ffn_norm": "post_attention_layernorm", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj"}
    found = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight"}
    for i in range(blocks):
        found |= {f"blk.{i}.{a}.weight": f"model.layers.{i}.{b}.weight" for a, b in parts.items()}
    return found


def tensors_of(theirs):
    found = {name: theirs.get_parameter(place).detach().numpy() for name, place in places(2).items()}
    for name, array in found.items():
        if heads := {"attn_q": 4, "attn_k": 2}.get(name.split(".")[-2]):
            found[name] = neighbours(array, heads)
    return {name: (array, 0) for name, array in found.items()}


SIGNS = bytes_to_unicode()
ENTRIES = {
    "general.architecture": "llama", "general.name": "small", "llama.block_count": 2,
    "llama.context_length": 64, "llama.attention.head_count": 4, "llama.attention.head_count_kv": 2,
    "llama.rope.freq_base": 1e5, "llama.attention.layer_norm_rms_epsilon": 1e-5,
    "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "smollm", "tokenizer.ggml.eos_token_id": 0,
    "tokenizer.ggml.tokens": ["<stop>", *SIGNS, *(f"{SIGNS[0]}{s}" for s in SIGNS[:23])],
    "tokenizer.ggml.token_type": [3] + 279 * [1],
    "tokenizer.ggml.merges": [f"{SIGNS[0]} {s}" for s in SIGNS[:23]],
}  # fmt: skip


def lines(count):
    """Yield lines of words, digits, accents, Chinese, emoji, rare spaces and characters of any kind."""
    draw, words = random.Random(0), corpora.python_docs().split()
    odd = [
        "  ",
        "\n",
        "\t\n ",
        "²½",
        "Ⅷ",
        "don't",
        "we'LL",
        "<|im_end|>",
        "_a_",
        "\u3000",
        "\x1c\x04",
        "e\u0301",
    ]

    def signs(*places):
        return "".join(chr(draw.randint(*draw.choice(places))) for _ in range(draw.randint(1, 6)))

    def any_sign():
        while unicodedata.category(sign := chr(draw.randint(0, 0x10FFFF))) in ("Cs", "Cn", "Co"):
            pass
        return sign

    kinds = (
        lambda: draw.choice(words), lambda: draw.choice(words), lambda: str(draw.randint(0, 10**9)),
        lambda: signs((0x4E00, 0x9FFF)), lambda: signs((0x1F300, 0x1F64F), (0x200D, 0x200D)),
        lambda: signs((0xA0, 0x17F)), lambda: draw.choice(odd), any_sign,
    )  # fmt: skip
    for _ in range(count):
        yield draw.choice(["", " ", "  "]).join(draw.choice(kinds)() for _ in range(draw.randint(1, 14)))
