"""Functions that run in the sandbox beside the student's answer, so that no right answer may be used here."""

from numbers import Real

from clearhead.checks.plain_data import as_returned


def copied(answer, file, wanted):
    """Return the weights that an answer copied, or the tensor that it named when it refused."""
    try:
        output = answer(file, wanted)
    except ValueError as refusal:
        names = sorted(set(file) | set(wanted), key=len, reverse=True)
        said = [name for name in names if name in str(refusal)]
        named = said[0].removeprefix("transformer.") if said else "no tensor"
        return f"a ValueError that names {named} is raised"
    return as_returned(output)


class _Descent:
    """Plain gradient descent with the methods that an answer calls; torch.optim takes a second to import."""

    def __init__(self, weights, rate):
        self.weights, self.rate = weights, rate

    def zero_grad(self, set_to_none=True):
        """Set all gradients to None."""
        for weight in self.weights:
            weight.grad = None

    def step(self):
        """Move each parameter in the direction of its negative gradient."""
        import torch

        with torch.no_grad():
            for weight in self.weights:
                if weight.grad is not None:
                    weight -= self.rate * weight.grad


def three_steps(answer, inputs, targets, table):
    """Return the losses of three steps on the same batch, and the parameters afterwards."""
    import torch
    from torch import nn

    V, D = table.shape
    model, modes = nn.Sequential(nn.Embedding(V, D), nn.Tanh(), nn.Linear(D, V, bias=False)).double(), []
    model.register_forward_pre_hook(lambda model, given: modes.append(model.training))
    with torch.no_grad():
        model[0].weight.copy_(torch.tensor(table))
        model[2].weight.copy_(torch.tensor(table[::-1].copy()))
    optimizer = _Descent(list(model.parameters()), 0.3)
    batch = torch.tensor(inputs), torch.tensor(targets)
    losses = [answer(model, optimizer, *batch) for _ in range(3)]
    if any(loss is None for loss in losses):
        return None
    plain = all(isinstance(loss, Real) for loss in losses)
    found = {
        "losses": [float(loss) for loss in losses],
        "every loss is a Python number": plain,
        "mode": "train" if all(modes) else "eval",
    }
    return found | {"weights": model[2].weight, "table": model[0].weight}
