"""More wrong answers of 11.mlm_mask."""

import numpy as np

from clearhead.checks.exercise import Mistake

IGNORE = -100


def _shown(ids, v, others, mask_id, hide=0.8, replace=0.9):
    return np.where(v < hide, mask_id, np.where(v < replace, others, ids))


def _hidden(chosen=None, asked=None, dice=lambda u, v: v, rest=lambda ids, others: ids, **shares):
    """Return an answer with another choice for what is read, another for what is asked, or other dice."""

    def answer(ids, u, v, others, mask_id, special):
        right = (u < 0.15) & ~np.isin(ids, special)
        read = right if chosen is None else chosen(ids, u, special)
        ask = right if asked is None else asked(ids, u, special)
        shown = _shown(ids, dice(u, v), others, mask_id, **shares)
        return np.where(read, shown, rest(ids, others)), np.where(ask, ids, IGNORE)

    return answer


def _choosing(choose):
    """Return an answer that chooses in its own way."""
    return _hidden(chosen=choose, asked=choose)


def _all_chosen(ids, u, special):
    return u < 0.15


def _not_at_the_first_place(ids):
    return np.arange(ids.shape[1]) > 0


def _targets(change):
    """Return the right reading, and change(asked, chosen, mask_id) for what is asked."""

    def answer(ids, u, v, others, mask_id, special):
        read, asked = _hidden()(ids, u, v, others, mask_id, special)
        return read, change(asked, asked != IGNORE, mask_id, ids)

    return answer


def _words_everywhere(ids, u, v, others, mask_id, special):
    read, asked = _hidden()(ids, u, v, others, mask_id, special)
    return np.where((v >= 0.8) & (v < 0.9), others, read), asked


MORE = (
    Mistake(
        "random_words_everywhere",
        _words_everywhere,
        "You show random words in places that were not chosen. A token that is not chosen stays.",
    ),
    Mistake(
        "special_tokens_hidden_not_asked",
        _hidden(chosen=_all_chosen),
        "You hide special tokens, but do not ask for them. They are never chosen: neither hidden nor asked.",
    ),
    Mistake(
        "special_tokens_asked_not_hidden",
        _hidden(asked=_all_chosen),
        "You ask for special tokens, but do not hide them. They are never chosen: neither hidden nor asked.",
    ),
    Mistake(
        "first_special_alone",
        _choosing(lambda ids, u, special: (u < 0.15) & (ids != special[0])),
        "You spare the first special id alone. All of them are spared: np.isin(ids, special).",
    ),
    Mistake(
        "last_special_alone",
        _choosing(lambda ids, u, special: (u < 0.15) & (ids != special[-1])),
        "You spare the last special id alone. All of them are spared: np.isin(ids, special).",
    ),
    Mistake(
        "only_special_tokens_chosen",
        _choosing(lambda ids, u, special: (u < 0.15) & np.isin(ids, special)),
        "You chose the special tokens alone. They are the ones that are never chosen: ~np.isin(...).",
    ),
    Mistake(
        "or_in_place_of_and",
        _choosing(lambda ids, u, special: (u < 0.15) | ~np.isin(ids, special)),
        "One of the two conditions is enough in yours. Both must hold: u < 0.15, and no special token.",
    ),
    Mistake(
        "chosen_by_the_same_dice",
        _hidden(dice=lambda u, v: u / 0.15),
        "u decides what is shown, too, stretched to 1. u chooses; v says how a chosen token is shown.",
    ),
    Mistake(
        "the_rest_is_random",
        _hidden(rest=lambda ids, others: others),
        "Tokens that are not chosen are shown as random words. They are shown as they are.",
    ),
    Mistake(
        "the_mask_for_the_others",
        _hidden(dice=lambda u, v: np.where(v < 0.8, 0.95, np.where(v < 0.9, 0.85, 0.1))),
        "You show a token as itself below 0.8, and the mask from 0.9. It is the other way round.",
    ),
    Mistake(
        "asked_where_it_was_not_chosen",
        _targets(lambda asked, chosen, mask_id, ids: np.where(chosen, IGNORE, ids)),
        "You ask for the tokens that are not chosen. Ask for those that are.",
    ),
    Mistake(
        "minus_one_for_the_rest",
        _targets(lambda asked, chosen, mask_id, ids: np.where(chosen, asked, -1)),
        "Where nothing is asked stands -1. It is -100.",
    ),
    Mistake(
        "mask_for_the_rest",
        _targets(lambda asked, chosen, mask_id, ids: np.where(chosen, asked, mask_id)),
        "Where nothing is asked stands the mask. It is -100.",
    ),
    Mistake(
        "truths_asked",
        _targets(lambda asked, chosen, mask_id, ids: chosen),
        "You returned which tokens are chosen. Return their true ids, -100 elsewhere.",
    ),
    Mistake(
        "ids_of_the_chosen_alone",
        _targets(lambda asked, chosen, mask_id, ids: asked[chosen]),
        "You returned the ids of the chosen tokens alone. Return a table, -100 elsewhere.",
    ),
    Mistake(
        "mask_overwritten",
        _hidden(hide=0),
        "Below 0.8 you show a random word, too: the mask is overwritten, or never shown. A random word is "
        "shown only where 0.8 <= v < 0.9.",
    ),
    Mistake(
        "chosen_on_the_edge",
        _choosing(lambda ids, u, special: (u <= 0.15) & ~np.isin(ids, special)),
        "A token with u = 0.15 is chosen in yours. It is chosen where u < 0.15, not <=.",
    ),
    Mistake(
        "mask_on_the_edge",
        _hidden(hide=np.nextafter(0.8, 1)),
        "At v = 0.8 you show the mask. It is shown where v < 0.8; 0.8 is a random word already.",
    ),
    Mistake(
        "random_word_on_the_edge",
        _hidden(replace=np.nextafter(0.9, 1)),
        "At v = 0.9 you show a random word. From 0.9 on the token is shown as itself.",
    ),
    Mistake(
        "places_spared",
        _choosing(lambda ids, u, special: (u < 0.15) & ~np.isin(np.arange(ids.shape[1]), special)),
        "You spare places with these numbers. `special` holds ids: a token is spared for its id, wherever it "
        "stands.",
    ),
    Mistake(
        "first_place_spared",
        _choosing(lambda ids, u, special: (u < 0.15) & _not_at_the_first_place(ids)),
        "You spare the first place of each row, and no other token. Spare the ids in `special`, wherever "
        "they stand.",
    ),
    Mistake(
        "first_place_spared_as_well",
        _choosing(lambda ids, u, special: (u < 0.15) & ~np.isin(ids, special) & _not_at_the_first_place(ids)),
        "You spare the first place of each row as well. A token is spared for its id alone.",
    ),
    Mistake(
        "special_is_always_0_and_1",
        _choosing(lambda ids, u, special: (u < 0.15) & ~np.isin(ids, (0, 1))),
        "You spare the ids 0 and 1. Spare those of the argument special.",
    ),
    Mistake(
        "mask_is_always_2",
        lambda ids, u, v, others, mask_id, special: _hidden()(ids, u, v, others, 2, special),
        "You wrote 2 for the mask. Use the argument mask_id.",
    ),
    Mistake(
        "id_0_alone_spared",
        _choosing(lambda ids, u, special: (u < 0.15) & (ids != 0)),
        "You spare id 0 alone. Spare all ids of the argument special: np.isin(ids, special).",
    ),
)
