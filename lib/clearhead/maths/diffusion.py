"""Generating by denoising: images from Gaussian noise, and texts from masked tokens."""

import numpy as np

from clearhead.contracts import checked, in_float32

from .heads import multi_head_attention
from .layers import layer_norm, linear, silu
from .softmax import softmax
from .transformer import feed_forward


@checked
def add_noise(x, noise, sigma):
    """Return the images with noise of standard deviation sigma added.

        x + σ noise

    Parameters
    ----------
    x : (..., d) float
        Clean images, one a row.
    noise : (..., d) float
        Independent standard normal numbers.
    sigma : () float from 0
        The noise level σ, in the unit of the pixels.

    Returns
    -------
    noisy : (..., d) float

    References
    ----------
    Karras et al. (2022), "Elucidating the design space of diffusion-based generative models", section 2. Ho
    et al. (2020), eq. 4, also shrink the image: their x_t / √ᾱ_t is our result for σ = √((1 - ᾱ_t)/ᾱ_t).
    """
    return x + sigma * noise


@checked
@in_float32
def optimal_denoiser(x, images, sigma):
    """Return the mean of the images, weighted by how well each explains the noisy image, and the weights.

        A = softmax over j of -‖x - images_j‖² / (2 σ²),   D = A images

    If a clean image is drawn from the rows of `images` and noise of level σ is added, then A_j is the
    probability that it was image j, and no other function of x has a smaller mean squared error than D.

    Parameters
    ----------
    x : (..., d) float
        Noisy images: the queries.
    images : (S, d) float, S from 1
        The clean images: the keys and the values.
    sigma : () float above 0
        The noise level σ. Its square is the temperature; the similarity is half the
        negative squared distance.

    Returns
    -------
    D : (..., d) float
        The denoised images.
    A : (..., S) float
        The weights: at least 0, with the sum 1 in each row.

    Raises
    ------
    ValueError
        If the shapes do not fit, or there is not at least one clean image.

    References
    ----------
    Karras et al. (2022), "Elucidating the design space of diffusion-based generative models", appendix B.3.
    """
    squared = ((x[..., None, :] - images) ** 2).sum(-1)  # (..., S)
    A = softmax(-squared / (2 * sigma**2))
    return A @ images, A


@checked
@in_float32
def local_denoiser(x, images, sigma, window):
    """Return denoised images in which each pixel is estimated from the square window around it alone.

        squared_jrc = the sum of (x - images_j)² over the window around the pixel (r, c)
        D_rc = Σ_j A_jrc images_jrc,   A = softmax over j of -squared / (2 σ²)

    Parameters
    ----------
    x : (..., R, C) float
        Noisy images.
    images : (S, R, C) float, S from 1
        Clean images of the same size.
    sigma : () float above 0
        The noise level σ.
    window : () int from 1
        The side of the window, which is odd. At the border, only the pixels inside the image count. A
        window that covers the whole image from each pixel makes this the optimal denoiser.

    Returns
    -------
    D : (..., R, C) float

    Raises
    ------
    ValueError
        If the shapes do not fit, or there is not at least one clean image.

    References
    ----------
    Kamb & Ganguli (2024), "An analytic theory of creativity in convolutional diffusion models", their local
    score machine. (Their model of a convolutional network, the equivariant local score machine, also
    compares windows at different places.)
    """
    rows, columns = (_near(size, window // 2).astype(images.dtype) for size in x.shape[-2:])  # (R, R), (C, C)
    squared = rows @ (x[..., None, :, :] - images) ** 2 @ columns  # (..., S, R, C)
    A = softmax(np.moveaxis(-squared / (2 * sigma**2), -3, -1))  # (..., R, C, S)
    return (A * np.moveaxis(images, 0, -1)).sum(-1)


def _near(size, reach):
    """Return the square matrix that is True where two indices differ by at most `reach`."""
    at = np.arange(size)
    return abs(at[:, None] - at) <= reach


@checked
def score_from_denoiser(x, denoised, sigma):
    """Return the score, the gradient of the log density of noisy images, from the denoised images.

        ∇ log p(x; σ) = (D - x) / σ²

    Parameters
    ----------
    x : (..., d) float
        Noisy images.
    denoised : (..., d) float
        D: the mean of the clean images, given x. With any other denoiser, the result is an estimate.
    sigma : () float above 0
        The noise level σ.

    Returns
    -------
    score : (..., d) float

    References
    ----------
    Robbins (1956); Efron (2011), "Tweedie's formula and selection bias"; Karras et al. (2022), eq. 3.
    """
    return (denoised - x) / sigma**2


@checked
def euler_step(x, denoised, sigma, next_sigma):
    """Return the images after one step from noise level sigma to the smaller next_sigma.

        x + (σ' - σ) (x - D) / σ = (σ'/σ) x + (1 - σ'/σ) D

    Parameters
    ----------
    x : (..., d) float
        Images at noise level σ.
    denoised : (..., d) float
        D: what a denoiser makes of x.
    sigma : () float above 0
        The noise level σ.
    next_sigma : () float from 0
        The next noise level σ'; at 0, what comes out is D.

    Returns
    -------
    x : (..., d) float

    Notes
    -----
    It is a step of the Euler method for the probability flow dx/dσ = -σ ∇ log p(x; σ), and, in these units,
    the step of DDIM.

    References
    ----------
    Karras et al. (2022), eq. 1 and algorithm 1, without its correction. Song, Meng & Ermon (2021), "Denoising
    diffusion implicit models", eq. 12 with their σ_t = 0.
    """
    return x + (next_sigma - sigma) * (x - denoised) / sigma


@checked
def classifier_free_guidance(conditional, unconditional, guidance):
    """Return the denoised images for a class, moved further away from those for no class.

        D = D_uncond + guidance (D_cond - D_uncond)

    Parameters
    ----------
    conditional : (..., d) float
        D_cond: what the denoiser makes of x when it is told the class.
    unconditional : (..., d) float
        D_uncond: what it makes of x without a class.
    guidance : () float
        0 ignores the class, 1 is the conditional denoiser, and more than 1 exaggerates the difference.

    Returns
    -------
    denoised : (..., d) float

    References
    ----------
    Ho & Salimans (2022), "Classifier-free diffusion guidance". Our guidance is their 1 + w.
    """
    return unconditional + guidance * (conditional - unconditional)


@checked
@in_float32
def adaptive_layer_norm(x, shift, scale):
    """Return the normalized tokens, scaled and shifted by vectors that depend on the condition.

        norm(x) (1 + scale) + shift

    Parameters
    ----------
    x : (..., T, D) float
    shift : (..., D) float
        One vector for all tokens of an image.
    scale : (..., D) float
        0 leaves the normalized tokens as they are.

    Returns
    -------
    y : (..., T, D) float

    References
    ----------
    Peebles & Xie (2023), "Scalable diffusion models with transformers", section 3.2.
    """
    ones = np.ones(x.shape[-1], dtype=x.dtype)
    normalized = layer_norm(x, ones, 0 * ones)
    return normalized * (1 + scale[..., None, :]) + shift[..., None, :]


@checked
@in_float32
def adaptive_encoder_block(x, condition, parameters, num_heads):
    """Return the tokens after an encoder block whose norms and gates depend on a condition.

        shift, scale, gate, shift', scale', gate' = silu(condition) W + b
        x = x + gate attention(norm(x) (1 + scale) + shift)
        y = x + gate' feed_forward(norm(x) (1 + scale') + shift')

    Parameters
    ----------
    x : (..., T, D) float
    condition : (..., D) float
        One vector an image, for its noise level and its class.
    parameters : dict
        - modulation.weight : (D, 6·D) float
        - modulation.bias : (6·D,) float, optional
        - attention : dict of multi_head_attention
        - feed_forward : dict of feed_forward
    num_heads : () int H from 1
        How many heads, H.

    Returns
    -------
    y : (..., T, D) float

    References
    ----------
    Peebles & Xie (2023), "Scalable diffusion models with transformers", section 3.2, adaLN-Zero.
    """
    modulation = linear(silu(condition), **parameters["modulation"])  # (..., 6 D)
    shift, scale, gate, shift_2, scale_2, gate_2 = np.split(modulation, 6, axis=-1)
    h = adaptive_layer_norm(x, shift, scale)
    Z, _ = multi_head_attention(h, h, parameters["attention"], num_heads)
    x = x + gate[..., None, :] * Z
    h = adaptive_layer_norm(x, shift_2, scale_2)
    return x + gate_2[..., None, :] * feed_forward(h, parameters["feed_forward"])


@checked
@in_float32
def masked_posterior(ids, known, P, start):
    """Return the probability of each token at each position of a text from a chain, given the known tokens.

        P(x_t = v | known) ∝ left_tv right_tv,   and 1 for the token itself where it is known
        left_t = (left_{t-1} e_{t-1}) P,   right_t = P (e_{t+1} right_{t+1}),   left_0 = start

    Here e_t is 1 for each token that the position t may hold: all of them where it is masked.

    Parameters
    ----------
    ids : (T,) int from 0 to V-1
        The text. What it holds at masked positions is not used.
    known : (T,) bool, no broadcasting
        False where the token is masked.
    P : (V, V) float from 0
        The transition probabilities: row v holds those of the tokens after v.
    start : (V,) float from 0
        The probabilities of the first token.

    Returns
    -------
    posterior : (T, V) float
        The sum of each row is 1; it is 0 if the chain cannot produce the known tokens.

    References
    ----------
    Rabiner (1989), "A tutorial on hidden Markov models and selected applications in speech recognition",
    eqs. 19, 20, 24, 25 and 27, where each observed token is either known or says nothing.
    """
    token = np.eye(len(P), dtype=np.result_type(P, start, np.float16))[ids]  # (T, V)
    allowed = np.where(known[:, None], token, np.ones_like(token))
    left, right = np.ones_like(token), np.ones_like(token)
    left[:1] = start
    for t in range(1, len(ids)):
        left[t] = _share((left[t - 1] * allowed[t - 1]) @ P)
    for t in range(len(ids) - 2, -1, -1):
        right[t] = _share(P @ (allowed[t + 1] * right[t + 1]))
    return _share(left * right * allowed)


def _share(weights):
    """Return each row divided by its sum, and zeros where the sum is 0."""
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total > 0, total, 1)


@checked
def parallel_unmasking_cost(steps, P, start):
    """Return how far the texts are from those of the chain if several tokens are unmasked at once, in nats.

        KL(chain ‖ generated) = Σ_t H(x_t | tokens of earlier steps) - H(x_0, ..., x_{T-1})

    In each step, every token is drawn from its own exact posterior, independently of the others. The cost is
    the sum, over the steps, of the total correlation of the tokens of this step, given those before; for two
    tokens, this is their conditional mutual information.

    Parameters
    ----------
    steps : (T,) int from 0
        For each position, the step in which its token is unmasked.
    P : (V, V) float from 0
        The transition probabilities: row v holds those of the tokens after v.
    start : (V,) float from 0
        The probabilities of the first token.

    Returns
    -------
    cost : () float
        In float64; 0 if no two positions share a step.

    References
    ----------
    Watanabe (1960), "Information theoretical analysis of multivariate correlation": the total correlation.
    """
    at = np.arange(len(steps))
    apart = whole = 0.0
    for t in at:
        before = at[steps < steps[t]]
        left, right = before[before < t], before[before > t]
        apart += _entropy(t, left.max(initial=-1), right.min(initial=len(at)), len(at), P, start)
        whole += _entropy(t, t - 1, len(at), len(at), P, start)
    return apart - whole


def _entropy(t, left, right, length, P, start):
    """Return H(x_t | x_left, x_right) in nats, without the condition where an index is outside the text."""
    joint = (start @ np.linalg.matrix_power(P, t))[None, :, None]  # (1, V, 1)
    if left >= 0:
        before = start @ np.linalg.matrix_power(P, left)  # (V,)
        joint = (before[:, None] * np.linalg.matrix_power(P, t - left))[:, :, None]  # (V, V, 1)
    if right < length:
        joint = joint * np.linalg.matrix_power(P, right - t)[None]
    return _surprisal(joint) - _surprisal(joint.sum(axis=1))


def _surprisal(p):
    """Return the sum of -p ln p, in which 0 ln 0 is 0."""
    return float(-(p * np.log(np.where(p > 0, p, 1))).sum())
