"""Generation with a key-value cache, which avoids recomputing the past for every new token."""

from itertools import takewhile

import torch
from torch.nn import functional as F

from .arrays import to_array
from .attention import fast_attention
from .heads import merge_heads
from .masks import causal_padding_mask
from .models import check_like_ids
from .positions import padded_positions


class KeyValueCache:
    """A cache of the keys and values of a text in each block of a GPT, so that the text can be extended.

        K = [K_past, K_new],   V = [V_past, V_new],   Z_new = softmax(Q_new Kᵀ / √d) V

    Parameters
    ----------
    model : GPT
        In a GPT no token sees its future, so the keys and values of the past never change. Train it further,
        and what is kept is out of date: make a new cache.

    Notes
    -----
    `keys` and `values` have one tensor (..., H, T, d) for each block. A new token costs one row of queries,
    in place of the whole text again. The price is memory: 2 L D numbers for each token,
    `clearhead.maths.counting.kv_cache_bytes`.

    References
    ----------
    Shazeer (2019), "Fast transformer decoding: one write-head is all you need", section 2.4.
    """

    def __init__(self, model):
        self.model, self.length, self.real = model, 0, None
        self.keys, self.values = [], []

    @torch.no_grad()
    def extend(self, ids, attention_mask=None):
        """Return the logits of new tokens, and store their keys and values.

        Parameters
        ----------
        ids : (..., T) int
            The tokens after those already kept; for one token at a time, T = 1.
        attention_mask : (..., T) bool, optional
            True at the real tokens among the new ones, where a batch was padded on the left. The cache
            remembers it: what comes later without a mask is real. Positions count the real tokens.

        Returns
        -------
        logits : (..., T, V) float
            The same as the last T rows of what the model gives for the whole text.

        Raises
        ------
        ValueError
            Where the context is full, or ids are not the same number of texts as before.
        """
        return self._words(self._grow(ids, attention_mask))

    @torch.no_grad()
    def next_logits(self, ids, attention_mask=None):
        """Return the logits of the token after the new ones, and store the keys and values of the new ones.

        Parameters
        ----------
        ids : (..., T) int
            The tokens after those already kept, at least one.
        attention_mask : (..., T) bool, optional
            As for `extend`; the last token of each text is a real one.

        Returns
        -------
        logits : (..., V) float
            The last row of what `extend` gives; the other rows are not computed.

        Raises
        ------
        ValueError
            As `extend`, and where there is no new token.
        """
        if ids.shape[-1] == 0:
            raise ValueError(f"Nothing comes after no token: give at least one, got ids {tuple(ids.shape)}.")
        return self._words(self._grow(ids, attention_mask)[..., -1, :])

    def crop(self, length):
        """Remove all tokens except the first ones from the cache.

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
        self.length = length
        self.real = None if self.real is None or length == 0 else self.real[..., :length]
        self.keys = [K[..., :length, :] for K in self.keys] if length else []
        self.values = [V[..., :length, :] for V in self.values] if length else []

    def _grow(self, ids, attention_mask):
        """Return the output (..., T, D) of the last block for new tokens."""
        check_like_ids(ids, attention_mask=attention_mask)
        real = self._real(ids, attention_mask)
        self._check(ids, real)
        new, end = ids.shape[-1], self.length + ids.shape[-1]
        if real is None:
            positions = self.model.positions.weight[self.length : end]
            # One new token sees all that is kept. Of several, each sees what stands before it.
            mask = ids.new_ones(new, end, dtype=torch.bool).tril(self.length) if new > 1 else None
        else:
            positions = self.model.positions(padded_positions(real)[..., self.length :])
            mask = causal_padding_mask(real)[..., self.length :, :]
        x = self.model.tokens(ids) + positions
        keys, values = [], []
        for layer, block in enumerate(self.model.blocks):
            h = block.attention_norm(x)
            Q, K, V = block.attention.heads(h, h)
            if self.length:
                K = torch.cat([self.keys[layer], K], dim=-2)  # (..., H, end, d)
                V = torch.cat([self.values[layer], V], dim=-2)
            x = x + block.attention.output(merge_heads(fast_attention(Q, K, V, mask)))
            x = x + block.feed_forward(block.feed_forward_norm(x))
            keys.append(K)
            values.append(V)
        self.keys, self.values, self.length, self.real = keys, values, end, real
        return x

    def _real(self, ids, attention_mask):
        """Return which of all tokens, cached and new, are real: (..., S+T), or None if all of them are."""
        if attention_mask is None and self.real is None:
            return None
        before = (
            ids.new_ones(*ids.shape[:-1], self.length, dtype=torch.bool) if self.real is None else self.real
        )
        new = torch.ones_like(ids, dtype=torch.bool) if attention_mask is None else attention_mask
        return torch.cat([before, new], dim=-1)

    def _words(self, x):
        return F.linear(self.model.norm(x), self.model.tokens.weight)

    def _check(self, ids, real):
        most = len(self.model.positions.weight)
        longest = self.length + ids.shape[-1] if real is None else int(real.sum(dim=-1).max())
        if longest > most:
            raise ValueError(
                f"The context is full: it holds at most {most} tokens, {self.length} are kept and "
                f"{ids.shape[-1]} more were given; crop(0) and begin with a shorter text."
            )
        texts = self.keys[0].shape[:-3] if self.length and self.keys else ids.shape[:-1]
        if texts != ids.shape[:-1]:
            raise ValueError(
                f"The cache holds texts of shape {tuple(texts)}, got ids "
                f"{tuple(ids.shape)}: go on with the same texts, or crop(0) first."
            )


def cached_step(model):
    """Return a step for `clearhead.maths.decoding.generate` that computes only tokens it has not seen yet.

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
        cache.crop(common)
        seen[:] = ids
        new = torch.tensor(ids[common:], device=model.tokens.weight.device)
        return to_array(cache.next_logits(new))

    return step
