"""What passes from block to block inside a model."""

import torch


def hidden_states(model, *inputs, **options):
    """Return what goes into the first block of a model, and what comes out of each block.

        x_0, x_l = block_l(x_{l-1})

    Parameters
    ----------
    model : torch.nn.Module
        With a list `blocks`, as GPT, TextEncoder and VisionTransformer have, or an `encoder` that has one.
    inputs, options
        What the model is called with.

    Returns
    -------
    states : (L+1, B, T, D) tensor
        For L blocks. No gradient flows through them.

    Raises
    ------
    ValueError
        Where the model has no blocks.
    """
    blocks = getattr(getattr(model, "encoder", model), "blocks", ())
    if not len(blocks):
        raise ValueError(f"{type(model).__name__} has no blocks: there is nothing between them to return.")
    states = []
    hooks = [blocks[0].register_forward_pre_hook(lambda _block, given: states.append(given[0]))]
    for block in blocks:
        hooks.append(block.register_forward_hook(lambda _block, _given, out: states.append(out)))
    try:
        with torch.no_grad():
            model(*inputs, **options)
    finally:
        for hook in hooks:
            hook.remove()
    return torch.stack(states)
