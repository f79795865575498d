"""The sizes of published transformers, as their papers give them."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Sizes:
    """The sizes that all of them share; the feed-forward width is 4 d_model unless d_ff is given by name."""

    d_model: int
    num_heads: int
    num_layers: int
    d_ff: int = field(default=None, kw_only=True)

    def __post_init__(self):
        if self.d_ff is None:
            object.__setattr__(self, "d_ff", 4 * self.d_model)  # frozen
        if self.d_model % self.num_heads:
            raise ValueError(
                f"Each head takes an equal share of the width, but {self.d_model} columns cannot be "
                f"divided among {self.num_heads} heads."
            )


@dataclass(frozen=True)
class GPTConfig(Sizes):
    """A decoder with learned positions whose output layer is its embedding table.

    References
    ----------
    Radford et al. (2019), "Language models are unsupervised multitask learners", table 2;
    Brown et al. (2020), "Language models are few-shot learners", table 2.1.
    """

    vocab_size: int
    context_length: int


@dataclass(frozen=True)
class BERTConfig(Sizes):
    """An encoder with learned positions, two segments and a pooling layer on its first token.

    References
    ----------
    Devlin et al. (2019), "BERT: pre-training of deep bidirectional transformers", section 3.
    """

    vocab_size: int
    context_length: int
    num_segments: int = 2


@dataclass(frozen=True)
class ViTConfig(Sizes):
    """An encoder of image patches with a class token and one output layer.

    References
    ----------
    Dosovitskiy et al. (2021), "An image is worth 16x16 words", table 1.
    """

    patch_size: int
    image_size: int = 224
    channels: int = 3
    num_classes: int = 1000

    def __post_init__(self):
        super().__post_init__()
        if self.image_size % self.patch_size:
            raise ValueError(
                f"An image of {self.image_size} pixels cannot be cut into patches of {self.patch_size}."
            )

    @property
    def context_length(self):
        """Return the number of tokens of an image, including the class token."""
        return (self.image_size // self.patch_size) ** 2 + 1


@dataclass(frozen=True)
class TransformerConfig(Sizes):
    """The first encoder-decoder; `num_layers` encoder blocks and as many decoder blocks.

    One table serves as both embeddings and the output layer (section 3.4), positions are computed,
    the projections of attention have no bias, and there is no norm after the last block.

    References
    ----------
    Vaswani et al. (2017), "Attention is all you need", table 3. For English-German the shared vocabulary
    has "about 37000 tokens" (section 5.1); we take 37,000.
    """

    vocab_size: int = 37_000
    context_length: int = 512


PRESETS = {
    "GPT-2": GPTConfig(768, 12, 12, 50_257, 1024),
    "GPT-2 medium": GPTConfig(1024, 16, 24, 50_257, 1024),
    "GPT-2 large": GPTConfig(1280, 20, 36, 50_257, 1024),
    "GPT-2 XL": GPTConfig(1600, 25, 48, 50_257, 1024),
    "GPT-3": GPTConfig(12_288, 96, 96, 50_257, 2048),
    "BERT-base": BERTConfig(768, 12, 12, 30_522, 512),
    "BERT-large": BERTConfig(1024, 16, 24, 30_522, 512),
    "ViT-B/16": ViTConfig(768, 12, 12, 16),
    "ViT-L/16": ViTConfig(1024, 16, 24, 16),
    "ViT-H/14": ViTConfig(1280, 16, 32, 14),
    "Transformer base": TransformerConfig(512, 8, 6),
    "Transformer big": TransformerConfig(1024, 16, 6),
}


def preset(name):
    """Return the configuration of a published model.

    Parameters
    ----------
    name : str
        Such as "GPT-2", "BERT-large" or "ViT-B/16": a key of `PRESETS`.

    Returns
    -------
    config : GPTConfig, BERTConfig, ViTConfig or TransformerConfig
        Frozen: `dataclasses.replace` makes a changed copy.

    Raises
    ------
    ValueError
        If there is no such name.
    """
    if name not in PRESETS:
        raise ValueError(f"There is no model {name!r} here; there are {', '.join(PRESETS)}.")
    return PRESETS[name]
