"""Numbers with fewer bits."""

import numpy as np

from clearhead.contracts import checked


@checked
def to_bfloat16(x):
    """Return each number rounded to the nearest bfloat16: a float32 that has lost 16 of its 32 bits.

        sign, 8 bits of exponent and 7 of 23 others are kept; half-way, the even neighbour is taken

    Parameters
    ----------
    x : (...) float

    Returns
    -------
    y : (...) float
        In the precision of x, so that NumPy, which has no bfloat16, can go on with it.

    Notes
    -----
    The largest number stays that of float32, about 3.4e38, and neighbours stand 1/128 apart between 1 and 2.
    A float64 is first rounded to float32. What is not a number stays so.

    References
    ----------
    Kalamkar et al. (2019), "A study of bfloat16 for deep learning training", section 3.
    """
    single = np.asarray(x, dtype=np.float32)
    bits = single.view(np.uint32)
    even = (bits >> 16) & 1
    kept = ((bits + np.uint32(0x7FFF) + even) & np.uint32(0xFFFF0000)).view(np.float32)
    return np.where(np.isnan(single), single, kept).astype(np.asarray(x).dtype)
