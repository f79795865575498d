"""Make sentences.npz from a real model that reads the sentences of the book; its result is committed.

    python recipes/extract_sentences.py FOLDER

FOLDER holds config.json, model.safetensors and tokenizer.json of all-MiniLM-L6-v2. The README of
lib/clearhead/pretrained says where they come from. The same folder gives the same numbers, up to the
rounding of the computer.
"""

import hashlib
import json
import sys

import numpy as np
import torch

from clearhead.nets.circuits import hidden_states
from clearhead.pretrained.minilm import open_minilm, open_tokenizer
from clearhead.pretrained.sentences import EXTRACT

#: Whose attention weights are kept: the sentence of the sources, and three to compare with.
ATTENDED = (
    "The teacher asked the class a question, and everyone turned to look at her",
    "The teacher asked the class a question, and everyone turned to look at it",
    "The king gave the queen a crown, and everyone turned to look at her",
    "The king gave the queen a crown, and everyone turned to look at him",
)
#: For each word and meaning three sentences; what comes after the six of a word is hard to tell.
SENTENCES = """
apple | company  | Apple released a new iPhone
apple | company  | Apple announced record profits
apple | company  | The new phone from Apple is expensive
apple | fruit    | I ate an apple
apple | fruit    | He gave her a red apple
apple | fruit    | She cut the apple into four pieces
apple | company  | Shares of Apple rose on Monday
apple | company  | Shares of Apple fell on Monday
model | learning | The machine learning model was trained on data
model | learning | We trained a model on a million sentences
model | learning | The model learns from data
model | fashion  | The fashion model walked down the runway
model | fashion  | The model posed for a fashion magazine
model | fashion  | She works as a model in Paris
model | learning | The model was trained on many pictures
cup   | drink    | She sat down to enjoy a warm cup of coffee
cup   | drink    | After a long day at work, she sat down to enjoy a warm cup of coffee
cup   | drink    | He drinks a cup of tea
cup   | prize    | They won the world cup
cup   | prize    | Germany won the world cup in 2014
cup   | prize    | The team lost the final of the world cup
cup   | prize    | Our team won the cup
"""


def listed():
    """Return the word, the meaning and the sentence of each line."""
    return [[part.strip() for part in line.split("|")] for line in SENTENCES.strip().splitlines()]


def read_words(model, tokenizer):
    """Return the position of each word and its hidden states (S, L+1, D) in the S sentences."""
    about, states = [], []
    for word, meaning, sentence in listed():
        cut = tokenizer.encode(sentence)
        place = cut.tokens.index(word)
        named = dict(word=word, meaning=meaning, sentence=sentence, place=place)
        about.append(named | dict(tokens=cut.tokens, ids=cut.ids))
        states.append(hidden_states(model, torch.tensor([cut.ids]))[:, 0, place])
    return about, torch.stack(states).numpy()


def read_attention(model, tokenizer):
    """Return the sentences of ATTENDED as the model's tokens, and the attention weights (S, L, H, T, T)."""
    cut = [tokenizer.encode(sentence) for sentence in ATTENDED]
    about = [dict(sentence=s, tokens=c.tokens, ids=c.ids) for s, c in zip(ATTENDED, cut, strict=True)]
    with torch.no_grad():
        A = model.attention_weights(torch.tensor([each.ids for each in cut]))  # all of one length
    return about, A.transpose(0, 1).numpy()


def main(folder):
    """Write the file, and print its size and the effect of rounding."""
    model, tokenizer = open_minilm(folder), open_tokenizer(folder)
    words, states = read_words(model, tokenizer)
    sentences, attention = read_attention(model, tokenizer)
    about = dict(words=words, sentences=sentences)
    np.savez_compressed(
        EXTRACT,
        about=np.frombuffer(json.dumps(about).encode("utf-8"), dtype=np.uint8),
        states=states.astype(np.float16),
        attention=attention.astype(np.float16),
    )
    digest = hashlib.sha256(EXTRACT.read_bytes()).hexdigest()
    print(f"{len(states)} + {len(attention)} sentences, {EXTRACT.stat().st_size:,} bytes, SHA-256 {digest}")
    for name, array in (("states", states), ("weights", attention)):
        print(f"{name} move by {np.abs(array.astype(np.float16) - array).max():.4f} at most")


if __name__ == "__main__":
    main(sys.argv[1])
