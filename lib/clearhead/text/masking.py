"""Masked tokens for a model to predict, and the true probability of each word that can fill a blank."""

import numpy as np

from clearhead.text.batches import IGNORE

HIDDEN, REPLACED = 0.8, 0.9  # below the first: the mask token; up to the second: a random word; else itself


def mask_tokens(ids, mask_id, words, rng, mlm_probability=0.15, keep=()):
    """Return a batch in which some tokens are masked, and those tokens as targets, as for training BERT.

        of the chosen 15 %: 80 % become the mask token, 10 % a random word, 10 % stay

    Parameters
    ----------
    ids : (B, S) int
        Whole sentences.
    mask_id : () int
        The id of the mask token.
    words : (V,) int
        The ids that a random word is drawn from.
    rng : numpy.random.Generator
        Where the draws come from.
    mlm_probability : () float
        Which fraction of the tokens is chosen, on average.
    keep : tuple of int
        Ids that are never chosen: padding, [CLS] and the like.

    Returns
    -------
    inputs : (B, S) int
        What the model reads.
    targets : (B, S) int
        The token that stood there, where it was chosen; elsewhere -100 (`IGNORE`).

    References
    ----------
    Devlin et al. (2019), "BERT: pre-training of deep bidirectional transformers", section 3.1, task 1.
    """
    ids = np.asarray(ids)
    chosen = (rng.random(ids.shape) < mlm_probability) & ~np.isin(ids, keep)
    dice, others = rng.random(ids.shape), rng.choice(words, size=ids.shape)
    seen = np.where(dice < HIDDEN, mask_id, np.where(dice < REPLACED, others, ids))
    return np.where(chosen, seen, ids), np.where(chosen, ids, IGNORE)


def masked_token_posterior(grammar, words, place):
    """Return the true probability of each word at one position, given all the other words.

        P(w | left, right) = P(left, w, right) / Σ_v P(left, v, right)

    Parameters
    ----------
    grammar : Grammar
        Whose sentence it is.
    words : list of str, or str
        A whole sentence, best with its "<stop>" (a str has spaces between words).
    place : () int
        The place of the blank, from 0. The word that stands there is not looked at.

    Returns
    -------
    probabilities : dict of str to float
        Likeliest first; they sum to 1.

    Raises
    ------
    ValueError
        If no word makes a sentence here.
    """
    words = words.split() if isinstance(words, str) else list(words)
    left, right = words[:place], words[place + 1 :]
    joint = {}
    for word in grammar.next_words(left):
        try:
            joint[word] = np.exp(-grammar.surprisals([*left, word, *right]).sum())
        except ValueError:  # with this word the grammar cannot say the rest
            continue
    if not joint:
        raise ValueError(f"No word can stand between {' '.join(left)!r} and {' '.join(right)!r}.")
    total = sum(joint.values())
    return {word: float(p / total) for word, p in sorted(joint.items(), key=lambda item: (-item[1], item[0]))}
