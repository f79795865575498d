"""13.patch_embed_linear: A convolution, as one product."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import vision

from .patch_embed_linear_wrong import MORE
from .shared import sizes


def patch_embed_linear(image, kernel, bias):
    """Return the tokens (N, D) of an image (R, C, c) under a kernel (D, c, P, P) that steps by P."""
    D, P = len(kernel), kernel.shape[2]
    return vision.patchify(image, P) @ kernel.transpose(2, 3, 1, 0).reshape(-1, D) + bias


def _as_product(weight):
    """Return an answer that makes its weight from the kernel in a way of its own."""
    return lambda image, kernel, bias: vision.patchify(image, kernel.shape[2]) @ weight(kernel) + bias


def _sliding(image, kernel, bias):
    P = kernel.shape[2]
    tokens = []
    for r in range(0, image.shape[0], P):
        for c in range(0, image.shape[1], P):
            square = image[r : r + P, c : c + P]
            tokens.append(np.einsum("ijc,dcij->d", square, kernel) + bias)
    return np.array(tokens)


def _embedding_cases(rng):
    P, r, c, channels = sizes(rng)
    D = int(rng.integers(6, 9))
    image, kernel = rng.normal(size=(r * P, c * P, channels)), rng.normal(size=(D, channels, P, P))
    grey, plain = rng.normal(size=(2 * P, 3 * P, 1)), rng.normal(size=(D, 1, P, P))
    bias, look = rng.normal(size=D), "In which order must the axes of the kernel stand to meet a patch?"
    counting_kernel = np.array([[[[1.0, 10.0], [100.0, 1000.0]]]])
    return [
        Case(
            "one patch and one output, by hand",
            (np.array([[[1.0], [2.0]], [[3.0], [4.0]]]), counting_kernel, np.array([0.5])),
            "1 · 1 + 2 · 10 + 3 · 100 + 4 · 1000 + 0.5",
            expected=np.array([[4321.5]]),
        ),
        Case("grey", (grey, plain, bias), look),
        Case("with channels", (image, kernel, bias), "In a patch the channel is innermost; in the kernel it "
             "comes second."),
        Case("no bias", (image, kernel, np.zeros(D)), look),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="13.patch_embed_linear",
    title="A convolution, as one product",
    reference=patch_embed_linear,
    cases=_embedding_cases,
    hints=(
        "Each patch meets the whole kernel once. Both become vectors, in the same order of numbers.",
        "A patch is ordered (row, column, channel). The kernel is (D, channel, row, column).",
        "patchify(image, P) @ kernel.transpose(2, 3, 1, 0).reshape(-1, D) + bias",
    ),
    mistakes=(
        Mistake(
            "kernel_flattened_as_it_is",
            _as_product(lambda kernel: kernel.reshape(len(kernel), -1).T),
            "You flattened the kernel with its channels first. In a patch the channel comes last: transpose "
            "the kernel before you flatten it.",
        ),
        Mistake(
            "rows_and_columns_exchanged",
            _as_product(lambda kernel: kernel.transpose(3, 2, 1, 0).reshape(-1, len(kernel))),
            "The kernel's rows and columns are exchanged: row i of the kernel meets row i of the patch.",
        ),
        Mistake(
            "kernel_turned_round",
            lambda image, kernel, bias: patch_embed_linear(image, kernel[:, :, ::-1, ::-1], bias),
            "You turned the kernel round, as signal processing does. In deep learning it stays as it is.",
        ),
        Mistake(
            "outputs_reshaped_in",
            _as_product(lambda kernel: kernel.reshape(-1, len(kernel))),
            "You reshaped the kernel to (P·P·c, D) without moving D to the end. That mixes the outputs.",
        ),
        Mistake(
            "bias_forgotten",
            lambda image, kernel, bias: patch_embed_linear(image, kernel, 0 * bias),
            "The bias is missing: add bias (D,) to each token, after the product.",
        ),
        Mistake(
            "tokens_in_columns",
            lambda image, kernel, bias: patch_embed_linear(image, kernel, bias).T,
            "Your tokens stand in columns, as a convolution gives them. Here a row is a token.",
        ),
        Mistake(
            "stride_of_one",
            lambda image, kernel, bias: _overlapping(image, kernel, bias),
            "You moved the kernel by one pixel at a time, so the squares overlap. The stride is P.",
        ),
        Mistake(
            "bias_subtracted",
            lambda image, kernel, bias: patch_embed_linear(image, kernel, -bias),
            "You subtracted the bias. Add it.",
        ),
        Mistake(
            "mean_of_the_patch",
            lambda image, kernel, bias: patch_embed_linear(image, kernel / kernel[0].size, bias),
            "You divided by how many numbers a patch has. A convolution adds, and does not average.",
        ),
        Mistake(
            "negative_numbers_cut_off",
            lambda image, kernel, bias: np.maximum(patch_embed_linear(image, kernel, bias), 0),
            "You cut negative numbers off, as a ReLU does. The map is linear.",
        ),
        Mistake(
            "bias_counted_twice",
            lambda image, kernel, bias: patch_embed_linear(image, kernel, 2 * bias),
            "You added the bias twice. Once for each token is enough.",
        ),
        *MORE,
    ),
    alternatives=(_sliding, lambda image, kernel, bias: _overlapping(image, kernel, bias, kernel.shape[2])),
    stars=2,
    minutes=15,
)  # fmt: skip


def _overlapping(image, kernel, bias, stride=1):
    """Return the tokens of a convolution with a stride, by windows."""
    P = kernel.shape[2]
    windows = np.lib.stride_tricks.sliding_window_view(image, (P, P), axis=(0, 1))[::stride, ::stride]
    return np.einsum("rcxij,dxij->rcd", windows, kernel).reshape(-1, len(kernel)) + bias
