"""The wrong answers of 08.block."""

from clearhead.checks.exercise import Mistake
from clearhead.maths import layers, transformer
from clearhead.maths.heads import multi_head_attention


def _norm(x, parameters, name):
    return layers.layer_norm(x, **parameters[f"{name}_norm"])


def _attend(h, context, parameters, num_heads, mask):
    return multi_head_attention(h, context, parameters["attention"], num_heads, mask)[0]


def _think(h, parameters):
    return transformer.feed_forward(h, parameters["feed_forward"])


def _post_norm(x, p, H, mask=None):
    return transformer.post_norm_encoder_block(x, p, H, mask)


def _no_residual(x, p, H, mask=None):
    h = _norm(x, p, "attention")
    return _think(_norm(_attend(h, h, p, H, mask), p, "feed_forward"), p)


def _residual_from_the_norm(x, p, H, mask=None):
    h = _norm(x, p, "attention")
    h = _norm(h + _attend(h, h, p, H, mask), p, "feed_forward")
    return h + _think(h, p)


def _no_norms(x, p, H, mask=None):
    x = x + _attend(x, x, p, H, mask)
    return x + _think(x, p)


def _second_norm_forgotten(x, p, H, mask=None):
    h = _norm(x, p, "attention")
    x = x + _attend(h, h, p, H, mask)
    return x + _think(x, p)


def _with_norm_of(name):
    def answer(x, p, H, mask=None):
        h = _norm(x, p, name)
        x = x + _attend(h, h, p, H, mask)
        return x + _think(_norm(x, p, name), p)

    return answer


def _side_by_side(x, p, H, mask=None):
    h = _norm(x, p, "attention")
    return x + _attend(h, h, p, H, mask) + _think(_norm(x, p, "feed_forward"), p)


def _second_residual_forgotten(x, p, H, mask=None):
    h = _norm(x, p, "attention")
    return _think(_norm(x + _attend(h, h, p, H, mask), p, "feed_forward"), p)


def _first_residual_forgotten(x, p, H, mask=None):
    h = _norm(x, p, "attention")
    x = _attend(h, h, p, H, mask)
    return x + _think(_norm(x, p, "feed_forward"), p)


def _first_x_at_the_end(x, p, H, mask=None):
    h = _norm(x, p, "attention")
    return x + _think(_norm(x + _attend(h, h, p, H, mask), p, "feed_forward"), p)


def _raw_context(x, p, H, mask=None):
    x = x + _attend(_norm(x, p, "attention"), x, p, H, mask)
    return x + _think(_norm(x, p, "feed_forward"), p)


def _a_third_norm(x, p, H, mask=None):
    return _norm(transformer.encoder_block(x, p, H, mask), p, "feed_forward")


def _norms_exchanged(x, p, H, mask=None):
    h = _norm(x, p, "feed_forward")
    x = x + _attend(h, h, p, H, mask)
    return x + _think(_norm(x, p, "attention"), p)


def _thinks_first(x, p, H, mask=None):
    x = x + _think(_norm(x, p, "feed_forward"), p)
    h = _norm(x, p, "attention")
    return x + _attend(h, h, p, H, mask)


MISTAKES = (
    Mistake(
        "post_norm",
        _post_norm,
        "Your norms stand after the additions: that is post-norm. Here the norm stands on the branch: "
        "x + part(norm(x)).",
    ),
    Mistake(
        "no_residual",
        _no_residual,
        "Your parts replace the stream. Add what they compute: x = x + part(norm(x)), both times.",
    ),
    Mistake(
        "residual_from_the_normed_input",
        _residual_from_the_norm,
        "You added the step to the normed rows. Add it to x as it was before the norm: the stream itself "
        "is never normalized.",
    ),
    Mistake("no_norms", _no_norms, "Both norms are missing: a part reads norm(x), not x."),
    Mistake(
        "second_norm_forgotten",
        _second_norm_forgotten,
        "The first half is right. The feed-forward part must read the normed rows, too.",
    ),
    Mistake(
        "first_norm_twice",
        _with_norm_of("attention"),
        "You used attention_norm in both halves. The second half has its own: "
        'parameters["feed_forward_norm"].',
    ),
    Mistake(
        "second_norm_twice",
        _with_norm_of("feed_forward"),
        "You used feed_forward_norm in both halves. The first half has its own: "
        'parameters["attention_norm"].',
    ),
    Mistake(
        "parts_side_by_side",
        _side_by_side,
        "Your feed-forward part reads the tokens as they were before attention. It should read the new x.",
    ),
    Mistake(
        "first_residual_forgotten",
        _first_residual_forgotten,
        "Attention replaces the stream here. Add its step: x = x + attention(norm(x)).",
    ),
    Mistake(
        "second_residual_forgotten",
        _second_residual_forgotten,
        "The first half is right. The feed-forward step must be added to x, too.",
    ),
    Mistake(
        "first_x_at_the_end",
        _first_x_at_the_end,
        "You added the last step to the x of the beginning, so the sum lacks the step of attention. "
        "Store the new x.",
    ),
    Mistake(
        "context_not_normed",
        _raw_context,
        "The queries read the normed rows, but keys and values read x. Give attention the normed rows twice.",
    ),
    Mistake(
        "a_third_norm",
        _a_third_norm,
        "You normed once more at the end. In pre-norm that comes once, after the last block of the model.",
    ),
    Mistake(
        "mask_forgotten",
        lambda x, p, H, mask=None: transformer.encoder_block(x, p, H),
        "The mask did not reach attention: give it as the last argument.",
    ),
    Mistake(
        "norms_exchanged",
        _norms_exchanged,
        "The two norms have changed places: attention_norm stands in front of attention.",
    ),
    Mistake(
        "feed_forward_first",
        _thinks_first,
        "Your feed-forward part comes before attention. First attend, then think.",
    ),
    Mistake(
        "always_one_head",
        lambda x, p, H, mask=None: transformer.encoder_block(x, p, 1, mask),
        "You used one head, whatever num_heads says.",
    ),
    Mistake(
        "feed_forward_forgotten",
        lambda x, p, H, mask=None: x + _attend(h := _norm(x, p, "attention"), h, p, H, mask),
        "The second half is missing: norm, think, add.",
    ),
    Mistake(
        "attention_forgotten",
        lambda x, p, H, mask=None: x + _think(_norm(x, p, "feed_forward"), p),
        "The first half is missing: norm, attend, add.",
    ),
)
