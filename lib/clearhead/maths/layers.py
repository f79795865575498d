"""The layers that treat each token alone: embedding and linear map."""

from clearhead.contracts import checked


@checked
def embed(ids, table):
    """Return, for each id, its row of the table.

        x_t = table[id_t]

    Parameters
    ----------
    ids : (...) int from 0 to V-1
    table : (V, D) float
        One row for each word of the vocabulary.

    Returns
    -------
    x : (..., D) float
        One vector a token.

    Raises
    ------
    ValueError
        Where an id names no row. (NumPy alone would take -1 for the last row.)
    TypeError
        Where the ids are not whole numbers.

    References
    ----------
    Bengio et al. (2003), "A neural probabilistic language model", section 2. Their C is our table.
    """
    return table[ids]


@checked
def linear(x, weight, bias=None):
    """Return each row of x as a mixture of the rows of the weight, shifted by the bias.

        y = x weight + bias

    Parameters
    ----------
    x : (..., D) float
    weight : (D, F) float
        Row i says what column i of x adds to y. A weight from `torch.nn.Linear` lies the other way round:
        take its .T.
    bias : (F,) float, optional

    Returns
    -------
    y : (..., F) float
    """
    return x @ weight if bias is None else x @ weight + bias
