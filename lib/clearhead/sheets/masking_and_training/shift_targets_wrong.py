"""More wrong answers of 09.shift_targets."""

import numpy as np

from clearhead.checks.exercise import Mistake

from .shared import IGNORE


def _pairs(targets, inputs=lambda ids, real: ids[:, :-1]):
    """Return shift_targets with its own targets or inputs."""
    return lambda ids, real: (inputs(ids, real), targets(ids, real))


def _right(ids, real):
    return np.where(real[:, 1:], ids[:, 1:], IGNORE)


MORE = (
    Mistake(
        "last_target_ignored",
        _pairs(
            lambda ids, real: np.where(
                np.arange(ids.shape[1] - 1) < ids.shape[1] - 2, _right(ids, real), IGNORE
            )
        ),
        "You ignored the last column. Its target counts where it is real.",
    ),
    Mistake(
        "first_target_ignored",
        _pairs(lambda ids, real: np.where(np.arange(ids.shape[1] - 1) > 0, _right(ids, real), IGNORE)),
        "You ignored the first column. Its target counts where it is real.",
    ),
    Mistake(
        "input_plus_one",
        _pairs(lambda ids, real: np.where(real[:, 1:], ids[:, :-1] + 1, IGNORE)),
        "You added 1 to the ids. The target is the next token, one place on.",
    ),
    Mistake(
        "nan_for_padding",
        _pairs(lambda ids, real: np.where(real[:, 1:], ids[:, 1:], np.nan)),
        "Padding has the target NaN, which makes floats of all ids. It is -100 here.",
    ),
    Mistake(
        "plus_100",
        _pairs(lambda ids, real: np.where(real[:, 1:], ids[:, 1:], 100)),
        "Padding has the target 100, and that may be a word. It is -100, with a minus.",
    ),
    Mistake(
        "inputs_ignored_at_padded_targets",
        _pairs(_right, lambda ids, real: np.where(real[:, 1:], ids[:, :-1], IGNORE)),
        "You put -100 into the inputs where the target is padding. Leave the inputs as they are.",
    ),
    Mistake(
        "targets_not_cut",
        _pairs(lambda ids, real: np.where(real, ids, IGNORE)),
        "Your targets are as wide as the sentence. Begin with its second token: ids[:, 1:].",
    ),
    Mistake(
        "rows_in_place_of_columns",
        lambda ids, real: (ids[:-1], np.where(real[1:], ids[1:], IGNORE)),
        "You moved on by a sentence. Move on by a token, along the second axis: ids[:, 1:].",
    ),
    Mistake(
        "what_equals_the_last_id",
        _pairs(lambda ids, real: np.where(ids[:, 1:] != ids[-1, -1], ids[:, 1:], IGNORE)),
        "You took one id for padding wherever it stands. It may be a word; `real` says what is padding.",
    ),
    Mistake(
        "what_equals_a_pad",
        _pairs(lambda ids, real: np.where(np.isin(ids[:, 1:], ids[~real][:1]), IGNORE, ids[:, 1:])),
        "You looked up the id of a pad, and took it for padding wherever it stands. It may be a word: `real` "
        "says what is padding.",
    ),
)
