"""The blocks of a transformer that can be trained. The twin of `clearhead.maths.transformer`."""

from torch import nn

from .contracts import checked
from .heads import MultiHeadAttention
from .layers import gelu, linear, silu


@checked
def gated_feed_forward(x, parameters, activation=silu):
    """Return each token after a gated feed-forward layer, in which one half scales the other.

    The twin of `clearhead.maths.transformer.gated_feed_forward`.
    """
    hidden = activation(linear(x, **parameters["gate"])) * linear(x, **parameters["up"])
    return linear(hidden, **parameters["down"])


class FeedForward(nn.Module):
    """Two linear maps with an activation in between, applied to each token separately.

        y = activation(x W_up + b_up) W_down + b_down

    The twin of `clearhead.maths.transformer.feed_forward`.

    Parameters
    ----------
    d_model : int
        D: numbers for a token.
    d_ff : int
        F: numbers in between, mostly 4 D.
    activation : function
        The activation.
    """

    def __init__(self, d_model, d_ff, activation=gelu):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)
        self.activation = activation

    def forward(self, x):
        """Return y (..., T, D) for x (..., T, D)."""
        return self.down(self.activation(self.up(x)))


class EncoderBlock(nn.Module):
    """A pre-norm encoder block: self-attention, then a feed-forward layer.

        x = x + attention(norm(x)),   y = x + feed_forward(norm(x))

    The twin of `clearhead.maths.transformer.encoder_block`.

    Parameters
    ----------
    d_model : int
        D: numbers for a token.
    num_heads : int
        How many heads, H. It must divide D.
    d_ff : int
        F: numbers inside the feed-forward network; 4 D if not said.
    activation : function
        The activation of the feed-forward network.
    eps : float
        Of the norms.
    bias : bool
        Whether the linear maps of attention add a bias.
    """

    def __init__(self, d_model, num_heads, d_ff=None, activation=gelu, eps=1e-5, bias=True):
        super().__init__()
        self.attention_norm = nn.LayerNorm(d_model, eps)
        self.attention = MultiHeadAttention(d_model, num_heads, bias)
        self.feed_forward_norm = nn.LayerNorm(d_model, eps)
        self.feed_forward = FeedForward(d_model, d_ff or 4 * d_model, activation)

    def forward(self, x, mask=None, causal=False):
        """Return y (..., T, D) for x (..., T, D); with `causal`, a token sees only the past."""
        h = self.attention_norm(x)
        x = x + self.attention(h, h, mask, causal)
        return x + self.feed_forward(self.feed_forward_norm(x))


class PostNormEncoderBlock(EncoderBlock):
    """A post-norm encoder block, as in the original transformer and in BERT.

        x = norm(x + attention(x)),   y = norm(x + feed_forward(x))

    The twin of `clearhead.maths.transformer.post_norm_encoder_block`. Parameters as for `EncoderBlock`.
    """

    def forward(self, x, mask=None, causal=False):
        """Return y (..., T, D) for x (..., T, D); with `causal`, a token sees only the past."""
        x = self.attention_norm(x + self.attention(x, x, mask, causal))
        return self.feed_forward_norm(x + self.feed_forward(x))


class DecoderBlock(EncoderBlock):
    """A pre-norm decoder block: self-attention, cross-attention, then a feed-forward layer.

        x = x + attention(norm(x)),   x = x + attention(norm(x), context),   y = x + feed_forward(norm(x))

    The twin of `clearhead.maths.transformer.decoder_block`. Parameters as for `EncoderBlock`.
    """

    def __init__(self, d_model, num_heads, d_ff=None, activation=gelu, eps=1e-5, bias=True):
        super().__init__(d_model, num_heads, d_ff, activation, eps, bias)
        self.cross_attention_norm = nn.LayerNorm(d_model, eps)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, bias)

    def forward(self, x, context, mask=None, context_mask=None, causal=False):
        """Return y (..., T, D) for x (..., T, D) and context (..., S, D)."""
        h = self.attention_norm(x)
        x = x + self.attention(h, h, mask, causal)
        x = x + self.cross_attention(self.cross_attention_norm(x), context, context_mask)
        return x + self.feed_forward(self.feed_forward_norm(x))


class PostNormDecoderBlock(DecoderBlock):
    """A post-norm decoder block, as in the original transformer.

        x = norm(x + attention(x)),   x = norm(x + attention(x, context)),   y = norm(x + feed_forward(x))

    The twin of `clearhead.maths.transformer.post_norm_decoder_block`. Parameters as for `EncoderBlock`.
    """

    def forward(self, x, context, mask=None, context_mask=None, causal=False):
        """Return y (..., T, D) for x (..., T, D) and context (..., S, D)."""
        x = self.attention_norm(x + self.attention(x, x, mask, causal))
        x = self.cross_attention_norm(x + self.cross_attention(x, context, context_mask))
        return self.feed_forward_norm(x + self.feed_forward(x))
