"""Sheet 13, vision transformers (over 200 lines: each mistake stands beside its exercise)."""

from functools import reduce

import numpy as np

from clearhead.maths import counting, rollout, vision
from clearhead.maths.architectures import ViTConfig
from clearhead.maths.layers import linear
from clearhead.maths.models import vision_transformer
from clearhead.maths.norms import layer_norm
from clearhead.maths.transformer import encoder_block

from .exercise import Case, Exercise, Mistake, Sheet

# num_patches -----------------------------------------------------------------------------------------------


def num_patches(height, width, P):
    """Return how many patches of P × P fill an image; ValueError where they do not fill it."""
    if height % P or width % P:
        raise ValueError(f"Patches of {P} do not fill {height} × {width} pixels.")
    return (height // P) * (width // P)


def _or_refused(answer, *arguments):
    """Return what an answer gives, or the word "refused" where it raises a ValueError."""
    try:
        return answer(*arguments)
    except ValueError:
        return "refused"


def _checked(count):
    """Return an answer that refuses bad sizes and counts in a way of its own."""
    return lambda height, width, P: num_patches(height, width, P) and count(height, width, P)


def _by_area(height, width, P):
    if height * width % P**2:
        raise ValueError("these are not whole patches")
    return height * width // P**2


def _number_cases(rng):
    P, r, c = int(rng.integers(3, 9)), *(int(n) for n in rng.permutation(np.arange(4, 12))[:2])
    look = "How many fit side by side, and how many below each other?"
    return [
        Case("4 by 6 pixels, patches of 2", (4, 6, 2), "Two rows of three patches.", expected=6),
        Case("ViT-B/16 at 224 pixels", (224, 224, 16), "224 / 16 = 14 in a row.", expected=196),
        Case("ViT-H/14 at 224 pixels", (224, 224, 14), "224 / 14 = 16 in a row.", expected=256),
        Case("random sizes", (r * P, c * P, P), look),
        Case("a height that does not fit", (r * P + 1, c * P, P), "Raise ValueError.", expected="refused"),
        Case("a width that does not fit", (r * P, c * P + 2, P), "Raise ValueError.", expected="refused"),
        Case("an image lower than a patch", (2, 8, 4), "As many pixels as one patch, but in another form.",
             expected="refused"),
        Case("neither side fits", (6, 10, 4), "Test each side by itself.", expected="refused"),
    ]  # fmt: skip


NUM_PATCHES = Exercise(
    id="13.num_patches",
    title="How many patches?",
    reference=num_patches,
    cases=_number_cases,
    hints=(
        "Count the patches in one row, count the rows. And when does a patch stick out of the image?",
        "height // P rows and width // P columns. A remainder, height % P or width % P, means: refuse.",
        "if height % P or width % P: raise ValueError('...'). Otherwise return (height // P) * (width // P).",
    ),
    mistakes=(
        Mistake(
            "patch_size_taken_for_grid",
            _checked(lambda height, width, P: P * P),
            "P is the side of a patch in pixels, not the number of patches in a row. Divide by it.",
        ),
        Mistake(
            "class_token_counted",
            _checked(lambda height, width, P: (height // P) * (width // P) + 1),
            "You counted the class token. It is a token, but no patch.",
        ),
        Mistake(
            "one_side_only",
            _checked(lambda height, width, P: height // P),
            "You counted the rows of patches. Each row has width // P of them.",
        ),
        Mistake(
            "pixels_of_a_row_only",
            _checked(lambda height, width, P: height * width // P),
            "You divided by P once. A patch has P · P pixels.",
        ),
        Mistake(
            "square_assumed",
            _checked(lambda height, width, P: (height // P) ** 2),
            "You used the height twice. An image need not be square.",
        ),
        Mistake(
            "remainder_dropped",
            lambda height, width, P: (height // P) * (width // P),
            "Where patches do not fill the image you dropped a strip in silence. Raise a ValueError.",
        ),
        Mistake(
            "width_never_checked",
            lambda height, width, P: num_patches(height, width - width % P, P),
            "You refuse a height that does not fit, but not a width.",
        ),
        Mistake(
            "area_only",
            _by_area,
            "You tested the number of pixels alone. 2 × 8 pixels are as many as a patch of 4 × 4 has, and no "
            "such patch fits. Test height and width, each by itself.",
        ),
    ),
    alternatives=(_checked(lambda height, width, P: height * width // P**2),),
    stars=1,
    minutes=5,
    driver=_or_refused,
)

# patchify --------------------------------------------------------------------------------------------------


def patchify(image, P):
    """Return the patches (N, P·P·c) of an image (R, C, c); ValueError where they do not fill it."""
    return vision.patchify(image, P)


def _filling(cut):
    """Return an answer that refuses bad sizes and cuts in a way of its own."""

    def answer(image, P):
        num_patches(image.shape[0], image.shape[1], P)
        return cut(image, P)

    return answer


def _by_loop(image, P, order="rc"):
    rows, columns = range(0, image.shape[0], P), range(0, image.shape[1], P)
    places = (
        [(r, c) for r in rows for c in columns] if order == "rc" else [(r, c) for c in columns for r in rows]
    )
    return np.array([image[r : r + P, c : c + P].ravel() for r, c in places])


def _six_axes(image, P):
    rows, columns, channels = image.shape
    return image.reshape(rows // P, P, columns // P, P, channels)


def _by_index(image, P):
    rows, columns, channels = image.shape
    N = (rows // P) * (columns // P)
    n, i, j = np.ogrid[:N, :P, :P]
    return image[n // (columns // P) * P + i, n % (columns // P) * P + j].reshape(N, P * P * channels)


def _flat(squares, image, P):
    return squares.reshape(-1, P * P * image.shape[2])


def _sizes(rng):
    """Return a patch size above 2, rows and columns of patches, and channels, all different."""
    P = int(rng.integers(3, 6))
    r, c, channels = (int(n) for n in rng.permutation([n for n in (2, 3, 4, 5) if n != P]))
    return P, r, c, channels


def _image_cases(rng):
    P, r, c, channels = _sizes(rng)
    image = rng.normal(size=(r * P, c * P, channels))
    grey = rng.normal(size=(2 * P, 3 * P, 1))
    all_pixels = (
        "every number of the image is there once",
        lambda out, image, P: np.allclose(np.sort(np.ravel(out)), np.sort(image.ravel())),
    )
    hand = [[0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11], [12, 13, 18, 19], [14, 15, 20, 21], [16, 17, 22, 23]]
    look = "Which pixels stand in the first patch, and in which order?"
    return [
        Case(
            "4 by 6 pixels, by hand",
            (np.arange(24.0).reshape(4, 6, 1), 2),
            "The first patch is 0, 1, 6, 7: a square, read row by row. The second stands to its right.",
            expected=np.array(hand, dtype=float),
        ),
        Case("grey", (grey, P), look, properties=(all_pixels,)),
        Case("grey, higher than wide", (grey.reshape(3 * P, 2 * P, 1), P), look, properties=(all_pixels,)),
        Case("with channels", (image, P), "The channels of a pixel stay together, innermost.",
             properties=(all_pixels,)),
        Case("one patch", (image[:P, :P], P), "One row: the whole image."),
        Case("rows that do not fit", (np.ones((5, 8, 4)), 2), "Raise a ValueError.", expected="refused"),
        Case("columns that do not fit", (np.ones((8, 5, 4)), 2), "Raise a ValueError.", expected="refused"),
        Case("an image lower than a patch", (np.ones((2, 8, 1)), 4), "Raise a ValueError.",
             expected="refused"),
    ]  # fmt: skip


PATCHIFY = Exercise(
    id="13.patchify",
    title="Cut an image into patches",
    reference=patchify,
    cases=_image_cases,
    hints=(
        "One reshape cuts strips. Give rows and columns two axes each: which patch, and where in it.",
        "image.reshape(rows // P, P, columns // P, P, channels), then bring the two patch axes together.",
        "image.reshape(R // P, P, C // P, P, c).swapaxes(1, 2).reshape(-1, P * P * c), after a test of R % P "
        "and C % P.",
    ),
    mistakes=(
        Mistake(
            "reshaped_without_swap",
            _filling(lambda image, P: _flat(image, image, P)),
            "You cut strips, not squares: reshape alone keeps the reading order of the whole image. Exchange "
            "axes before you join them.",
        ),
        Mistake(
            "columns_first",
            _filling(lambda image, P: _by_loop(image, P, "cr")),
            "Your patches run down the columns. Read them like text: from left to right, then the next row.",
        ),
        Mistake(
            "patch_transposed",
            _filling(lambda image, P: _flat(_six_axes(image, P).transpose(0, 2, 3, 1, 4), image, P)),
            "Inside each patch you read down the columns. Its pixels go row by row as well.",
        ),
        Mistake(
            "channels_first",
            _filling(lambda image, P: _flat(_six_axes(image, P).transpose(0, 2, 4, 1, 3), image, P)),
            "You put all pixels of one channel first. Here the channels of a pixel stay together.",
        ),
        Mistake(
            "grid_and_patch_swapped",
            _filling(
                lambda image, P: _flat(
                    image.reshape(P, len(image) // P, P, image.shape[1] // P, -1).transpose(1, 3, 0, 2, 4),
                    image,
                    P,
                )
            ),
            "You took every n-th pixel: in the reshape, the number of patches comes before P, not after it.",
        ),
        Mistake(
            "left_in_a_grid",
            _filling(lambda image, P: patchify(image, P).reshape(len(image) // P, image.shape[1] // P, -1)),
            "Your patches are right, but in a grid. A sentence has one axis of tokens: join the first two.",
        ),
        Mistake(
            "squares_not_flattened",
            _filling(lambda image, P: patchify(image, P).reshape(-1, P, P, image.shape[2])),
            "Your patches are right, but still square. Each is one vector of P · P · c numbers.",
        ),
        Mistake(
            "edge_cut_off",
            lambda image, P: patchify(
                image[: image.shape[0] // P * P, : image.shape[1] // P * P], P
            ),
            "Where patches do not fill the image you cut its edge off in silence. Raise a ValueError.",
        ),
        Mistake(
            "left_to_reshape",
            lambda image, P: _flat(
                image.reshape(-1, P, image.shape[1] // P, P, image.shape[2]).swapaxes(1, 2), image, P
            ),
            "You left it to reshape to refuse. With a -1 in it, reshape finds another way to fit some sizes, "
            "and mixes the pixels in silence. Test both sides yourself.",
        ),
    ),
    alternatives=(_filling(_by_loop), _filling(_by_index)),
    stars=2,
    minutes=15,
    driver=_or_refused,
)  # fmt: skip

# unpatchify ------------------------------------------------------------------------------------------------


def unpatchify(patches, height, width, P):
    """Return the image (R, C, c) that was cut into patches (N, P·P·c)."""
    return vision.unpatchify(patches, height, width, P)


def _from_grid(axes, first=lambda R, C, P: (R // P, C // P, P, P)):
    """Return an answer that reshapes, exchanges axes and flattens."""

    def answer(patches, height, width, P):
        grid = patches.reshape(*first(height, width, P), -1)
        return grid.transpose(*axes).reshape(height, width, -1)

    return answer


def _square_by_square(patches, height, width, P):
    channels = patches.shape[1] // P**2
    image = np.zeros((height, width, channels))
    for n, patch in enumerate(patches):
        r, c = n // (width // P) * P, n % (width // P) * P
        image[r : r + P, c : c + P] = patch.reshape(P, P, channels)
    return image


def _back_cases(rng):
    P, r, c, channels = _sizes(rng)
    image = rng.normal(size=(r * P, c * P, channels))
    grey = rng.normal(size=(3 * P, 2 * P, 1))
    back = (
        "patchify makes the patches of it again",
        lambda out, patches, height, width, P: np.allclose(vision.patchify(np.asarray(out), P), patches),
    )
    return [
        Case(
            "six patches, by hand",
            (patchify(np.arange(24.0).reshape(4, 6, 1), 2), 4, 6, 2),
            "The first row of the image holds the upper halves of the first three patches.",
            expected=np.arange(24.0).reshape(4, 6, 1),
        ),
        Case("grey", (patchify(grey, P), 3 * P, 2 * P, P), "Undo the steps of patchify in reverse order.",
             properties=(back,)),
        Case("with channels", (patchify(image, P), r * P, c * P, P), "The channels are the innermost axis.",
             properties=(back,)),
        Case("one patch", (patchify(image[:P, :P], P), P, P, P), "The patch is the image."),
    ]  # fmt: skip


UNPATCHIFY = Exercise(
    id="13.unpatchify",
    title="Put the image together again",
    reference=unpatchify,
    cases=_back_cases,
    hints=(
        "Do the steps of patchify backwards: split the axes, exchange two of them, join.",
        "patches.reshape(R // P, C // P, P, P, c): which axis must stand beside which, before you join?",
        "patches.reshape(R // P, C // P, P, P, -1).swapaxes(1, 2).reshape(R, C, -1)",
    ),
    mistakes=(
        Mistake(
            "reshaped_without_swap",
            lambda patches, height, width, P: patches.reshape(height, width, -1),
            "A reshape alone lays the patches out as strips. Exchange axes before you join them.",
        ),
        Mistake(
            "grid_turned",
            _from_grid((1, 2, 0, 3, 4), lambda R, C, P: (C // P, R // P, P, P)),
            "You put the patches down the columns. They come in reading order: along the first row first.",
        ),
        Mistake(
            "patch_transposed",
            _from_grid((0, 3, 1, 2, 4)),
            "Each patch came back with rows and columns exchanged.",
        ),
        Mistake(
            "channels_first",
            lambda patches, height, width, P: (
                patches.reshape(height // P, width // P, -1, P, P)
                .transpose(0, 3, 1, 4, 2)
                .reshape(height, width, -1)
            ),
            "You read each patch channel after channel. In a patch, the channels of a pixel stand together.",
        ),
        Mistake(
            "height_and_width_exchanged",
            lambda patches, height, width, P: unpatchify(patches, width, height, P),
            "The image is lying on its side: height and width are exchanged.",
        ),
        Mistake(
            "flattened",
            lambda patches, height, width, P: unpatchify(patches, height, width, P).ravel(),
            "The pixels are right, but in one long row. Give them their shape (height, width, channels).",
        ),
        Mistake(
            "channel_axis_dropped",
            lambda patches, height, width, P: unpatchify(patches, height, width, P)[..., 0],
            "You kept one channel, without its axis. The image has shape (height, width, channels).",
        ),
    ),
    alternatives=(_square_by_square, _from_grid((0, 2, 1, 3, 4))),
    stars=2,
    minutes=15,
)  # fmt: skip

# patch_embed_linear ----------------------------------------------------------------------------------------


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
    P, r, c, channels = _sizes(rng)
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


PATCH_EMBED_LINEAR = Exercise(
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


# add_cls_and_pos -------------------------------------------------------------------------------------------


def add_cls_and_pos(x, cls, positions):
    """Return the tokens (..., N+1, D): the class token in front of x (..., N, D), plus positions (N+1, D)."""
    return vision.add_class_token(x, cls, positions)


def _fronted(x, cls):
    return np.concatenate([np.broadcast_to(cls, (*x.shape[:-2], 1, x.shape[-1])), x], axis=-2)


def _into_an_empty_array(x, cls, positions):
    y = np.empty((*x.shape[:-2], x.shape[-2] + 1, x.shape[-1]))
    y[..., 0, :], y[..., 1:, :] = cls, x
    return y + positions


def _token_cases(rng):
    B, N, D = (int(n) for n in rng.permutation(np.arange(3, 9))[:3])
    x, cls, positions = rng.normal(size=(N, D)), rng.normal(size=D), rng.normal(size=(N + 1, D))
    batch = rng.normal(size=(B, N, D))
    return [
        Case(
            "two patches, by hand",
            (np.array([[1.0, 2], [3, 4]]), np.array([5.0, 6]), np.array([[0.1, 0], [0.2, 0], [0.3, 0]])),
            "First the class token, then the patches; then one row of positions to each of the three.",
            expected=np.array([[5.1, 6.0], [1.2, 2.0], [3.3, 4.0]]),
        ),
        Case("one image", (x, cls, positions), "Which row of positions meets which token?"),
        Case("a batch of images", (batch, cls, positions), "Every image gets the same class token."),
        Case("no positions", (batch, cls, 0 * positions), "Only the class token is new then."),
        Case("one patch", (x[:1], cls, positions[:2]), "One patch makes two tokens."),
    ]  # fmt: skip


ADD_CLS_AND_POS = Exercise(
    id="13.add_cls_and_pos",
    title="The class token, and places",
    reference=add_cls_and_pos,
    cases=_token_cases,
    hints=(
        "Two steps: put one token in front, then add the table of places to all of them.",
        "np.concatenate along axis -2. For a batch, the class token must first be repeated for each image.",
        "first = np.broadcast_to(cls, (*x.shape[:-2], 1, x.shape[-1])); "
        "return np.concatenate([first, x], axis=-2) + positions",
    ),
    mistakes=(
        Mistake(
            "class_token_last",
            lambda x, cls, positions: np.concatenate([x, _fronted(x, cls)[..., :1, :]], axis=-2) + positions,
            "You put the class token at the end. It stands in front, and row 0 of the positions is for it.",
        ),
        Mistake(
            "class_token_without_place",
            lambda x, cls, positions: _fronted(x + positions[1:], cls),
            "The class token got no position. It has a place, too: row 0.",
        ),
        Mistake(
            "places_shifted",
            lambda x, cls, positions: _fronted(x + positions[:-1], cls + positions[-1]),
            "The positions are shifted: row 0 belongs to the class token, row 1 to the first patch.",
        ),
        Mistake(
            "class_token_added_to_all",
            lambda x, cls, positions: x + cls + positions[1:],
            "You added the class token to every patch. It is one more token, in a row of its own.",
        ),
        Mistake(
            "first_patch_overwritten",
            lambda x, cls, positions: _fronted(x[..., 1:, :], cls) + positions[:-1],
            "You wrote the class token over the first patch. There is one token more than before.",
        ),
        Mistake(
            "positions_forgotten",
            lambda x, cls, positions: _fronted(x, cls),
            "The positions are missing: without them the model reads a bag of patches.",
        ),
        Mistake(
            "positions_beside",
            lambda x, cls, positions: np.concatenate(
                [_fronted(x, cls), np.broadcast_to(positions, (*x.shape[:-2], *positions.shape))], axis=-1
            ),
            "You wrote the positions beside the tokens, so the width doubled. They are added.",
        ),
    ),
    alternatives=(
        _into_an_empty_array,
        lambda x, cls, positions: _fronted(x + positions[1:], cls + positions[0]),
    ),
    stars=1,
    minutes=10,
)  # fmt: skip

# vit_forward -----------------------------------------------------------------------------------------------


def vit_forward(image, parameters, P, num_heads):
    """Return the scores (V,) of all classes for an image (R, C, c)."""
    return vision_transformer(image, parameters, num_heads, P)


def _in_steps(
    start=None, blocks=lambda blocks: blocks, read=lambda x: x[0], last=layer_norm, finish=None, heads=None
):
    """Return a forward pass in which one step can be another."""

    def answer(image, parameters, P, num_heads):
        x = vision.patchify(image, P) @ parameters["patches"]["weight"] + parameters["patches"]["bias"]
        x = (start or vision.add_class_token)(x, parameters["cls"], parameters["positions"])
        for block in blocks(parameters["blocks"]):
            x = encoder_block(x, block, heads or num_heads)
        logits = linear(last(read(x), **parameters["norm"]), **parameters["head"])
        return logits if finish is None else finish(logits, parameters)

    return answer


def _unnormed(x, gain, bias):
    return x


def _softmax(logits, parameters):
    raised = np.exp(logits - logits.max())
    return raised / raised.sum()


def _twice(answer, image, parameters, P, num_heads, order, moved):
    """Return the logits of an image, and those of its patches in another order, their places moved along."""
    places = parameters["positions"][[0, *(1 + order)]]
    logits = np.asarray(answer(image, parameters, P, num_heads))
    return {
        "logits": logits,
        "moved": np.asarray(answer(moved, parameters | {"positions": places}, P, num_heads)),
    }


def _random(rng, shapes):
    if isinstance(shapes, tuple):
        return rng.normal(size=shapes)
    return {name: _random(rng, each) for name, each in shapes.items()}


def _model(rng, N, inside, D, V, layers):
    """Return random weights of a small vision transformer."""
    norm, square = {"gain": (D,), "bias": (D,)}, {"weight": (D, D), "bias": (D,)}
    block = {
        "attention_norm": norm,
        "attention": {part: square for part in ("query", "key", "value", "output")},
        "feed_forward_norm": norm,
        "feed_forward": {
            "up": {"weight": (D, D + 1), "bias": (D + 1,)},
            "down": {"weight": (D + 1, D), "bias": (D,)},
        },
    }
    outside = {
        "patches": {"weight": (inside, D), "bias": (D,)},
        "cls": (D,),
        "positions": (N + 1, D),
        "norm": norm,
    }
    parameters = _random(rng, outside | {"head": {"weight": (D, V), "bias": (V,)}})
    return parameters | {"blocks": [_random(rng, block) for _ in range(layers)]}


def _given(rng, P, grid, channels, H, layers):
    """Return an image, a model, P and H, an order of the patches, and the image in that order."""
    (r, c), D, V = grid, 2 * H, int(rng.integers(5, 9))
    image, order = rng.normal(size=(r * P, c * P, channels)), rng.permutation(r * c)
    moved = vision.unpatchify(vision.patchify(image, P)[order], r * P, c * P, P)
    return image, _model(rng, r * c, P * P * channels, D, V, layers), P, H, order, moved


def _forward_cases(rng):
    P, other = (int(n) for n in rng.permutation([2, 3, 4])[:2])
    image, deep, _, H, order, moved = _given(rng, P, (2, 3), 1, 2, 2)
    same = (
        "patches in another order, their places moved along, give the same logits",
        lambda out, *given: np.allclose(out["logits"], out["moved"], atol=1e-6),
    )
    one_score_each = (
        "there is one score for each class",
        lambda out, image, parameters, *given: (
            np.shape(out["logits"]) == np.shape(parameters["head"]["bias"])
        ),
    )
    look = "Patches, embedding, class token and places, blocks, norm, head: is each of them there, in order?"
    bare, black, both = deep | {"blocks": []}, 0 * image, (one_score_each, same)
    return [
        Case("no block", (image, bare, P, H, order, moved), look, properties=both),
        Case("two blocks", (image, deep, P, H, order, moved), "Does x go through every block?",
             properties=both),
        Case("three blocks, with channels", _given(rng, other, (4, 2), 5, 3, 3),
             "Other patches, more heads, more blocks, and channels: which of them did you write as a fixed "
             "number?", properties=both),
        Case("a black image", (black, deep, P, H, order, black), "Only biases, class token and places count.",
             properties=both),
    ]  # fmt: skip


VIT_FORWARD = Exercise(
    id="13.vit_forward",
    title="The whole model",
    reference=vit_forward,
    cases=_forward_cases,
    hints=(
        "Six steps: patches, linear map, class token and places, blocks, norm, head.",
        "After the blocks, take row 0: x[0] is the class token. Norm it, then the head.",
        "x = add_cls_and_pos(linear(patchify(image, P), **parameters['patches']), parameters['cls'], "
        "parameters['positions']); then the blocks; linear(layer_norm(x[0], **...), **parameters['head']).",
    ),
    mistakes=(
        Mistake(
            "positions_forgotten",
            _in_steps(start=lambda x, cls, positions: _fronted(x, cls)),
            "The positions are missing: the model does not know where a patch stands.",
        ),
        Mistake(
            "mean_of_tokens",
            _in_steps(read=lambda x: x.mean(axis=0)),
            "You averaged all tokens at the end. This model reads the class token alone.",
        ),
        Mistake(
            "last_token_read",
            _in_steps(read=lambda x: x[-1]),
            "You read the last token, which is a patch. The class token is row 0.",
        ),
        Mistake(
            "last_norm_forgotten",
            _in_steps(last=_unnormed),
            "The norm after the last block is missing. Pre-norm blocks leave the stream as large as it grew.",
        ),
        Mistake(
            "norm_without_gain",
            _in_steps(last=lambda x, gain, bias: layer_norm(x, np.ones_like(gain), np.zeros_like(bias))),
            "The last norm has a gain and a bias of its own: give it parameters['norm'].",
        ),
        Mistake(
            "head_without_bias",
            _in_steps(finish=lambda logits, parameters: logits - parameters["head"]["bias"]),
            "The bias of the head is missing: linear takes weight and bias.",
        ),
        Mistake(
            "first_block_only",
            _in_steps(blocks=lambda blocks: blocks[:1]),
            "Only the first block ran. Does your return stand inside the loop?",
        ),
        Mistake(
            "one_head",
            _in_steps(heads=1),
            "Each block ran with one head. Give encoder_block the number of heads: num_heads.",
        ),
        Mistake(
            "blocks_in_reverse",
            _in_steps(blocks=lambda blocks: blocks[::-1]),
            "The blocks ran in reverse order.",
        ),
        Mistake(
            "softmax_returned",
            _in_steps(finish=_softmax),
            "You returned probabilities. The scores are asked for, before the softmax.",
        ),
    ),
    alternatives=(_in_steps(), _in_steps(start=lambda x, cls, positions: _fronted(x, cls) + positions)),
    stars=2,
    minutes=25,
    driver=_twice,
)  # fmt: skip

# vit_params ------------------------------------------------------------------------------------------------


def vit_params(config):
    """Return how many parameters a vision transformer has, by its sizes."""
    return counting.parameters(
        ViTConfig(
            config["d_model"], 1, config["num_layers"], config["patch_size"], config["image_size"],
            config["channels"], config["num_classes"],
        )
    )  # fmt: skip


def _parts(config):
    """Return the number of parameters of each part."""
    D, P, c, V = (config[name] for name in ("d_model", "patch_size", "channels", "num_classes"))
    N = (config["image_size"] // P) ** 2
    return {
        "patches": P * P * c * D,
        "patches bias": D,
        "cls": D,
        "positions": (N + 1) * D,
        "attention": 4 * D * D,
        "attention biases": 4 * D,
        "feed forward": 8 * D * D,
        "feed forward biases": 5 * D,
        "norms": 4 * D,
        "last norm": 2 * D,
        "head": D * V,
        "head bias": V,
    }


INSIDE = ("attention", "attention biases", "feed forward", "feed forward biases", "norms")


def _counted(change=lambda parts, config: {}):
    """Return an answer that counts, with some parts changed."""

    def answer(config):
        parts = _parts(config)
        parts |= change(parts, config)
        return int(sum(n * (config["num_layers"] if name in INSIDE else 1) for name, n in parts.items()))

    return answer


def _without(*names):
    return _counted(lambda parts, config: dict.fromkeys(names, 0))


def _config_cases(rng):
    names = ("image_size", "patch_size", "channels", "num_classes", "d_model", "num_layers")
    base, large, huge = (
        (224, 16, 3, 1000, 768, 12),
        (224, 16, 3, 1000, 1024, 24),
        (224, 14, 3, 1000, 1280, 32),
    )
    P, side, c = (int(n) for n in rng.permutation(np.arange(3, 9))[:3])
    some = (P * side, P, c, int(rng.integers(11, 50)), int(rng.integers(9, 40)), int(rng.integers(2, 7)))
    size = lambda values: dict(zip(names, values, strict=True))  # noqa: E731
    return [
        Case("our digits model", (size((8, 2, 1, 10, 12, 2)),),
             "Embedding 60, class token 12, 17 places 204, each block 1,884, last norm 24, head 130.",
             expected=4198),
        Case("ViT-B/16", (size(base),), "86,567,656 in all.", expected=86_567_656),
        Case("ViT-L/16", (size(large),), "304,326,632 in all.", expected=304_326_632),
        Case("ViT-H/14", (size(huge),), "632,045,800 in all.", expected=632_045_800),
        Case("random sizes", (size(some),), "Go through the parts one by one, and write down each shape."),
    ]  # fmt: skip


VIT_PARAMS = Exercise(
    id="13.vit_params",
    title="Count ViT to the last parameter",
    reference=vit_params,
    cases=_config_cases,
    hints=(
        "Write down each part and the shape of each array in it: embedding, class token, places, blocks, "
        "norm, head.",
        "A block has 12 D² + 13 D. There is one place more than there are patches.",
        "(P²cD + D) + D + (N + 1)D + L(12D² + 13D) + 2D + (DV + V), with N = (image // P)².",
    ),
    mistakes=(
        Mistake(
            "class_token_or_its_place",
            _without("cls"),
            "You have D too few. The class token is learned, and it has a place, too.",
        ),
        Mistake(
            "last_norm_forgotten", _without("last norm"), "The norm after the last block is missing: 2 D."
        ),
        Mistake(
            "biases_forgotten",
            _without("patches bias", "attention biases", "feed forward biases", "head bias"),
            "You counted the weights of the linear maps, and not their biases.",
        ),
        Mistake(
            "biases_of_attention_forgotten",
            _without("attention biases"),
            "The four maps of attention have biases in ViT: 4 D in each block.",
        ),
        Mistake(
            "norms_forgotten",
            _without("norms", "last norm"),
            "The norms are missing: each has a gain and a bias, two in each block and one after the last.",
        ),
        Mistake(
            "channels_forgotten",
            _counted(lambda parts, config: {"patches": parts["patches"] // config["channels"]}),
            "A patch has P · P · c numbers: the channels are missing in the embedding.",
        ),
        Mistake(
            "positions_forgotten", _without("positions"), "The places are learned: (N + 1) D more parameters."
        ),
        Mistake("head_forgotten", _without("head", "head bias"), "The head is missing: D V + V."),
        Mistake(
            "grid_of_patch_size",
            _counted(
                lambda parts, config: {"positions": (config["patch_size"] ** 2 + 1) * config["d_model"]}
            ),
            "You took the patch size for the grid. At 224 pixels, patches of 16 make a grid of 14 × 14.",
        ),
    ),
    alternatives=(_counted(),),
    stars=2,
    minutes=15,
)

# attention_rollout -----------------------------------------------------------------------------------------


def attention_rollout(A):
    """Return the roll-out (T, T) of attention weights A (L, H, T, T), first block first."""
    return rollout.attention_rollout(A)


def _rolled(mix=lambda A: A.mean(axis=1) / 2 + np.eye(A.shape[-1]) / 2, multiply=lambda M, R: M @ R):
    """Return an answer that mixes heads and multiplies blocks in a way of its own."""

    def answer(A):
        first, *others = mix(A)
        for M in others:
            first = multiply(M, first)
        return first

    return answer


def _row_normed(A):
    M = A.mean(axis=1) + np.eye(A.shape[-1])
    return M / M.sum(axis=-1, keepdims=True)


def _weights(rng, L, H, T):
    raised = rng.exponential(size=(L, H, T, T)) ** 2
    return raised / raised.sum(axis=-1, keepdims=True)


def _rollout_cases(rng):
    L, H, T = (int(n) for n in rng.permutation(np.arange(2, 7))[:3])
    sums = ("each row sums to 1", lambda R, A: np.allclose(np.sum(np.asarray(R), axis=-1), 1))
    look = "Mean over heads, half of it and half the identity, then the product: later blocks on the left."
    one = np.array([[[[0.0, 1.0], [0.0, 1.0]]], [[[0.0, 1.0], [1.0, 0.0]]]])
    return [
        Case(
            "two tokens, two blocks, by hand",
            (one,),
            "M_1 is (½ ½; 0 1), M_2 is (½ ½; ½ ½). M_2 M_1 is (¼ ¾; ¼ ¾).",
            expected=np.array([[0.25, 0.75], [0.25, 0.75]]),
        ),
        Case("one block", (_weights(rng, 1, H, T),), "With one block it is half the mean, half the identity.",
             properties=(sums,)),
        Case("several blocks", (_weights(rng, L, H, T),), look, properties=(sums,)),
        Case("more of everything", (_weights(rng, L + 2, H + 1, T + 3),), look, properties=(sums,)),
    ]  # fmt: skip


ATTENTION_ROLLOUT = Exercise(
    id="13.attention_rollout",
    title="Roll out attention",
    reference=attention_rollout,
    cases=_rollout_cases,
    hints=(
        "Make one matrix of each block, then multiply them. What does the residual stream add to a block?",
        "M_l = A[l].mean(axis=0) / 2 + np.eye(T) / 2. The first block acts first, so it stands on the right.",
        "R = np.eye(T); for heads in A: R = (heads.mean(axis=0) / 2 + np.eye(T) / 2) @ R; return R",
    ),
    mistakes=(
        Mistake(
            "order_reversed",
            _rolled(multiply=lambda M, R: R @ M),
            "You multiplied in the wrong order. The first block acts first: M_L ... M_2 M_1.",
        ),
        Mistake(
            "residual_forgotten",
            _rolled(lambda A: A.mean(axis=1)),
            "You left the residual stream out: half of each token stays where it is.",
        ),
        Mistake(
            "residual_not_halved",
            _rolled(lambda A: A.mean(axis=1) + np.eye(A.shape[-1])),
            "You added the identity without halving. Each row of a block must sum to 1.",
        ),
        Mistake(
            "heads_added",
            _rolled(lambda A: A.sum(axis=1) / 2 + np.eye(A.shape[-1]) / 2),
            "You added the heads up. Take their mean, so that rows sum to 1.",
        ),
        Mistake(
            "mean_of_blocks",
            lambda A: A.mean(axis=(0, 1)) / 2 + np.eye(A.shape[-1]) / 2,
            "You averaged the blocks. They act one after the other: multiply them.",
        ),
        Mistake(
            "element_by_element",
            _rolled(multiply=lambda M, R: M * R),
            "You multiplied number by number. What flows through a block is a matrix product: @.",
        ),
        Mistake(
            "last_block_only",
            lambda A: A[-1].mean(axis=0) / 2 + np.eye(A.shape[-1]) / 2,
            "This is the last block alone. Its tokens have already been mixed by the blocks before.",
        ),
        Mistake(
            "residual_once_at_the_end",
            lambda A: _rolled(lambda A: A.mean(axis=1))(A) / 2 + np.eye(A.shape[-1]) / 2,
            "You halved once, at the end. Each block has a residual connection of its own.",
        ),
    ),
    alternatives=(
        _rolled(_row_normed),
        lambda A: reduce(np.matmul, (A.mean(axis=1) / 2 + np.eye(A.shape[-1]) / 2)[::-1]),
    ),
    stars=2,
    minutes=15,
)  # fmt: skip

SHEET = Sheet(
    "13",
    "Vision",
    exercises=(
        NUM_PATCHES,
        PATCHIFY,
        UNPATCHIFY,
        PATCH_EMBED_LINEAR,
        ADD_CLS_AND_POS,
        VIT_FORWARD,
        VIT_PARAMS,
        ATTENTION_ROLLOUT,
    ),
)
