"""The one description of the machine: its parts, their chapters and words, what each chapter lights up."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """One part of the machine: its name (a stroke breaks the line), its chapter, and what it does."""

    name: str
    chapter: str
    words: str


@dataclass(frozen=True)
class Today:
    """One chapter: its parts of the machine, and a sentence."""

    parts: str
    words: str


PARTS = {
    "shape": Part("the stream: T rows of D numbers", "00", "a text of T tokens is an array of T rows"),
    "ids": Part("token ids", "01", "the text becomes a list of integers"),
    "embedding": Part("embedding", "02", "each id becomes a learned vector"),
    "before": Part("RNN, CNN", "03", "recurrent and convolutional layers, and what they cannot reach"),
    "dictionary": Part("dictionary", "04", "compare a query with keys, weigh, and mix the values"),
    "softmax": Part("softmax", "04", "scores become weights that sum to one"),
    "self": Part("self-attention", "05", "every token looks at every token"),
    "qkv": Part("Q, K, V", "05", "queries meet keys, the scores are scaled, values are mixed"),
    "heads": Part("heads", "06", "several attentions side by side"),
    "positions": Part("positions", "07", "each row is given its position"),
    "encoder": Part("encoder block × N", "08", "two sublayers, each added to its input"),
    "decoder": Part("decoder block × N", "08", "three sublayers, each added to its input"),
    "norm": Part("norm", "08", "each row is normalized"),
    "feed": Part("feed-forward", "08", "a small network processes each token separately"),
    "masked": Part("masked|self-attention", "09", "a token looks at itself and at earlier tokens"),
    "linear": Part("linear", "09", "a score for every word of the vocabulary"),
    "loss": Part("loss: how wrong?", "09", "training compares the prediction with the true next word"),
    "next": Part("next word", "10", "one word is chosen"),
    "again": Part(
        "“fantástico” joins the text, and again", "10", "the new word is read together with all others"
    ),
    "cross": Part("cross-attention", "11", "queries come from the decoder, keys and values from the encoder"),
    "cost": Part("long texts", "12", "a table of T times T weights, and how to avoid storing it"),
    "patches": Part("image patches", "13", "an image is a sequence of patches"),
    "kinds": Part("DNA, series", "14", "all data that can be cut into pieces can be read"),
    "explained": Part("a small GPT", "15", "every head of a small GPT explained"),
    "changed": Part("since GPT-2", "16", "which components today's models have replaced"),
    "opened": Part("a real model", "17", "a published model, opened to its last parameter"),
    "tuned": Part("an assistant", "18", "a second training: conversations, preferences, rewards"),
    "served": Part("serving", "19", "speculative decoding, batches and a smaller cache"),
    "denoised": Part("diffusion", "20", "noise is removed step by step, from images and from texts"),
}
CHAPTERS = {
    "00": Today("shape", "From the embedding on, every arrow carries an array with one row per token."),
    "01": Today("ids", "Before a model can compute with data, they have to become numbers."),
    "02": Today("ids embedding", "A word becomes a token, the token an id, and the id a learned vector."),
    "03": Today("before", "What was used before attention, and where it reaches its limits."),
    "04": Today("dictionary softmax", "The core of every attention box: compare, weigh and mix."),
    "05": Today("self qkv", "Every token sends a query, meets all keys, and receives a mixture of values."),
    "06": Today("self masked cross heads", "Every attention box contains several heads, side by side."),
    "07": Today("positions", "The position of a token is added to its embedding."),
    "08": Today(
        "encoder decoder norm feed addition",
        "The block: normalization, feed-forward and residual connections around attention.",
    ),
    "09": Today("masked loss linear", "A mask hides the next words, and the model learns to predict them."),
    "10": Today("next again", "One word is chosen and appended to the text, and the model runs again."),
    "11": Today("cross memory", "The decoder attends to what the encoder has read, by cross-attention."),
    "12": Today("cost", "The table of weights has T rows and T columns. How long can a text be?"),
    "13": Today("patches", "An image is cut into patches, which enter where words entered before."),
    "14": Today("kinds", "DNA, a fever chart or an image with a question: all of them become vectors."),
    "15": Today("decoder explained", "The decoder by itself is a GPT. We open one and explain every head."),
    "16": Today(
        "norm feed positions qkv changed",
        "Nearly every component has been replaced since GPT-2. What did that change?",
    ),
    "17": Today("decoder opened", "A published model, read from its file and run with our own code."),
    "18": Today("loss tuned", "A second, short training: on answers, on preferences and on rewards."),
    "19": Today("next again served", "Every new token costs a forward pass. What makes it cheaper?"),
    "20": Today(
        "dictionary patches denoised",
        "A denoiser is a dictionary of images, and many small steps generate.",
    ),
}
SOURCE, SO_FAR = "This course|is fantastic", "Este curso es"
WORDS = (
    "A transformer that translates. The text becomes token ids, embeddings and positions are added, and an "
    "encoder block, used N times, lets every token look at every token. A second text, the translation so "
    "far, enters a decoder block in the same way: masked self-attention, then cross-attention, whose keys "
    "and values come from the encoder, then feed-forward. Each sublayer is added to the stream. A linear "
    "layer and a softmax give each word a probability, one next word is chosen and appended, and the "
    "model runs again."
)
