"""Sheet 07, positional encoding (over 200 lines: each mistake stands beside its exercise)."""

from itertools import permutations

import numpy as np

from clearhead.maths.masks import causal_mask
from clearhead.maths.positions import frequencies, sinusoidal, sinusoidal_shift
from clearhead.maths.single_head import self_attention

from .exercise import Case, Exercise, Mistake, Sheet


def _even(rng, low=3, high=10):
    """Return an even number of columns, from 2 low to 2 high."""
    return int(2 * rng.integers(low, high + 1))


def _pairs(d_model):
    return np.arange(d_model // 2)


def _side_by_side(even, odd):
    """Return columns 0, 2, 4 ... from one table and 1, 3, 5 ... from another."""
    return np.stack([even, odd], axis=-1).reshape(len(even), -1)


# wavelengths -----------------------------------------------------------------------------------------------


def wavelengths(d_model):
    """Return after how many positions each pair of columns has turned once, (D/2,)."""
    return 2 * np.pi / frequencies(d_model)


def _wavelengths_by_loop(d_model):
    found = []
    for column in range(0, d_model, 2):
        found.append(2 * np.pi * 10000 ** (column / d_model))
    return np.array(found)


def _wavelengths_cases(rng):
    first = ("the first pair turns once in 2π positions", lambda w, d: np.isclose(w[0], 2 * np.pi))
    rising = ("each wavelength is longer than the one before", lambda w, d: np.all(np.diff(w) > 0))
    return [
        Case(
            "four columns, by hand",
            (4,),
            "The speeds are 1 and 0.01, so one turn takes 2π and 200π positions.",
            expected=np.array([2 * np.pi, 200 * np.pi]),
            properties=(first, rising),
        ),
        Case("one pair", (2,), "One clock alone turns at speed 1.", expected=np.array([2 * np.pi])),
        Case(
            "many columns", (_even(rng, 8, 40),), "Two columns share one speed.", properties=(first, rising)
        ),
        Case(
            "the first transformer, 512 columns", (512,), "The last pair needs 60,611 positions for a turn."
        ),
    ]


WAVELENGTHS = Exercise(
    id="07.wavelengths",
    title="How long is a turn?",
    reference=wavelengths,
    cases=_wavelengths_cases,
    hints=(
        "A full turn is an angle of 2π. A hand of speed ω has turned by ω t after t positions.",
        "ω t = 2π gives t = 2π / ω, and the speed of pair k is 10000 ** (-2 * k / d_model).",
        "return 2 * np.pi * 10000 ** (np.arange(0, d_model, 2) / d_model)",
    ),
    mistakes=(
        Mistake(
            "speeds_instead",
            frequencies,
            "These are the speeds ω. Asked is the time for one turn: 2π divided by the speed.",
        ),
        Mistake(
            "radians_instead_of_turns",
            lambda d_model: 1 / frequencies(d_model),
            "This is the time for one radian. A full turn has 2π radians.",
        ),
        Mistake(
            "multiplied_by_the_speed",
            lambda d_model: 2 * np.pi * frequencies(d_model),
            "You multiplied 2π by the speed. A faster hand needs less time: divide.",
        ),
        Mistake(
            "one_for_each_column",
            lambda d_model: np.repeat(wavelengths(d_model), 2),
            "You return one number for each column. Two columns are one hand: return D/2 numbers.",
        ),
        Mistake(
            "speed_for_each_column",
            lambda d_model: 2 * np.pi * 10000 ** (np.arange(d_model) / d_model),
            "Each of your columns has a speed of its own. Columns 2k and 2k+1 share one: D/2 numbers.",
        ),
        Mistake(
            "exponent_without_two",
            lambda d_model: 2 * np.pi * 10000 ** (_pairs(d_model) / d_model),
            "Your exponent is k/D. It must be 2k/D, else the slowest hand is a hundred times too fast.",
        ),
        Mistake(
            "stretched_to_the_end",
            lambda d_model: 2 * np.pi * np.geomspace(1, 10000, d_model // 2),
            "Your last wavelength is 10000 · 2π. The exponents 2k/D stop just before 1.",
        ),
        Mistake(
            "slowest_first",
            lambda d_model: wavelengths(d_model)[::-1],
            "Your slowest hand comes first. The first pair of columns is the fastest.",
        ),
    ),
    alternatives=(
        _wavelengths_by_loop,
        lambda d_model: 2 * np.pi * np.exp(np.log(10000) * 2 * _pairs(d_model) / d_model),
    ),
    stars=1,
    minutes=5,
)

# sinusoidal_pe ---------------------------------------------------------------------------------------------


def _or_refusal(answer, length, d_model):
    """Return the answer's code; for an odd number of columns the text "ValueError" where it raises one."""
    if d_model % 2 == 0:
        return answer(length, d_model)
    try:
        return answer(length, d_model)
    except ValueError:
        return "ValueError"


def _code_with(angle, order=_side_by_side, start=0):
    """Return a code with its own angles (T, D/2), its own order of columns or its own first position."""

    def code(length, d_model):
        if d_model % 2:
            raise ValueError("columns come in pairs")
        angles = angle(np.arange(start, start + length)[:, None], _pairs(d_model), d_model)
        return order(np.sin(angles), np.cos(angles))

    return code


def _right_angles(t, k, d):
    return t * 10000.0 ** (-2 * k / d)


def _speed_for_each_column(power):
    """Return a code whose column c turns at 10000^(-power c / D), sine in even columns."""

    def code(length, d_model):
        if d_model % 2:
            raise ValueError("columns come in pairs")
        columns = np.arange(d_model)
        angles = np.arange(length)[:, None] * 10000.0 ** (-power * columns / d_model)
        return np.where(columns % 2, np.cos(angles), np.sin(angles))

    return code


def _odd_column_left(length, d_model):
    P = np.zeros((length, d_model))
    for k in range(d_model // 2):
        angles = np.arange(length) * 10000.0 ** (-2 * k / d_model)
        P[:, 2 * k], P[:, 2 * k + 1] = np.sin(angles), np.cos(angles)
    return P


def _odd_code_grows(length, d_model):
    angles = np.arange(length)[:, None] * 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
    return _side_by_side(np.sin(angles), np.cos(angles))


def _by_loops(length, d_model):
    if d_model % 2:
        raise ValueError(f"d_model is {d_model}, but columns come in pairs.")
    return _odd_column_left(length, d_model)


def _by_complex_numbers(length, d_model):
    if d_model % 2 != 0:
        raise ValueError("d_model must be even")
    hands = np.exp(1j * np.outer(np.arange(length), 10000.0 ** (-np.arange(0, d_model, 2) / d_model)))
    P = np.empty((length, d_model))
    P[:, 0::2], P[:, 1::2] = hands.imag, hands.real
    return P


def _sinusoidal_cases(rng):
    norm = (
        "the squares of each row sum to D/2",
        lambda P, length, d: np.allclose(np.sum(P**2, axis=1), d / 2),
    )
    offset = (
        "the dot product of two rows depends only on how far apart they are",
        lambda P, length, d: np.allclose((P @ P.T)[1:, 1:], (P @ P.T)[:-1, :-1]),
    )
    t = np.arange(3)
    by_hand = np.stack([np.sin(t), np.cos(t), np.sin(0.01 * t), np.cos(0.01 * t)], axis=1)
    return [
        Case(
            "three positions, four columns, by hand",
            (3, 4),
            "The two speeds are 1 and 0.01. Row 1 is (sin 1, cos 1, sin 0.01, cos 0.01).",
            expected=by_hand,
            properties=(norm, offset),
        ),
        Case(
            "random sizes",
            (int(rng.integers(11, 20)), _even(rng, 3, 5)),
            "Check the shape (T, D), then which columns share a speed.",
            properties=(norm, offset),
        ),
        Case("one position", (1, 6), "At position 0 every hand stands at sine 0, cosine 1."),
        Case("a long text", (500, 8), "Nothing may depend on the length.", properties=(norm,)),
        Case(
            "an odd number of columns",
            (4, 7),
            "Columns come in pairs: for an odd d_model raise a ValueError.",
        ),
    ]


SINUSOIDAL_PE = Exercise(
    id="07.sinusoidal_pe",
    title="Sine and cosine",
    reference=sinusoidal,
    cases=_sinusoidal_cases,
    hints=(
        "First the angles: one row a position, one column a pair. Then sine and cosine of the same angles.",
        "np.arange(length)[:, None] * 10000 ** (-np.arange(0, d_model, 2) / d_model) has shape (T, D/2).",
        "P = np.zeros((length, d_model)); P[:, 0::2] = np.sin(angles); P[:, 1::2] = np.cos(angles). "
        "Before that, raise ValueError if d_model % 2.",
    ),
    mistakes=(
        Mistake(
            "sines_then_cosines",
            _code_with(_right_angles, lambda sin, cos: np.hstack([sin, cos])),
            "All your sines come first, then all cosines. That code works, too, but here a sine and its "
            "cosine stand side by side.",
        ),
        Mistake(
            "cosine_first",
            _code_with(_right_angles, lambda sin, cos: _side_by_side(cos, sin)),
            "Your even columns hold the cosine. Sine comes first: column 2k is the sine, 2k+1 the cosine.",
        ),
        Mistake(
            "speed_for_each_column",
            _speed_for_each_column(1),
            "Each of your columns has a speed of its own. Columns 2k and 2k+1 share one, or they are no "
            "hand.",
        ),
        Mistake(
            "column_in_place_of_pair",
            _speed_for_each_column(2),
            "You put the column into the exponent 2k/D. k counts pairs: columns 4 and 5 both have k = 2.",
        ),
        Mistake(
            "exponent_without_minus",
            _code_with(lambda t, k, d: t * 10000.0 ** (2 * k / d)),
            "Your later columns turn faster and faster. The exponent is negative: they turn more slowly.",
        ),
        Mistake(
            "exponent_without_two",
            _code_with(lambda t, k, d: t * 10000.0 ** (-k / d)),
            "Your exponent is -k/D. For pair k it must be -2k/D.",
        ),
        Mistake(
            "speed_of_the_token",
            _code_with(lambda t, k, d: k * 10000.0 ** (-2 * t / len(t))),
            "In your code the speed depends on the position. It belongs to the pair of columns; the "
            "position is the time.",
        ),
        Mistake(
            "positions_from_one",
            _code_with(_right_angles, start=1),
            "Your first row is position 1. We count from 0, and row 0 is (0, 1, 0, 1, ...).",
        ),
        Mistake(
            "odd_column_left_at_zero",
            _odd_column_left,
            "Right for an even d_model. For an odd one your last column has no partner: raise a ValueError.",
        ),
        Mistake(
            "odd_code_grows",
            _odd_code_grows,
            "Right for an even d_model. For an odd one a column more comes back than was asked for: raise a "
            "ValueError.",
        ),
    ),
    alternatives=(_by_loops, _by_complex_numbers),
    stars=2,
    minutes=15,
    driver=_or_refusal,
)

# shift_matrix ----------------------------------------------------------------------------------------------


def _blocks(signs, speeds=frequencies):
    """Return a shift matrix whose blocks are [[cos, s sin], [t sin, cos]] for signs (s, t)."""

    def shift(offset, d_model):
        R = np.zeros((d_model, d_model))
        for k, angle in enumerate(offset * speeds(d_model)):
            cos, sin = np.cos(angle), np.sin(angle)
            R[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = [[cos, signs[0] * sin], [signs[1] * sin, cos]]
        return R

    return shift


def _shift_of_halves(offset, d_model):
    cos, sin = (np.diag(f(offset * frequencies(d_model))) for f in (np.cos, np.sin))
    return np.block([[cos, -sin], [sin, cos]])


def _first_block_only(offset, d_model):
    R = np.eye(d_model)
    R[:2, :2] = sinusoidal_shift(offset, 2)
    return R


def _at(times, d_model):
    """Return the code at any times, also negative ones."""
    angles = np.asarray(times)[:, None] * frequencies(d_model)
    return _side_by_side(np.sin(angles), np.cos(angles))


def _shift_cases(rng):
    rotation = ("R Rᵀ is the identity", lambda R, s, d: np.allclose(R @ R.T, np.eye(d)))
    moves = (
        "code of position t, times R, is the code of position t + offset",
        lambda R, s, d: np.allclose(_at(range(9), d) @ R, _at(np.arange(9) + s, d)),
    )
    halves = (
        "two steps of offset are one step of twice the offset",
        lambda R, s, d: np.allclose(R @ R, sinusoidal_shift(2 * s, d)),
    )
    both, c, s = (rotation, moves, halves), np.cos(1), np.sin(1)
    return [
        Case(
            "one step, one pair, by hand",
            (1, 2),
            "The block is [[cos 1, -sin 1], [sin 1, cos 1]]: the rows of the code stand on the left of it.",
            expected=np.array([[c, -s], [s, c]]),
            properties=both,
        ),
        Case(
            "a random step",
            (int(rng.integers(2, 9)), _even(rng)),
            "One block for each pair of columns, each with its own speed.",
            properties=both,
        ),
        Case("back", (-int(rng.integers(2, 9)), 6), "A negative offset walks back.", properties=both),
        Case("no step", (0, 8), "No step changes nothing: the identity.", expected=np.eye(8)),
        Case("far away", (700, 4), "Only sine and cosine of offset · speed come in.", properties=both),
    ]


SHIFT_MATRIX = Exercise(
    id="07.shift_matrix",
    title="A step is a rotation",
    reference=sinusoidal_shift,
    cases=_shift_cases,
    hints=(
        "Take one pair first. Write sin(a + b) and cos(a + b) with the addition rules; a is where the hand "
        "stands.",
        "(sin a, cos a) times [[cos b, -sin b], [sin b, cos b]] is (sin(a + b), cos(a + b)), with b = ω "
        "offset.",
        "Start with np.zeros((d_model, d_model)); for pair k put that block into rows and columns 2k and "
        "2k+1.",
    ),
    mistakes=(
        Mistake(
            "transposed",
            lambda offset, d_model: sinusoidal_shift(offset, d_model).T,
            "Your matrix walks in the other direction. Codes are rows here and stand on the left: P @ R. For "
            "columns it would be right.",
        ),
        Mistake(
            "both_signs_plus",
            _blocks((1, 1)),
            "Both sines of your blocks have a plus. One must be negative, or lengths do not stay.",
        ),
        Mistake(
            "halves_paired",
            _shift_of_halves,
            "Your blocks join column k with column k + D/2. In this code neighbours are a pair: 2k and 2k+1.",
        ),
        Mistake(
            "one_speed_for_all",
            _blocks((-1, 1), lambda d_model: np.ones(d_model // 2)),
            "All your blocks turn by the offset itself. Pair k turns by offset · ω of this pair.",
        ),
        Mistake(
            "exponent_without_two",
            _blocks((-1, 1), lambda d_model: 10000.0 ** (-_pairs(d_model) / d_model)),
            "Your speeds are 10000^(-k/D). For pair k the exponent is -2k/D.",
        ),
        Mistake(
            "columns_moved",
            lambda offset, d_model: np.roll(np.eye(d_model), offset, axis=1),
            "Your matrix moves columns. A step leaves the columns where they are and turns each pair.",
        ),
        Mistake(
            "first_pair_only",
            _first_block_only,
            "You turn the first pair only. Every pair of columns needs its block.",
        ),
    ),
    alternatives=(
        _blocks((-1, 1)),
        lambda offset, d_model: np.linalg.matrix_power(sinusoidal_shift(1, d_model), offset),
    ),
    stars=2,
    minutes=20,
)

# expand_scores ---------------------------------------------------------------------------------------------


def expand_scores(X, P, W_q, W_k):
    """Return the four parts (T, T) of the raw scores of tokens X (T, D) at places P (T, D)."""
    M = W_q @ W_k.T
    return X @ M @ X.T, X @ M @ P.T, P @ M @ X.T, P @ M @ P.T


def _expand_by_projections(X, P, W_q, W_k):
    return [(a @ W_q) @ (b @ W_k).T for a in (X, P) for b in (X, P)]


def _expand_with(matrix):
    """Return an expansion with its own matrix in the middle."""

    def expand(X, P, W_q, W_k):
        M = matrix(W_q, W_k)
        return [a @ M @ b.T for a in (X, P) for b in (X, P)]

    return expand


def _twice_the_same(X, P, W_q, W_k):
    parts = expand_scores(X, P, W_q, W_k)
    return parts[0], parts[1], parts[1].T, parts[3]


def _expand_cases(rng):
    T, D, d = (int(size) for size in rng.permutation(np.arange(2, 8))[:3])
    X, P = rng.normal(size=(2, T, D))
    W_q, W_k = rng.normal(size=(2, D, d))
    whole = (
        "the four parts sum to ((X + P) W_q)((X + P) W_k)ᵀ",
        lambda parts, X, P, W_q, W_k: np.allclose(sum(parts), ((X + P) @ W_q) @ ((X + P) @ W_k).T),
    )
    words, places = np.array([[1.0, 0, 0], [0, 2, 5]]), np.array([[3.0, 1, 0], [0, 3, 7]])
    matrices = np.array([[1.0], [0], [0]]), np.array([[0.0], [2], [0]])
    return [
        Case(
            "two tokens, by hand",
            (words, places, *matrices),
            "Here M has a single 2, in row 0 and column 1: each part is 2 · (number 0 of i) · (number 1 of "
            "j).",
            expected=[
                np.array([[0, 4], [0, 0]]),
                np.array([[2, 6], [0, 0]]),
                np.array([[0, 12], [0, 0]]),
                np.array([[6, 18], [0, 0]]),
            ],
            properties=(whole,),
        ),
        Case("random", (X, P, W_q, W_k), "Rows belong to queries i, columns to keys j.", properties=(whole,)),
        Case("no places", (X, 0 * P, W_q, W_k), "Without places, only the first part is left."),
        Case(
            "one word everywhere",
            (np.tile(X[0], (T, 1)), P, W_q, W_k),
            "The first part must be one number, T · T times.",
            properties=(whole,),
        ),
    ]


EXPAND_SCORES = Exercise(
    id="07.expand_scores",
    title="Four questions in one score",
    reference=expand_scores,
    cases=_expand_cases,
    hints=(
        "Multiply out (x_i + p_i) M (x_j + p_j)ᵀ, with M = W_q W_kᵀ. What asks stands on the left.",
        "The first part, for all i and j at once, is X @ M @ X.T.",
        "return X @ M @ X.T, X @ M @ P.T, P @ M @ X.T, P @ M @ P.T",
    ),
    mistakes=(
        Mistake(
            "mixed_parts_exchanged",
            lambda *given: [expand_scores(*given)[part] for part in (0, 2, 1, 3)],
            "Your second and third part are exchanged. Second: the word asks, the place answers, X M Pᵀ.",
        ),
        Mistake(
            "mixed_part_mirrored",
            _twice_the_same,
            "Your third part is the second, transposed. That would be right for a symmetric M; this M is "
            "not.",
        ),
        Mistake(
            "queries_and_keys_exchanged",
            _expand_with(lambda W_q, W_k: W_k @ W_q.T),
            "Your M is W_k W_qᵀ, so keys ask and queries answer. It is W_q W_kᵀ.",
        ),
        Mistake(
            "columns_as_tokens",
            _expand_with(lambda W_q, W_k: W_q.T @ W_k),
            "W_qᵀ W_k is the formula for tokens as columns. With tokens as rows it is W_q W_kᵀ, shape (D, "
            "D).",
        ),
        Mistake(
            "no_matrices",
            _expand_with(lambda W_q, W_k: np.eye(len(W_q))),
            "Your scores compare the vectors themselves. The matrix M = W_q W_kᵀ belongs in the middle.",
        ),
        Mistake(
            "only_the_sum",
            lambda *given: sum(expand_scores(*given)),
            "You return the whole score. Asked are its four parts, before they are added.",
        ),
        Mistake(
            "scaled",
            _expand_with(lambda W_q, W_k: W_q @ W_k.T / np.sqrt(W_q.shape[1])),
            "You divided by √d. Asked are the raw scores; the scale comes later, once for all.",
        ),
    ),
    alternatives=(_expand_by_projections, lambda *given: [part + 0.0 for part in expand_scores(*given)]),
    stars=2,
    minutes=10,
)

# is_equivariant --------------------------------------------------------------------------------------------


class Layer:
    """A layer to be examined: a function from tokens (T, D) to tokens (T, D), with a name."""

    def __init__(self, name, function):
        self.name, self.function = name, function

    def __call__(self, X):
        return self.function(np.asarray(X, dtype=float))

    def __repr__(self):
        return self.name


def is_equivariant(layer, X):
    """Return True where reordered tokens (T, D) give the same rows, reordered, for every order."""
    return _holds_for(permutations(range(len(X))))(layer, X)


def _holds_for(orders):
    """Return a test of equivariance for some orders only."""
    orders = [list(order) for order in orders]

    def test(layer, X):
        return all(np.allclose(layer(X[order]), layer(X)[order]) for order in orders)

    return test


def _compared(view):
    """Return a test that compares not the rows in their places, but a view of them."""

    def test(layer, X):
        orders = [list(order) for order in permutations(range(len(X)))]
        return all(np.allclose(view(layer(X[order])), view(layer(X))) for order in orders)

    return test


def _sorted_rows(Z):
    return np.array(sorted(np.round(Z, 9).tolist()))


def _with_permutation_matrices(layer, X):
    P = [np.eye(len(X))[list(order)] for order in permutations(range(len(X)))]
    return bool(max(np.abs(layer(p @ X) - p @ layer(X)).max() for p in P) < 1e-9)


def _with_random_orders(layer, X):
    rng = np.random.default_rng(0)
    orders = [rng.permutation(len(X)) for _ in range(200)]
    return all(np.allclose(layer(X[order]), layer(X)[order]) for order in orders)


def _last_is_the_mean(X):
    return np.vstack([X[:-1], X.mean(axis=0)])


def _equivariant_cases(rng):
    W = rng.normal(size=(3, 3, 3))
    X = rng.normal(size=(4, 3))
    P = sinusoidal(4, 4)[:, :3]
    rising = X[np.argsort(X[:, 0])]
    layers = [
        (Layer("self-attention", lambda X: self_attention(X, *W)[0]), True),
        (Layer("causal self-attention", lambda X: self_attention(X, *W, causal_mask(4))[0]), False),
        (Layer("self-attention with positions", lambda X: self_attention(X + P, *W)[0]), False),
        (Layer("the same small network for each token", lambda X: np.maximum(X @ W[0], 0) @ W[1]), True),
        (Layer("the mean of all tokens, in every row", lambda X: 0 * X + X.mean(axis=0)), True),
        (Layer("every column sorted", lambda X: np.sort(X, axis=0)), False),
        (Layer("a ring: each token and its two neighbours", _ring), False),
        (Layer("from last to first", lambda X: X[::-1]), False),
        (Layer("the last row becomes the mean", _last_is_the_mean), False),
        (Layer("self-attention with faint positions", lambda X: self_attention(X + P / 1000, *W)[0]), False),
    ]
    looks = {
        True: "Each order of the tokens gives the same rows in that order. Compare with np.allclose.",
        False: "Some order of the tokens changes more than the order of the rows. Did you try them all?",
    }
    falls = Layer("positions, but only where the first column falls", lambda X: X + P * _falls(X))
    hidden = Case(falls.name, (falls, rising), looks[False], expected=False)
    return [Case(layer.name, (layer, X), looks[answer], expected=answer) for layer, answer in layers] + [
        hidden
    ]


def _falls(X):
    return np.all(np.diff(X[:, 0]) < 0)


def _ring(X):
    return X + (np.roll(X, 1, axis=0) + np.roll(X, -1, axis=0)) / 2


IS_EQUIVARIANT = Exercise(
    id="07.is_equivariant",
    title="Does it see the order?",
    reference=is_equivariant,
    cases=_equivariant_cases,
    hints=(
        "Reorder first and apply the layer, or apply the layer first and reorder: equivariant means the "
        "same result.",
        "For one list `order` compare layer(X[order]) with layer(X)[order]. Why is one order not enough?",
        "for order in itertools.permutations(range(len(X))): with np.allclose, return False at the first "
        "difference.",
    ),
    mistakes=(
        Mistake(
            "invariance_tested",
            _compared(lambda Z: Z),
            "You compare layer(X[order]) with layer(X): that asks whether nothing moves at all. The rows "
            "must move along: layer(X)[order].",
        ),
        Mistake(
            "only_reversed",
            _holds_for([(3, 2, 1, 0)]),
            "You tried one order, from last to first. A layer on a ring survives that, and still sees "
            "neighbours: try all orders.",
        ),
        Mistake(
            "only_rolled",
            _holds_for([(3, 0, 1, 2)]),
            "You tried one order, all tokens moved on by one. A layer on a ring survives that: try all "
            "orders.",
        ),
        Mistake(
            "only_one_swap",
            _holds_for([(1, 0, 2, 3)]),
            "You exchanged only the first two tokens. A layer that treats the last token in its own way is "
            "not found out: try all orders.",
        ),
        Mistake(
            "only_neighbours_exchanged",
            _holds_for([(1, 0, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2)]),
            "You exchanged neighbours, one pair at a time. A layer may wake up for an order that no single "
            "exchange reaches: try all orders.",
        ),
        Mistake(
            "compared_too_roughly",
            lambda layer, X: all(
                np.allclose(layer(X[list(order)]), layer(X)[list(order)], atol=0.1)
                for order in permutations(range(len(X)))
            ),
            "You allow a large difference. Faint positions change little, and still they change: keep the "
            "tolerance of np.allclose.",
        ),
        Mistake(
            "rows_as_a_set",
            _compared(_sorted_rows),
            "You compare which rows come out, not where they stand. Each row must follow its own token.",
        ),
        Mistake(
            "means_compared",
            _compared(lambda Z: Z.mean(axis=0)),
            "You compare the means of the outputs. Many layers keep the mean and mix up the rows: compare "
            "the rows.",
        ),
        Mistake(
            "answer_upside_down",
            lambda layer, X: not is_equivariant(layer, X),
            "You return whether the layer sees the order. Asked is the opposite: True where it does not.",
        ),
    ),
    alternatives=(_with_permutation_matrices, _with_random_orders),
    stars=2,
    minutes=20,
)

# rope ------------------------------------------------------------------------------------------------------


def _rope_with(turn, speeds=frequencies, places=lambda positions: positions):
    """Return a rotation with its own way to turn, its own speeds or its own places."""

    def rope(Q, positions):
        angles = np.asarray(places(positions))[:, None] * speeds(Q.shape[1])
        return turn(1.0 * Q, np.cos(angles), np.sin(angles))

    return rope


def _neighbours(Q, cos, sin):
    even, odd = Q[:, 0::2], Q[:, 1::2]
    return _side_by_side(even * cos - odd * sin, even * sin + odd * cos)


rope = _rope_with(_neighbours)


def _halves(Q, cos, sin):
    first, second = np.split(Q, 2, axis=1)
    return np.hstack([first * cos - second * sin, first * sin + second * cos])


def _overwritten(Q, cos, sin):
    Q[:, 0::2] = Q[:, 0::2] * cos - Q[:, 1::2] * sin
    Q[:, 1::2] = Q[:, 0::2] * sin + Q[:, 1::2] * cos
    return Q


def _each_column(Q, positions):
    d = Q.shape[1]
    angles = np.asarray(positions)[:, None] * 10000.0 ** (-np.arange(d) / d)
    partner = _side_by_side(-Q[:, 1::2], Q[:, 0::2])
    return Q * np.cos(angles) + partner * np.sin(angles)


def _kept_whole(Q, positions):
    turned = np.zeros_like(Q)
    turned[:] = rope(Q, positions)
    return turned


def _as_complex(Q, positions):
    hands = Q[:, 0::2] + 1j * Q[:, 1::2]
    hands = hands * np.exp(1j * np.outer(positions, frequencies(Q.shape[1])))
    return _side_by_side(hands.real, hands.imag)


def _rope_cases(rng):
    T, d = int(rng.integers(11, 16)), _even(rng, 2, 4)
    Q = rng.normal(size=(T, d))
    positions = rng.permutation(3 * T)[:T]
    same, start = np.tile(Q[0], (T, 1)), int(rng.integers(5, 50))
    lengths = (
        "every row keeps its length",
        lambda out, Q, positions: np.allclose(np.linalg.norm(out, axis=1), np.linalg.norm(Q, axis=1)),
    )
    distance = (
        "equal queries: each dot product of two rows depends only on how far apart they stand",
        lambda out, Q, positions: np.allclose((out @ out.T)[1:, 1:], (out @ out.T)[:-1, :-1]),
    )
    c, s = np.cos(2), np.sin(2)
    return [
        Case(
            "places 0 and 2, by hand",
            (np.array([[3.0, 4.0], [3.0, 4.0]]), np.array([0, 2])),
            "At place 0 nothing turns. At place 2: (3 cos 2 - 4 sin 2, 3 sin 2 + 4 cos 2).",
            expected=np.array([[3, 4], [3 * c - 4 * s, 3 * s + 4 * c]]),
            properties=(lengths,),
        ),
        Case(
            "random queries, places in any order",
            (Q, positions),
            "Row t stands at positions[t]. Each pair of neighbours turns at its own speed.",
            properties=(lengths,),
        ),
        Case(
            "one query at many places",
            (same, np.arange(start, start + T)),
            "Compare the score of two places with the score ten places further.",
            properties=(lengths, distance),
        ),
        Case(
            "far places",
            (Q, 5000 + positions),
            "The angle is place · speed, at any place.",
            properties=(lengths,),
        ),
        Case(
            "whole numbers",
            (rng.integers(-4, 5, size=(3, d)), np.array([1, 2, 4])),
            "Q may hold integers; what comes back is not whole.",
        ),
    ]


ROPE = Exercise(
    id="07.rope",
    title="Rotary positions",
    reference=rope,
    cases=_rope_cases,
    hints=(
        "One pair, one place: (a, b) turned by θ is (a cos θ - b sin θ, a sin θ + b cos θ).",
        "angles = positions[:, None] * 10000 ** (-np.arange(0, d, 2) / d) has shape (T, d/2), as Q[:, 0::2] "
        "has.",
        "Make a new float array, out = np.zeros(Q.shape), and fill out[:, 0::2] and out[:, 1::2] from the "
        "old Q.",
    ),
    mistakes=(
        Mistake(
            "halves_paired",
            _rope_with(_halves),
            "You pair column k with column k + d/2, as GPT-NeoX does. Here neighbours are pairs: columns 2k "
            "and 2k+1. Never mix the two.",
        ),
        Mistake(
            "turned_backwards",
            _rope_with(lambda Q, cos, sin: _neighbours(Q, cos, -sin)),
            "You turn the other way round. Scores would stay the same, but the paper, and this check, turn "
            "by +θ.",
        ),
        Mistake(
            "one_speed_for_all",
            _rope_with(_neighbours, lambda d: np.ones(d // 2)),
            "All your pairs turn at speed 1. Pair k turns at 10000^(-2k/d).",
        ),
        Mistake(
            "exponent_without_two",
            _rope_with(_neighbours, lambda d: 10000.0 ** (-_pairs(d) / d)),
            "Your exponent is -k/d. For pair k it is -2k/d.",
        ),
        Mistake(
            "positions_ignored",
            _rope_with(_neighbours, places=lambda positions: np.arange(len(positions))),
            "You turned row t by place t. The places are given: row t stands at positions[t].",
        ),
        Mistake(
            "written_over_too_early",
            _rope_with(_overwritten),
            "You overwrite the even columns, and then the odd columns are made from the new ones. Keep a "
            "copy of the old.",
        ),
        Mistake(
            "speed_for_each_column",
            _each_column,
            "The two columns of a pair turn by different angles in your code, so lengths do not stay. They "
            "share one.",
        ),
        Mistake(
            "added_instead",
            lambda Q, positions: Q + _at(positions, Q.shape[1]),
            "You added the sine-cosine code. Rotary positions add nothing: they turn the query itself.",
        ),
        Mistake(
            "kept_whole_numbers",
            _kept_whole,
            "Your result has the number type of Q, so with whole numbers all decimals are cut off. Make a "
            "float array for the result.",
        ),
    ),
    alternatives=(
        _as_complex,
        lambda Q, positions: np.array(
            [q @ sinusoidal_shift(-int(t), Q.shape[1]) for q, t in zip(Q, positions, strict=True)]
        ),
    ),
    stars=3,
    minutes=25,
)

SHEET = Sheet(
    "07",
    "Positional encoding",
    exercises=(WAVELENGTHS, SINUSOIDAL_PE, SHIFT_MATRIX, EXPAND_SCORES, IS_EQUIVARIANT, ROPE),
)
