"""A figure on the memory that a language model needs to generate text: its weights, and its cache."""

import traitlets

from clearhead.figures import bars

from .cost_of_length import in_units
from .figure import Figure, source


class MemoryCalculator(Figure):
    """The memory of a model like SmolLM2 during generation: its weights, and a cache for every token.

    Parameters
    ----------
    layers, num_heads, heads_per_group : () int
        The number of blocks, of heads, and of heads that share one set of keys and values; the last group may
        have fewer.
    d_k, d_ff : () int
        The dimensions of a head and of the feed-forward network. The width of the model is `num_heads * d_k`.
    vocabulary : () int
        The size of the vocabulary; the token table is also the output layer.
    length, texts : () int
        The number of tokens per text, and of texts that are generated at once.
    weight_bits, cache_bits : () int
        The number of bits per entry of the weights, and of the cache.
    memory : () int
        The available memory, in bytes.
    """

    what_to_see = (
        "Weights are stored once, but keys and values are cached for every token of every text: find "
        "out how much fits."
    )
    _esm = source("memory_calculator.js")
    layers = traitlets.Int(30, min=1, max=1000).tag(sync=True)
    num_heads = traitlets.Int(9, min=1, max=1000).tag(sync=True)
    heads_per_group = traitlets.Int(3, min=1, max=1000).tag(sync=True)
    d_k = traitlets.Int(64, min=1, max=1024).tag(sync=True)
    d_ff = traitlets.Int(1536, min=1, max=2**17).tag(sync=True)
    vocabulary = traitlets.Int(49_152, min=1, max=2**20).tag(sync=True)
    length = traitlets.Int(8192, min=1, max=2**24).tag(sync=True)
    texts = traitlets.Int(1, min=1, max=2**16).tag(sync=True)
    weight_bits = traitlets.Int(16, min=1, max=64).tag(sync=True)
    cache_bits = traitlets.Int(16, min=1, max=64).tag(sync=True)
    memory = traitlets.Int(8 * 10**9, min=1, max=2**52).tag(sync=True)

    @staticmethod
    def samples(rng):
        most = {
            "layers": 100,
            "num_heads": 64,
            "heads_per_group": 64,
            "d_k": 128,
            "d_ff": 20_000,
            "vocabulary": 200_000,
        }
        sizes = {name: int(rng.integers(1, high)) for name, high in most.items()}
        bits = {name: int(rng.choice([4, 8, 16, 32])) for name in ("weight_bits", "cache_bits")}
        use = {"length": int(2 ** rng.uniform(0, 20)), "texts": int(rng.integers(1, 100))}
        return {**sizes, **bits, **use, "memory": int(10 ** rng.uniform(8, 12))}

    @staticmethod
    def compute(
        layers,
        num_heads,
        heads_per_group,
        d_k,
        d_ff,
        vocabulary,
        length,
        texts,
        weight_bits,
        cache_bits,
        memory,
    ):
        """Return the model's parameters and bytes, the bytes of its cache, and the longest possible text."""
        groups = -(-num_heads // heads_per_group)
        width, shared = num_heads * d_k, groups * d_k
        block = 2 * width * width + 2 * width * shared + 3 * width * d_ff + 2 * width
        numbers = vocabulary * width + layers * block + width
        weights, token = numbers * weight_bits / 8, 2 * layers * shared * cache_bits / 8
        return {
            "groups": groups,
            "numbers": numbers,
            "weights": weights,
            "token": token,
            "cache": token * length * texts,
            "longest": max(0, int((memory - weights) // (token * texts))),
        }

    @property
    def words(self):
        """Return sentences on the parameters, on the bytes, and on whether they fit into the memory."""
        found = self._computed()
        fit = "fit" if found["weights"] + found["cache"] <= self.memory else "do not fit"
        texts = "1 text" if self.texts == 1 else f"{self.texts:,} texts"
        token = in_units(found["token"])
        groups = "1 group" if found["groups"] == 1 else f"{found['groups']} groups"
        weights, cache, memory = map(in_units, (found["weights"], found["cache"], self.memory))
        return (
            f"{found['numbers']:,} parameters take {weights}. Keys and values of {groups} take {token} "
            f"for each token: {cache} for {texts} of {self.length:,} tokens. Together they {fit} in "
            f"{memory}, which has room for {found['longest']:,} tokens per text."
        )

    def pictures(self):
        """Return the bytes of weights, cache and memory as bars, in gigabytes."""
        found = self._computed()
        values = [count / 1e9 for count in (found["weights"], found["cache"], self.memory)]
        return [bars(["weights", "cache", "memory"], values, title="Gigabytes")]
