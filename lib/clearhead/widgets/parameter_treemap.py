"""A figure on where the parameters of a model are: a treemap of its parts, exact for any sizes."""

import traitlets

from clearhead.figures import bars
from clearhead.maths.architectures import BERTConfig, GPTConfig, ViTConfig
from clearhead.maths.counting import parameter_breakdown

from .figure import Figure, source

BLOCKS = ("attention", "feed-forward", "block norms")


class ParameterTreemap(Figure):
    """The parts of a GPT, a BERT or a ViT, drawn by their number of parameters.

    Parameters
    ----------
    kind : () int
        0 is a GPT, 1 a BERT, 2 a vision transformer.
    d_model, num_layers, num_heads : () int
        The width, the number of blocks, and of heads. If the number of heads does not divide the width, the
        next smaller number that does is used.
    vocab_size, context_length : () int
        The sizes of the vocabulary and of the context, for GPT and BERT.
    patch_size : () int
        The side of a patch of an image of 224 by 224 pixels, for ViT. It must divide 224.
    tied : () bool
        Whether a GPT uses its token table as its output layer.
    """

    what_to_see = (
        "See in which parts of a transformer its parameters lie, and how its sizes change their number."
    )
    _esm = source("parameter_treemap.js")
    kind = traitlets.Int(0, min=0, max=2).tag(sync=True)
    d_model = traitlets.Int(768, min=1, max=2**16).tag(sync=True)
    num_layers = traitlets.Int(12, min=1, max=1000).tag(sync=True)
    num_heads = traitlets.Int(12, min=1).tag(sync=True)
    vocab_size = traitlets.Int(50_257, min=1, max=10**7).tag(sync=True)
    context_length = traitlets.Int(1024, min=1, max=10**7).tag(sync=True)
    patch_size = traitlets.Int(16, min=1).tag(sync=True)
    tied = traitlets.Bool(True).tag(sync=True)

    @traitlets.validate("patch_size")
    def _divides_the_picture(self, proposal):
        if 224 % proposal["value"]:
            raise traitlets.TraitError(f"patch_size is {proposal['value']}, but it must divide 224.")
        return proposal["value"]

    @staticmethod
    def samples(rng):
        widths = {"d_model": int(64 * rng.integers(1, 300)), "num_heads": int(rng.integers(1, 130))}
        text = {"vocab_size": int(rng.integers(300_000)), "context_length": int(rng.integers(1, 140_000))}
        rest = {"patch_size": int(rng.choice([7, 14, 16, 28])), "tied": bool(rng.integers(2))}
        return {
            "kind": int(rng.integers(3)),
            "num_layers": int(rng.integers(1, 129)),
            **widths,
            **text,
            **rest,
        }

    @staticmethod
    def compute(kind, d_model, num_layers, num_heads, vocab_size, context_length, patch_size, tied):
        """Return the parameters of each part, their total, those inside the blocks, and the heads."""
        heads = next(h for h in range(min(num_heads, d_model), 0, -1) if d_model % h == 0)
        sizes = d_model, heads, num_layers
        texts = vocab_size, context_length
        config = [
            lambda: GPTConfig(*sizes, *texts),
            lambda: BERTConfig(*sizes, *texts),
            lambda: ViTConfig(*sizes, patch_size),
        ][kind]()
        counts = parameter_breakdown(config)
        if kind == 0 and not tied:
            counts["output"] = vocab_size * d_model

        def together(*names):
            return sum(counts.get(name, 0) for name in names)

        parts = {
            "token table": together("token embeddings"),
            "patches and class token": together("patch embedding", "class token"),
            "positions": together("position embeddings"),
            "attention": together("attention"),
            "feed-forward": together("feed-forward"),
            "norms": together("block norms", "embedding norm", "final norm"),
            "head and the rest": together("segment embeddings", "pooling", "output"),
        }
        return {
            "parts": parts,
            "total": sum(parts.values()),
            "in_blocks": together(*BLOCKS),
            "heads": heads,
            "head_width": d_model // heads,
        }

    @property
    def words(self):
        """Return sentences on the total, on the fraction in the blocks, on the largest part, and on heads."""
        found = self._computed()
        parts, total, heads = found["parts"], found["total"], found["heads"]
        largest = max(parts, key=parts.get)
        return (
            f"{self.num_layers} {'block' if self.num_layers == 1 else 'blocks'} of width {self.d_model:,}: "
            f"{total:,} parameters, {found['in_blocks'] / total:.1%} of them in the blocks. "
            f"The largest part is {largest}, {parts[largest] / total:.1%}. "
            f"{heads} {'head' if heads == 1 else 'heads'} of width {found['head_width']:,}; "
            "another number of heads gives the same total."
        ).replace("%", " %")

    def pictures(self):
        """Return each part's fraction of the parameters as bars, in percent."""
        found = self._computed()
        parts = {name: count for name, count in found["parts"].items() if count}
        shares = [100 * count / found["total"] for count in parts.values()]
        return [bars(list(parts), shares, title="Parameters, in percent")]
