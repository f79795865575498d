"""Gradients by hand of how an image becomes tokens. dX stands for ∂loss/∂X, shaped like X."""

from .gradient_shapes import check_gradient
from .gradients import summed_to
from .layer_gradients import linear_gradients
from .vision import add_class_token, patchify, unpatchify


def patch_embed_gradients(dx, images, parameters, patch_size):
    """Return the gradients of patch_embed with respect to the pixels, its weight and its bias.

        dimages = unpatchify(dx weightᵀ),   dweight = patchesᵀ dx,   dbias = Σ dx over all patches

    Parameters
    ----------
    dx : (..., R/P·C/P, D) float
        How the loss changes with each token.
    images : (..., R, C, c) float
    parameters : dict of patch_embed
    patch_size : () int
        What went into the embedding; the side of a patch is P.

    Returns
    -------
    dimages : (..., R, C, c) float
        Which pixels matter: a simple picture of what a model looks at.
    dparameters : dict of patch_embed

    Raises
    ------
    ValueError
        Where the patches do not fill the image, or the shapes do not fit together.

    References
    ----------
    Simonyan, Vedaldi & Zisserman (2014), "Deep inside convolutional networks", section 3: such pictures.
    """
    patches = patchify(images, patch_size)
    dpatches, dweight, dbias = linear_gradients(dx, patches, parameters["weight"])
    dimages = unpatchify(dpatches, *images.shape[-3:-1], patch_size)
    return dimages, {"weight": dweight, "bias": dbias}


def add_class_token_gradients(dy, x, cls, positions):
    """Return the gradients of add_class_token with respect to the tokens, the class token and the positions.

        dx = dy behind row 0,   dcls = Σ dy_0 over the images,   dpositions = Σ dy over the images

    Parameters
    ----------
    dy : (..., T+1, D) float
        How the loss changes with each output.
    x : (..., T, D) float
    cls : (D,) float
    positions : (T+1, D) float
        What went in.

    Returns
    -------
    dx : (..., T, D) float
    dcls : (D,) float
    dpositions : (T+1, D) float

    Raises
    ------
    ValueError
        Where dy is not shaped like the output.
    """
    check_gradient(add_class_token(x, cls, positions).shape, dy=dy)
    return dy[..., 1:, :].copy(), summed_to(dy[..., 0, :], cls), summed_to(dy, positions)
