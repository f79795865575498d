"""Sheet 08, the block and the ledger (over 200 lines: each mistake stands beside its exercise)."""

import numpy as np

from clearhead.maths import activations, norms, transformer
from clearhead.maths.architectures import GPTConfig
from clearhead.maths.counting import parameters as parameters_of
from clearhead.maths.heads import multi_head_attention
from clearhead.maths.masks import causal_mask

from .exercise import Case, Exercise, Mistake, Sheet


def _sizes(rng, count):
    """Return that many sizes from 2 to 9, all different."""
    return [int(size) for size in rng.permutation(np.arange(2, 10))[:count]]


# layer_norm ------------------------------------------------------------------------------------------------


def layer_norm(x, gain, bias, epsilon=1e-5):
    """Return x (..., T, D) with each row normalized, for gain and bias (D,)."""
    return norms.layer_norm(x, gain, bias, epsilon)


def _norm_with(middle=None, spread=None, last=None):
    """Return a norm that subtracts, divides or ends in its own way; each part sees x, the last one also y."""

    def mean(x):
        return x.mean(axis=-1, keepdims=True)

    def root(x, epsilon):
        return np.sqrt(x.var(axis=-1, keepdims=True) + epsilon)

    def norm(x, gain, bias, epsilon=1e-5):
        y = (x - (middle or mean)(x)) / (spread or root)(x, epsilon)
        return last(y, gain, bias) if last else gain * y + bias

    return norm


def _is_normalized(y, x, gain, bias, epsilon):
    return np.allclose(np.mean(y, axis=-1), 0, atol=1e-6) and np.allclose(np.var(y, axis=-1), 1, atol=1e-3)


def _norm_cases(rng):
    B, T, D = _sizes(rng, 3)
    D += 2
    x, gain, bias = rng.normal(size=(T, D)), rng.normal(size=D), rng.normal(size=D)
    normalized = ("each row has mean 0 and variance 1", _is_normalized)
    return [
        Case(
            "two rows, by hand",
            (np.array([[5.0, 5, 9, 9], [1, 0, 0, 1]]), np.ones(4), np.zeros(4), 0.0),
            "The first row has mean 7 and variance 4, so its numbers are -2 and 2, divided by 2.",
            expected=np.array([[-1.0, -1, 1, 1], [1, -1, -1, 1]]),
        ),
        Case(
            "gain 1 and bias 0, rows far from 0",
            (1000 + 50 * x, np.ones(D), np.zeros(D), 1e-5),
            "The mean and the spread of a row must not matter.",
            properties=(normalized,),
        ),
        Case(
            "random gain and bias",
            (x, gain, bias, 1e-5),
            "Stretch first, then shift: gain times y, plus bias.",
        ),
        Case("a large epsilon", (x, gain, bias, 0.5), "Epsilon is added to the variance, under the root."),
        Case(
            "a row of equal numbers",
            (np.vstack([x, np.full((1, D), 3.0)]), gain, bias, 1e-5),
            "Its variance is 0. What keeps you from dividing by 0?",
        ),
        Case(
            "several sentences at once",
            (rng.normal(size=(B, T, D)), gain, bias, 1e-5),
            "The numbers of one token lie along the last axis, axis=-1.",
        ),
    ]


LAYER_NORM = Exercise(
    id="08.layer_norm",
    title="Layer norm",
    reference=layer_norm,
    cases=_norm_cases,
    hints=(
        "Each row alone: which axis holds the numbers of one token? And how do you keep that axis, so that "
        "the shapes fit?",
        "x.mean(axis=-1, keepdims=True) is the mean of each row. The variance is the mean of the squares of "
        "what is left.",
        "centred / np.sqrt(variance + epsilon), then times gain, then plus bias.",
    ),
    mistakes=(
        Mistake(
            "unbiased_variance",
            _norm_with(spread=lambda x, e: np.sqrt(x.var(axis=-1, keepdims=True, ddof=1) + e)),
            "You divided the squares by D - 1. PyTorch's layer norm divides by D: take their mean (ddof=0).",
        ),
        Mistake(
            "as_in_the_annotated_transformer",
            _norm_with(spread=lambda x, e: x.std(axis=-1, keepdims=True, ddof=1) + e),
            "This is the form of the Annotated Transformer: D - 1 below the squares, epsilon outside "
            "the root. "
            "PyTorch's has D, and epsilon inside.",
        ),
        Mistake(
            "epsilon_outside_the_root",
            _norm_with(spread=lambda x, e: x.std(axis=-1, keepdims=True) + e),
            "You added epsilon after the root. It belongs to the variance: √(variance + epsilon).",
        ),
        Mistake(
            "epsilon_forgotten",
            _norm_with(spread=lambda x, e: x.std(axis=-1, keepdims=True)),
            "Epsilon is missing. Without it, a row of equal numbers is divided by 0.",
        ),
        Mistake(
            "divided_by_the_variance",
            _norm_with(spread=lambda x, e: x.var(axis=-1, keepdims=True) + e),
            "You divided by the variance. Divide by its square root, so that the variance becomes 1.",
        ),
        Mistake(
            "mean_over_tokens",
            lambda x, gain, bias, e=1e-5: (
                gain * (x - x.mean(axis=-2, keepdims=True)) / np.sqrt(x.var(axis=-2, keepdims=True) + e)
                + bias
            ),
            "You normalized each column over the tokens. Layer norm works along each row: axis=-1.",
        ),
        Mistake(
            "one_mean_for_all",
            _norm_with(middle=lambda x: x.mean(), spread=lambda x, e: np.sqrt(x.var() + e)),
            "You took one mean and one variance for the whole table. Each row has its own: axis=-1, "
            "keepdims=True.",
        ),
        Mistake(
            "mean_not_subtracted",
            _norm_with(
                middle=lambda x: 0, spread=lambda x, e: np.sqrt((x**2).mean(axis=-1, keepdims=True) + e)
            ),
            "This is RMS norm: it leaves the mean where it was. Subtract the mean of each row first.",
        ),
        Mistake(
            "gain_and_bias_forgotten",
            _norm_with(last=lambda y, gain, bias: y),
            "The rows are normalized rightly. Multiply by the gain and add the bias at the end.",
        ),
        Mistake(
            "bias_forgotten",
            _norm_with(last=lambda y, gain, bias: gain * y),
            "The gain is right. Add the bias at the end.",
        ),
        Mistake(
            "bias_before_gain",
            _norm_with(last=lambda y, gain, bias: gain * (y + bias)),
            "You added the bias before you multiplied. Multiply by the gain first, then add the bias.",
        ),
    ),
    alternatives=(
        lambda x, gain, bias, e=1e-5: (
            (x - x.mean(-1)[..., None]) * (x.var(-1)[..., None] + e) ** -0.5 * gain + bias
        ),
        lambda x, gain, bias, e=1e-5: np.apply_along_axis(
            lambda row: (row - row.mean()) / np.sqrt(row.var() + e) * gain + bias, -1, x
        ),
    ),
    stars=1,
    minutes=10,
)

# gelu ------------------------------------------------------------------------------------------------------


def gelu(x):
    """Return x times the share of a normal distribution below x."""
    return activations.gelu(x)


def _gelu_cases(rng):
    rows, columns = _sizes(rng, 2)
    below = ("no number is larger than max(x, 0)", lambda y, x: np.all(y <= np.maximum(x, 0) + 1e-9))
    return [
        Case(
            "0, 1 and -1, by hand",
            (np.array([0.0, 1.0, -1.0]),),
            "84.134 % of a normal distribution lies below 1, and 15.866 % below -1.",
            expected=np.array([0.0, 0.841344746069, -0.158655253931]),
        ),
        Case("a table", (rng.normal(size=(rows, columns)),), "Each number alone.", properties=(below,)),
        Case("from -4 to 4", (np.linspace(-4, 4, 33),), "Print x beside your result, and plot both."),
        Case(
            "very large and very small", (np.array([-1000.0, -30.0, 30.0, 1000.0]),), "Φ goes to 0 or to 1."
        ),
    ]


GELU = Exercise(
    id="08.gelu",
    title="GELU, the exact one",
    reference=gelu,
    cases=_gelu_cases,
    hints=(
        "First compute the share Φ(x) for every x, then multiply by x.",
        "Φ(x) = (1 + erf(x / √2)) / 2. Do not forget the root, the 1 and the half.",
        "x * (1 + erf(x / np.sqrt(2))) / 2.",
    ),
    mistakes=(
        Mistake(
            "tanh_form",
            activations.gelu_tanh,
            "This is the form with tanh, as GPT-2 has it. It differs by up to 0.0005. Here we want erf.",
        ),
        Mistake(
            "sigmoid_form",
            lambda x: x * activations.sigmoid(1.702 * x),
            "x · sigmoid(1.702 x) is a quick approximation, off by up to 0.02. Use erf.",
        ),
        Mistake(
            "silu_instead",
            lambda x: x * activations.sigmoid(x),
            "This is SiLU: x times its sigmoid. GELU has Φ.",
        ),
        Mistake(
            "relu_instead",
            lambda x: np.maximum(x, 0.0),
            "This is relu, with its corner at 0. GELU is smooth.",
        ),
        Mistake(
            "share_alone",
            lambda x: (1 + activations.erf(x / np.sqrt(2))) / 2,
            "This is the share Φ(x). One step is missing: multiply it by x.",
        ),
        Mistake(
            "root_forgotten",
            lambda x: x * (1 + activations.erf(x)) / 2,
            "Inside erf stands x / √2, not x: erf is made for a distribution with variance one half.",
        ),
        Mistake(
            "half_forgotten",
            lambda x: x * (1 + activations.erf(x / np.sqrt(2))),
            "1 + erf goes from 0 to 2. A share goes from 0 to 1: divide by 2.",
        ),
        Mistake(
            "one_forgotten",
            lambda x: x * activations.erf(x / np.sqrt(2)) / 2,
            "erf goes from -1 to 1. Add 1 before you divide by 2, so that the share begins at 0.",
        ),
    ),
    alternatives=(
        lambda x: 0.5 * x + 0.5 * x * activations.erf(x * 2**-0.5),
        lambda x: x - x * (1 + activations.erf(-x / np.sqrt(2))) / 2,
    ),
    stars=1,
    minutes=5,
)

# feed_forward ----------------------------------------------------------------------------------------------


def feed_forward(x, up, down):
    """Return the step (..., T, D) of each token of x (..., T, D)."""
    return transformer.feed_forward(x, {"up": up, "down": down})


def _maps(rng, D, F):
    """Return random maps up (D, F) and down (F, D), with biases."""
    up = {"weight": rng.normal(size=(D, F)) / np.sqrt(D), "bias": rng.normal(size=F)}
    return up, {"weight": rng.normal(size=(F, D)) / np.sqrt(F), "bias": rng.normal(size=D)}


def _thinks(bend=gelu, end=None, up_bias=True, down_bias=True):
    """Return a feed-forward part that bends, ends or adds its biases in its own way."""

    def thinks(x, up, down):
        hidden = bend(x @ up["weight"] + up_bias * up["bias"])
        y = hidden @ down["weight"] + down_bias * down["bias"]
        return end(x, y) if end else y

    return thinks


def _forward_cases(rng):
    T, D, F = _sizes(rng, 3)
    x, (up, down) = rng.normal(size=(T, D)), _maps(rng, D, F + 10)
    nothing = {"weight": np.zeros_like(down["weight"]), "bias": down["bias"]}
    alike = (
        "the first and the last token are equal, so their steps are equal",
        lambda y, x, up, down: np.allclose(y[0], y[-1]),
    )
    tiny_up = {"weight": np.array([[1.0, 0, 0], [0, 1, -1]]), "bias": np.array([0.0, 1, 0])}
    tiny_down = {"weight": np.array([[1.0, 0], [0, 2], [0, 1]]), "bias": np.array([5.0, 0])}
    return [
        Case(
            "one token, by hand",
            (np.array([[1.0, 0.0]]), tiny_up, tiny_down),
            "Going up gives (1, 1, 0), bent (0.8413, 0.8413, 0).",
            expected=np.array([[5.841344746069, 1.682689492137]]),
        ),
        Case("random maps", (x, up, down), "Write each shape beside its product: (T, D), (T, F), (T, D)."),
        Case(
            "a map down of zeros",
            (x, up, nothing),
            "What is left is the bias of `down`, in every row.",
            expected=np.tile(down["bias"], (T, 1)),
        ),
        Case(
            "a token that comes twice",
            (np.vstack([x, x[:1]]), up, down),
            "Each token alone.",
            properties=(alike,),
        ),
        Case(
            "several sentences", (rng.normal(size=(F, T, D)), up, down), "`@` takes the leading axes along."
        ),
    ]


FEED_FORWARD = Exercise(
    id="08.feed_forward",
    title="Feed-forward",
    reference=feed_forward,
    cases=_forward_cases,
    hints=(
        "Three steps: a linear map, a bend, a linear map. How wide is a token after the first?",
        "A linear map is x @ weight + bias. The bias comes before the bend.",
        'hidden = gelu(x @ up["weight"] + up["bias"]); then the same with `down`, and no bend.',
    ),
    mistakes=(
        Mistake(
            "no_bend",
            _thinks(bend=lambda h: h),
            "There is no bend between your two maps, so together they are one linear map. Use gelu.",
        ),
        Mistake(
            "relu_instead",
            _thinks(bend=activations.relu),
            "You bent with relu, as in 2017. Here the bend is gelu.",
        ),
        Mistake(
            "gelu_by_tanh",
            _thinks(bend=activations.gelu_tanh),
            "Your gelu is the form with tanh. The difference is small, but it is there: use the one "
            "with erf.",
        ),
        Mistake(
            "bent_twice",
            _thinks(end=lambda x, y: gelu(y)),
            "You bent again at the end. The step must be free to go down as well as up: no bend "
            "after `down`.",
        ),
        Mistake(
            "bent_at_the_end_only",
            _thinks(bend=lambda h: h, end=lambda x, y: gelu(y)),
            "You bent after both maps. The bend stands between them.",
        ),
        Mistake(
            "adds_the_input",
            _thinks(end=lambda x, y: x + y),
            "You added x already. Return the step alone; the block adds it.",
        ),
        Mistake(
            "biases_forgotten",
            _thinks(up_bias=False, down_bias=False),
            "Both biases are missing: a linear map is x @ weight + bias.",
        ),
        Mistake(
            "first_bias_forgotten", _thinks(up_bias=False), "The bias of `up` is missing, before the bend."
        ),
        Mistake("last_bias_forgotten", _thinks(down_bias=False), "The bias of `down` is missing at the end."),
        Mistake(
            "bias_after_the_bend",
            lambda x, up, down: (gelu(x @ up["weight"]) + up["bias"]) @ down["weight"] + down["bias"],
            "You added the bias of `up` after the bend. It belongs to the map: add it first.",
        ),
    ),
    alternatives=(
        lambda x, up, down: np.apply_along_axis(
            lambda row: gelu(row @ up["weight"] + up["bias"]) @ down["weight"] + down["bias"], -1, x
        ),
        lambda x, up, down: (
            np.einsum(
                "...f,fd->...d",
                gelu(np.einsum("...d,df->...f", x, up["weight"]) + up["bias"]),
                down["weight"],
            )
            + down["bias"]
        ),
    ),
    stars=1,
    minutes=10,
)

# block -----------------------------------------------------------------------------------------------------


def block(x, parameters, num_heads, mask=None):
    """Return the tokens (T, D) after one pre-norm block, for x (T, D)."""
    return transformer.encoder_block(x, parameters, num_heads, mask)


def _norm(x, parameters, name):
    return norms.layer_norm(x, **parameters[f"{name}_norm"])


def _attend(h, context, parameters, num_heads, mask):
    return multi_head_attention(h, context, parameters["attention"], num_heads, mask)[0]


def _think(h, parameters):
    return transformer.feed_forward(h, parameters["feed_forward"])


def _block_parameters(rng, D):
    """Return random weights of a block of width D; no gain is 1, no bias 0."""
    linear = {
        name: {"weight": rng.normal(size=(D, D)) / np.sqrt(D), "bias": rng.normal(size=D)}
        for name in ("query", "key", "value", "output")
    }
    norms = [{"gain": rng.normal(1, 0.5, size=D), "bias": rng.normal(size=D)} for _ in range(2)]
    up, down = _maps(rng, D, 4 * D)
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


def _block_cases(rng):
    T, heads, d = _sizes(rng, 3)
    D = heads * d
    T += D % 7 == T % 7
    x, weights = rng.normal(size=(T, D)), _block_parameters(rng, D)
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
        Case("a causal mask", (x, weights, heads, causal_mask(T)), "Hand the mask to attention."),
    ]


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
    return _norm(block(x, p, H, mask), p, "feed_forward")


BLOCK = Exercise(
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
            "Your feed-forward part reads the tokens as they were before attention. It should read "
            "the new x.",
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
            "You added the last step to the x of the beginning, so the step of attention is lost. "
            "Store the new x.",
        ),
        Mistake(
            "context_not_normed",
            _raw_context,
            "The queries read the normed rows, but keys and values read x. Give attention h twice.",
        ),
        Mistake(
            "a_third_norm",
            _a_third_norm,
            "You normed once more at the end. In pre-norm that comes once, after the last block of "
            "the model.",
        ),
        Mistake(
            "mask_forgotten",
            lambda x, p, H, mask=None: block(x, p, H),
            "The mask did not reach attention: give it as the last argument.",
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

# count_parameters ------------------------------------------------------------------------------------------


def count_parameters(vocab_size, context_length, d_model, num_layers):
    """Return the number of parameters () of a GPT with these sizes."""
    return parameters_of(GPTConfig(d_model, 1, num_layers, vocab_size, context_length))


def _count_with(
    tables=lambda V, C, D: (V + C) * D, block=lambda D: 12 * D * D + 13 * D, last=lambda D: 2 * D
):
    """Return a count whose tables, blocks or last norm are counted in their own way."""
    return lambda V, C, D, L: tables(V, C, D) + L * block(D) + last(D)


def _count_cases(rng):
    V, C, D, L = _sizes(rng, 4)
    whole = ("a number of parameters is a whole number", lambda count, *sizes: float(count).is_integer())
    return [
        Case(
            "5 words, 3 places, width 2, one block, by hand",
            (5, 3, 2, 1),
            "Tables 10 and 6; block 12·4 + 13·2 = 74; last norm 4.",
            expected=94,
        ),
        Case("random sizes", (10 * V, C, D, L), "Count each part alone and print it.", properties=(whole,)),
        Case("other sizes", (11 * C, V, L, D), "What grows with the number of blocks?", properties=(whole,)),
        Case("GPT-2", (50_257, 1024, 768, 12), "GPT-2 has 124,439,808.", expected=124_439_808),
        Case(
            "GPT-3",
            (50_257, 2048, 12_288, 96),
            "GPT-3 has 174,604,259,328.",
            expected=174_604_259_328,
        ),
    ]


COUNT = Exercise(
    id="08.count_parameters",
    title="Count a GPT",
    reference=count_parameters,
    cases=_count_cases,
    hints=(
        "Four parts: table of words, table of places, blocks, last norm. Only one of them is multiplied by "
        "the number of blocks.",
        "Attention: four matrices D by D with biases. Feed-forward: D by 4D and 4D by D, with biases "
        "4D and D. "
        "A norm: gain and bias.",
        "V·D + C·D + L·(12·D² + 13·D) + 2·D.",
    ),
    mistakes=(
        Mistake(
            "table_counted_twice",
            _count_with(tables=lambda V, C, D: (2 * V + C) * D),
            "You counted the output layer as a table of its own. It is the table of the words: count "
            "it once.",
        ),
        Mistake(
            "places_forgotten",
            _count_with(tables=lambda V, C, D: V * D),
            "The table of the places is missing: one row of D numbers for each place.",
        ),
        Mistake(
            "last_norm_forgotten",
            _count_with(last=lambda D: 0),
            "You are 2·D short: the norm after the last block.",
        ),
        Mistake(
            "biases_forgotten",
            _count_with(block=lambda D: 12 * D * D + 4 * D),
            "Your blocks have matrices and norms, but no biases: attention has 4·D of them, "
            "feed-forward 5·D.",
        ),
        Mistake(
            "norms_of_the_blocks_forgotten",
            _count_with(block=lambda D: 12 * D * D + 9 * D),
            "Each block has two norms, with a gain and a bias each: 4·D more.",
        ),
        Mistake(
            "norms_without_bias",
            _count_with(block=lambda D: 12 * D * D + 11 * D, last=lambda D: D),
            "A norm has two numbers a column, a gain and a bias. You counted one.",
        ),
        Mistake(
            "output_of_attention_forgotten",
            _count_with(block=lambda D: 11 * D * D + 12 * D),
            "Attention has four matrices: query, key, value, and the output that brings the heads together.",
        ),
        Mistake(
            "feed_forward_not_wider",
            _count_with(block=lambda D: 6 * D * D + 10 * D),
            "Your feed-forward part has the width D inside. It has 4·D.",
        ),
        Mistake(
            "last_norm_in_every_block",
            _count_with(block=lambda D: 12 * D * D + 15 * D, last=lambda D: 0),
            "You counted the last norm in every block. It comes once, after all of them.",
        ),
        Mistake(
            "one_block_only",
            lambda V, C, D, L: count_parameters(V, C, D, 1),
            "You counted one block. There are num_layers of them, and each learns its own numbers.",
        ),
    ),
    alternatives=(
        lambda V, C, D, L: sum(
            [V * D, C * D, *[4 * (D * D + D) + D * 4 * D + 4 * D + 4 * D * D + D + 4 * D] * L, 2 * D]
        ),
        lambda V, C, D, L: D * (V + C + 2 + L * (12 * D + 13)),
    ),
    stars=2,
    minutes=15,
    tolerance=1e-12,
)

# crossover -------------------------------------------------------------------------------------------------


def crossover(d_model, d_ff):
    """Return the length () at which the matrices of a block cost as much as scores and mixtures."""
    return 2 * d_model + d_ff


def _crossover_cases(rng):
    D, F = (int(size) for size in rng.integers(100, 900, size=2))
    F += 1000

    def balanced(n, D, F):
        return np.isclose(4 * n**2 * D, 8 * n * D**2 + 4 * n * D * F)

    equal = ("at this length both costs are equal", balanced)
    return [
        Case(
            "width 768, four times wider inside",
            (768, 3072),
            "That is GPT-2: 6 · 768.",
            expected=4608,
            properties=(equal,),
        ),
        Case("another width inside", (D, F), "Put your n back into both costs.", properties=(equal,)),
        Case("narrow inside", (F, D), "Put your n back into both costs.", properties=(equal,)),
        Case("the sizes of LLaMA 7B, with two maps", (4096, 11_008), "Count the matrices one by one."),
    ]


CROSSOVER = Exercise(
    id="08.crossover",
    title="Where attention takes over",
    reference=crossover,
    cases=_crossover_cases,
    hints=(
        "Write down every product of a block with its shapes. Which have n once in the cost, and "
        "which twice?",
        "Query, key, value and output: 4 · 2nD². Up and down: 2 · 2nDF. Scores and mixtures: 2 · 2n²D.",
        "Set 8nD² + 4nDF = 4n²D, and divide both sides by 4nD.",
    ),
    mistakes=(
        Mistake(
            "always_six_times",
            lambda D, F: 6 * D,
            "6·D holds for a feed-forward part four times as wide as the stream. Here its width is given.",
        ),
        Mistake(
            "projections_forgotten",
            lambda D, F: F,
            "You compared with the feed-forward part alone. Query, key, value and output are matrices, too.",
        ),
        Mistake(
            "feed_forward_forgotten",
            lambda D, F: 2 * D,
            "You compared with the four matrices of attention alone. The feed-forward part has two more.",
        ),
        Mistake(
            "output_forgotten",
            lambda D, F: 1.5 * D + F,
            "You counted three matrices in attention. The fourth is the output, W_o.",
        ),
        Mistake(
            "one_map_only",
            lambda D, F: 2 * D + F / 2,
            "The feed-forward part has two maps, up and down. You counted one.",
        ),
        Mistake(
            "mixtures_forgotten",
            lambda D, F: 4 * D + 2 * F,
            "You counted the scores, but not the mixtures: the weights times the values cost as much again.",
        ),
        Mistake(
            "factor_two_on_one_side",
            lambda D, F: D + F / 2,
            "On one side you counted a multiplication and an addition as two operations, on the "
            "other as one.",
        ),
    ),
    alternatives=(
        lambda D, F: (8 * D * D + 4 * D * F) / (4 * D),
        lambda D, F: next(n for n in range(1, 10**6) if 4 * n * D >= 8 * D * D + 4 * D * F),
    ),
    stars=2,
    minutes=15,
)

# tied_gradient ---------------------------------------------------------------------------------------------


def tied_gradient(ids, dx, h, dlogits):
    """Return dE (V, D) for ids (T,), dx (T, D), h (T, D), dlogits (T, V)."""
    dE = dlogits.T @ h
    np.add.at(dE, ids, dx)
    return dE


def _from_the_start(ids, dx, V):
    dE = np.zeros((V, dx.shape[1]))
    np.add.at(dE, ids, dx)
    return dE


def _each_word_once(ids, dx, h, dlogits):
    dE = dlogits.T @ h
    dE[ids] += dx
    return dE


def _overwritten(ids, dx, h, dlogits):
    dE = dlogits.T @ h
    dE[ids] = dx
    return dE


def _averaged_over_repeats(ids, dx, h, dlogits):
    V = dlogits.shape[1]
    times = np.maximum(np.bincount(ids, minlength=V), 1)[:, None]
    return dlogits.T @ h + _from_the_start(ids, dx, V) / times


def _tied_cases(rng):
    T, V, D = _sizes(rng, 3)
    V += 8

    def drawn(ids, scale=1.0):
        return (
            np.array(ids),
            rng.normal(size=(len(ids), D)),
            rng.normal(size=(len(ids), D)),
            scale * rng.normal(size=(len(ids), V)),
        )

    dx = np.array([[1.0, 2], [10, 20]])
    h, dlogits = np.array([[1.0, 0], [0, 3]]), np.array([[0.0, 0, 1], [0, 0, 1]])
    different, same = rng.permutation(V)[:T], int(rng.integers(V))
    return [
        Case(
            "one word twice, by hand",
            (np.array([1, 1]), dx, h, dlogits),
            "Row 1 gets (1, 2) + (10, 20) from the start, row 2 gets (1, 0) + (0, 3) from the end.",
            expected=np.array([[0.0, 0], [11, 22], [1, 3]]),
        ),
        Case("different words", drawn(different), "Check each shape: dE is like E, (V, D)."),
        Case(
            "words that come again", drawn([*different, *different[:2], same, same]), "Does every use count?"
        ),
        Case(
            "nothing from the end",
            drawn([same, *different, same], scale=0.0),
            "Only rows of words in the text may differ from 0.",
        ),
    ]


TIED_GRADIENT = Exercise(
    id="08.tied_gradient",
    title="One table, two gradients",
    reference=tied_gradient,
    cases=_tied_cases,
    hints=(
        "Do the two uses one after the other, and add. At the end, every row of E met every row of h.",
        "The end gives dlogits.T @ h, of shape (V, D). The start gives dx[t] to row ids[t], for each t.",
        "np.add.at(dE, ids, dx) adds every dx[t], also when an id comes twice. dE[ids] += dx does not.",
    ),
    mistakes=(
        Mistake(
            "each_word_once",
            _each_word_once,
            "A word that stands in the text twice gets only its last gradient: dE[ids] += dx writes "
            "each row once. "
            "Use np.add.at, or a loop.",
        ),
        Mistake(
            "start_only",
            lambda ids, dx, h, dlogits: _from_the_start(ids, dx, dlogits.shape[1]),
            "This is what the start sends back. The same table scores the words at the end: add "
            "dlogits.T @ h.",
        ),
        Mistake(
            "end_only",
            lambda ids, dx, h, dlogits: dlogits.T @ h,
            "This is what the end sends back. The same table made the vectors at the start: add dx "
            "to its rows.",
        ),
        Mistake(
            "overwritten",
            _overwritten,
            "The start overwrites what the end sent to these rows. Gradients of one table add up.",
        ),
        Mistake(
            "mean_of_both",
            lambda ids, dx, h, dlogits: tied_gradient(ids, dx, h, dlogits) / 2,
            "You took the mean of the two gradients. A number that is used twice gets the sum.",
        ),
        Mistake(
            "averaged_over_repeats",
            _averaged_over_repeats,
            "You averaged over the places of a word. Each place sends its own gradient, and they add up.",
        ),
        Mistake(
            "columns_for_words",
            lambda *given: tied_gradient(*given).T,
            "The numbers are right, but words are columns. E has one row a word: (V, D).",
        ),
    ),
    alternatives=(
        lambda ids, dx, h, dlogits: np.eye(dlogits.shape[1])[ids].T @ dx + dlogits.T @ h,
        lambda ids, dx, h, dlogits: np.array(
            [dx[ids == word].sum(axis=0) + dlogits[:, word] @ h for word in range(dlogits.shape[1])]
        ),
    ),
    stars=3,
    minutes=25,
)

SHEET = Sheet(
    "08",
    "The transformer block and the parameter ledger",
    exercises=(LAYER_NORM, GELU, FEED_FORWARD, BLOCK, COUNT, CROSSOVER, TIED_GRADIENT),
)
