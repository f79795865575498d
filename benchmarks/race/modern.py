"""A GPT with changes made since GPT-2: rotary positions, QK norm, norms without weights, and ReLU²."""

import torch
from torch import nn
from torch.nn import functional as F

from clearhead.maths.shapes import check_divides
from clearhead.nets.heads import merge_heads, split_heads
from clearhead.nets.positions import rotary_angles


def normalized(x):
    """Return each row with mean 0 and length √D, as a layer norm without gain and bias does.

        y = (x - mean(x)) / √(var(x) + ε)

    Parameters
    ----------
    x : (..., D) tensor

    Returns
    -------
    y : (..., D) tensor

    Notes
    -----
    RMS norm, which is usual here, learns as well. For this one PyTorch has a single kernel on a processor. It
    sums in float32 whatever x is, so autocast need not make x float32 first.
    """
    with torch.autocast(x.device.type, enabled=False):
        return F.layer_norm(x, x.shape[-1:])


def rotary_cos_sin(angles):
    """Return the arguments cos and sin (T, d) of `apply_rotary` for angles (T, d/2)."""
    cos, sin = angles.cos(), angles.sin()
    return torch.cat([cos, cos], -1), torch.cat([-sin, sin], -1)


def apply_rotary(x, cos, sin):
    """Return queries or keys rotated by their positions, with dimension i paired with i + d/2.

        y = [x_1, x_2] · [cos, cos] + [x_2, x_1] · [-sin, sin]

    Parameters
    ----------
    x : (..., T, d) tensor
    cos, sin : (T, d) tensor
        Each angle stands twice; of the first half the sine has a minus.

    Returns
    -------
    y : (..., T, d) tensor

    References
    ----------
    Su et al. (2021), "RoFormer: enhanced transformer with rotary position embedding", equation 34. Which
    columns make a pair is free, and halves are faster than neighbours.
    """
    cos, sin = cos.to(x.dtype), sin.to(x.dtype)
    return torch.addcmul(x * cos, x.roll(x.shape[-1] // 2, -1), sin)


def shifted(x, back):
    """Return rows with a quarter of their columns from the row before, a quarter from two before, and so on.

    Parameters
    ----------
    x : (..., T, D) tensor
    back : int
        As many rows before take part, 0 to 3. Where there is none, zeros stand.

    Returns
    -------
    y : (..., T, D) tensor

    References
    ----------
    Peng et al. (2023), "RWKV: reinventing RNNs for the transformer era": the shift of tokens, there weighed.
    """
    part = x.shape[-1] // 4
    *parts, rest = x.split([part] * back + [x.shape[-1] - back * part], dim=-1)
    return torch.cat([*(F.pad(x[..., :-n, :], (0, 0, n, 0)) for n, x in enumerate(parts, 1)), rest], -1)


def causal_attention(Q, K, V):
    """Return causal attention (..., T, e) by PyTorch's kernel, or by the explicit product of the weights.

    The kernel needs e = d; elsewhere it multiplies all weights, too. On a processor it is taken only in
    float32, because in bfloat16, for short texts, forward and backward, the plain product is faster there:
    see 256 tokens in `attention.py`. On a graphics card it is always taken.
    """
    if Q.dtype == torch.float32 or Q.is_cuda:
        return F.scaled_dot_product_attention(Q, K, V, is_causal=True)
    T = Q.shape[-2]
    hidden = Q.new_full((T, T), -torch.inf).triu(1)
    q, k = Q.flatten(0, -3), K.flatten(0, -3)
    scores = torch.baddbmm(hidden, q, k.mT, alpha=Q.shape[-1] ** -0.5).view(*Q.shape[:-1], T)
    return torch.softmax(scores, dim=-1) @ V


class SquaredReLU(torch.autograd.Function):
    """The activation relu(x)², which stores one array, 2 relu(x), for the backward pass."""

    @staticmethod
    def forward(ctx, x):
        """Return the vectors x (..., T, D) after causal attention and the feed-forward network."""
        positive = torch.relu(x)
        ctx.save_for_backward(positive)
        return positive.square()

    @staticmethod
    def backward(ctx, gradient):
        """Return 2 relu(x) times the gradient."""
        (positive,) = ctx.saved_tensors
        return torch.addcmul(positive.new_zeros(()), gradient, positive, value=2)


class ModernBlock(nn.Module):
    """A block of attention and a feed-forward network with pre-norm, residual sums and no biases.

        x ← x + W_o attention(apply_rotary(norm(Q)), apply_rotary(norm(K)), V),   Q, K, V = W shifted(norm(x))
        x ← x + W_down relu(W_up shifted(norm(x)))²

    Parameters
    ----------
    d_model, num_heads : int
        D and H.
    d_k, d_v, d_ff : int, optional
        Columns of a head's queries and of its values, else D/H, and of the feed-forward network, else 4 D.
    back : int
        The tokens before that `shifted` brings in.
    attention : bool
        False for a control: a block that is its feed-forward network alone.
    dropout : float
        The probability with which an entry of what each part adds is set to zero during training.

    Notes
    -----
    W_o and W_down begin at zero, so that a block begins as the identity.

    References
    ----------
    Henry et al. (2020), "Query-key normalization for transformers". So et al. (2021), "Primer": ReLU².
    """

    def __init__(
        self, d_model, num_heads, d_k=None, d_v=None, d_ff=None, back=0, attention=True, dropout=0.0
    ):
        super().__init__()
        check_divides(d_model=d_model, num_heads=num_heads)
        self.num_heads, self.back, d_ff, self.dropout = num_heads, back, d_ff or 4 * d_model, dropout
        d_k, d_v = d_k or d_model // num_heads, d_v or d_model // num_heads
        self.attention = attention
        if attention:
            self.query_key = nn.Linear(d_model, 2 * num_heads * d_k, bias=False)
            self.value = nn.Linear(d_model, num_heads * d_v, bias=False)
            self.output = nn.Linear(num_heads * d_v, d_model, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x, cos, sin):
        """Return x (..., T, D) after attention to the past and the feed-forward network."""
        if self.attention:
            x = x + self._dropped(self._attend(shifted(normalized(x), self.back), cos, sin))
        return x + self._dropped(self.down(SquaredReLU.apply(self.up(shifted(normalized(x), self.back)))))

    def _dropped(self, x):
        return F.dropout(x, self.dropout, self.training) if self.dropout else x

    def _attend(self, y, cos, sin):
        """Return the update (..., T, D) that causal attention computes for rows y (..., T, D)."""
        QK = normalized(split_heads(self.query_key(y), 2 * self.num_heads))
        Q, K = apply_rotary(QK, cos, sin).chunk(2, dim=-3)
        V = split_heads(self.value(y), self.num_heads)
        return self.output(merge_heads(causal_attention(Q, K, V)))


class ModernGPT(nn.Module):
    """A decoder-only language model that predicts the next token at every position.

    Parameters
    ----------
    vocab_size, d_model, num_heads, num_layers : int
        V, D, H and L.
    pairs : bool
        Whether each pair of neighbours has an embedding of its own, V² rows: only for a small vocabulary.
    spread : float
        The standard deviation of the first embeddings. They are normalized: it is what a step is measured by.
    shape
        d_k, d_v, d_ff, back, attention and dropout of `ModernBlock`.
    generator : torch.Generator, optional
        For the first weights.
    """

    def __init__(
        self,
        vocab_size,
        d_model,
        num_heads,
        num_layers,
        pairs=False,
        spread=1.0,
        generator=None,
        **shape,
    ):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.pairs = nn.Embedding(vocab_size**2, d_model) if pairs else None
        self.blocks = nn.ModuleList(ModernBlock(d_model, num_heads, **shape) for _ in range(num_layers))
        self.words = nn.Linear(d_model, vocab_size, bias=False)
        self.d_k = shape.get("d_k") or d_model // num_heads
        self._start(spread, generator)

    def _start(self, spread, generator):
        for block in self.blocks:
            for name, matrix in block.named_children():
                if name in ("output", "down"):
                    nn.init.zeros_(matrix.weight)
                else:
                    nn.init.normal_(matrix.weight, std=matrix.in_features**-0.5, generator=generator)
        nn.init.normal_(self.tokens.weight, std=spread, generator=generator)
        nn.init.zeros_(self.words.weight)
        if self.pairs is not None:
            nn.init.zeros_(self.pairs.weight)

    def forward(self, ids):
        """Return logits (B, T, V) for ids (B, T)."""
        return self.words(self.hidden(self.embedded(ids)))

    def embedded(self, ids):
        """Return the embeddings x (B, T, D) of tokens and, if there are any, of pairs of tokens."""
        x = self.tokens(ids)
        if self.pairs is None:
            return x
        before = F.pad(ids, (1, 0))[..., :-1]
        return x + self.pairs(before * self.tokens.num_embeddings + ids)

    def hidden(self, x):
        """Return the hidden states (B, T, D) from which the logits are computed, for embeddings x (B, T, D).

        Under autocast the sums along the way are of its type, too: nothing is copied back and forth.
        """
        x = normalized(x)
        if torch.is_autocast_enabled(x.device.type):
            x = x.to(torch.get_autocast_dtype(x.device.type))
        cos, sin = rotary_cos_sin(rotary_angles(x.shape[-2], self.d_k, device=x.device))
        for block in self.blocks:
            x = block(x, cos, sin)
        return normalized(x)
