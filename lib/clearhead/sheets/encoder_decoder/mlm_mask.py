"""11.mlm_mask: Hide words as BERT does."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.text.batches import IGNORE

from .mlm_mask_wrong import MORE


def mlm_mask(ids, u, v, others, mask_id, special):
    """Return what BERT reads and what it is asked, both (B, S), for sentences ids (B, S) and their dice."""
    return _masked()(ids, u, v, others, mask_id, special)


def _masked(choose=lambda u: u < 0.15, hide=0.8, replace=0.9, answers=None, spared=True):
    """Return an answer with its own shares, its own choice, and its own targets."""

    def answer(ids, u, v, others, mask_id, special):
        chosen = choose(u) & ~(np.isin(ids, special) & spared)
        shown = np.where(v < hide, mask_id, np.where(v < replace, others, ids))
        read = np.where(chosen, shown, ids)
        asked = np.where(chosen, ids, IGNORE) if answers is None else answers(ids, chosen, v, read)
        return read, asked

    return answer


def _random_and_unchanged_exchanged(ids, u, v, others, mask_id, special):
    other = np.where((v >= 0.8) & (v < 0.9), 0.95, np.where(v >= 0.9, 0.85, v))
    return mlm_mask(ids, u, other, others, mask_id, special)


def _masked_by_loops(ids, u, v, others, mask_id, special):
    read, asked = ids.copy(), np.full(ids.shape, IGNORE)
    for place in np.ndindex(*ids.shape):
        if u[place] < 0.15 and ids[place] not in special:
            asked[place] = ids[place]
            if v[place] < 0.8:
                read[place] = mask_id
            elif v[place] < 0.9:
                read[place] = others[place]
    return read, asked


def _spared_by_place(ids, u, v, others, mask_id, special):
    inside = np.pad(u[:, 1:-1], ((0, 0), (1, 1)), constant_values=1.0)
    return _masked(spared=False)(ids, inside, v, others, mask_id, special)


def _masked_up_to_the_edge(ids, u, v, others, mask_id, special):
    lower = np.nextafter(u, 0), np.nextafter(v, 0)
    return mlm_mask(ids, *lower, others, mask_id, special)


def _dice(rng, B, S, mask_id, special, most=0.3):
    """Return sentences with special tokens in them, and dice by which half of the tokens are chosen."""
    ids, others = rng.integers(10, 60, size=(2, B, S))
    u, v = most * rng.random((B, S)), rng.random((B, S))
    ids[1:, 0], ids[:, -1], ids[:, S // 2] = special[0], special[-1], rng.choice(special)
    u[:, 0] = u[:, -1] = u[:, S // 2] = 0.01  # a special token may stand anywhere, and not be the first
    u[:, 1], v[:, 1] = 0.1, 0.85  # a random word and an unchanged one occur in every row
    u[:, 2], v[:, 2] = 0.1, 0.95
    others[others == ids] += 1
    return ids, u, v, others, mask_id, special


def _mask_cases(rng):
    B, S = int(rng.integers(3, 6)), int(rng.integers(20, 30))
    ids = np.array([[1, 11, 12, 13, 14, 0]])
    u = np.array([[0.05, 0.10, 0.14, 0.01, 0.60, 0.02]])
    v = np.array([[0.10, 0.30, 0.85, 0.95, 0.20, 0.50]])
    kept = (
        "a target is -100 or the token that stood there",
        lambda out, ids, *rest: ((np.asarray(out[1]) == ids) | (np.asarray(out[1]) == IGNORE)).all(),
    )
    return [
        Case(
            "six tokens, by hand",
            (ids, u, v, np.array([[50, 51, 52, 53, 54, 55]]), 2, (0, 1)),
            "Tokens 11, 12 and 13 become the mask token, the random word 52, and 13 again. 1 and 0 are "
            "special, so never chosen.",
            expected=[
                np.array([[1, 2, 52, 13, 14, 0]]),
                np.array([[IGNORE, 11, 12, 13, IGNORE, IGNORE]]),
            ],
        ),
        Case(
            "dice on the edge",
            (
                np.array([[11, 12, 13, 14]]), np.array([[0.15, 0.10, 0.10, 0.10]]),
                np.array([[0.10, 0.80, 0.90, 0.79]]), np.array([[50, 51, 52, 53]]), 2, (0, 1),
            ),
            "u = 0.15 is not below 0.15. v = 0.8 means a random word, and v = 0.9 the token itself.",
            expected=[np.array([[11, 51, 13, 2]]), np.array([[IGNORE, 12, 13, 14]])],
        ),
        Case("random sentences", _dice(rng, B, S, 2, (0, 1)), "Which tokens are asked? And what is shown?",
             properties=(kept,)),
        Case("other special tokens", _dice(rng, B + 2, S - 4, 9, (4, 5)), "Use mask_id and special.",
             properties=(kept,)),
        Case("few tokens chosen", _dice(rng, B, S + 5, 3, (7,), 1.0), "Most tokens have u of 0.15 or more.",
             properties=(kept,)),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="11.mlm_mask",
    title="Hide words as BERT does",
    reference=mlm_mask,
    cases=_mask_cases,
    hints=(
        "Two questions for each token: is it chosen? And if it is, what does the model see there?",
        "chosen = (u < 0.15) & ~np.isin(ids, special). Only v decides what is shown; the target is the same "
        "in all three cases.",
        "shown = np.where(v < 0.8, mask_id, np.where(v < 0.9, others, ids)); read = np.where(chosen, shown, "
        "ids); asked = np.where(chosen, ids, -100).",
    ),
    mistakes=(
        Mistake(
            "loss_everywhere",
            _masked(answers=lambda ids, chosen, v, read: ids),
            "You ask for every token. The loss counts the chosen ones only: -100 elsewhere.",
        ),
        Mistake(
            "loss_only_at_the_mask",
            _masked(answers=lambda ids, chosen, v, read: np.where(chosen & (v < 0.8), ids, IGNORE)),
            "You ask only where the mask token stands. Ask for every chosen token, whatever is shown there.",
        ),
        Mistake(
            "unchanged_not_asked",
            _masked(answers=lambda ids, chosen, v, read: np.where(chosen & (v < 0.9), ids, IGNORE)),
            "The chosen tokens that stay are not asked. The model must not know that a plain token is safe.",
        ),
        Mistake(
            "always_the_mask",
            _masked(hide=2.0),
            "Every chosen token becomes the mask token. 10 % become a random word, and 10 % stay.",
        ),
        Mistake(
            "nothing_stays",
            _masked(replace=2.0),
            "All chosen tokens change. From v = 0.9 upwards the token stays as it is.",
        ),
        Mistake(
            "nothing_random",
            _masked(replace=0.8),
            "You show no random words. From v = 0.8 to 0.9 the model reads the token of others.",
        ),
        Mistake(
            "special_tokens_chosen",
            _masked(spared=False),
            "You chose special tokens, too. Padding and [CLS] are never asked.",
        ),
        Mistake(
            "ends_spared",
            _spared_by_place,
            "You spare the first and the last place. A special token may stand anywhere: look at its id.",
        ),
        Mistake(
            "edges_included",
            _masked_up_to_the_edge,
            "Your limits are one step too wide: u < 0.15, not <=, and v = 0.8 is a random word already.",
        ),
        Mistake(
            "share_turned_round",
            _masked(choose=lambda u: u > 0.15),
            "You chose where u is above 0.15. Choose where it is below.",
        ),
        Mistake(
            "zero_for_the_rest",
            _masked(answers=lambda ids, chosen, v, read: np.where(chosen, ids, 0)),
            "Where nothing is asked you wrote 0, and 0 is a token. The loss skips -100.",
        ),
        Mistake(
            "shown_as_target",
            _masked(answers=lambda ids, chosen, v, read: np.where(chosen, read, IGNORE)),
            "Your targets are what the model reads. It must find the token that stood there before.",
        ),
        Mistake(
            "ids_became_floats",
            lambda *given: tuple(1.0 * each for each in mlm_mask(*given)),
            "Right, but your arrays hold floats, as np.zeros makes them, and a float picks no row of a "
            "table. Make them with dtype=int.",
        ),
        Mistake(
            "random_and_unchanged_exchanged",
            _random_and_unchanged_exchanged,
            "The two shares of 10 % have changed places: from 0.8 to 0.9 a random word must be read, from "
            "0.9 on the token itself.",
        ),
        *MORE,
    ),
    alternatives=(_masked_by_loops,),
    ids=True,
    stars=2,
    minutes=20,
)
