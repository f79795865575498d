"""The exact excess of a model's loss over the best possible loss, which the grammar determines."""

import numpy as np
import torch
from torch.nn import functional as F

from clearhead.targets import IGNORE
from clearhead.text.batches import inputs_and_targets, pad
from clearhead.text.rules import STOP


class ExactEvaluator:
    """All sentences of a finite grammar as one array of ids, with their probabilities.

    Parameters
    ----------
    grammar : clearhead.text.grammar.Grammar
        With finitely many sentences.

    Attributes
    ----------
    vocabulary : tuple of str
        The words; "<stop>" stands before and after each sentence.
    inputs, targets : (N, T) tensors
        A row for each of the N sentences; -100 where nothing is asked.
    shares : (N,) tensor
        Their probabilities.
    floor, length : float
        The entropy in nats a token, and the mean number of tokens a sentence.
    """

    def __init__(self, grammar):
        self.vocabulary = grammar.vocabulary
        number = {word: place for place, word in enumerate(self.vocabulary)}
        every = grammar.all_sentences()
        ids, real = pad([[number[word] for word in (STOP, *words, STOP)] for words, _ in every])
        inputs, targets = inputs_and_targets(ids)
        self.inputs = torch.from_numpy(inputs)
        self.targets = torch.from_numpy(np.where(real[:, 1:], targets, IGNORE))
        self.shares = torch.tensor([share for _, share in every])
        self.floor, self.length = grammar.entropy_rate(), grammar.mean_length()

    def batches(self, batch, rng):
        """Yield batches of random sentences forever: inputs and targets."""
        shares = self.shares.double().numpy()
        while True:
            rows = rng.choice(len(shares), size=batch, p=shares / shares.sum())
            yield self.inputs[rows], self.targets[rows]

    @torch.no_grad()
    def excess(self, model):
        """Return the mean loss of a model per token over all sentences, minus the entropy; never negative.

        excess = Σ_s P(s) (-ln Q(s)) / (mean length) - entropy rate = KL(P, Q) / (mean length)
        """
        model.eval()
        device = next((p.device for p in model.parameters()), self.inputs.device)
        logits = model(self.inputs.to(device)).cpu().flatten(0, 1).double()
        losses = F.cross_entropy(logits, self.targets.flatten(), ignore_index=IGNORE, reduction="none")
        a_sentence = losses.view(self.targets.shape).sum(dim=1)
        return float(self.shares.double() @ a_sentence / self.length) - self.floor
