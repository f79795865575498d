"""Decoding: one token at a time, with beam search, or with drafts that a large model accepts or rejects."""

import numpy as np

from clearhead.contracts import checked, in_float32

from .sampling import sample, temperature
from .softmax import log_softmax


@checked
def generate(step, ids, length, rng, stop=None, context_length=None):
    """Return a prompt with new tokens appended, each chosen given all tokens before it.

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
    context_length : () int from 1, optional
        How many of the latest tokens `step` can see at most; all of them where it is None.

    Returns
    -------
    ids : (S+T,) int
        Shorter if the stop token came; then it is the last.

    Raises
    ------
    ValueError
        If the prompt is not one row of at least one token, or `step` leaves no token that can come.
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
    """Return the most likely continuations that beam search finds, best first.

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
        If the width is smaller than 1, the prompt is not one row of at least one token, or `step` gives NaN
        or leaves no token that can come.

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
    """Return one beam extended by each of its most likely next tokens."""
    ids, total = beam
    log_p = log_softmax(temperature(np.asarray(step(ids), dtype=float), 1.0))  # which refuses NaN
    likeliest = np.argsort(-log_p, kind="stable")[:width]
    return [(np.append(ids, v), total + float(log_p[v])) for v in likeliest if log_p[v] > -np.inf]


@checked
@in_float32
def acceptance_rate(p, q):
    """Return the probability that a token sampled from the draft distribution q is accepted under p.

        Σ_v min(p_v, q_v) = 1 - the total variation distance between p and q

    Parameters
    ----------
    p : (..., V) float from 0
        The probabilities of the large model.
    q : (..., V) float from 0, no broadcasting
        Those of the draft.

    Returns
    -------
    share : (...) float
        From 0 to 1.

    References
    ----------
    Leviathan, Kalman and Matias (2023), "Fast inference from transformers via speculative decoding", 3.1.
    """
    return np.minimum(p, q).sum(axis=-1)


@checked
@in_float32
def residual_distribution(p, q):
    """Return the distribution from which a token is sampled after a draft token has been rejected.

        max(p - q, 0) / Σ max(p - q, 0),   and p where nothing remains

    Parameters
    ----------
    p : (..., V) float from 0
        The probabilities of the large model.
    q : (..., V) float from 0, no broadcasting
        Those of the draft.

    Returns
    -------
    rest : (..., V) float
        1 in sum: what the draft says too seldom.
    """
    rest = np.maximum(p - q, 0)
    total = rest.sum(axis=-1, keepdims=True)
    return np.where(total > 0, rest / np.where(total > 0, total, 1), p)


@checked
@in_float32
def speculative_sampling_step(p, q, drafted, rng):
    """Return the draft token with probability min(1, p / q), else one drawn from the residual distribution.

        P(token = v) = q_v min(1, p_v / q_v) + (1 - acceptance rate) residual_v = p_v

    Parameters
    ----------
    p : (..., V) float from 0
        The probabilities of the large model.
    q : (..., V) float from 0, no broadcasting
        Those that the drafted words were drawn with.
    drafted : (...) int from 0 to V - 1
        One word a row.
    rng : numpy.random.Generator
        Where the draws come from: two numbers a row.

    Returns
    -------
    said : (...) int
        Distributed as p. A refused word never comes back: where p is below q, nothing remains.

    References
    ----------
    Leviathan, Kalman and Matias (2023), algorithm 1. Chen et al. (2023), "Accelerating large language model
    decoding with speculative sampling".
    """
    drafted = np.asarray(drafted)
    place = drafted[..., None]
    large, small = (np.take_along_axis(each, place, axis=-1)[..., 0] for each in (p, q))
    kept = rng.random(drafted.shape) * small < large
    with np.errstate(divide="ignore"):
        others = np.log(residual_distribution(p, q))
    return np.where(kept, drafted, sample(others, rng))


@checked
def expected_tokens_per_iteration(alpha, gamma):
    """Return how many tokens one forward pass of the large model yields, if each draft token is accepted with
    probability α.

        1 + α + α² + ... + α^γ

    Parameters
    ----------
    alpha : () float from 0 to 1
        The acceptance rate.
    gamma : () int from 0
        How many tokens the draft model proposes in each iteration.

    Returns
    -------
    tokens : () float
        From 1 (nothing was accepted) to γ + 1.

    References
    ----------
    Leviathan, Kalman and Matias (2023), equation 1.
    """
    return sum(alpha**accepted for accepted in range(gamma + 1))
