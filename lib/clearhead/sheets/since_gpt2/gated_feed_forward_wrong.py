"""More wrong answers of 16.gated_feed_forward."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.layers import silu
from clearhead.maths.softmax import softmax


def _gelu_gate(x, W_gate, W_up, W_down):
    z = x @ W_gate
    bent = z * (1 + np.tanh(np.sqrt(2 / np.pi) * (z + 0.044715 * z**3))) / 2
    return (bent * (x @ W_up)) @ W_down


MORE = (
    Mistake(
        "silu_at_the_end",
        lambda x, W_gate, W_up, W_down: silu((x @ W_gate) * (x @ W_up) @ W_down),
        "You bent what came down. silu bends x W_gate, before the product.",
    ),
    Mistake(
        "silu_before_the_map",
        lambda x, W_gate, W_up, W_down: ((silu(x) @ W_gate) * (x @ W_up)) @ W_down,
        "You bent x. silu bends what the gate's map makes of it: silu(x @ W_gate).",
    ),
    Mistake(
        "second_map_forgotten",
        lambda x, W_gate, W_up, W_down: silu(x @ W_gate) @ W_down,
        "W_up is never used. Multiply the bent gate by x @ W_up.",
    ),
    Mistake(
        "gate_in_both_places",
        lambda x, W_gate, W_up, W_down: (silu(x @ W_gate) * (x @ W_gate)) @ W_down,
        "W_gate stands in both branches. The second one is x @ W_up.",
    ),
    Mistake(
        "up_in_both_places",
        lambda x, W_gate, W_up, W_down: (silu(x @ W_up) * (x @ W_up)) @ W_down,
        "W_up stands in both branches. The one that is bent is x @ W_gate.",
    ),
    Mistake(
        "bent_twice",
        lambda x, W_gate, W_up, W_down: (silu(silu(x @ W_gate)) * (x @ W_up)) @ W_down,
        "You took silu of silu. Once is enough.",
    ),
    Mistake(
        "tanh_gate",
        lambda x, W_gate, W_up, W_down: (np.tanh(x @ W_gate) * (x @ W_up)) @ W_down,
        "Your gate is tanh. Take silu: h times its sigmoid.",
    ),
    Mistake(
        "never_brought_down",
        lambda x, W_gate, W_up, W_down: silu(x @ W_gate) * (x @ W_up),
        "W_down is never used: the product has the width F. Bring it down to D.",
    ),
    Mistake(
        "each_branch_brought_down",
        lambda x, W_gate, W_up, W_down: (silu(x @ W_gate) @ W_down) * (x @ W_up @ W_down),
        "You brought each branch down, and multiplied then. Multiply first; W_down comes last, once.",
    ),
    Mistake(
        "x_added",
        lambda x, W_gate, W_up, W_down: x + (silu(x @ W_gate) * (x @ W_up)) @ W_down,
        "You added x. That is the block's work: here only the feed-forward part is asked for.",
    ),
    Mistake(
        "minus_lost_in_the_exponent",
        lambda x, W_gate, W_up, W_down: (silu(-(x @ W_gate)) * -(x @ W_up)) @ W_down,
        "Your silu is h / (1 + e to the h). It has a minus: h / (1 + e to the -h).",
    ),
    Mistake(
        "softmax_gate",
        lambda x, W_gate, W_up, W_down: (softmax(x @ W_gate) * (x @ W_up)) @ W_down,
        "Your gate is a softmax: its numbers compete. Take silu: each one is bent alone.",
    ),
    Mistake(
        "weights_bent",
        lambda x, W_gate, W_up, W_down: ((x @ silu(W_gate)) * (x @ W_up)) @ W_down,
        "You bent the weights. silu bends what they make of x: silu(x @ W_gate).",
    ),
    Mistake(
        "silu_times_its_argument",
        lambda x, W_gate, W_up, W_down: ((x @ W_gate) * silu(x @ W_gate) * (x @ W_up)) @ W_down,
        "You multiplied silu by its argument once more. silu(h) is h times its sigmoid already.",
    ),
    Mistake(
        "gelu_gate_by_tanh",
        _gelu_gate,
        "Your gate is gelu: that is GEGLU. SwiGLU takes silu.",
    ),
)
