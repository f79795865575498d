"""More wrong answers of 18.lora_gradients."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _first(x, dy, A, B, scale):
    return scale * x.T @ (dy @ B.T)


def _second(x, dy, A, B, scale):
    return scale * (x @ A).T @ dy


def _by_the_whole_matrix(x, dy, A, B, scale):
    whole = scale * x.T @ dy
    return whole @ B.T, A.T @ whole


def _summed(x, dy):
    return x.sum(axis=0, keepdims=True), dy.sum(axis=0, keepdims=True)


MORE = (
    Mistake(
        "whole_matrix_built",
        _by_the_whole_matrix,
        "Your gradients are right, but you built a matrix of D times F numbers, as x.T @ dy is. Begin "
        "with the thin products: dy @ B.T and x @ A.",
    ),
    Mistake(
        "b_scaled_twice",
        lambda *given: (_first(*given), given[-1] * _second(*given)),
        "dB has the factor scale twice. It stands in y once.",
    ),
    Mistake(
        "a_scaled_twice",
        lambda *given: (given[-1] * _first(*given), _second(*given)),
        "dA has the factor scale twice. It stands in y once.",
    ),
    Mistake(
        "divided_by_the_scale",
        lambda *given: (_first(*given) / given[-1] ** 2, _second(*given) / given[-1] ** 2),
        "You divide by scale. It multiplies, on the way back as on the way forward.",
    ),
    Mistake(
        "divided_by_the_rank",
        lambda *given: (_first(*given) / given[2].shape[1], _second(*given) / given[2].shape[1]),
        "You divide by the rank. Here `scale` holds that already.",
    ),
    Mistake(
        "first_a_mean",
        lambda *given: (_first(*given) / len(given[0]), _second(*given)),
        "dA is a mean over the tokens. It is their sum, as dB is.",
    ),
    Mistake(
        "second_a_mean",
        lambda *given: (_first(*given), _second(*given) / len(given[0])),
        "dB is a mean over the tokens. It is their sum, as dA is.",
    ),
    Mistake(
        "first_downhill",
        lambda *given: (-_first(*given), _second(*given)),
        "dA has the wrong sign.",
    ),
    Mistake(
        "second_downhill",
        lambda *given: (_first(*given), -_second(*given)),
        "dB has the wrong sign.",
    ),
    Mistake(
        "first_transposed",
        lambda *given: (_first(*given).T, _second(*given)),
        "dA is transposed: A is (D, r), and so is its gradient. It is xᵀ (dy Bᵀ).",
    ),
    Mistake(
        "second_transposed",
        lambda *given: (_first(*given), _second(*given).T),
        "dB is transposed: B is (r, F), and so is its gradient. It is (x A)ᵀ dy.",
    ),
    Mistake(
        "steps_returned",
        lambda x, dy, A, B, scale: (A - _first(x, dy, A, B, scale), B - _second(x, dy, A, B, scale)),
        "You took a step: A and B less their gradients. Return the gradients themselves.",
    ),
    Mistake(
        "weights_left_out_of_both",
        lambda x, dy, A, B, scale: (
            scale * x.T @ np.repeat(dy.sum(axis=1, keepdims=True), A.shape[1], axis=1),
            scale * np.repeat(x.sum(axis=1, keepdims=True), A.shape[1], axis=1).T @ dy,
        ),
        "You added up where a product belongs: A learns through B (dy @ B.T), and B through A (x @ A).",
    ),
    Mistake(
        "first_token_alone",
        lambda x, dy, *rest: (_first(x[:1], dy[:1], *rest), _second(x[:1], dy[:1], *rest)),
        "You took the first token alone. The gradients are sums over all tokens.",
    ),
    Mistake(
        "first_alone",
        _first,
        "You returned dA alone. Return both: dA, dB.",
    ),
    Mistake(
        "last_token_alone",
        lambda x, dy, *rest: (_first(x[-1:], dy[-1:], *rest), _second(x[-1:], dy[-1:], *rest)),
        "You kept the last token alone. Add up what each token gives: +=.",
    ),
    Mistake(
        "summed_too_early",
        lambda x, dy, *rest: (_first(*_summed(x, dy), *rest), _second(*_summed(x, dy), *rest)),
        "You added x and dy over the tokens, and multiplied then. Multiply token by token, and add the "
        "products.",
    ),
    Mistake(
        "in_a_dict",
        lambda *given: {"dA": _first(*given), "dB": _second(*given)},
        "You returned a dict. Return two arrays: dA, dB.",
    ),
    Mistake(
        "three_returned",
        lambda x, dy, *rest: (x.T @ dy, _first(x, dy, *rest), _second(x, dy, *rest)),
        "You returned three gradients. Return dA and dB alone: W is frozen.",
    ),
)
