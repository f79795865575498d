"""Who may look where: True = may look, rows are queries. The twin of `clearhead.maths.masks`."""

import torch

from clearhead.maths.shapes import check_whole


def causal_mask(length, device=None):
    """Return the mask by which each token looks at itself and at what stands before it.

        mask_ij = (j ≤ i)

    The twin of `clearhead.maths.masks.causal_mask`, made on a device.
    """
    check_whole(0, length=length)
    return torch.tril(torch.ones(length, length, dtype=torch.bool, device=device))


def padding_mask(lengths, longest):
    """Return the mask (B, 1, 1, S) that hides the padding behind each sentence of a batch.

        mask_bj = (j < lengths_b)

    The twin of `clearhead.maths.masks.padding_mask`.
    """
    check_whole(0, longest=longest)
    if lengths.numel() and not 0 <= lengths.min() <= lengths.max() <= longest:
        raise ValueError(f"lengths must lie from 0 to {longest}, got {lengths.min()} to {lengths.max()}.")
    return torch.arange(longest, device=lengths.device) < lengths[:, None, None, None]


def sliding_window_mask(length, window, device=None):
    """Return the causal mask that reaches back over a fixed number of tokens only, each token's own included.

        mask_ij = (0 ≤ i - j < window)

    The twin of `clearhead.maths.masks.sliding_window_mask`, made on a device.
    """
    check_whole(0, length=length)
    check_whole(1, window=window)
    places = torch.arange(length, device=device)
    steps_back = places[:, None] - places
    return (steps_back >= 0) & (steps_back < window)
