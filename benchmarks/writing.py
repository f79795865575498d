"""Compare generation with a key-value cache, in tokens per second, with `transformers`, on equal weights."""

import tempfile
import time

import torch
from ceilings import least_seconds, readings
from compare import Row, in_turns
from race.cache import LaidOutCache
from transformers import GPT2Config, GPT2LMHeadModel

from clearhead.nets.cache import KeyValueCache
from clearhead.pretrained.convert import from_pretrained

TOLD = "ms per token, prompt included", "transformers"


def both(**sizes):
    """Return the same random weights as a model of `transformers` and as one of ours."""
    torch.manual_seed(0)
    peer = GPT2LMHeadModel(GPT2Config(bos_token_id=0, eos_token_id=None, **sizes)).eval()
    with tempfile.TemporaryDirectory() as folder:
        peer.save_pretrained(folder)
        return peer, from_pretrained("gpt2", folder).eval()


@torch.inference_mode()
def write(cache, prompt, new):
    """Return the prompt and its greedy continuation, generated with one of our caches."""
    cache.crop(0)
    written, seen = [prompt], prompt
    for _ in range(new):
        seen = cache.next_logits(seen).argmax(dim=-1, keepdim=True)
        written.append(seen)
    return torch.cat(written, dim=-1)


@torch.inference_mode()
def peers_generate(model, prompt, new):
    return model.generate(prompt, max_new_tokens=new, do_sample=False, pad_token_id=0)


@torch.inference_mode()
def peers_loop(model, prompt, new):
    """Return the same with the peer's model and cache in a plain loop, without the overhead of `generate`."""
    written, seen, cache = [prompt], prompt, None
    for _ in range(new):
        out = model(seen, past_key_values=cache, use_cache=True, logits_to_keep=1)
        seen, cache = out.logits[:, -1].argmax(dim=-1, keepdim=True), out.past_key_values
        written.append(seen)
    return torch.cat(written, dim=-1)


def compared(peer, cache, prompt, new, rounds):
    """Return the seconds per token of ours and of the peer's faster way, and which one that is.

    All take turns, after a look that they write the same. The models are ready: the peer is loaded, our cache
    is made. Each call reads the prompt anew, and its time is in that of the tokens.
    """
    ways = {"generate": peers_generate, "a loop by hand": peers_loop}
    for way in ways.values():
        torch.testing.assert_close(write(cache, prompt, 8), way(peer, prompt, 8))
    calls = {name: lambda way=way: way(peer, prompt, new) for name, way in ways.items()}
    seconds, ratios = in_turns(calls | {"ours": lambda: write(cache, prompt, new)}, rounds)
    best = min(ways, key=ratios.get)
    first = seconds["generate"] / new
    return first * ratios["ours"], first * ratios[best], f"theirs: {best}"


def at_length(model, length, times=20):
    """Return the seconds of one more token after a number of tokens."""
    cache = LaidOutCache(model)
    with torch.inference_mode():
        cache.next_logits(torch.randint(100, (1, length)))
        token, begun = torch.tensor([[1]]), time.perf_counter()
        for _ in range(times):
            cache.next_logits(token)
            cache.crop(length)
    return (time.perf_counter() - begun) / times


def read_once(model):
    """Return the bytes that must be read for a token: all weights except the table of positions."""
    # The table of tokens is read whole: it is the last layer, too.
    return sum(p.nbytes for p in model.parameters()) - model.positions.weight.nbytes


def rows(full, _options):
    """Yield the rows of this subject."""
    torch.set_num_threads(2)
    for vocab_size in (65, 50_257):
        peer, model = both(n_layer=4, n_embd=128, n_head=4, n_positions=1088, vocab_size=vocab_size)
        limit = 1000 * min(map(least_seconds, readings(read_once(model))))  # in its caches, where it fits
        for first, new in ((64, 64), (64, 960), (1024, 64)) if full else ((64, 64), (1024, 64)):
            prompt = torch.randint(vocab_size, (1, first), generator=torch.Generator().manual_seed(1))
            what = f"4 layers, width 128, {vocab_size:,} words: from {first} to {first + new} tokens"
            ours, theirs, way = compared(peer, LaidOutCache(model), prompt, new, 5 if full else 3)
            yield Row("writing", what, 1000 * ours, 1000 * theirs, *TOLD, 1 / 3, way, limit)
        yield plain(peer, model, 5 if full else 3, f"4 layers, width 128, {vocab_size:,} words", limit)
    short, long = at_length(model, 64), at_length(model, 1024)
    what, told = "a token after 1,024, the same model", "a token after 64"
    yield Row("writing", what, 1000 * long, 1000 * short, "ms", told, note=grown(model))
    if full:
        yield from large()


def plain(peer, model, rounds, name, limit=None):
    """Return the row of the short cache in the library."""
    prompt = torch.randint(peer.config.vocab_size, (1, 64), generator=torch.Generator().manual_seed(1))
    ours, theirs, way = compared(peer, KeyValueCache(model), prompt, 64, rounds)
    what = f"{name}: from 64 to 128 tokens, the cache of chapter 10"
    return Row("writing", what, 1000 * ours, 1000 * theirs, *TOLD, note=way, limit=limit)


def grown(model):
    """Return in words how much more a token after 1,024 tokens reads than one after 64."""
    blocks, D = len(model.blocks), model.tokens.embedding_dim
    more = 2 * blocks * D * 4 * (1024 - 64)
    read = sum(p.nbytes for p in model.parameters())
    return f"its attention reads {more / 1e6:.1f} MB more, beside {read / 1e6:.1f} MB of weights"


def large():
    """Yield the rows of a model of the size of GPT-2."""
    peer, model = both()
    prompt = torch.randint(50257, (1, 64), generator=torch.Generator().manual_seed(1))
    begun = time.perf_counter()
    cache = LaidOutCache(model)
    note = f"beside {time.perf_counter() - begun:.2f} s once, to lay its matrices out"
    ours, theirs, way = compared(peer, cache, prompt, 32, 3)
    along_rows, along_columns = readings(read_once(model))
    ways = {"ours": lambda: write(cache, prompt, 32), "rows": along_rows, "columns": along_columns}
    seconds, ratios = in_turns(ways, 5, least=0.2)
    again = 1000 * seconds["ours"] / 32
    bound = 1000 * seconds["ours"] * min(ratios["rows"], ratios["columns"])
    what = "GPT-2 124M, random weights, from 64 to 96 tokens"
    yield Row("writing", what, 1000 * ours, 1000 * theirs, *TOLD, 1.0, f"{way}; {note}", bound)
    yield Row("writing", what, again, bound, TOLD[0], "reading each weight once", 1 / 0.6)
