"""11.encdec_forward: The whole translator."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import models
from clearhead.maths.softmax import softmax

from .drivers import run_translator
from .encdec_forward_wrong import MORE, _forward


def encdec_forward(source, target, parameters, num_heads, real):
    """Return the logits (T, V) of a translator that has read source (S,) and written target (T,)."""
    return models.encoder_decoder(source, target, parameters, num_heads, real)


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
    """Return the weights of a translator that has learned nothing."""
    return {
        "tokens": rng.normal(size=(V, D)) / np.sqrt(D),
        "encoder": [_random_block(rng, D, False) for _ in range(num_layers)],
        "decoder": [_random_block(rng, D, True) for _ in range(num_layers)],
    }


def _with_large_keys(rng, parameters):
    """Return the parameters with biases of the keys that add a large number to all scores of a query."""

    def enlarged(block, name):
        key = block[name]["key"]
        large = key | {"bias": key["bias"] + 3000 * rng.normal(size=len(key["bias"]))}
        return block | {name: block[name] | {"key": large}}

    names = {"encoder": "attention", "decoder": "cross_attention"}
    return parameters | {
        side: [enlarged(block, name) for block in parameters[side]] for side, name in names.items()
    }


def _forward_cases(rng):
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
        Case("no block at all", (ids[S], ids[T], bare, 2, whole),
             "The target, placed, times the table of tokens turned round: the source is not read yet."),
        Case("a decoder block, and no encoder block",
             (ids[S], ids[T], bare | {"decoder": single["decoder"]}, 2, whole),
             "With no encoder block the context is the placed source: begin with it, and let each encoder "
             "block replace it. The decoder block gets x, the context, and two masks."),
        Case("one block on each side", (ids[S], ids[T], single, 2, whole),
             "The decoder block is right. What it reads has been through the encoder block."),
        Case("two layers", (ids[S], ids[T], small, 2, whole), "Encoder blocks first; their last output "
             "goes to every decoder block.", properties=(past,)),
        Case("three heads, and two tokens of padding", (ids[S], ids[T], large, 3, padded), "Nobody may "
             "look at padding: neither in the encoder, nor in cross-attention."),
        Case("one target token", (ids[S][2:], ids[1], single, 1, whole[2:]),
             "There is one row: the first word."),
        Case("scores in the thousands", (ids[S], ids[T], _with_large_keys(rng, single), 2, whole),
             "e to the 1,000 is too large for a float: the softmax must subtract the largest score first.",
             once=True),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="11.encdec_forward",
    title="The whole translator",
    reference=encdec_forward,
    cases=_forward_cases,
    hints=(
        "Two loops: first over the encoder blocks, then over the decoder blocks. Which text enters which?",
        "context = encoder_block(context, block, num_heads, real) in the first loop. In the second, x is the "
        "target, and every block gets the finished context.",
        "x = decoder_block(x, context, block, num_heads, causal_mask(len(target)), real), and at the end "
        "x @ parameters['tokens'].T.",
    ),
    mistakes=(
        Mistake(
            "decoder_reads_the_source",
            _forward(first=lambda source, target: (source, source)),
            "Your decoder reads the source. It reads the target; the source enters as context only.",
        ),
        Mistake(
            "encoder_forgotten",
            _forward(context=lambda contexts, i: contexts[0]),
            "Your context has not been through the encoder blocks.",
        ),
        Mistake(
            "layer_by_layer",
            _forward(context=lambda contexts, i: contexts[i + 1]),
            "Decoder block i reads encoder block i. All decoder blocks read the last output of the encoder.",
        ),
        Mistake(
            "no_causal_mask",
            _forward(past=lambda length: None),
            "Your target tokens see their future. Give the decoder block a causal mask.",
        ),
        Mistake(
            "encoder_is_causal",
            _forward(read=lambda x, past, real: past & real),
            "Your encoder hides the future of the source. The whole source is known: no triangle there.",
        ),
        Mistake(
            "padding_read_by_the_encoder",
            _forward(read=lambda x, past, real: None),
            "Your encoder looks at padding. Give its blocks the mask real.",
        ),
        Mistake(
            "padding_read_by_the_decoder",
            _forward(crossed=lambda real: None),
            "Your cross-attention looks at padding. The decoder block takes two masks: causal, then real.",
        ),
        Mistake(
            "one_block_only",
            _forward(blocks=lambda blocks: blocks[:1]),
            "You use the first block of each side only.",
        ),
        Mistake(
            "cross_attention_to_itself",
            _forward(context=None),
            "Your decoder blocks get the target as their context, too, so they never see the source.",
        ),
        Mistake(
            "vectors_returned",
            _forward(finish=lambda x, table: x),
            "These are vectors (T, D). Compare them with the table of tokens to get logits (T, V).",
        ),
        Mistake(
            "probabilities_returned",
            _forward(finish=lambda x, table: softmax(x @ table.T)),
            "You returned probabilities. Logits are asked for: no softmax at the end.",
        ),
        Mistake(
            "places_forgotten",
            _forward(placed=lambda ids, table: table[ids]),
            "Your tokens do not know their places: use placed(ids, table).",
        ),
        Mistake(
            "mask_turned",
            _forward(read=lambda x, past, real: ~real, crossed=lambda real: ~real),
            "Your mask is turned round. real is True where one may look: hand it on as it is.",
        ),
        Mistake(
            "cannot_read_itself",
            _forward(past=lambda length: np.tril(np.ones((length, length), dtype=bool), -1)),
            "A target token cannot read itself. causal_mask lets it: the diagonal is True.",
        ),
        Mistake(
            "decoder_upside_down",
            _forward(order=lambda blocks: blocks[::-1]),
            "Your decoder blocks run from the last to the first.",
        ),
        *MORE,
    ),
    alternatives=(_forward(),),
    stars=3,
    minutes=25,
    tolerance=1e-5,
    driver=run_translator,
    returns={
        "logits": "the logits that you return",
        "with another last token": "the logits that you return for another last token",
    },
)
