"""Complete models that can be trained. The twin of `clearhead.maths.models`."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from clearhead.maths.shapes import check_divides, check_image

from .heads import attention_weights
from .layers import Embedding, gelu, relu
from .masks import causal_padding_mask
from .positions import learned_positions, padded_positions, sinusoidal
from .transformer import EncoderBlock, PostNormDecoderBlock, PostNormEncoderBlock
from .vision import add_class_token, patchify


def init_weights(model, generator=None):
    """Return the model with new, normally distributed weights (standard deviation 0.02) and all biases zero.

    Parameters
    ----------
    model : torch.nn.Module
    generator : torch.Generator, optional
        Makes the start repeatable; PyTorch's global one by default.

    Returns
    -------
    model : torch.nn.Module
        The same model. Its logits start near 0, so its loss starts near ln V.

    References
    ----------
    Radford et al. (2018), "Improving language understanding by generative pre-training", section 4.1.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=0.02, generator=generator)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)
    return model


class GPT(nn.Module):
    """A decoder-only language model, which predicts the next token. A token sees only the past.

    The twin of `clearhead.maths.models.gpt`.

    Parameters
    ----------
    vocab_size, context_length, d_model, num_heads, num_layers : int
        V, the longest text, D, H and L.
    activation : function
        GPT-2 has gelu_tanh.
    generator : torch.Generator, optional
        For the first weights.
    d_ff : int, optional
        F: the width of the feed-forward network; 4 D if not said.
    """

    def __init__(
        self, vocab_size, context_length, d_model, num_heads, num_layers, activation=gelu, generator=None,
        d_ff=None,
    ):  # fmt: skip
        super().__init__()
        self.tokens = Embedding(vocab_size, d_model)
        self.positions = Embedding(context_length, d_model)
        blocks = (EncoderBlock(d_model, num_heads, d_ff, activation) for _ in range(num_layers))
        self.blocks = nn.ModuleList(blocks)
        self.norm = nn.LayerNorm(d_model)
        init_weights(self, generator)

    def forward(self, ids, attention_mask=None, position_ids=None):
        """Return logits (B, T, V) for ids (B, T).

        Parameters
        ----------
        ids : (..., T) int
        attention_mask : (..., T) bool, optional
            True at the real tokens of a padded batch. Padding on the left moves every token of a text, so it
            needs the mask and the positions; padding on the right needs neither.
        position_ids : (..., T) int, optional
            The position of each token; by default, its place among the real tokens, `padded_positions`.
        """
        check_like_ids(ids, attention_mask=attention_mask, position_ids=position_ids)
        x = self.tokens(ids) + placed(self.positions, ids, attention_mask, position_ids)  # (B, T, D)
        mask = None if attention_mask is None else causal_padding_mask(attention_mask)
        for block in self.blocks:
            x = block(x, mask, causal=mask is None)
        return F.linear(self.norm(x), self.tokens.weight)  # (B, T, V)

    def attention_weights(self, ids, attention_mask=None, position_ids=None):
        """Return where every head of every block looks: A (L, B, H, T, T) for ids (B, T)."""
        return torch.stack(attention_weights(self, ids, attention_mask, position_ids))


def placed(table, ids, attention_mask, position_ids):
    """Return the row of a position table for each token: (T, D), or (B, T, D) in a padded batch."""
    if position_ids is None and attention_mask is None:
        return learned_positions(ids.shape[-1], table.weight)
    return table(padded_positions(attention_mask) if position_ids is None else position_ids)


def check_like_ids(ids, **others):
    """Raise an error if a mask or positions do not have the shape of the ids."""
    for name, other in others.items():
        if other is not None and other.shape != ids.shape:
            raise ValueError(
                f"{name} is {tuple(other.shape)} and ids is {tuple(ids.shape)}: they must be equal."
            )


class TextEncoder(nn.Module):
    """The encoder of BERT, which gives one vector per token that depends on the whole text.

    Parameters
    ----------
    vocab_size, context_length, d_model, num_heads, num_layers : int
        V, the longest text, D, H and L.
    num_segments : int
        How many kinds of sentences are told apart.
    eps : float
        Of the norms.
    generator : torch.Generator, optional
        For the first weights.
    d_ff : int, optional
        F: the width of the feed-forward network; 4 D if not said.
    """

    def __init__(
        self, vocab_size, context_length, d_model, num_heads, num_layers, num_segments=2, eps=1e-12,
        generator=None, d_ff=None,
    ):  # fmt: skip
        super().__init__()
        self.tokens = Embedding(vocab_size, d_model)
        self.positions = Embedding(context_length, d_model)
        self.segments = Embedding(num_segments, d_model)
        self.norm = nn.LayerNorm(d_model, eps)
        blocks = (PostNormEncoderBlock(d_model, num_heads, d_ff, eps=eps) for _ in range(num_layers))
        self.blocks = nn.ModuleList(blocks)
        self.pool = nn.Linear(d_model, d_model)
        init_weights(self, generator)

    def forward(self, ids, mask=None, segments=None):
        """Return x (B, T, D) for ids (B, T), mask (B, 1, 1, T) of the real tokens, and segments (B, T)."""
        kinds = torch.zeros_like(ids) if segments is None else segments
        x = self.tokens(ids) + learned_positions(ids.shape[-1], self.positions.weight) + self.segments(kinds)
        x = self.norm(x)
        for block in self.blocks:
            x = block(x, mask)
        return x

    def pooled(self, x):
        """Return one vector (B, D) per text: BERT's pooler, applied to the [CLS] token of `forward`."""
        if self.pool is None:
            raise ValueError("This encoder has no pooler, as its file had none: take row 0 of x instead.")
        return torch.tanh(self.pool(x[..., 0, :]))

    def attention_weights(self, ids, mask=None, segments=None):
        """Return where every head of every block looks: A (L, B, H, T, T) for ids (B, T)."""
        return torch.stack(attention_weights(self, ids, mask, segments))


class MaskedLanguageModel(nn.Module):
    """A text encoder that predicts the hidden tokens of a text.

        logits = norm(gelu(x W + b)) tokensᵀ + bias,   x = encoder(ids)

    Parameters
    ----------
    encoder : TextEncoder
        Its table of tokens serves for reading and for scoring.
    generator : torch.Generator, optional
        Draws the first weights.
    """

    def __init__(self, encoder, generator=None):
        super().__init__()
        vocab_size, d_model = encoder.tokens.weight.shape
        self.transform = init_weights(nn.Linear(d_model, d_model), generator)
        self.norm = nn.LayerNorm(d_model, encoder.norm.eps)
        self.bias = nn.Parameter(torch.zeros(vocab_size))
        self.encoder = encoder

    def forward(self, ids, mask=None, segments=None):
        """Return logits (B, T, V) for ids (B, T)."""
        x = self.norm(gelu(self.transform(self.encoder(ids, mask, segments))))
        return F.linear(x, self.encoder.tokens.weight, self.bias)


class EncoderDecoder(nn.Module):
    """An encoder-decoder, which predicts the next target token given a source text.

    The twin of `clearhead.maths.models.encoder_decoder`: the first transformer, without dropout.

    Parameters
    ----------
    vocab_size, d_model, num_heads, num_layers : int
        V, D (even), H, and L blocks on each side.
    d_ff : int, optional
        F: the width of the feed-forward network; 4 D if not said.
    generator : torch.Generator, optional
        For the first weights.
    """

    def __init__(self, vocab_size, d_model, num_heads, num_layers, generator=None, d_ff=None):
        super().__init__()
        self.tokens = Embedding(vocab_size, d_model)
        sizes = dict(d_model=d_model, num_heads=num_heads, d_ff=d_ff, activation=relu, bias=False)
        self.encoder = nn.ModuleList(PostNormEncoderBlock(**sizes) for _ in range(num_layers))
        self.decoder = nn.ModuleList(PostNormDecoderBlock(**sizes) for _ in range(num_layers))
        init_weights(self, generator)

    def placed(self, ids):
        """Return the tokens' vectors (B, T, D) times √D, plus their sinusoidal positions."""
        x = self.tokens(ids) * math.sqrt(self.tokens.embedding_dim)
        return x + sinusoidal(*x.shape[-2:], x.device).to(x.dtype)

    def forward(self, source, target, source_mask=None):
        """Return logits (B, T, V) for source (B, S), target (B, T) and source_mask (B, 1, 1, S)."""
        context, x = self.placed(source), self.placed(target)  # (B, S, D), (B, T, D)
        for block in self.encoder:
            context = block(context, source_mask)
        for block in self.decoder:
            x = block(x, context, None, source_mask, causal=True)
        return F.linear(x, self.tokens.weight)

    def attention_weights(self, source, target, source_mask=None):
        """Return the attention weights of every head: in the encoder, in the decoder, and between the two."""
        maps = attention_weights(self, source, target, source_mask)
        reading, writing = maps[: len(self.encoder)], maps[len(self.encoder) :]
        return torch.stack(reading), torch.stack(writing[0::2]), torch.stack(writing[1::2])


class VisionTransformer(nn.Module):
    """A vision transformer, which classifies an image that is read as a sequence of patches.

    The twin of `clearhead.maths.models.vision_transformer`.

    Parameters
    ----------
    image_size, patch_size, channels, num_classes, d_model, num_heads, num_layers : int
        Square images, channels last; then what every transformer needs.
    eps : float
        Of the norms.
    generator : torch.Generator, optional
        For the first weights.
    d_ff : int, optional
        F: the width of the feed-forward network; 4 D if not said.
    """

    def __init__(
        self, image_size, patch_size, channels, num_classes, d_model, num_heads, num_layers, eps=1e-6,
        generator=None, d_ff=None,
    ):  # fmt: skip
        super().__init__()
        check_divides(image_size=image_size, patch_size=patch_size)
        self.image_size, self.patch_size = image_size, patch_size
        self.patches = nn.Linear(patch_size**2 * channels, d_model)
        self.cls = nn.Parameter(torch.zeros(d_model))
        self.positions = Embedding((image_size // patch_size) ** 2 + 1, d_model)
        blocks = (EncoderBlock(d_model, num_heads, d_ff, eps=eps) for _ in range(num_layers))
        self.blocks = nn.ModuleList(blocks)
        self.norm = nn.LayerNorm(d_model, eps)
        self.head = nn.Linear(d_model, num_classes)
        init_weights(self, generator)

    def forward(self, images):
        """Return logits (B, V), V classes, for images (B, R, C, channels).

        Raises
        ------
        ValueError
            Where the images are not of the size that the positions were learned for, even if they have as
            many patches: each would be given the position of another one. Or where they have another number
            of channels.
        """
        channels = self.patches.weight.shape[1] // self.patch_size**2
        check_image(images.shape, (self.image_size, self.image_size), channels)
        x = self.patches(patchify(images, self.patch_size))  # (B, N, D)
        x = add_class_token(x, self.cls, self.positions.weight)  # (B, N+1, D)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x[..., 0, :]))

    def attention_weights(self, images):
        """Return the attention weights of every head and block, A (L, B, H, N+1, N+1), class token first."""
        return torch.stack(attention_weights(self, images))
