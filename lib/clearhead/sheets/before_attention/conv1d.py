"""03.conv1d: A window that slides."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import recurrent

from .shared import sizes


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
    W, D, F, more = sizes(rng, 4)
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
            "random tokens", (x, weight), "W, D and F differ; check the shape first.", properties=(toeplitz,)
        ),
        Case(
            "the window is the sentence", (x[:W], weight), "How many windows fit now?", properties=(toeplitz,)
        ),
        Case(
            "a window of one, over whole numbers",
            (np.round(3 * x).astype(int), weight[:1]),
            "Each token alone: x @ weight[0].",
        ),
    ]


def _conv_last(x, weight):
    return x[len(weight) - 1 :] @ weight[-1]


def _conv_sums(x, weight):
    W = len(weight)
    return np.array([x[t : t + W].sum(0) @ weight.sum(0) for t in range(len(x) - W + 1)])


def _is_last(weight):
    return (np.arange(len(weight)) == len(weight) - 1)[:, None, None]


def _conv_largest(x, weight):
    W = len(weight)
    return np.array([np.max([x[t + w] @ weight[w] for w in range(W)], axis=0) for t in range(len(x) - W + 1)])


EXERCISE = Exercise(
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
            "last_row_left_zero",
            lambda x, weight: np.append(conv1d(x, weight)[:-1], np.zeros((1, weight.shape[2])), axis=0),
            "Your last row is all zeros. There are T - W + 1 windows: t runs from 0 to T - W, that one too.",
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
            "You put zeros beside the sentence. Here a window that does not fit is left out.",
        ),
        Mistake(
            "window_added_up_first",
            _conv_sums,
            "You added up the tokens and the matrices of the window, then multiplied. Each token meets its "
            "own matrix: x[t + w] @ weight[w].",
        ),
        Mistake(
            "last_matrix_left_out",
            lambda x, weight: conv1d(x, weight) - conv1d(x, weight * _is_last(weight)),
            "The last token of each window is missing: w runs from 0 to W - 1, which is range(W).",
        ),
        Mistake(
            "window_looks_back",
            _conv_by(lambda t, w, W: t - w),
            "Your window looks back, as x[t - w] does, where a negative place counts from the end. It looks "
            "on: x[t + w].",
        ),
        Mistake(
            "window_of_two",
            lambda x, weight: x[:-1] @ weight[0] + x[1:] @ weight[1],
            "You took the chapter's window of 2. Its size is len(weight), and may be any.",
        ),
        Mistake(
            "all_outputs_in_one",
            lambda x, weight: conv1d(x, weight).sum(axis=1, keepdims=True),
            "You added up the numbers of each output. An output has F numbers: keep them apart.",
        ),
        Mistake(
            "mean_over_the_window",
            lambda x, weight: conv1d(x, weight) / len(weight),
            "You took the mean over the window. A convolution takes the sum.",
        ),
        Mistake(
            "windows_side_by_side",
            lambda x, weight: conv1d(x, weight)[:: len(weight)],
            "Your windows stand side by side. Each begins one token after the one before it.",
        ),
        Mistake(
            "only_the_last_token_of_the_window",
            _conv_last,
            "Only the last token of each window is left, as where a loop overwrites its result. Add the "
            "results up.",
        ),
        Mistake(
            "largest_of_the_window",
            _conv_largest,
            "You took the largest result of a window. Add them up.",
        ),
        Mistake(
            "negative_numbers_cut_off",
            lambda x, weight: np.maximum(conv1d(x, weight), 0),
            "You cut negative numbers off, as a ReLU does. The layer is linear here.",
        ),
    ),
    alternatives=(
        lambda x, weight: (x.ravel() @ recurrent.toeplitz(weight, len(x))).reshape(-1, weight.shape[2]),
        lambda x, weight: sum(x[w : len(x) - len(weight) + 1 + w] @ weight[w] for w in range(len(weight))),
    ),
    stars=2,
    minutes=15,
)
