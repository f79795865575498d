"""From next tokens to texts: one token at a time, or the best few at a time."""

import numpy as np

from clearhead.contracts import checked

from .sampling import sample
from .softmax import log_softmax


@checked
def generate(step, ids, length, rng, stop=None, context_length=None):
    """Return a prompt with tokens added, each drawn after all before it.

        x_t ~ softmax(step(x_0 ... x_{t-1}))

    Parameters
    ----------
    step : function
        Takes ids (T,) and gives the logits (V,) of the next token. For sharper or safer text it applies
        `temperature`, `top_k` or `top_p`; with temperature 0 it is greedy.
    ids : (S,) int, S from 1, array or list
        The prompt, at least one token.
    length : () int T from 0
        How many tokens (T) to add at most.
    rng : numpy.random.Generator
        Where the draws come from.
    stop : () int, optional
        A token after which nothing is added.
    context_length : () int, optional
        How many of the latest tokens `step` can see at most.

    Returns
    -------
    ids : (S+T,) int
        Shorter if the stop token came; then it is the last.

    Raises
    ------
    ValueError
        If the prompt is not one row of at least one token.
    """
    ids = np.array(ids, dtype=np.int64)
    for _ in range(length):
        token = sample(step(ids[-(context_length or len(ids)) :]), rng)
        ids = np.append(ids, token)
        if token == stop:
            break
    return ids


@checked
def beam_search(step, ids, length, width, stop=None, length_penalty=0.0):
    """Return the likeliest continuations that a search with a few open beams finds, best first.

        score(x) = log P(x | prompt) / N^length_penalty,   N = number of new tokens

    Parameters
    ----------
    step : function
        Takes ids (T,) and gives the logits (V,) of the next token.
    ids : (S,) int, S from 1, array or list
        The prompt, at least one token.
    length : () int T from 0
        How many tokens to add at most.
    width : () int from 1
        How many beams to keep. 1 is greedy; V^length misses nothing.
    stop : () int, optional
        A token that ends a beam. An ended beam keeps its score and its place among the others.
    length_penalty : () float, optional
        0 compares log-probabilities, which favours short texts; 1 compares their mean over tokens.

    Returns
    -------
    beams : list of (ids, float)
        At most `width` pairs: a whole text (prompt included) and its score. Of equal scores, the one whose
        beam was ahead comes first, then the smaller token.

    Raises
    ------
    ValueError
        If the width is smaller than 1, or the prompt is not one row of at least one token.

    References
    ----------
    Wu et al. (2016), "Google's neural machine translation system", section 7, with the length itself in
    place of its (5 + N) / 6.
    """
    prompt = np.array(ids, dtype=np.int64)

    def score(beam):
        return beam[1] / max(len(beam[0]) - len(prompt), 1) ** length_penalty

    def is_open(beam):
        return len(beam[0]) == len(prompt) or beam[0][-1] != stop

    beams = [(prompt, 0.0)]
    for _ in range(length):
        if not any(map(is_open, beams)):
            break
        longer = [new for beam in beams for new in (_grow(step, beam, width) if is_open(beam) else [beam])]
        beams = sorted(longer, key=score, reverse=True)[:width]
    return [(ids, score((ids, total))) for ids, total in beams]


def _grow(step, beam, width):
    """Return the beams that one beam becomes with each of its likeliest next tokens."""
    ids, total = beam
    log_p = log_softmax(np.asarray(step(ids), dtype=float))
    likeliest = np.argsort(-log_p, kind="stable")[:width]
    return [(np.append(ids, v), total + float(log_p[v])) for v in likeliest if log_p[v] > -np.inf]
