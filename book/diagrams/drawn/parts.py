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
    """One chapter: its parts of the machine, the groups that a phone shows open, and a sentence."""

    parts: str
    groups: str
    words: str


PARTS = {
    "shape": Part("the stream: T rows of D numbers", "00", "a text of T tokens is an array of T rows"),
    "ids": Part("token ids", "01", "the text becomes whole numbers"),
    "embedding": Part("embedding", "02", "each id becomes a row of learned numbers"),
    "before": Part("before it", "03", "windows and recurrent layers, and what they cannot reach"),
    "dictionary": Part("dictionary", "04", "compare a query with keys, weigh, and mix the values"),
    "softmax": Part("softmax", "04", "scores become shares that sum to one"),
    "self": Part("self-attention", "05", "every token looks at every token"),
    "qkv": Part("Q, K, V", "05", "queries meet keys, the scores are scaled, values are mixed"),
    "heads": Part("heads", "06", "several attentions side by side"),
    "positions": Part("positions", "07", "each row learns where it stands"),
    "encoder": Part("encoder block × N", "08", "two steps, each added to what came in"),
    "decoder": Part("decoder block × N", "08", "three steps, each added to what came in"),
    "norm": Part("norm", "08", "each row is brought to one size"),
    "feed": Part("feed-forward", "08", "a small network works on each token alone"),
    "masked": Part("masked|self-attention", "09", "a token looks at itself and at what stands before it"),
    "linear": Part("linear", "09", "a score for every word of the vocabulary"),
    "loss": Part("loss: how wrong?", "09", "training compares the guess with the true next word"),
    "next": Part("next word", "10", "one word is chosen"),
    "again": Part("“fantástico” joins the text, and again", "10", "the new word is read with all the others"),
    "cross": Part("cross-attention", "11", "the decoder asks, the encoder's keys and values answer"),
    "cost": Part("long texts", "12", "a table of T times T weights, and how to do without it"),
    "patches": Part("image patches", "13", "an image is a sentence of small squares"),
    "kinds": Part("DNA, time", "14", "whatever can be cut into pieces can go in"),
    "explained": Part("explained", "15", "a small GPT whose every head is understood"),
    "changed": Part("since GPT-2", "16", "which parts the models of today have exchanged"),
    "opened": Part("a real one", "17", "a published model, opened to its last number"),
    "tuned": Part("an assistant", "18", "a second training: conversations, preferences, rewards"),
    "served": Part("cheap words", "19", "drafts, batches and a smaller cache"),
}
#: What a phone shows in place of a closed group.
BARS = {
    "input": Part("words to vectors", "02", "token ids, embedding, positions"),
    "encoder": PARTS["encoder"],
    "decoder": PARTS["decoder"],
    "output": Part("linear, softmax, next word", "10", "from the last row to one word"),
    "inside": Part("inside attention", "05", "queries, keys, values, heads"),
}
CHAPTERS = {
    "00": Today(
        "shape", "input", "From the embedding on, every line carries one array: a row for each token."
    ),
    "01": Today("ids", "input", "Before anything can be computed, everything becomes numbers."),
    "02": Today(
        "ids embedding", "input", "A word becomes a token, the token an id, the id a row that is learned."
    ),
    "03": Today("before", "inside", "What stood in the place of attention before, and where it stops."),
    "04": Today("dictionary softmax", "inside", "The heart of every attention box: compare, weigh, mix."),
    "05": Today(
        "self qkv", "encoder inside", "Every token asks, is found, and speaks: queries, keys, values."
    ),
    "06": Today("self masked cross heads", "inside", "Each attention box holds several heads, side by side."),
    "07": Today("positions", "input", "Where a token stands is added to what it is."),
    "08": Today(
        "encoder decoder norm feed addition",
        "encoder",
        "The block: norms, feed-forward, and additions around attention.",
    ),
    "09": Today(
        "masked loss linear",
        "decoder output",
        "The answers are hidden by a mask, and the machine learns to guess them.",
    ),
    "10": Today("next again", "output", "One word is chosen, joins the text, and the machine runs again."),
    "11": Today("cross memory", "decoder", "The decoder asks what the encoder has read: cross-attention."),
    "12": Today("cost", "inside", "The table of weights has T rows and T columns. How long may a text be?"),
    "13": Today("patches", "input", "An image, cut into patches, goes in where words went in."),
    "14": Today("kinds", "input", "DNA, a fever chart, an image with a question: all of it becomes rows."),
    "15": Today(
        "decoder explained",
        "inside",
        "The decoder alone is a GPT. We open one and explain every head.",
    ),
    "16": Today(
        "norm feed positions qkv changed",
        "decoder inside",
        "Norm, feed-forward, positions, heads: nearly every part has been exchanged. What did it change?",
    ),
    "17": Today(
        "decoder opened",
        "inside",
        "A model that other people trained and use, read from its file and run with our parts.",
    ),
    "18": Today(
        "loss tuned",
        "inside",
        "The loss again: on answers, on preferences, on rewards. A second, short training.",
    ),
    "19": Today(
        "next again served",
        "output inside",
        "One word is chosen, and again. What does each of them cost, and what makes it cheaper?",
    ),
}
GROUPS = "input encoder decoder output inside"
SOURCE, SO_FAR = "This course|is fantastic", "Este curso es"
WORDS = (
    "A transformer that translates. The text becomes token ids, embeddings and positions are added, and an "
    "encoder block, used N times, lets every token look at every token. A second text, the translation so "
    "far, takes the same way into a decoder block: masked self-attention, then cross-attention, whose keys "
    "and values come from the encoder, then feed-forward. Each step is added to the stream. A linear layer "
    "and softmax give each word a share, one next word is chosen, joins the text, and all begins again."
)
