"""Functions that run in the sandbox beside the student's answer, so that no right answer may be used here."""


def run_layer(answer, X, W_q, W_k, W_v, W_o, num_heads, biases=None):
    """Return the output of a layer with these weights for a batch, and a gradient with respect to the batch.

    The gradient is that of the sum of the squared outputs.

    biases (4, D) are those of the queries, keys, values and of the output; None stands for zeros.
    """
    import torch

    layer = answer(X.shape[-1], num_heads).double()
    with torch.no_grad():
        for i, (name, W) in enumerate({"query": W_q, "key": W_k, "value": W_v, "output": W_o}.items()):
            linear = getattr(layer, name)
            linear.weight.copy_(torch.tensor(W.T))
            if linear.bias is not None:
                linear.bias.copy_(torch.zeros(len(W)) if biases is None else torch.tensor(biases[i]))
    x = torch.tensor(X, requires_grad=True)
    Z = layer(x)
    if Z is None:
        return None
    if not isinstance(Z, torch.Tensor):
        raise TypeError(f"forward must return one tensor (B, T, D), but it returned a {type(Z).__name__}")
    weights = sum(p.numel() for p in layer.parameters() if p.ndim == 2)
    if Z.requires_grad:
        (Z**2).sum().backward()
    reached = torch.zeros_like(x) if x.grad is None else x.grad
    return {"Z": Z, "weights that learn": weights, "gradient of the sum of Z squared": reached}
