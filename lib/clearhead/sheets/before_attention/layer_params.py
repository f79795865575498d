"""03.layer_params: Count the weights."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .shared import KINDS


def layer_params(kind, T, D, window):
    """Return how many weights a layer has that maps T tokens of D numbers to T tokens of D numbers."""
    return {"fully connected": T**2, "convolution": window, "recurrent": 2, "attention": 4}[kind] * D**2


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


EXERCISE = Exercise(
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
            "convolution_with_new_weights_in_each_window",
            _params_with(convolution=lambda T, D, window: (T - window + 1) * window * D**2),
            "You counted new weights for each of the T - window + 1 windows. All of them share one set: "
            "window matrices (D, D).",
        ),
        Mistake(
            "one_weight_for_each_number",
            _params_with(convolution=lambda T, D, window: window * D),
            "Your convolution has D weights for each place of the window: enough for one number that goes "
            "out, or for each number alone. It has a matrix (D, D) for each place.",
        ),
        Mistake(
            "one_matrix_of_the_recurrent_layer",
            _params_with(recurrent=lambda T, D, window: D**2),
            "One matrix of the recurrent layer is missing: the token has one, and the memory has one.",
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
        Mistake(
            "convolution_with_the_window_squared",
            _params_with(convolution=lambda T, D, window: window**2 * D**2),
            "You squared the window. It slides along one axis, so it has as many matrices as places.",
        ),
        Mistake(
            "two_matrices_of_attention",
            _params_with(attention=lambda T, D, window: 2 * D**2),
            "You counted two matrices for attention. There are four: for queries, keys and values, "
            "and one at the end.",
        ),
        Mistake(
            "an_lstm_counted",
            _params_with(recurrent=lambda T, D, window: 8 * D**2),
            "You counted an LSTM. A plain RNN has two matrices: one for the token, one for the memory.",
        ),
        Mistake(
            "an_output_matrix_counted",
            _params_with(recurrent=lambda T, D, window: 3 * D**2),
            "You counted three matrices for the recurrent layer. The memory itself comes out here, so there "
            "are two: one for the token, one for the memory.",
        ),
        Mistake(
            "a_gru_counted",
            _params_with(recurrent=lambda T, D, window: 6 * D**2),
            "You counted a GRU. A plain RNN has two matrices: one for the token, one for the memory.",
        ),
        Mistake(
            "each_pair_of_tokens_once",
            _params_with(fully=lambda T, D, window: T * (T - 1) // 2 * D**2),
            "You counted each pair of tokens once, and none with itself. Fully connected means every "
            "token in, with every token out: T² matrices.",
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
