"""More wrong answers of 13.patch_embed_linear."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths import vision


def _embedded(image, kernel, bias):
    weight = kernel.transpose(2, 3, 1, 0).reshape(-1, len(kernel))
    return vision.patchify(image, kernel.shape[2]) @ weight + bias


def _not_cut(image, kernel, bias):
    D, channels, P, _ = kernel.shape
    return image.transpose(2, 0, 1).reshape(-1, channels * P * P) @ kernel.reshape(D, -1).T + bias


def _steps_of_two(image, kernel, bias):
    seen = np.lib.stride_tricks.sliding_window_view(image, kernel.shape[2:], axis=(0, 1))[::2, ::2]
    return np.einsum("rcxij,dxij->rcd", seen, kernel).reshape(-1, len(kernel)) + bias


def _in_a_grid(image, kernel, bias):
    return _embedded(image, kernel, bias).reshape(len(image) // kernel.shape[2], -1, len(kernel))


def _cut_by_a_reshape(image, kernel, bias):
    weight = kernel.transpose(2, 3, 1, 0).reshape(-1, len(kernel))
    return image.reshape(-1, len(weight)) @ weight + bias


MORE = (
    Mistake(
        "divided_by_the_root",
        lambda image, kernel, bias: _embedded(image, kernel, 0) / np.sqrt(kernel[0].size) + bias,
        "You divided by the root of the size of a patch. A convolution only adds.",
    ),
    Mistake(
        "bias_multiplied",
        lambda image, kernel, bias: _embedded(image, kernel, 0) * bias,
        "You multiplied by the bias. Add it.",
    ),
    Mistake(
        "bias_added_to_pixels",
        lambda image, kernel, bias: _embedded(image + bias.mean(), kernel, 0),
        "You added the bias to the pixels. It is added to each token, after the product.",
    ),
    Mistake(
        "kernel_upside_down",
        lambda image, kernel, bias: _embedded(image, kernel[:, :, ::-1], bias),
        "Your kernel stands upside down. Row i of the kernel meets row i of the patch.",
    ),
    Mistake(
        "kernel_mirrored",
        lambda image, kernel, bias: _embedded(image, kernel[..., ::-1], bias),
        "Your kernel is mirrored. Column j of the kernel meets column j of the patch.",
    ),
    Mistake(
        "channels_from_back_to_front",
        lambda image, kernel, bias: _embedded(image, kernel[:, ::-1], bias),
        "Your channels stand from back to front. Channel 0 of the kernel meets channel 0 of the image.",
    ),
    Mistake(
        "first_channel_alone",
        lambda image, kernel, bias: _embedded(image[..., :1], kernel[:, :1], bias),
        "You used the first channel alone. The sum runs over all of them.",
    ),
    Mistake(
        "first_output_alone",
        lambda image, kernel, bias: _embedded(image, kernel[:1], bias[:1]),
        "Only the first output came back. A token has D numbers.",
    ),
    Mistake(
        "left_in_a_grid",
        lambda image, kernel, bias: _embedded(image, kernel, bias).reshape(
            -(-len(image) // kernel.shape[2]), -1, len(kernel)
        ),
        "Your tokens stand in a grid. A sentence has one axis of tokens: (N, D).",
    ),
    Mistake(
        "tokens_added_up",
        lambda image, kernel, bias: _embedded(image, kernel, bias).sum(axis=0),
        "You added the tokens up. Return each of them: (N, D).",
    ),
    Mistake(
        "image_not_cut",
        _not_cut,
        "You reshaped the image without cutting it into squares. Call patchify first.",
    ),
    Mistake(
        "stride_of_two",
        _steps_of_two,
        "You moved the kernel by two pixels at a time. The stride is P.",
    ),
    Mistake(
        "image_cut_by_a_reshape",
        _cut_by_a_reshape,
        "You cut the image by a reshape alone: that gives strips, not squares. Exchange axes as in patchify.",
    ),
    Mistake(
        "mean_over_the_pixels",
        lambda image, kernel, bias: _embedded(image, kernel, 0) / kernel.shape[2] ** 2 + bias,
        "You divided by P · P, how many pixels a patch has. A convolution adds and does not divide.",
    ),
)
