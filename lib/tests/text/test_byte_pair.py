"""Byte-pair encoding: any text comes back, and the merges are those of a slow loop and of `tokenizers`."""

import json
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.text import BytePairTokenizer, corpora
from clearhead.text.tokenizers.byte_pair import CHUNK
from clearhead.text.tokenizers.merges import learn_merges, merge_pair, pieces_of

TEXT = "the cat sat on the mat, the rat ate the cat's hat. " * 3 + "cleverest, cleverer, clever: 12 and 123!"
TRAINED = BytePairTokenizer.train(TEXT, vocab_size=300, special=("<stop>", "<pad>"))


def merges_by_counting_everything_again(text, num_merges):
    """Return the merges of algorithm 1, with no memory between one merge and the next."""
    words = Counter(CHUNK.findall(text))
    splits = {word: list(word.encode()) for word in words}
    merges = []
    for new in range(256, 256 + num_merges):
        counts = Counter()
        for word, ids in splits.items():
            for pair in pairwise(ids):
                counts[pair] += words[word]
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        splits = {word: merge_pair(ids, best, new) for word, ids in splits.items()}
    return merges


def test_five_merges_by_hand():
    # Sennrich et al.'s example: low x 5, lower x 2, newest x 6, widest x 3.
    words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    pieces = pieces_of(learn_merges(words, 4))
    assert pieces[256:] == [b"es", b"est", b"lo", b"low"]


def test_incremental_counts_equal_counting_everything_again():
    text = corpora.python_docs()[:6000]
    assert learn_merges(Counter(CHUNK.findall(text)), 150) == merges_by_counting_everything_again(text, 150)


@given(st.text(alphabet="aab c", max_size=60))
@settings(max_examples=60, deadline=None)
def test_ties_and_runs_equal_the_slow_loop(text):
    merges = learn_merges(Counter(CHUNK.findall(text)), 12)
    slow = merges_by_counting_everything_again(text, 12)
    if len(set(pieces_of(slow))) == 256 + len(slow):  # the slow loop knows no two ways to one piece
        assert merges[: len(slow)] == slow


def test_the_order_of_the_text_does_not_matter():
    words = [" cup", " of", " tea", " of", " coffee", " cup"]
    forward, backward = Counter(words), Counter(reversed(words))
    assert learn_merges(forward, 20) == learn_merges(backward, 20)


@given(st.text(max_size=80))
@settings(deadline=None)
def test_any_text_comes_back(text):
    assert TRAINED.decode(TRAINED.encode(text)) == text


def test_awkward_texts_come_back():
    awkward = [
        "",
        " ",
        "a\r\nb\tc  \n\n",
        "Καλημέρα κόσμε",
        "日本語 ²Ⅷ½",
        "👩‍👩‍👧 é é",
        "\0\x7f",
        "_a__b_",
    ]
    for text in awkward:
        assert TRAINED.decode(TRAINED.encode(text)) == text


def test_special_tokens_are_one_id_and_stand_last():
    ids = TRAINED.encode("the cat<stop><pad>the")
    assert TRAINED.tokens(ids) == ["the", " cat", "<stop>", "<pad>", "the"]
    assert TRAINED.ids["<stop>"] == len(TRAINED) - 2
    assert "<stop>" not in "".join(
        BytePairTokenizer.train("a<stop>" * 9, 270, ("<stop>",)).tokens(range(256))
    )


def test_no_merge_crosses_a_special_token_or_a_cut():
    tokenizer = BytePairTokenizer.train("ab<stop>" * 50 + "ab " * 50, 400, ("<stop>",))
    assert all(b"b<" not in piece and b"b " not in piece for piece in tokenizer.pieces[:-1])


def test_merges_are_all_there_is_to_save():
    saved = json.loads(json.dumps([TRAINED.merges, TRAINED.special]))
    again = BytePairTokenizer(*saved)
    np.testing.assert_array_equal(again.encode(TEXT), TRAINED.encode(TEXT))


def test_invalid_bytes_decode_to_replacement_character():
    """Bytes that are no text decode to a mark and raise nothing."""
    assert TRAINED.decode([0xFF, 0x61]) == "\ufffda"


def test_a_full_memory_forgets_and_stays_right(monkeypatch):
    monkeypatch.setattr("clearhead.text.tokenizers.byte_pair.MOST_REMEMBERED", 3)
    small = BytePairTokenizer(TRAINED.merges)
    np.testing.assert_array_equal(small.encode(TEXT), BytePairTokenizer(TRAINED.merges).encode(TEXT))
    assert len(small._remembered) <= 3


def test_a_vocabulary_smaller_than_the_bytes_is_refused():
    with pytest.raises(ValueError, match="100 is too small"):
        BytePairTokenizer.train(TEXT, 100)


def test_running_out_of_pairs_stops_early():
    assert len(BytePairTokenizer.train("ab ab", 1000)) < 262


def test_a_long_run_is_encoded_in_reasonable_time():
    tokenizer = BytePairTokenizer.train("a" * 5000, 270)
    ids = tokenizer.encode("a" * 200_000)
    assert tokenizer.decode(ids) == "a" * 200_000


@pytest.mark.parametrize("vocab_size", [1256, 4256])
def test_merges_and_ids_equal_the_tokenizers_package(vocab_size):
    tokenizers = pytest.importorskip("tokenizers")
    text = "".join(c for c in corpora.python_docs()[:200_000] if c.isascii())
    theirs = tokenizers.Tokenizer(tokenizers.models.BPE())
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.Split(tokenizers.Regex(CHUNK.pattern), "isolated")
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=vocab_size, initial_alphabet=[chr(i) for i in range(256)], show_progress=False
    )
    theirs.train_from_iterator([text], trainer)
    ours = BytePairTokenizer.train(text, vocab_size)
    merges = [tuple(pair) for pair in json.loads(theirs.to_str())["model"]["merges"]]
    assert [tuple(ours.pieces[i].decode("latin-1") for i in pair) for pair in ours.merges] == merges
    assert ours.encode(text).tolist() == theirs.encode(text).ids


def test_gpt2_cuts_are_those_of_the_tokenizers_package():
    tokenizers = pytest.importorskip("tokenizers")
    theirs = tokenizers.pre_tokenizers.Split(
        tokenizers.Regex(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"),
        "isolated",
    )
    for text in (TEXT, corpora.python_docs()[:50_000], "I'll _go_  now\n\n ’tis Ünïcode 42nd"):
        assert CHUNK.findall(text) == [piece for piece, _ in theirs.pre_tokenize_str(text)]
