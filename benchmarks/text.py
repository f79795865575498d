"""Compare training and encoding of our tokenizer in readable Python with one that is written in Rust."""

from compare import Row, in_turns

from clearhead.text.corpora import python_docs
from clearhead.text.tokenizers import BytePairTokenizer


def rust(texts, vocab_size):
    """Return the tokenizer in Rust, trained on a list of texts, which it counts in parallel."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=vocab_size, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def readings(text, ours, theirs):
    """Return the ways to encode a text: ours for the first time and again, theirs whole and line by line."""
    from tokenizers import Tokenizer

    told, lines = theirs.to_str(), text.splitlines(keepends=True)
    return {
        "again": {
            "ours": lambda: ours.encode(text),
            "whole": lambda: theirs.encode(text),
            "by lines": lambda: theirs.encode_batch_fast(lines),
        },
        "the first time, opening the tokenizer included": {
            "ours": lambda: BytePairTokenizer(ours.merges).encode(text),
            "whole": lambda: Tokenizer.from_str(told).encode(text),
            "by lines": lambda: Tokenizer.from_str(told).encode_batch_fast(lines),
        },
    }


def rows(full, _options):
    """Yield the rows of this subject."""
    text, size = python_docs(), 256 + 1000
    what = f"byte-pair encoding, {len(text):,} characters, 1,000 merges learned"
    lines = text.splitlines(keepends=True)
    ways = {"ours": lambda: BytePairTokenizer.train(text, size), "whole": lambda: rust([text], size)}
    seconds, ratios = in_turns(ways | {"by lines": lambda: rust(lines, size)}, 3)
    best = min(("whole", "by lines"), key=ratios.get)
    yield Row("text", what, seconds["ours"], 5.0, "s", "a fixed goal", 1.0)
    theirs, note = seconds["ours"] * ratios[best], f"theirs {best}, its faster way"
    yield Row("text", what, seconds["ours"], theirs, "s", "tokenizers, in Rust", note=note)
    megabytes = len(text.encode()) / 1e6
    found = readings(text, BytePairTokenizer.train(text, size), rust([text], size))
    for name, ways in found.items():
        seconds, ratios = in_turns(ways, 5 if full else 3)
        best = min(("whole", "by lines"), key=ratios.get)  # their faster way is the one to compare with
        ours, theirs = (seconds["ours"] * ratio / megabytes for ratio in (1, ratios[best]))
        told, note = "tokenizers, in Rust", f"theirs {best}, its faster way"
        yield Row("text", f"encoding {name}", ours, theirs, "s per megabyte", told, note=note)
        yield Row("text", f"encoding {name}", ours, 1.0, "s per megabyte", "a fixed goal", 1.0)
