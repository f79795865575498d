"""Cases of 11.encdec_forward."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .drivers import run_translator


def _random_block(rng, D, cross):
    def matrix(*shape):
        return rng.normal(size=shape) / np.sqrt(shape[0])

    def norm():
        return {"gain": 1 + 0.3 * rng.normal(size=D), "bias": 0.3 * rng.normal(size=D)}

    def attention():
        names = ("query", "key", "value", "output")
        return {name: {"weight": 1.5 * matrix(D, D), "bias": 0.3 * rng.normal(size=D)} for name in names}

    parts = {"attention": attention(), "attention_norm": norm(), "feed_forward_norm": norm()}
    parts["feed_forward"] = {
        "up": {"weight": matrix(D, 2 * D), "bias": 0.3 * rng.normal(size=2 * D)},
        "down": {"weight": matrix(2 * D, D), "bias": 0.3 * rng.normal(size=D)},
    }
    return parts | ({"cross_attention": attention(), "cross_attention_norm": norm()} if cross else {})


def _translator(rng, V, D, num_layers):
    """Return the random parameters of an untrained translation model."""
    return {
        "tokens": rng.normal(size=(V, D)) / np.sqrt(D),
        "encoder": [_random_block(rng, D, False) for _ in range(num_layers)],
        "decoder": [_random_block(rng, D, True) for _ in range(num_layers)],
    }


def _with_large_keys(rng, parameters):
    """Return the parameters with key biases that add the same large number to all scores of a query."""

    def enlarged(block, name):
        key = block[name]["key"]
        large = key | {"bias": key["bias"] + 3000 * rng.normal(size=len(key["bias"]))}
        return block | {name: block[name] | {"key": large}}

    names = {"encoder": "attention", "decoder": "cross_attention"}
    return parameters | {
        side: [enlarged(block, name) for block in parameters[side]] for side, name in names.items()
    }


def cases(rng):
    V, S, T = (int(n) for n in rng.permutation(np.arange(5, 10))[:3])
    ids = {n: rng.integers(0, V, size=n) for n in (1, S, T)}
    small, large = _translator(rng, V, 4, 2), _translator(rng, V + 3, 6, 2)
    single = _translator(rng, V, 4, 1)
    whole, padded = np.ones(S, dtype=bool), np.arange(S) < S - 2

    def causal(found, *given):
        first, other = (np.asarray(found[name]) for name in ("logits", "with another last token"))
        return np.allclose(first[:-1], other[:-1])

    past = ("a later target token changes no earlier row", causal)
    bare = {"tokens": small["tokens"], "encoder": [], "decoder": []}
    return [
        Case("no blocks", (ids[S], ids[T], bare, 2, whole),
             "Without blocks, the logits are the placed target times the transposed table, and the "
             "source is not used."),
        Case("a decoder block and no encoder block",
             (ids[S], ids[T], bare | {"decoder": single["decoder"]}, 2, whole),
             "Without encoder blocks the context is the placed source: begin with it, and let each "
             "encoder block replace it. A decoder block gets x, the context, and two masks."),
        Case("one block on each side", (ids[S], ids[T], single, 2, whole),
             "The context that the decoder block reads has passed through the encoder block."),
        Case("two layers", (ids[S], ids[T], small, 2, whole),
             "Run the encoder blocks first. Their last output is the context of every decoder block.",
             properties=(past,)),
        Case("three heads, and two tokens of padding", (ids[S], ids[T], large, 3, padded),
             "No token may attend to padding, neither in the encoder nor in cross-attention."),
        Case("one target token", (ids[S][2:], ids[1], single, 1, whole[2:]),
             "There is one row of logits, for the first word."),
        Case("scores in the thousands", (ids[S], ids[T], _with_large_keys(rng, single), 2, whole),
             "The exponential of 1,000 overflows, so the softmax must subtract the largest score first.",
             once=True),
    ]  # fmt: skip


EXERCISE = exercise_from_text(
    __file__,
    cases,
    driver=run_translator,
    tolerance=1e-5,
    returns={
        "logits": "the logits that you return",
        "with another last token": "the logits for the same target with another last token",
    },
)
