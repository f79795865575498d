"""An example of an adapter, with functions of PyTorch that pass `clearhead verify`.

Copy it, and replace the functions by your own. `clearhead verify --list` shows what you may name.
"""

import torch
import torch.nn.functional as F

from clearhead.verify import adapt

# The options for every function that is named without `adapt`.
defaults = {"arrays": "torch"}

# A function with our arguments, in our order, needs no mapping.
softmax = torch.softmax

# The names of the function's parameters, each with the name of the argument of ours that it gets.
cross_entropy = adapt(F.cross_entropy, {"input": "logits", "target": "targets"}, arrays="torch")

# If the arguments differ in more than their names, a function of our arguments computes the value.
layer_norm = adapt(
    F.layer_norm,
    {
        "input": "x",
        "normalized_shape": lambda gain: gain.shape,
        "weight": "gain",
        "bias": "bias",
        "eps": "eps",
    },
    arrays="torch",
)

# The layout says in which order the function wants the axes: here a batch, B, and one head, 1, come first.
attention = adapt(
    F.scaled_dot_product_attention,
    {"query": "Q", "key": "K", "value": "V", "attn_mask": "mask"},
    arrays="torch",
    layout={"Q": "B 1 T d", "K": "B 1 S d", "V": "B 1 S e", "mask": "B 1 T S", "result": "B 1 T e"},
)
