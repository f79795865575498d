"""Writing token by token without thinking the past over again: keys and values are kept."""

from itertools import takewhile

import torch

from .attention import fast_attention
from .heads import merge_heads
from .masks import causal_mask


class KeyValueCache:
    """Keeps the keys and values that each block of a GPT has made of a text, so that the text can grow.

        K = [K_past, K_new],   V = [V_past, V_new],   Z_new = softmax(Q_new Kᵀ / √d) V

    Parameters
    ----------
    model : GPT
        In a GPT no token sees its future, so the keys and values of the past never change.

    Notes
    -----
    A new token costs one row of queries, in place of the whole text again. The price is memory: 2 L D numbers
    for each token, `clearhead.maths.counting.cache_bytes`.

    References
    ----------
    Shazeer (2019), "Fast transformer decoding: one write-head is all you need", section 2.4.
    """

    def __init__(self, model):
        self.model = model
        self.keys, self.values = [None] * len(model.blocks), [None] * len(model.blocks)
        self.length = 0

    @torch.no_grad()
    def extend(self, ids):
        """Return the logits of new tokens, and keep their keys and values.

        Parameters
        ----------
        ids : (..., T) int
            The tokens after those already kept; for one token at a time, T = 1.

        Returns
        -------
        logits : (..., T, V) float
            The same as the last T rows of what the model gives for the whole text.

        Raises
        ------
        ValueError
            Where the context is full, or ids are not the same number of texts as before.
        """
        self._check(ids)
        model, end = self.model, self.length + ids.shape[-1]
        x = model.tokens(ids) + model.positions.weight[self.length : end]
        for layer, block in enumerate(model.blocks):
            x = x + self._attend(layer, block.attention, block.attention_norm(x))
            x = x + block.feed_forward(block.feed_forward_norm(x))
        self.length = end
        return model.norm(x) @ model.tokens.weight.T

    def keep(self, length):
        """Forget all but the first tokens.

        Parameters
        ----------
        length : () int
            How many tokens to keep; 0 to begin another text.

        Raises
        ------
        ValueError
            Where the cache does not hold so many.
        """
        if not 0 <= length <= self.length:
            raise ValueError(f"The cache holds {self.length} tokens, so it cannot keep {length} of them.")
        for rows in (self.keys, self.values):
            rows[:] = [each[..., :length, :] if length else None for each in rows]
        self.length = length

    def _attend(self, layer, attention, h):
        """Return what one attention says about the new rows h (..., T, D), which see all kept ones too."""
        Q, K, V = attention.heads(h, h)
        if self.length:
            K, V = torch.cat([self.keys[layer], K], dim=-2), torch.cat([self.values[layer], V], dim=-2)
        self.keys[layer], self.values[layer] = K, V
        past = causal_mask(K.shape[-2], h.device)[self.length :]  # query i is token number length + i
        return attention.output(merge_heads(fast_attention(Q, K, V, past)))

    def _check(self, ids):
        most = self.model.positions.weight.shape[0]
        if self.length + ids.shape[-1] > most:
            raise ValueError(
                f"The context is full: it holds at most {most} tokens, {self.length} are kept and "
                f"{ids.shape[-1]} more were given; keep(0) and begin with a shorter text."
            )
        if self.length and self.keys and self.keys[0].shape[:-3] != ids.shape[:-1]:
            raise ValueError(
                f"The cache holds texts of shape {tuple(self.keys[0].shape[:-3])}, got ids "
                f"{tuple(ids.shape)}: go on with the same texts, or keep(0) first."
            )


def cached_step(model):
    """Return a step for `clearhead.maths.decoding.generate` that computes only what it has not seen yet.

    Parameters
    ----------
    model : GPT

    Returns
    -------
    step : function
        Takes ids (T,) as a NumPy array, gives the logits (V,) of the next token as another. Of a text that
        begins like the one before, only the rest is computed; any other text is right too, and slower.
    """
    cache, seen = KeyValueCache(model), []

    def step(ids):
        ids = [int(token) for token in ids]
        same = takewhile(lambda pair: pair[0] == pair[1], zip(seen, ids, strict=False))
        common = min(len(list(same)), len(ids) - 1, cache.length)
        cache.keep(common)
        seen[:] = ids
        new = torch.tensor(ids[common:], device=model.tokens.weight.device)
        logits = cache.extend(new)[-1].cpu()
        return (logits.float() if logits.dtype == torch.bfloat16 else logits).numpy()

    return step
