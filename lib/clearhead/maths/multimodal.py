"""Images and words together: find the partner of a vector, and answer a question about an image."""

from clearhead.contracts import checked

from .heads import multi_head_attention
from .layers import embed, linear
from .norms import layer_norm
from .transformer import feed_forward
from .vectors import unit_vectors


@checked
def retrieve(x, y):
    """Return, for each row of x, which row of y points most in its direction.

        found_i = argmax_j cos(x_i, y_j)

    Parameters
    ----------
    x : (..., D) float
        What is given, such as the vectors of images.
    y : (S, D) float, S from 1
        Among what to search, such as the vectors of captions.

    Returns
    -------
    found : (...) int
        From 0 to S - 1; the first of those that are equally near.

    Raises
    ------
    ValueError
        Where there is nothing to search among, or the widths differ.
    """
    return (unit_vectors(x) @ unit_vectors(y).T).argmax(-1)


@checked
def image_question(patches, ids, parameters):
    """Return the scores of all answers to a question about an image, and where the question looked.

        c = norm(patches W + b + places),   x = Σ_t words[id_t],
        x = x + attention(norm(x), c),   x = x + feed_forward(norm(x)),   logits = norm(x) W_h + b_h

    Parameters
    ----------
    patches : (..., S, F) float
        An image as a sentence of patches.
    ids : (..., T) int from 0 to V-1
        The words of the question; their order does not matter here.
    parameters : dict
        - words : (V, D) float
        - patches.weight : (F, D) float
        - patches.bias : (D,) float
        - places : (S, D) float
        - context_norm.gain : (D,) float
        - context_norm.bias : (D,) float
        - question_norm.gain : (D,) float
        - question_norm.bias : (D,) float
        - attention.query.weight : (D, D) float
        - attention.key.weight : (D, D) float
        - attention.value.weight : (D, D) float
        - attention.output.weight : (D, D) float
        - feed_forward_norm.gain : (D,) float
        - feed_forward_norm.bias : (D,) float
        - feed_forward.up.weight : (D, 4·D) float
        - feed_forward.up.bias : (4·D,) float
        - feed_forward.down.weight : (4·D, D) float
        - feed_forward.down.bias : (D,) float
        - norm.gain : (D,) float
        - norm.bias : (D,) float
        - head.weight : (D, e) float
        - head.bias : (e,) float

    Returns
    -------
    logits : (..., e) float
        One score for each of e answers.
    A : (..., S) float
        The attention weights: one row, because the words of the question were added into one token.
    """
    context = linear(patches, **parameters["patches"]) + parameters["places"]  # (..., S, D)
    context = layer_norm(context, **parameters["context_norm"])
    x = embed(ids, parameters["words"]).sum(-2)[..., None, :]  # (..., 1, D)
    asked = layer_norm(x, **parameters["question_norm"])
    Z, A = multi_head_attention(asked, context, parameters["attention"], num_heads=1)
    x = x + Z
    x = x + feed_forward(layer_norm(x, **parameters["feed_forward_norm"]), parameters["feed_forward"])
    logits = linear(layer_norm(x, **parameters["norm"]), **parameters["head"])  # (..., 1, e)
    return logits[..., 0, :], A[..., 0, 0, :]
