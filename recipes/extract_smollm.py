"""Make the small files of SmolLM2: its tokenizer and, for a named chapter, the recorded results.

    python recipes/extract_smollm.py [chapters/17_a_real_model.ipynb]

The model itself must be on this computer; the README of lib/clearhead/pretrained says how. Nothing is
downloaded.
"""

import hashlib
import json
import linecache
import sys
from pathlib import Path

import numpy as np

from clearhead.maths.softmax import softmax
from clearhead.pretrained import smollm, smollm_runs
from clearhead.pretrained.recorded import Record


def extract_tokens(model):
    """Write the pieces of the tokenizer, and the position at which each merged piece is joined."""
    pieces, lengths = model.tokens.pieces, [len(left) for left, _ in model.tokens.merges]
    joined = ["".join(pair) for pair in model.tokens.merges]
    assert pieces[-len(joined) :] == joined, "The merges are not the last pieces, in order."
    text = "\n".join(pieces).encode("utf-8")
    np.savez_compressed(
        smollm.TOKENS, pieces=np.frombuffer(text, dtype=np.uint8), lengths=np.array(lengths, dtype=np.uint8)
    )


#: The sentences of the figure LogitLens.
SENTENCES = (
    "The capital of France is",
    "The opposite of hot is",
    "After a long day at work, she sat down to enjoy a warm cup of",
    "Paris is to France as Berlin is to",
    "one two three four five six",
    "To date, the cleverest thinker of all time was Isaac",
)


def extract_lens(model, best=3):
    """Write what the model would predict after each token of SENTENCES if it stopped after each block."""
    sentences, picks, shares = [], [], []
    for sentence in SENTENCES:
        ids = model.tokens.encode(sentence)
        p = softmax(model.unembed(model.residual_stream(ids)))  # (L+1, T, V)
        first = np.argsort(-p, axis=-1)[..., :best]
        sentences.append((sentence, model.tokens.tokens(ids)))
        picks.append(first)
        shares.append(np.take_along_axis(p, first, axis=-1))
    used, places = np.unique(np.concatenate(picks, axis=1), return_inverse=True)
    words = [model.tokens.decode([i]) for i in used]
    about = json.dumps({"sentences": sentences, "words": words}).encode()
    np.savez_compressed(
        smollm.LENS,
        about=np.frombuffer(about, dtype=np.uint8),
        picks=places.reshape(len(p), -1, best).astype(np.uint16),
        shares=np.round(250 * np.concatenate(shares, axis=1)).astype(np.uint8),
    )


#: The sentences of the first page, each with the block and the head that are shown first.
RUNS = (
    ("The capital of France is", (23, 4)),
    ("The capital of Australia is", (23, 4)),
    ("Mr Zorblat met Ms Quimby. Mr Zorblat met Ms", (17, 3)),
    ("After a long day at work, she sat down to enjoy a warm cup of", (23, 5)),
    ("The teacher asked the class a question, and everyone turned to look at", (13, 8)),
)


def run(model, sentence):
    """Return the ids of a sentence that the model completes, and what `smollm_runs.Run` stores of it."""
    ids = model.tokens.encode(sentence).tolist()
    prompt = len(ids)
    for new in model.generate(ids):
        ids.append(new)
        if "." in model.tokens.decode([new]):
            break
    shares = softmax(model.unembed(model.residual_stream(ids)))  # (L+1, T, V)
    likely = np.argpartition(shares, -smollm_runs.NEXT, axis=-1)[..., -smollm_runs.NEXT :]
    rank = np.argsort(-np.take_along_axis(shares, likely, axis=-1), axis=-1)
    order = np.take_along_axis(likely, rank, axis=-1)  # (L+1, T, 6)
    lens, next_ = order[..., : smollm_runs.LENS], order[-1]
    down = np.tril_indices(len(ids))
    return ids, {
        "prompt": prompt,
        "attention": model.attention_weights(ids)[:, :, *down],
        "lens_words": lens,
        "lens_shares": np.take_along_axis(shares, lens, axis=-1),
        "next_words": next_,
        "next_shares": np.take_along_axis(shares[-1], next_, axis=-1),
    }


def extract_runs(model):
    """Write the runs of the first page."""
    steps = {
        "attention": smollm_runs.SHARE,
        "lens_shares": smollm_runs.SHARE,
        "next_shares": smollm_runs.FINE,
    }
    found = [run(model, sentence) for sentence, _ in RUNS]
    used = np.unique(np.concatenate([each[name].ravel() for _, each in found for name in smollm_runs.WORDS]))
    about = {"runs": [], "ids": used.tolist(), "words": [model.tokens.decode([i]) for i in used]}
    arrays = {}
    for i, ((ids, each), (_, look)) in enumerate(zip(found, RUNS, strict=True)):
        about["runs"].append({"tokens": model.tokens.tokens(ids), "prompt": each["prompt"], "look": look})
        for name, step in steps.items():
            kind = np.uint8 if step < 256 else np.uint16
            arrays[f"{name}{i}"] = np.round(step * each[name]).astype(kind)
        for name in smollm_runs.WORDS:
            arrays[f"{name}{i}"] = np.searchsorted(used, each[name]).astype(np.uint16)
    text = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    np.savez_compressed(smollm_runs.FILE, about=text, **arrays)


def extract_record(model, path):
    """Run the code of a chapter with the model, and store the results of its recorded functions."""
    record = Record(smollm.RECORD)
    record.entries = {}
    model.recorded = record.kept
    smollm.load_or_recorded = lambda: model
    namespace = {"__name__": "__main__"}
    for cell in json.loads(Path(path).read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            source, name = "".join(cell["source"]), f"<cell {cell['id']}>"
            linecache.cache[name] = (len(source), None, source.splitlines(True), name)
            exec(compile(source, name, "exec"), namespace)
    record.save()


def main(*chapters):
    """Write the small files, and print their sizes."""
    model = smollm.load()
    extract_tokens(model)
    extract_lens(model)
    extract_runs(model)
    for path in chapters:
        extract_record(model, path)
    for path in (smollm.TOKENS, smollm.LENS, smollm_runs.FILE, smollm.RECORD):
        if path.exists():
            data = path.read_bytes()
            print(f"{path.name}: {len(data):,} bytes, SHA-256 {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
