"""N-gram counts of a text, and the probabilities of the next token that follow from them."""

import numpy as np


class NGrams:
    """Probabilities of the next token after each context of up to K tokens that is frequent enough in a text.

        P_k(x | c) = max(n(c x) - δ, 0) / n(c) + δ u(c) / n(c) · P_{k-1}(x | c'),   P_{-1}(x) = 1 / V

    c is the last k tokens, c' the last k - 1 of them. n counts in the text, and u(c) is the number of
    different tokens after c. Of a context that the text does not hold, the longest end that it holds answers.

    A model that learns from the same text must not see counts of the very place that it predicts. So the text
    is cut into parts, and each part has a table of its own, counted without it.

    Parameters
    ----------
    ids : (T,) int
        The text.
    vocab_size : int
        V.
    order : int
        K, the longest context.
    parts : int
        N.
    discount : float
        δ, what each count gives to what was never seen, between 0 and 1.
    least : int
        A context counts where the text holds it so often.

    Raises
    ------
    ValueError
        If the text is not one row of tokens below V with a token for each part, or an option is out of range.

    Notes
    -----
    `marked` (T,) is the text once more, as ids + V · part: what `probabilities` needs to leave a token's own
    part out. Row r of `tables[p]`, of shape (N + 1, R, V), has the chances after context r, counted without
    part p; table 0 leaves nothing out. For a million letters of Shakespeare they take 0.4 GB.

    References
    ----------
    Ney, Essen and Kneser (1994), "On structuring probabilistic dependences in stochastic language modelling":
    absolute discounting. Chen and Goodman (1999), Computer Speech and Language 13, compare it with others.
    """

    def __init__(self, ids, vocab_size, order=8, parts=2, discount=0.75, least=2):
        ids = _checked_text(ids, vocab_size, parts)
        if order < 0 or least < 1 or not 0 < discount <= 1:
            raise ValueError(
                "N-grams need an order from 0, a count from 1 and a discount above 0 and up to 1: "
                f"got {order}, {least} and {discount}."
            )
        self.vocab_size, self.order = vocab_size, order
        part = 1 + np.arange(len(ids)) * parts // len(ids)
        self.marked = ids + vocab_size * part
        self._codes, self._starts, tables = [], [0], []
        context, held = np.zeros_like(ids), np.ones(len(ids), dtype=bool)  # of each place: its row, if held
        table = np.full((parts + 1, 1, vocab_size), 1 / vocab_size, dtype=np.float32)
        for k in range(order + 1):
            parents = np.zeros(1, dtype=int)
            if k:
                held[:k] = False
                longer = context * vocab_size + _before(ids, k)
                # A context is the row of the one that is shorter by a token, and that token: one number.
                codes, number, count = np.unique(longer[held], return_inverse=True, return_counts=True)
                often = count >= least
                context[held] = (np.cumsum(often) - 1)[number]
                held[held] = often[number]
                self._codes.append(codes[often])
                parents = codes[often] // vocab_size
            table = table.take(parents, axis=1)
            _discount(table, context[held] * vocab_size + ids[held], part[held], discount)
            tables.append(table)
            self._starts.append(self._starts[-1] + len(parents))
        self.tables = np.concatenate(tables, axis=1)

    def probabilities(self, ids, orders):
        """Return the probabilities of the token after each position, given the tokens before it in its row.

        Parameters
        ----------
        ids : (..., T) int
            A token i as i, or as i + V · p to have the counts without part p: rows of `marked`.
        orders : (n,) int
            For each k in it, the chances from contexts of at most k tokens.

        Returns
        -------
        P : (..., T, n, V) float32
            Positive, and 1 in sum over V.
        length : (..., T) int
            How many tokens the longest context had that the text holds, K at most.

        Raises
        ------
        ValueError
            If an order is above K, or an id or a part is not there.
        """
        if not all(0 <= k <= self.order for k in orders):
            raise ValueError(
                f"These n-grams have contexts of 0 to {self.order} tokens, not of {list(orders)}."
            )
        ids = np.asarray(ids)
        if ids.size and not 0 <= ids.min() <= ids.max() < self.vocab_size * len(self.tables):
            raise ValueError(
                f"Ids from {ids.min()} to {ids.max()}, but there are {self.vocab_size} words and "
                f"{len(self.tables) - 1} parts: give i + {self.vocab_size} · part."
            )
        part, ids = np.divmod(ids, self.vocab_size)
        context, row, length = np.zeros((3, *ids.shape), dtype=int)
        held, chosen = np.ones(ids.shape, dtype=bool), {0: row}
        for k, codes in enumerate(self._codes, 1):
            held = held & (np.arange(ids.shape[-1]) >= k - 1)
            longer = context * self.vocab_size + _before(ids, k - 1)
            context = np.minimum(np.searchsorted(codes, longer), max(len(codes) - 1, 0))
            held = held & (codes[context] == longer) if len(codes) else np.zeros_like(held)
            row = np.where(held, self._starts[k] + context, row)
            length += held
            chosen[k] = row
        rows = np.stack([chosen[k] for k in orders], axis=-1)
        return self.tables[part[..., None], rows], length


def _checked_text(ids, vocab_size, parts):
    ids = np.asarray(ids)
    if ids.ndim != 1 or not 1 <= parts <= len(ids):
        raise ValueError(
            f"N-grams of {parts} parts need one row of tokens, one for each part at least: "
            f"the ids have the shape {ids.shape}."
        )
    if ids.min() < 0 or ids.max() >= vocab_size:
        raise ValueError(f"Ids from {ids.min()} to {ids.max()} do not fit {vocab_size} words, 0 the first.")
    return ids.astype(np.int64)


def _before(ids, steps):
    """Return, for each position, the token a given number of positions before it, or 0 if there is none."""
    moved = np.zeros_like(ids)
    moved[..., steps:] = ids[..., : max(ids.shape[-1] - steps, 0)]
    return moved


def _discount(table, seen, part, discount):
    """Turn P_{k-1} into P_k in place; `seen` contains row · V + token for each position of the text."""
    pairs, number = np.unique(seen, return_inverse=True)
    rows = pairs // table.shape[-1]
    own = np.bincount(part * len(pairs) + number, minlength=len(table) * len(pairs)).reshape(len(table), -1)
    for here, counts in zip(table, own.sum(axis=0) - own, strict=True):
        total = np.bincount(rows, counts, minlength=len(here))
        chances = np.maximum(counts - discount, 0) / np.maximum(total, 1)[rows]
        left = 1 - np.bincount(rows, chances, minlength=len(here))
        here *= left[:, None].astype(here.dtype)
        here.reshape(-1)[pairs] += chances.astype(here.dtype)
