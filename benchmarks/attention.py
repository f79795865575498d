"""Compare fast attention with a hand-tuned kernel, and readable attention with readable code of peers."""

from functools import partial

import numpy as np
import torch
from ceilings import flops_a_second, has_bfloat16
from compare import Row, in_turns, isolated, peak
from torch.nn import functional as F

from clearhead.maths.attention import scaled_dot_product_attention as naive
from clearhead.maths.linear_attention import linear_attention
from clearhead.maths.long_attention import chunked_attention, sliding_window_attention
from clearhead.nets.attention import fast_attention, scaled_dot_product_attention
from clearhead.nets.long_attention import chunked_attention as chunked_torch

SHAPES = [(8, 4, 256, 32), (1, 8, 1024, 64), (1, 8, 4096, 64)]
MIB, GIB = 2**20, 2**30
#: For one long head: the peer, ours, how ours is called, how the peer is, the type of number, the goal.
LONG_HEAD = (
    ("kernel", "numpy", "chunked NumPy", "PyTorch's kernel", torch.float32, 1.3),
    ("naive", "numpy", "chunked NumPy", "the visible path in NumPy", torch.float32, 1 / 3),
    ("kernel", "torch", "chunked torch", "PyTorch's kernel", torch.float32, None),
    ("half", "half, torch", "chunked torch, bfloat16", "PyTorch's kernel, bfloat16", torch.bfloat16, 1.6),
)


def tensors(shape, dtype=torch.float32, learn=False):
    generator = torch.Generator().manual_seed(0)
    made = (torch.randn(shape, generator=generator).to(dtype) for _ in range(3))
    return [each.requires_grad_(learn) for each in made]


def arrays(*shape):
    rng = np.random.default_rng(0)
    return [rng.standard_normal(shape, dtype=np.float32) for _ in range(3)]  # no larger array on the way


def plain(Q, K, V):
    """Return softmax(QKᵀ)V as most tutorials write it."""
    return F.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1) @ V


def there_and_back(attend, Q, K, V):
    def run():
        attend(Q, K, V).sum().backward()
        Q.grad = K.grad = V.grad = None

    return run


def least_seconds(shape, dtype=torch.float32, products=2):
    """Return the shortest time in which this machine can compute the products of attention.

    Forward there are two, of 2 L² d operations each. With gradients there are six, and seven where the scores
    are made again on the way back.
    """
    *heads, length, d = shape
    return products * 2 * np.prod(heads) * length**2 * d / flops_a_second(dtype, torch.get_num_threads())


def dtypes():
    """Return the dtypes to compare in, with bfloat16 only if this processor has instructions for it."""
    return (torch.float32, torch.bfloat16) if has_bfloat16(torch.get_num_threads()) else (torch.float32,)


def fast_path(rounds):
    for shape in SHAPES:
        for dtype in dtypes():
            Q, K, V = tensors(shape, dtype, learn=True)
            by_hand = {"PyTorch's kernel": F.scaled_dot_product_attention, "the plain product": plain}
            calls = {name: there_and_back(attend, Q, K, V) for name, attend in by_hand.items()}
            long = Q.numel() > 1e6  # seconds, of which the noise is a small part
            ratios = in_turns(calls, 3 if long else 5)[1]
            best = min(ratios, key=ratios.get)
            ways = {best: calls[best], "ours": there_and_back(fast_attention, Q, K, V)}
            seconds, ratios = in_turns(ways, max(5, rounds // 3) if long else rounds, least=0.02)
            yield Row(
                "attention",
                f"fast path, forward and backward, {shape}, {str(dtype).removeprefix('torch.')}",
                1000 * seconds[best] * ratios["ours"],
                1000 * seconds[best],
                "ms",
                "the faster way by hand",
                1.03,
                best,
                limit=1000 * least_seconds(shape, dtype, products=7 if "kernel" in best else 6),
            )


def peers_plain():
    """Return the plain attention of every installed peer, as a function of Q, K and V."""
    from transformers.models.gpt2 import modeling_gpt2

    def by_hand(Q, K, V):
        weights = F.softmax(Q * Q.shape[-1] ** -0.5 @ K.mT, dim=-1)
        return weights @ V, weights

    found = {"three lines of PyTorch": by_hand}
    if hasattr(modeling_gpt2, "eager_attention_forward"):
        layer = torch.nn.Module()
        layer.training = False
        found["transformers, eager"] = lambda Q, K, V: modeling_gpt2.eager_attention_forward(
            layer, Q, K, V, None, scaling=Q.shape[-1] ** -0.5, dropout=0.0
        )
    try:
        from x_transformers.attend import Attend

        attend = Attend(flash=False, causal=False)
        found["x-transformers"] = lambda Q, K, V: attend(Q, K, V)
    except ImportError:
        pass
    return found


def visible_path(rounds):
    for shape in SHAPES:
        Q, K, V = tensors(shape)
        ways = {"ours": scaled_dot_product_attention, **peers_plain()}
        calls = {name: partial(attend, Q, K, V) for name, attend in ways.items()}
        with torch.no_grad():
            seconds, ratios = in_turns(calls, 5 * rounds if Q.numel() < 1e6 else rounds)
        for name in list(calls)[1:]:
            yield Row(
                "attention",
                f"visible path, forward, {shape}",
                1000 * seconds["ours"],
                1000 * seconds["ours"] * ratios[name],
                "ms",
                name,
                1.03 if name.startswith("three") else 1.0,
                "each of them also returns the weights",
                1000 * least_seconds(shape),
            )


def long_head_seconds(length, rounds, names):
    """Return the seconds that each named implementation takes for one long head."""
    Q, K, V = arrays(length, 64)
    q, k, v = (torch.tensor(each)[None, None] for each in (Q, K, V))
    half = [each.to(torch.bfloat16) for each in (q, k, v)]
    ways = {
        "kernel": lambda: F.scaled_dot_product_attention(q, k, v),
        "half": lambda: F.scaled_dot_product_attention(*half),
        "naive": lambda: naive(Q, K, V),
        "numpy": lambda: chunked_attention(Q, K, V),
        "half, torch": lambda: chunked_torch(*half),
        "torch": lambda: chunked_torch(q, k, v),
    }
    with torch.no_grad():
        seconds, ratios = in_turns({name: ways[name] for name in names}, rounds)
    return [seconds[names[0]] * ratio for ratio in ratios.values()]


def one_long_head(full, length=16_384):
    """Yield the rows for one head over a long text, on one core and on all of them.

    Each pair runs in a process of its own, where nothing else leaves behind threads that stay awake for a
    while, or gigabytes to give back.
    """
    for threads, cores in ((1, "one core"), (torch.get_num_threads(), "all cores")):
        for peer, ours, told, name, dtype, goal in LONG_HEAD:
            if threads > 1 and (peer, ours) == ("kernel", "numpy"):
                goal = None  # NumPy takes exponentials on one core
            if dtype not in dtypes():
                continue
            if peer == "naive" and not full:  # a minute
                continue
            pair, turns = [peer, ours], (5 if peer == "naive" else 11) if full else 3
            seconds = isolated("attention:long_head_seconds", length, turns, pair, threads=threads)
            limit = 4 * length**2 * 64 / flops_a_second(dtype, threads)
            what = f"one head, L = {length:,}, d = 64, {cores}: {told}"
            yield Row("attention", what, seconds[1], seconds[0], "s", name, goal, limit=limit)


def prepare_torch(length):
    torch.set_num_threads(2)
    small = tensors((1, 1, 64, 64))
    fast_attention(*small)  # libraries loaded
    return tensors((1, 1, length, 64))


def work_torch(Q, K, V):
    with torch.no_grad():
        fast_attention(Q, K, V, causal=True)


def prepare_numpy(length):
    chunked_attention(*arrays(64, 64))
    return arrays(length, 64)


def work_numpy(Q, K, V):
    chunked_attention(Q, K, V)


def memory(lengths):
    for name, prepare, work in (
        ("fast path", prepare_torch, work_torch),
        ("chunked NumPy", prepare_numpy, work_numpy),
    ):
        short, long = (peak(prepare, work, length)[0] for length in lengths)
        yield Row(
            "memory",
            f"{name}: L = {lengths[1]:,} against L = {lengths[0]:,}",
            long / MIB,
            short / MIB,
            "MiB",
            f"itself, {lengths[1] // lengths[0]} times shorter",
            1.15 * lengths[1] / lengths[0],
            "linear growth: the ratio is at most that of the lengths",
        )


def a_million(length):
    Q, K, V = arrays(length, 64)
    return Q, K, V


def some_queries(Q, K, V):
    chunked_attention(Q[:1000], K, V)


def whole_window(Q, K, V):
    sliding_window_attention(Q, K, V, 1024)


def whole_linear(Q, K, V):
    linear_attention(Q, K, V)


def million():
    limits = {some_queries: (20, GIB), whole_window: (60, 2 * GIB), whole_linear: (60, 2 * GIB)}
    names = ("1,000 queries, exactly", "all queries, window 1,024", "all queries, linear attention")
    for (work, (most_seconds, most_bytes)), name in zip(limits.items(), names, strict=True):
        used, seconds = peak(a_million, work, 1_000_000)
        yield Row("a million tokens", name, seconds, most_seconds, "s", "a fixed goal", 1.0)
        told = "MiB beyond Q, K and V"
        yield Row("a million tokens", name, used / MIB, most_bytes / MIB, told, "a fixed goal", 1.0)


def rows(full, _options):
    """Yield the rows of this subject, with those for long texts only if `full`."""
    yield from fast_path(41 if full else 21)
    yield from visible_path(9 if full else 3)
    yield from one_long_head(full)
    yield from memory((32_768, 65_536) if full else (8_192, 16_384))
    if full:
        yield from million()
