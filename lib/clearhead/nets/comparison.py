"""Networks without attention, to compare with: an LSTM for text, a small convolutional network for images."""

from torch import nn
from torch.nn import functional as F


class LSTM(nn.Module):
    """Scores, at every token, all words to come next, from a memory that is carried along.

    Parameters
    ----------
    vocab_size, d_model, num_layers : int
        V, the width of tokens and memory, and how many memories stand on top of each other.
    """

    def __init__(self, vocab_size, d_model, num_layers=1):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.memory = nn.LSTM(d_model, d_model, num_layers, batch_first=True)
        self.head = nn.Linear(d_model, vocab_size)

    def forward(self, ids):
        """Return logits (B, T, V) for ids (B, T)."""
        x, _ = self.memory(self.tokens(ids))
        return self.head(x)


class ConvolutionalNetwork(nn.Module):
    """Scores all classes for each image, from small patterns and then patterns of patterns.

    Parameters
    ----------
    channels, num_classes : int
        Of the images, channels last; and of the answers.
    width : int
        How many patterns the first layer looks for; the second looks for twice as many.
    """

    def __init__(self, channels, num_classes, width=16):
        super().__init__()
        self.first = nn.Conv2d(channels, width, kernel_size=3, padding=1)
        self.second = nn.Conv2d(width, 2 * width, kernel_size=3, padding=1)
        self.head = nn.Linear(2 * width, num_classes)

    def forward(self, images):
        """Return logits (B, V), V classes, for images (B, R, C, channels)."""
        x = images.permute(0, 3, 1, 2)
        x = F.max_pool2d(F.relu(self.first(x)), 2)
        x = F.relu(self.second(x)).mean(dim=(-2, -1))
        return self.head(x)
