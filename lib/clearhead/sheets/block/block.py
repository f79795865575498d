"""08.block: A pre-norm block."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import transformer
from clearhead.maths.masks import causal_mask

from .block_wrong import MISTAKES, _attend, _norm, _think
from .shared import different_sizes, maps


def block(x, parameters, num_heads, mask=None):
    """Return the tokens (T, D) after one pre-norm block, for x (T, D)."""
    return transformer.encoder_block(x, parameters, num_heads, mask)


def _block_parameters(rng, D):
    """Return random weights of a block of width D; no gain is 1, no bias 0."""
    linear = {
        name: {"weight": rng.normal(size=(D, D)) / np.sqrt(D), "bias": rng.normal(size=D)}
        for name in ("query", "key", "value", "output")
    }
    norms = [{"gain": rng.normal(1, 0.5, size=D), "bias": rng.normal(size=D)} for _ in range(2)]
    up, down = maps(rng, D, 4 * D)
    named = {"attention_norm": norms[0], "attention": linear}
    return named | {"feed_forward_norm": norms[1], "feed_forward": {"up": up, "down": down}}


def _silent(parameters):
    """Return the parameters with zeros in both maps that write into the stream."""
    zeros = [
        {name: np.zeros_like(array) for name, array in each.items()}
        for each in (parameters["attention"]["output"], parameters["feed_forward"]["down"])
    ]
    attention = parameters["attention"] | {"output": zeros[0]}
    return parameters | {
        "attention": attention,
        "feed_forward": parameters["feed_forward"] | {"down": zeros[1]},
    }


def _added_to_the_norm(x, p, H, mask=None):
    h = _norm(x, p, "attention")
    h = _norm(x + _attend(h, h, p, H, mask), p, "feed_forward")
    return h + _think(h, p)


def _norm_after_the_part(x, p, H, mask=None):
    x = x + _norm(_attend(x, x, p, H, mask), p, "attention")
    return x + _norm(_think(x, p), p, "feed_forward")


def _with_norms(parameters, change):
    """Return the parameters with other gains and biases in both norms."""
    names = "attention_norm", "feed_forward_norm"
    norms = {name: dict(zip(("gain", "bias"), change(**parameters[name]), strict=True)) for name in names}
    return parameters | norms


def _halves(first=None, second=None, attend=_attend, context=None):
    """Return a block whose halves read other rows than the normed ones, or attend in their own way."""

    def answer(x, p, H, mask=None):
        h = first(x, p) if first else _norm(x, p, "attention")
        step = attend(h, context(x, p) if context else h, p, H, mask)
        return x + step + _think(second(x, step, p) if second else _norm(x + step, p, "feed_forward"), p)

    return answer


def _attend_what_is_hidden(h, context, p, H, mask):
    if mask is None:
        return _attend(h, context, p, H, None)
    step = _attend(h, context, p, H, ~mask | mask.all(axis=-1, keepdims=True))
    return np.where(mask.all(axis=-1, keepdims=True), np.nan, step)  # who sees nobody divides 0 by 0


def _stream_twice(x, p, H, mask=None):
    x = x + _attend(h := _norm(x, p, "attention"), h, p, H, mask)
    return x + (h := _norm(x, p, "feed_forward")) + _think(h, p)


def _with_large_keys(rng, parameters):
    """Return the parameters with a bias of the keys that adds a large number to all scores of a query."""
    key = parameters["attention"]["key"]
    large = key | {"bias": key["bias"] + 3000 * rng.normal(size=len(key["bias"]))}
    return parameters | {"attention": parameters["attention"] | {"key": large}}


def _block_cases(rng):
    T, heads, d = different_sizes(rng, 3)
    D = heads * d
    T += D % 7 == T % 7
    x, weights = rng.normal(size=(T, D)), _block_parameters(rng, D)
    wider = D + heads  # d + 1 for each head
    x_small = np.array([[1.0, 0, 0, 1], [0, 2, 0, 0], [2, 0, 0, 0]])
    return [
        Case(
            "parts that write zeros",
            (x_small, _silent(_block_parameters(rng, 4)), 2, None),
            "Nothing is added to the stream, so x must come back untouched.",
            expected=x_small,
        ),
        Case("random weights", (x, weights, heads, None), "Which two tables do you add, both times?"),
        Case(
            "a long stream", (20 * x + 5, weights, heads, None), "The stream itself must not be normalized."
        ),
        Case(
            "a causal mask",
            (rng.normal(size=(T, wider)), _block_parameters(rng, wider), heads, causal_mask(T)),
            "Hand the mask to attention.",
        ),
        Case(
            "scores in the thousands",
            (x, _with_large_keys(rng, weights), heads, None),
            "e to the 1,000 is too large for a float: the softmax must subtract the largest score first.",
        ),
    ]


EXERCISE = Exercise(
    id="08.block",
    title="A pre-norm block",
    reference=block,
    cases=_block_cases,
    hints=(
        "Two halves, each of the form x = x + part(norm(x)). Which part comes first?",
        "Keep two names: x for the stream, h for what the part reads. Only x goes from half to half.",
        'h = layer_norm(x, **parameters["attention_norm"]); x = x + multi_head_attention(h, h, ...)[0]; then '
        "the same with the feed-forward part.",
    ),
    mistakes=(
        *MISTAKES,
        Mistake(
            "second_step_added_to_the_normed_tokens",
            _added_to_the_norm,
            "Attention is right. The second step is added to the normed tokens: add it to the stream x.",
        ),
        Mistake(
            "always_a_causal_mask",
            lambda x, p, H, mask=None: block(x, p, H, causal_mask(len(x))),
            "You always hide later tokens. Hide what `mask` says; with None every token sees all.",
        ),
        Mistake(
            "norm_after_the_part",
            _norm_after_the_part,
            "You normed what the parts return. Norm what they read: x + part(norm(x)).",
        ),
        Mistake(
            "gains_and_biases_unused",
            lambda x, p, H, mask=None: block(
                x, _with_norms(p, lambda gain, bias: (gain**0, 0 * bias)), H, mask
            ),
            "Your norms have no gain and no bias. Hand over both: "
            'layer_norm(x, **parameters["attention_norm"]), and so for the other.',
        ),
        Mistake(
            "gains_and_biases_exchanged",
            lambda x, p, H, mask=None: block(x, _with_norms(p, lambda gain, bias: (bias, gain)), H, mask),
            "Gain and bias of your norms have changed places: layer_norm takes x, gain, bias.",
        ),
        Mistake(
            "first_norm_forgotten",
            _halves(first=lambda x, p: x),
            "The first norm is missing: attention must read the normed rows.",
        ),
        Mistake(
            "queries_not_normed",
            _halves(first=lambda x, p: x, context=lambda x, p: _norm(x, p, "attention")),
            "The context is normed, but the queries are x itself. Give attention the normed rows twice.",
        ),
        Mistake(
            "mask_turned_round",
            _halves(attend=_attend_what_is_hidden),
            "You turned the mask round: True says what may be seen. Hand it on as it is.",
        ),
        Mistake(
            "feed_forward_reads_the_step",
            _halves(second=lambda x, step, p: _norm(step, p, "feed_forward")),
            "Your feed-forward part reads what attention wrote, alone. It must read x after the addition.",
        ),
        Mistake(
            "normed_rows_added_too",
            _stream_twice,
            "You add the normed rows, too. Does your feed-forward part add its input? It must not.",
        ),
        Mistake(
            "first_row_of_attention",
            _halves(attend=lambda *given: _attend(*given)[:1]),
            "Every token gets what attention wrote for the first one: one [0] too many. "
            "The first [0] takes the new vectors.",
        ),
    ),
    alternatives=(
        lambda x, p, H, mask=None: (
            (y := x + _attend(*[_norm(x, p, "attention")] * 2, p, H, mask))
            + _think(_norm(y, p, "feed_forward"), p)
        ),
        lambda x, p, H, mask=None: transformer.encoder_block(x[None], p, H, mask)[0],
    ),
    stars=2,
    minutes=20,
)
