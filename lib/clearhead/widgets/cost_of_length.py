"""A figure on the cost of a longer text: the work of one layer, and the memory of its attention weights."""

import traitlets

from clearhead.figures import bars
from clearhead.figures.words import number
from clearhead.maths.architectures import GPTConfig
from clearhead.maths.counting import attention_bytes, flops_breakdown

from .figure import Figure, source


def in_units(count):
    """Return a number of bytes in a suitable unit with one decimal, such as "67.1 MB"."""
    units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
    index = 0
    while count >= 1000 and index < len(units) - 1:
        count, index = count / 1000, index + 1
    return f"{number(count, 1 if index else 0)} {units[index]}"


def longest(bytes_for, memory):
    """Return the largest length for which `bytes_for(length)` is at most `memory`."""
    low, high = 0, 1
    while bytes_for(high) <= memory:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if bytes_for(middle) <= memory else (low, middle)
    return low


class CostOfLength(Figure):
    """The work of one layer at every length, and whether its attention weights fit into memory.

    Parameters
    ----------
    length : () int
        The number of tokens in the text.
    d_model, num_heads : () int
        The width, and the number of heads. If the number of heads does not divide the width, the next smaller
        number that does is used.
    bytes_per_element : () int
        4 for single precision, 2 for half precision, and 1 for eight bits.
    memory : () int
        The available memory, in bytes.
    """

    what_to_see = (
        "The work and the memory of attention grow with the square of the length of the text: make it longer."
    )
    _esm = source("cost_of_length.js")
    length = traitlets.Int(4096, min=1, max=2**24).tag(sync=True)
    d_model = traitlets.Int(768, min=1, max=2**15).tag(sync=True)
    num_heads = traitlets.Int(12, min=1).tag(sync=True)
    bytes_per_element = traitlets.Int(4, min=1, max=8).tag(sync=True)
    memory = traitlets.Int(8 * 10**9, min=1, max=2**52).tag(sync=True)

    @staticmethod
    def samples(rng):
        sizes = {"d_model": int(rng.integers(1, 20_000)), "num_heads": int(rng.integers(1, 130))}
        numbers = {"bytes_per_element": int(rng.choice([1, 2, 4])), "memory": int(10 ** rng.uniform(3, 13))}
        return {"length": int(2 ** rng.uniform(0, 20)), **sizes, **numbers}

    @staticmethod
    def compute(length, d_model, num_heads, bytes_per_element, memory):
        """Return the work of each part, the crossover, and the bytes of attention, whole or in pieces."""
        heads = next(h for h in range(min(num_heads, d_model), 0, -1) if d_model % h == 0)
        breakdown = flops_breakdown(GPTConfig(d_model, heads, 1, 1, length))

        def score_bytes(n):
            return attention_bytes(n, heads, bytes_per_element)

        return {
            "heads": heads,
            "work": [breakdown[part] for part in ("projections", "feed-forward", "attention")],
            "crossover": 6 * d_model,
            "score_bytes": score_bytes(length),
            "pieces": 4 * length * d_model * bytes_per_element,
            "longest": longest(score_bytes, memory),
        }

    @property
    def words(self):
        """Return sentences on attention's fraction of the work, on the crossover, and on the memory."""
        found = self._computed()
        share = 100 * found["work"][2] / sum(found["work"])
        fits = "fit" if found["score_bytes"] <= self.memory else "do not fit"
        heads = "head" if found["heads"] == 1 else "heads"
        memory = in_units(self.memory)
        work = f"attention is {number(share, 1)} % of the work of a layer"
        return (
            f"{self.length:,} tokens of width {self.d_model:,}: {work}, and half of it at "
            f"{found['crossover']:,} tokens. The attention weights of {found['heads']} {heads} take "
            f"{in_units(found['score_bytes'])}. They {fits} in {memory}, which is enough for "
            f"{found['longest']:,} tokens. If attention is computed in pieces, only "
            f"queries, keys, values and outputs are stored: {in_units(found['pieces'])}."
        )

    def pictures(self):
        """Return the fraction of the work in each part of a layer as bars, in percent."""
        work = self._computed()["work"]
        names = ["projections", "feed-forward", "attention"]
        return [bars(names, [100 * part / sum(work) for part in work], title="Work of a layer, in percent")]
