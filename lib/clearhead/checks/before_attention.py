"""Sheet 03, before attention (over 200 lines: each mistake stands beside its exercise)."""

import math

import numpy as np

from clearhead.maths import recurrent
from clearhead.maths.activations import sigmoid

from .exercise import Case, Exercise, Mistake, Sheet


def _sizes(rng, count, low=2):
    """Return that many sizes below 9, all different."""
    return [int(size) for size in rng.permutation(np.arange(low, 9))[:count]]


# layer_params ----------------------------------------------------------------------------------------------


def layer_params(kind, T, D, window):
    """Return how many weights a layer has that maps T tokens of D numbers to T tokens of D numbers."""
    return {"fully connected": T**2, "convolution": window, "recurrent": 2, "attention": 4}[kind] * D**2


KINDS = ("fully connected", "convolution", "recurrent", "attention")


def _params_with(**changed):
    """Return an answer that counts some layers otherwise: a function of T, D and window for each."""
    return lambda kind, T, D, window: (
        changed[kind.split()[0]](T, D, window)
        if kind.split()[0] in changed
        else layer_params(kind, T, D, window)
    )


def _params_cases(rng):
    T, D, window = (int(size) for size in rng.permutation(np.arange(4, 40))[:3])
    look = {
        "fully connected": "Each of the T·D numbers that come out needs each of the T·D that come in.",
        "convolution": "One matrix (D, D) for each place of the window.",
        "recurrent": "One matrix for the token, one for the memory.",
        "attention": "Four matrices (D, D): for queries, keys, values, and one at the end.",
    }
    return [
        Case("fully connected, 4 tokens of 2 numbers", (KINDS[0], 4, 2, 3), look[KINDS[0]], expected=64),
        Case("a convolution of window 3 on them", (KINDS[1], 4, 2, 3), look[KINDS[1]], expected=12),
        *(Case(f"{kind}, random sizes", (kind, T, D, window), look[kind]) for kind in KINDS),
        *(
            Case(f"{kind}, twice the tokens", (kind, 2 * T, D, window), "Does this layer know T?")
            for kind in KINDS
        ),
    ]


LAYER_PARAMS = Exercise(
    id="03.layer_params",
    title="Count the weights",
    reference=layer_params,
    cases=_params_cases,
    hints=(
        "Draw each layer as matrices. How many matrices are there, and what is the size of each?",
        "Only one of the four has a matrix that is larger when there are more tokens.",
        "(T·D)² for fully connected; then window, 2 and 4 matrices of D·D.",
    ),
    mistakes=(
        Mistake(
            "one_matrix_for_each_pair_of_tokens_forgotten",
            _params_with(fully=lambda T, D, window: T * D**2),
            "Your fully connected layer has one matrix for each token. It needs one for each *pair* of them:"
            " every output sees every input.",
        ),
        Mistake(
            "widths_not_squared",
            lambda kind, T, D, window: layer_params(kind, T, D, window) // D,
            "D is counted once. A matrix that turns D numbers into D numbers has D² weights.",
        ),
        Mistake(
            "convolution_grows_with_the_sentence",
            _params_with(convolution=lambda T, D, window: T * window * D**2),
            "Your convolution has new weights at each place. It uses the same window everywhere: "
            "leave out T.",
        ),
        Mistake(
            "convolution_of_one_channel",
            _params_with(convolution=lambda T, D, window: window),
            "Your convolution has one number for each place of the window. It has a matrix (D, D) for each.",
        ),
        Mistake(
            "no_memory",
            _params_with(recurrent=lambda T, D, window: D**2),
            "One matrix of the recurrent layer is missing: the memory has a matrix, too.",
        ),
        Mistake(
            "recurrence_grows_with_the_sentence",
            _params_with(recurrent=lambda T, D, window: 2 * T * D**2),
            "Your recurrent layer has new weights at each step. It uses the same two at every step.",
        ),
        Mistake(
            "three_matrices_of_attention",
            _params_with(attention=lambda T, D, window: 3 * D**2),
            "You counted three matrices: for queries, keys and values. Attention has a fourth, at its end.",
        ),
        Mistake(
            "attention_counts_its_scores",
            _params_with(attention=lambda T, D, window: 4 * D**2 + T**2),
            "You counted the T × T table of attention. It is computed for each sentence, and not learned.",
        ),
        Mistake(
            "biases_counted",
            lambda kind, T, D, window: (
                layer_params(kind, T, D, window)
                + {KINDS[0]: T * D, KINDS[1]: D, KINDS[2]: 2 * D, KINDS[3]: 4 * D}[kind]
            ),
            "You counted the biases, too. That is right in practice, but the question leaves them out.",
        ),
    ),
    alternatives=(
        lambda kind, T, D, window: sum(
            D * D
            for _ in range(
                {"fully connected": T * T, "convolution": window, "recurrent": 2, "attention": 4}[kind]
            )
        ),
    ),
    stars=1,
    minutes=10,
)

# conv1d ----------------------------------------------------------------------------------------------------


def conv1d(x, weight):
    """Return the outputs (T-W+1, F) of a convolution along the tokens x (T, D)."""
    return recurrent.conv1d(x, weight, np.zeros(weight.shape[2]))


def _conv_by(place, rows=lambda x, W: range(len(x) - W + 1)):
    """Return a convolution that takes its tokens from other places, or goes through other rows."""

    def answer(x, weight):
        W = len(weight)
        return np.array([sum(x[place(t, w, W)] @ weight[w] for w in range(W)) for t in rows(x, W)])

    return answer


def _padded(x, weight):
    """Return the convolution with zeros around the sentence, as many outputs as tokens."""
    W = len(weight)
    return conv1d(np.pad(x, (((W - 1) // 2, W // 2), (0, 0))), weight)


def _conv_cases(rng):
    W, D, F, more = _sizes(rng, 4)
    x, weight = rng.normal(size=(W + more, D)), rng.normal(size=(W, D, F))
    chapter = np.array([[1.0, 0], [0, 1], [1, 1], [2, 0]])
    tiny = np.array([[[1.0], [0]], [[0], [1]]])
    toeplitz = (
        "it equals one row times the Toeplitz matrix",
        lambda y, x, weight: np.allclose(
            y.ravel(), x.ravel() @ recurrent.toeplitz(np.asarray(weight), len(x))
        ),
    )
    return [
        Case(
            "the four tokens of the chapter",
            (chapter, tiny),
            "Output 0 is the first number of token 0 plus the second number of token 1: 1 + 1.",
            expected=np.array([[2.0], [1], [1]]),
        ),
        Case(
            "random tokens", (x, weight), "All sizes differ; check the shape first.", properties=(toeplitz,)
        ),
        Case(
            "the window is the sentence", (x[:W], weight), "How many windows fit now?", properties=(toeplitz,)
        ),
        Case("a window of one", (x, weight[:1]), "Each token alone: x @ weight[0]."),
    ]


CONV1D = Exercise(
    id="03.conv1d",
    title="A window that slides",
    reference=conv1d,
    cases=_conv_cases,
    hints=(
        "Write the sum for one output first: which W tokens does output t look at?",
        "Token t + w meets the matrix weight[w]. There are T - W + 1 outputs.",
        "np.array([sum(x[t + w] @ weight[w] for w in range(W)) for t in range(len(x) - W + 1)])",
    ),
    mistakes=(
        Mistake(
            "window_turned_round",
            _conv_by(lambda t, w, W: t + W - 1 - w),
            "Your window is turned round, as in mathematics. Here weight[0] meets the window's first token.",
        ),
        Mistake(
            "the_window_does_not_slide",
            _conv_by(lambda t, w, W: w),
            "Every output is the same: your window stays at the start. Take token t + w, not token w.",
        ),
        Mistake(
            "one_output_too_few",
            _conv_by(lambda t, w, W: t + w, lambda x, W: range(len(x) - W)),
            "The last window is missing: T - W + 1 windows fit.",
        ),
        Mistake(
            "one_matrix_for_the_whole_window",
            lambda x, weight: np.array(
                [x[t : t + len(weight)].sum(0) @ weight[0] for t in range(len(x) - len(weight) + 1)]
            ),
            "You used weight[0] for every place of the window. Each place has its own matrix: weight[w].",
        ),
        Mistake(
            "same_token_for_each_weight",
            _conv_by(lambda t, w, W: t),
            "Every weight meets the same token t. The window reaches on to its neighbours: x[t + w].",
        ),
        Mistake(
            "padded_with_zeros",
            _padded,
            "You put zeros around the sentence. Here a window that does not fit is left out.",
        ),
        Mistake(
            "mean_over_the_window",
            lambda x, weight: conv1d(x, weight) / len(weight),
            "You took the mean over the window. A convolution takes the sum.",
        ),
    ),
    alternatives=(
        lambda x, weight: (x.ravel() @ recurrent.toeplitz(weight, len(x))).reshape(-1, weight.shape[2]),
        lambda x, weight: sum(x[w : len(x) - len(weight) + 1 + w] @ weight[w] for w in range(len(weight))),
    ),
    stars=2,
    minutes=15,
)

# receptive_field -------------------------------------------------------------------------------------------


def receptive_field(layers, window):
    """Return how many tokens reach one output of a stack of convolutions."""
    return 1 + layers * (window - 1)


def _field_cases(rng):
    layers, window = (int(size) for size in rng.permutation(np.arange(4, 30))[:2])
    return [
        Case("one layer", (1, 3), "One layer sees its own window.", expected=3),
        Case("two layers of window 3", (2, 3), "Draw it: 3 places, and each sees 3.", expected=5),
        Case("two layers of window 5", (2, 5), "Neighbouring windows overlap.", expected=9),
        Case("two layers of window 4", (2, 4), "A window may be even: each adds 3 tokens.", expected=7),
        Case("random", (layers, window), "How many new tokens does each layer add?"),
        Case("no layer", (0, window), "Without a layer, a token sees itself.", expected=1),
        Case("each token alone", (layers, 1), "A window of 1 adds nothing.", expected=1),
    ]


RECEPTIVE_FIELD = Exercise(
    id="03.receptive_field",
    title="How far a stack sees",
    reference=receptive_field,
    cases=_field_cases,
    hints=(
        "Draw two layers of window 3. Which tokens reach the middle of the top?",
        "Windows overlap. The first layer adds window - 1 tokens to the one in the middle; so does the next.",
        "Begin with 1, and add window - 1 for each layer.",
    ),
    mistakes=(
        Mistake(
            "windows_do_not_overlap",
            lambda layers, window: layers * window,
            "You put the windows side by side: layers · window. They overlap: each layer adds window - 1.",
        ),
        Mistake(
            "it_multiplies",
            lambda layers, window: window**layers,
            "You multiplied: window to the power of layers. That needs gaps between the tokens (dilation). "
            "Neighbouring windows overlap.",
        ),
        Mistake(
            "own_token_forgotten",
            lambda layers, window: layers * (window - 1),
            "One token is missing: the one in the middle.",
        ),
        Mistake(
            "one_side_only",
            lambda layers, window: 1 + layers * ((window - 1) // 2),
            "You counted one side of the window. A stack sees to both sides.",
        ),
        Mistake(
            "only_odd_windows",
            lambda layers, window: 1 + 2 * layers * (window // 2),
            "You added window // 2 on each side. That is right for odd windows; any window adds window - 1.",
        ),
        Mistake(
            "one_layer_too_few",
            lambda layers, window: 1 + (layers - 1) * (window - 1),
            "You counted one layer too few. Check: one layer of window 3 sees 3 tokens.",
        ),
        Mistake(
            "whole_window_each_layer",
            lambda layers, window: 1 + layers * window,
            "Each layer adds window - 1 tokens, not window: the middle was there before.",
        ),
    ),
    alternatives=(
        lambda layers, window: len({0} | set(range(layers * (window - 1) + 1))),
        lambda layers, window: layers * window - layers + 1,
    ),
    stars=1,
    minutes=10,
)

# lstm_step -------------------------------------------------------------------------------------------------


def lstm_step(x, h, c, W, U, b):
    """Return the memories h (F) and c (F) after one more token x (D)."""
    return recurrent.lstm_step(
        x, h, c, {"input": {"weight": W, "bias": b}, "hidden": {"weight": U, "bias": np.zeros(len(b))}}
    )


def _lstm_ending(ending):
    """Return an LSTM step that is right up to the four parts i, f, g, o before their squashing."""

    def answer(x, h, c, W, U, b):
        return ending(*np.split(x @ W + h @ U + b, 4), c)

    return answer


def _out(o, c):
    return sigmoid(o) * np.tanh(c), c


def _by_name_lstm(answer, *arguments):
    """Return the two memories by name, so that a message can say which one differs."""
    h, c = answer(*arguments)
    return {"h": h, "c": c}


def _lstm_cases(rng):
    D, F = _sizes(rng, 2)
    shapes = ((D,), (F,), (F,), (D, 4 * F), (F, 4 * F), (4 * F,))
    drawn = tuple(rng.normal(size=shape) for shape in shapes)
    zeros = tuple(np.zeros(shape) for shape in ((2,), (1,), (2, 4), (1, 4), (4,)))
    closed = np.repeat([-40.0, 40, 0, 0], F)
    kept = (
        "with the gate i shut and the gate f open, c stays as it was",
        lambda out, x, h, c, *weights: np.allclose(out["c"], c),
    )
    return [
        Case(
            "all weights zero, c = 2",
            (zeros[0], zeros[1], np.array([2.0]), *zeros[2:]),
            "Every gate is sigmoid(0) = 0.5 and the proposal is tanh(0) = 0, so c = 0.5 · 2 + 0.5 · 0 = 1.",
            expected={"h": np.array([0.5 * np.tanh(1)]), "c": np.array([1.0])},
        ),
        Case("random", drawn, "The columns come in the order i, f, g, o."),
        Case(
            "f open, i shut",
            (*drawn[:3], 0 * drawn[3], 0 * drawn[4], closed),
            "What does f multiply, and what does i multiply?",
            properties=(kept,),
        ),
        Case("a full memory", (drawn[0], drawn[1], 3 * drawn[2], *drawn[3:]), "c itself is never squashed."),
    ]


LSTM_STEP = Exercise(
    id="03.lstm_step",
    title="One step of an LSTM",
    reference=lstm_step,
    cases=_lstm_cases,
    hints=(
        "One product with all columns first; then cut it into four parts, in the order i, f, g, o.",
        "i, f, g, o = np.split(x @ W + h @ U + b, 4). Three of them are gates, and go through sigmoid.",
        "c = sigmoid(f) * c + sigmoid(i) * np.tanh(g); then h = sigmoid(o) * np.tanh(c). Return h, c.",
    ),
    mistakes=(
        Mistake(
            "forget_and_input_gate_exchanged",
            _lstm_ending(lambda i, f, g, o, c: _out(o, sigmoid(i) * c + sigmoid(f) * np.tanh(g))),
            "The gates i and f have changed places: f multiplies the old c, and i the proposal g.",
        ),
        Mistake(
            "columns_in_another_order",
            _lstm_ending(lambda f, i, o, g, c: _out(o, sigmoid(f) * c + sigmoid(i) * np.tanh(g))),
            "You cut the columns in the order f, i, o, g. These weights have PyTorch's order: i, f, g, o.",
        ),
        Mistake(
            "gates_that_sum_to_one",
            _lstm_ending(lambda i, f, g, o, c: _out(o, (1 - sigmoid(i)) * c + sigmoid(i) * np.tanh(g))),
            "You used 1 - i in place of f. That is the idea of the GRU; an LSTM has its own forget gate.",
        ),
        Mistake(
            "gates_through_tanh",
            _lstm_ending(
                lambda i, f, g, o, c: (np.tanh(o) * np.tanh(m := np.tanh(f) * c + np.tanh(i) * np.tanh(g)), m)
            ),
            "Your gates go through tanh, and can be negative. A gate is a share between 0 and 1: sigmoid.",
        ),
        Mistake(
            "proposal_through_sigmoid",
            _lstm_ending(lambda i, f, g, o, c: _out(o, sigmoid(f) * c + sigmoid(i) * sigmoid(g))),
            "The proposal g goes through tanh: it must be able to lower the memory, too.",
        ),
        Mistake(
            "output_not_squashed",
            _lstm_ending(
                lambda i, f, g, o, c: (sigmoid(o) * (m := sigmoid(f) * c + sigmoid(i) * np.tanh(g)), m)
            ),
            "c is right. In h, put tanh around c before the gate o.",
        ),
        Mistake(
            "output_from_the_old_memory",
            _lstm_ending(
                lambda i, f, g, o, c: (sigmoid(o) * np.tanh(c), sigmoid(f) * c + sigmoid(i) * np.tanh(g))
            ),
            "c is right, but h is made from the c before this step. Make the new c first.",
        ),
        Mistake(
            "memories_exchanged",
            lambda x, h, c, W, U, b: lstm_step(x, h, c, W, U, b)[::-1],
            "Both are right, but they have changed places: return h, then c.",
        ),
        Mistake(
            "memory_squashed",
            _lstm_ending(lambda i, f, g, o, c: _out(o, np.tanh(sigmoid(f) * c + sigmoid(i) * np.tanh(g)))),
            "You put tanh around the new c itself. c is only squashed on its way into h; it is the straight "
            "way for the gradient.",
        ),
        Mistake(
            "no_bias",
            lambda x, h, c, W, U, b: lstm_step(x, h, c, W, U, 0 * b),
            "The bias b is missing.",
        ),
    ),
    alternatives=(
        lambda x, h, c, W, U, b: _lstm_ending(
            lambda i, f, g, o, c: _out(o, c / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i)))
        )(x, h, c, W, U, b),
    ),
    stars=2,
    minutes=15,
    driver=_by_name_lstm,
)

# gru_step --------------------------------------------------------------------------------------------------


def gru_step(x, h, W, U, b, d):
    """Return the memory h (F) after one more token x (D), as PyTorch computes it."""
    return recurrent.gru_step(x, h, {"input": {"weight": W, "bias": b}, "hidden": {"weight": U, "bias": d}})


def _gru_ending(ending):
    """Return a GRU step that is right up to the gates r, z and the parts of the proposal."""

    def answer(x, h, W, U, b, d):
        r_x, z_x, n_x = np.split(x @ W + b, 3)
        r_h, z_h, n_h = np.split(h @ U + d, 3)
        return ending(sigmoid(r_x + r_h), sigmoid(z_x + z_h), n_x, n_h, h)

    return answer


def _reset_before(x, h, W, U, b, d, swapped=False):
    """Return a GRU whose r multiplies the memory before the matrix."""
    F = len(h)
    gates = sigmoid((x @ W + b + h @ U + d)[: 2 * F])
    r, z = gates[:F], gates[F:]
    n = np.tanh((x @ W + b + d)[2 * F :] + (r * h) @ U[:, 2 * F :])
    return (1 - z) * h + z * n if swapped else (1 - z) * n + z * h


def _gru_cases(rng):
    D, F = _sizes(rng, 2)
    shapes = ((D,), (F,), (D, 3 * F), (F, 3 * F), (3 * F,), (3 * F,))
    drawn = tuple(rng.normal(size=shape) for shape in shapes)
    zeros = tuple(np.zeros(shape) for shape in ((2, 3), (1, 3), (3,), (3,)))
    stays = np.repeat([0.0, 40, 0], F)
    kept = ("with z = 1 the memory stays", lambda out, x, h, *weights: np.allclose(out, h))
    return [
        Case(
            "all weights zero, h = 2",
            (np.zeros(2), np.array([2.0]), *zeros),
            "r = z = 0.5 and n = 0, so h = 0.5 · 0 + 0.5 · 2 = 1.",
            expected=np.array([1.0]),
        ),
        Case("random", drawn, "The columns come in the order r, z, n; r acts after the matrix."),
        Case(
            "z is 1",
            (*drawn[:2], 0 * drawn[2], 0 * drawn[3], stays, 0 * drawn[5]),
            "In PyTorch z is the part that stays.",
            properties=(kept,),
        ),
        Case("a large memory", (drawn[0], 2 * drawn[1], *drawn[2:]), "Where exactly does r stand?"),
    ]


GRU_STEP = Exercise(
    id="03.gru_step",
    title="One step of a GRU, as PyTorch computes it",
    reference=gru_step,
    cases=_gru_cases,
    hints=(
        "Keep the part from the token and the part from the memory separate: r acts on one of them only.",
        "r_x, z_x, n_x = np.split(x @ W + b, 3), and in the same way r_h, z_h, n_h = np.split(h @ U + d, 3).",
        "n = np.tanh(n_x + r * n_h), and (1 - z) * n + z * h comes back.",
    ),
    mistakes=(
        Mistake(
            "the_convention_of_the_slides",
            lambda *given: _reset_before(*given, swapped=True),
            "This is the GRU of source 004. PyTorch differs twice: z is the part that stays, and r acts "
            "after the matrix.",
        ),
        Mistake(
            "r_before_the_matrix",
            _reset_before,
            "Your r multiplies h before the matrix. In PyTorch it multiplies the product, with its bias: "
            "r * (h @ U_n + d_n).",
        ),
        Mistake(
            "z_is_what_is_new",
            _gru_ending(lambda r, z, n_x, n_h, h: z * np.tanh(n_x + r * n_h) + (1 - z) * h),
            "z and 1 - z have changed places. In PyTorch z is the part of the old memory that stays.",
        ),
        Mistake(
            "reset_left_out",
            _gru_ending(lambda r, z, n_x, n_h, h: (1 - z) * np.tanh(n_x + n_h) + z * h),
            "The gate r is not used. It multiplies the part of the proposal that comes from the memory.",
        ),
        Mistake(
            "reset_and_update_exchanged",
            _gru_ending(lambda r, z, n_x, n_h, h: (1 - r) * np.tanh(n_x + z * n_h) + r * h),
            "r and z have changed places: the columns come in the order r, z, n.",
        ),
        Mistake(
            "reset_on_everything",
            _gru_ending(lambda r, z, n_x, n_h, h: (1 - z) * np.tanh(r * (n_x + n_h)) + z * h),
            "Your r multiplies the token, too. It only stands before the part that comes from the memory.",
        ),
        Mistake(
            "bias_outside_the_reset",
            lambda x, h, W, U, b, d: gru_step(
                x, h, W, U, b + d * (np.arange(len(d)) >= 2 * len(h)), d * (np.arange(len(d)) < 2 * len(h))
            ),
            "The bias d of the proposal stands outside r. In PyTorch r multiplies this bias, too.",
        ),
        Mistake(
            "proposal_not_squashed",
            _gru_ending(lambda r, z, n_x, n_h, h: (1 - z) * (n_x + r * n_h) + z * h),
            "The tanh around the proposal n is missing.",
        ),
    ),
    alternatives=(_gru_ending(lambda r, z, n_x, n_h, h: h + (1 - z) * (np.tanh(n_x + r * n_h) - h)),),
    stars=3,
    minutes=20,
)

# path_length -----------------------------------------------------------------------------------------------


def path_length(kind, i, j, window):
    """Return how many layers or steps lie between the token i and the output j; inf where there is no way."""
    away = abs(j - i)
    if kind == "convolution":
        reach = (window - 1) // 2
        return 1 if away == 0 else math.ceil(away / reach) if reach else math.inf
    if kind == "recurrent":
        return j - i + 1 if j >= i else math.inf
    return 1


def _path_with(change):
    """Return an answer that is right where `change` gives None."""

    def answer(kind, i, j, window):
        changed = change(kind, i, j, window)
        return path_length(kind, i, j, window) if changed is None else changed

    return answer


def _path_cases(rng):
    i, j = sorted(int(place) for place in rng.permutation(np.arange(3, 60))[:2])
    far = j - i + 30
    return [
        Case(
            "a convolution, 7 places on",
            ("convolution", 2, 9, 3),
            "Window 3 moves 1 place a layer.",
            expected=7,
        ),
        Case("the same with window 7", ("convolution", 2, 9, 7), "3 places a layer: 3, 6, 9.", expected=3),
        Case("recurrent, 7 places on", ("recurrent", 2, 9, 3), "One step in, then 7 steps on.", expected=8),
        Case(
            "recurrent, backwards", ("recurrent", j, i, 5), "It reads from left to right.", expected=math.inf
        ),
        Case("recurrent, itself", ("recurrent", j, j, 5), "The token goes in with one step.", expected=1),
        Case("a convolution, backwards", ("convolution", i + far, i, 5), "Windows look to both sides."),
        Case("a convolution, itself", ("convolution", i, i, 3), "One layer is needed.", expected=1),
        Case(
            "a window of one", ("convolution", i, j, 1), "Can a token ever meet another?", expected=math.inf
        ),
        Case("a window of one, itself", ("convolution", j, j, 1), "It does meet itself.", expected=1),
        *(
            Case(
                f"{kind}, {words}",
                (kind, j, to, 3),
                "Every output looks at every token, in one layer.",
                expected=1,
            )
            for kind in (KINDS[0], KINDS[3])
            for words, to in (("itself", j), ("backwards", i))
        ),
        *(
            Case(f"{kind}, random places", (kind, i, i + far, 5), "Draw the way.")
            for kind in (*KINDS[1:3], KINDS[0], KINDS[3])
        ),
    ]


PATH_LENGTH = Exercise(
    id="03.path_length",
    title="How far apart are two tokens?",
    reference=path_length,
    cases=_path_cases,
    hints=(
        "Count layers or steps, each with weights. Two of the four kinds always need one.",
        "A centred window of 5 reaches 2 places to each side. So 7 places need 4 layers: round up.",
        "convolution: math.ceil(abs(j - i) / reach), at least 1; recurrent: j - i + 1, or math.inf.",
    ),
    mistakes=(
        Mistake(
            "whole_window_as_reach",
            _path_with(
                lambda kind, i, j, window: (
                    max(1, math.ceil(abs(j - i) / (window - 1)))
                    if kind == "convolution" and window > 1
                    else None
                )
            ),
            "You moved by the whole window. It is centred: it reaches (window - 1) // 2 places to each side.",
        ),
        Mistake(
            "rounded_down",
            _path_with(
                lambda kind, i, j, window: (
                    max(1, abs(j - i) // ((window - 1) // 2))
                    if kind == "convolution" and window > 1
                    else None
                )
            ),
            "You rounded down. A layer that is used in part is still a layer: round up.",
        ),
        Mistake(
            "own_token_needs_no_layer",
            _path_with(lambda kind, i, j, window: 0 if i == j else None),
            "From a token to its own output the way is one layer, not none.",
        ),
        Mistake(
            "recurrence_both_ways",
            _path_with(lambda kind, i, j, window: abs(j - i) + 1 if kind == "recurrent" else None),
            "Your recurrent layer reads backwards, too. From a later token no way leads back: math.inf.",
        ),
        Mistake(
            "the_step_in_forgotten",
            _path_with(lambda kind, i, j, window: j - i if kind == "recurrent" and j >= i else None),
            "The first step is missing: the token enters the memory with a step of its own.",
        ),
        Mistake(
            "attention_walks",
            _path_with(lambda kind, i, j, window: abs(j - i) + 1 if kind == "attention" else None),
            "Attention does not walk from place to place. Every place looks at all places at once: 1.",
        ),
        Mistake(
            "attention_sees_no_later_token",
            _path_with(lambda kind, i, j, window: math.inf if kind == "attention" and j < i else None),
            "Your attention cannot see later tokens. That needs a mask (chapter 9); here there is none.",
        ),
        Mistake(
            "window_of_one_meets_nobody",
            _path_with(
                lambda kind, i, j, window: math.inf if kind == "convolution" and window == 1 else None
            ),
            "A window of 1 never leaves its place, but it does see its own token: 1 for i = j.",
        ),
        Mistake(
            "convolution_looks_forwards_only",
            _path_with(lambda kind, i, j, window: math.inf if kind == "convolution" and j < i else None),
            "Your convolution looks to one side. A centred window looks to both: take abs(j - i).",
        ),
    ),
    alternatives=(
        lambda kind, i, j, window: {
            "fully connected": lambda: 1,
            "attention": lambda: 1,
            "recurrent": lambda: len(range(i, j + 1)) or math.inf,
            "convolution": lambda: (
                max(1, -(-abs(j - i) // (window // 2))) if window > 1 else 1 if i == j else math.inf
            ),
        }[kind](),
    ),
    stars=2,
    minutes=15,
)

SHEET = Sheet(
    "03",
    "Before attention",
    exercises=(LAYER_PARAMS, CONV1D, RECEPTIVE_FIELD, LSTM_STEP, GRU_STEP, PATH_LENGTH),
)
