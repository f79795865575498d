"""Writing with a key-value cache: tokens a second, against `transformers` on the same weights."""

import tempfile
import time

import torch
from compare import Row, in_turns
from transformers import GPT2Config, GPT2LMHeadModel

from clearhead.nets.cache import KeyValueCache
from clearhead.nets.convert import from_pretrained


def both(**sizes):
    """Return the same random weights as a model of `transformers` and as one of ours."""
    torch.manual_seed(0)
    peer = GPT2LMHeadModel(GPT2Config(bos_token_id=0, eos_token_id=None, **sizes)).eval()
    with tempfile.TemporaryDirectory() as folder:
        peer.save_pretrained(folder)
        return peer, from_pretrained("gpt2", folder).eval()


@torch.inference_mode()
def write(model, prompt, new):
    """Return the prompt and the likeliest tokens after it, by our cache."""
    cache, written, seen = KeyValueCache(model), [prompt], prompt
    for _ in range(new):
        seen = cache.next_logits(seen).argmax(dim=-1, keepdim=True)
        written.append(seen)
    return torch.cat(written, dim=-1)


def peers_write(model, prompt, new):
    return model.generate(prompt, max_new_tokens=new, min_new_tokens=new, do_sample=False, pad_token_id=0)


def compared(peer, model, prompt, new, rounds):
    """Return seconds a token of both, measured in turns, after a look that both write the same."""
    torch.testing.assert_close(write(model, prompt, 8), peers_write(peer, prompt, 8))
    seconds, ratios = in_turns(
        {"peer": lambda: peers_write(peer, prompt, new), "ours": lambda: write(model, prompt, new)}, rounds
    )
    return seconds["peer"] * ratios["ours"] / new, seconds["peer"] / new


def reading_speed():
    """Return the bytes a second at which a large matrix goes through a product with one vector."""
    matrix, vector = torch.randn(8192, 8192), torch.randn(8192)
    seconds, _ = in_turns({"product": lambda: torch.mv(matrix, vector)}, 7)
    return matrix.nbytes / seconds["product"]


def at_length(model, length, times=20):
    """Return the seconds of one more token after so many."""
    cache = KeyValueCache(model)
    with torch.inference_mode():
        cache.next_logits(torch.randint(100, (1, length)))
        token, begun = torch.tensor([[1]]), time.perf_counter()
        for _ in range(times):
            cache.next_logits(token)
            cache.keep(length)
    return (time.perf_counter() - begun) / times


def rows(full, _options):
    """Yield the rows of this subject."""
    torch.set_num_threads(2)
    peer, model = both(n_layer=4, n_embd=128, n_head=4, n_positions=1088)
    for length in (64, 1024):
        prompt = torch.randint(50257, (1, length), generator=torch.Generator().manual_seed(1))
        ours, theirs = compared(peer, model, prompt, 64, 5 if full else 3)
        what = f"4 layers, width 128, after {length} tokens"
        yield Row("writing", what, 1000 * ours, 1000 * theirs, "ms a token", "transformers' generate", 1 / 3)
    if not full:
        return
    peer, model = both()
    prompt = torch.randint(50257, (1, 64), generator=torch.Generator().manual_seed(1))
    ours, theirs = compared(peer, model, prompt, 32, 3)
    bound = sum(p.nbytes for p in model.parameters()) / reading_speed()
    yield Row(
        "writing",
        "GPT-2 124M, after 64 tokens",
        1000 * ours,
        1000 * theirs,
        "ms a token",
        "transformers' generate",
        1.0,
    )
    yield Row(
        "writing",
        "GPT-2 124M, after 64 tokens",
        1000 * ours,
        1000 * bound,
        "ms a token",
        "reading each weight once",
        1 / 0.6,
        "the speed of reading was measured here, with one large matrix",
    )
