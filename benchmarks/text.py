"""The tokenizer: training and encoding in readable Python, beside the one that is written in Rust."""

from compare import Row, in_turns

from clearhead.text.corpora import python_docs
from clearhead.text.tokenizers import BytePairTokenizer


def rust(text, vocab_size):
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=vocab_size, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator([text], trainer)
    return tokenizer


def rows(full, _options):
    """Yield the rows of this subject."""
    text, size = python_docs(), 256 + 1000
    what = f"byte-pair encoding, {len(text):,} characters"
    seconds, ratios = in_turns(
        {"rust": lambda: rust(text, size), "ours": lambda: BytePairTokenizer.train(text, size)}, 3
    )
    ours = seconds["rust"] * ratios["ours"]
    yield Row("text", f"{what}, 1,000 merges learnt", ours, 5.0, "s", "the promise", 1.0)
    yield Row("text", f"{what}, 1,000 merges learnt", ours, seconds["rust"], "s", "tokenizers, in Rust")
    theirs, tokenizer = rust(text, size), BytePairTokenizer.train(text, size)
    megabytes = len(text.encode()) / 1e6
    seconds, ratios = in_turns(
        {"rust": lambda: theirs.encode(text), "ours": lambda: tokenizer.encode(text)}, 3
    )
    ours = seconds["rust"] * ratios["ours"]
    yield Row("text", "encoding", ours / megabytes, 1.0, "s a megabyte", "the promise", 1.0)
    yield Row(
        "text",
        "encoding",
        ours / megabytes,
        seconds["rust"] / megabytes,
        "s a megabyte",
        "tokenizers, in Rust",
    )
