"""A GPT whose predictions are interpolated with those of n-grams, by weights that it learns."""

import torch
from torch import nn

from .modern import ModernGPT

FLOOR = 1e-5  # what is added to a chance before its logarithm is read


class InterpolatedGPT(ModernGPT):
    """A language model that mixes a GPT's distribution of the next token with that of n-grams.

        y = hidden(E[ids] + W_s ln P),   g = softmax(W_g [y, max P, ln max P] + b_length)
        logits = ln(g_0 softmax(W y) + Σ_i g_i P_i)

    P_i are the chances that the text holds, after contexts of up to so many tokens. What can be looked up
    need not be learnt: the model begins at the loss of the counts, and learns what they do not know.

    Parameters
    ----------
    ngrams : race.ngrams.NGrams
        Counts of the text to learn from. They are no parameters: a checkpoint does not hold them.
    d_model, num_heads, num_layers : int
        D, H and L.
    orders : (n,) int
        The longest context of each P_i.
    options
        Those of `ModernGPT`.

    Notes
    -----
    To learn from the same text, draw windows of `ngrams.marked`, with targets modulo V: then the counts leave
    out the part of the text in which a window lies. Otherwise the model would see its own targets in them.

    References
    ----------
    Khandelwal et al. (2020), "Generalization through memorization": the sum of both. Jelinek and Mercer
    (1980), "Interpolated estimation of Markov source parameters from sparse data".
    """

    def __init__(self, ngrams, d_model, num_heads, num_layers, orders=(3, 5, 8), **options):
        super().__init__(ngrams.vocab_size, d_model, num_heads, num_layers, **options)
        n, self.ngrams, self.orders = len(orders), ngrams, tuple(orders)
        self.said = nn.Linear(n * ngrams.vocab_size, d_model, bias=False)
        self.gate = nn.Linear(d_model + 2 * n, 1 + n, bias=False)
        self.lengths = nn.Embedding(ngrams.order + 1, 1 + n)
        for layer in (self.said, self.gate, self.lengths):
            nn.init.zeros_(layer.weight)

    def forward(self, ids):
        """Return ln P (B, T, V) for ids (B, T), plain or marked; the softmax of these logits is P."""
        P, length = self.ngrams.probabilities(ids.cpu().numpy(), self.orders)
        P, length = torch.from_numpy(P).to(self.words.weight), torch.from_numpy(length).to(ids.device)
        x = self.embedded(ids % self.ngrams.vocab_size)
        y = self.hidden(x + self.said((P + FLOOR).log().flatten(-2)))
        sure = P.amax(dim=-1)
        g = self.gate(torch.cat([y, sure, (sure + FLOOR).log()], dim=-1)) + self.lengths(length)
        learnt, g = self.words(y).to(P.dtype).softmax(dim=-1), g.to(P.dtype).softmax(dim=-1)
        both = g[..., :1] * learnt + (g[..., 1:, None] * P).sum(dim=-2)
        return (both + torch.finfo(P.dtype).tiny).log()
