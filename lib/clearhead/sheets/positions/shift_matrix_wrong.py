"""More wrong answers of 07.shift_matrix."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.positions import frequencies


def _shift(block=lambda c, s: [[c, -s], [s, c]], speeds=frequencies):
    """Return shift_matrix with another block, or other speeds."""

    def answer(offset, d_model):
        R = np.zeros((d_model, d_model))
        for k, angle in enumerate(offset * speeds(d_model)):
            R[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = block(np.cos(angle), np.sin(angle))
        return R

    return answer


def _code(t, d_model):
    """Return the code (D,) of position t."""
    angles = t * frequencies(d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).ravel()


MORE = (
    Mistake(
        "both_signs_minus",
        _shift(lambda c, s: [[c, -s], [-s, c]]),
        "Both sines of your blocks have a minus. The one below the diagonal needs a plus.",
    ),
    Mistake(
        "sine_and_cosine_exchanged",
        _shift(lambda c, s: [[s, -c], [c, s]]),
        "You exchanged sine and cosine. The cosines stand on the diagonal: offset 0 gives the identity.",
    ),
    Mistake(
        "minus_in_front_of_a_cosine",
        _shift(lambda c, s: [[-c, s], [s, c]]),
        "One cosine of your blocks has a minus. The minus belongs to the sine above the diagonal.",
    ),
    Mistake(
        "cosines_forgotten",
        _shift(lambda c, s: [[1, -s], [s, 1]]),
        "Your diagonal is 1 everywhere. The cosines stand there.",
    ),
    Mistake(
        "identity_added",
        _shift(lambda c, s: [[1 + c, -s], [s, 1 + c]]),
        "You added the rotation to the identity. Begin with zeros.",
    ),
    Mistake(
        "twice_the_exponent",
        _shift(speeds=lambda d: frequencies(d) ** 2),
        "Your exponents are doubled: -4k/D. With columns 0, 2, 4, ... the 2 is in it already.",
    ),
    Mistake(
        "speeds_grow",
        _shift(speeds=lambda d: 1 / frequencies(d)),
        "Your exponent has lost its minus sign, so later pairs turn faster. They must turn more slowly.",
    ),
    Mistake(
        "base_1000",
        _shift(speeds=lambda d: 1000.0 ** (-np.arange(0, d, 2) / d)),
        "Your base is 1,000. The speeds have 10,000.",
    ),
    Mistake(
        "one_block_alone",
        lambda offset, d_model: _shift()(offset, 2),
        "You returned one block. The matrix is (D, D), with a block for each pair.",
    ),
    Mistake(
        "one_step_too_far",
        lambda offset, d_model: _shift()(offset + 1, d_model),
        "Your matrix moves by offset + 1. At offset 0 nothing may turn.",
    ),
    Mistake(
        "mirrored",
        _shift(lambda c, s: [[c, s], [s, -c]]),
        "Your blocks mirror: the second cosine has a minus. It belongs to the sine above the diagonal.",
    ),
    Mistake(
        "blocks_one_after_the_other",
        lambda offset, d_model: np.array(
            [
                _shift(speeds=lambda d, k=k: frequencies(d_model)[k : k + 1])(offset, 2)
                for k in range(d_model // 2)
            ]
        ),
        "You returned the blocks one after the other. Put them along the diagonal of one matrix (D, D), "
        "with zeros everywhere else.",
    ),
    Mistake(
        "fitted_to_position_0",
        lambda offset, d_model: np.outer(_code(0, d_model), _code(offset, d_model)) / (d_model / 2),
        "Your matrix is right for position 0 alone. It must move every position: a block for each pair.",
    ),
    Mistake(
        "offset_wrapped_round",
        lambda offset, d_model: _shift()(offset % d_model, d_model),
        "You took the offset modulo the width. The hands turn on by the whole offset, also back and far.",
    ),
    Mistake(
        "last_pair_stands_still",
        lambda offset, d_model: _shift(speeds=lambda d: frequencies(d) * (np.arange(d // 2) < d // 2 - 1))(
            offset, d_model
        ),
        "Your last pair does not turn. There are D / 2 pairs: range(d_model // 2) gives all of them.",
    ),
    Mistake(
        "last_block_empty",
        lambda offset, d_model: _shift()(offset, d_model) * (np.arange(d_model) < d_model - 2)[:, None],
        "Your last block holds zeros. There are D / 2 pairs: range(d_model // 2) gives all of them.",
    ),
    Mistake(
        "code_on_the_diagonal",
        lambda offset, d_model: np.diag(_code(offset, d_model)),
        "You put the code of the offset on the diagonal. A rotation needs a block of four for each pair.",
    ),
)
