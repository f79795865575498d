"""Characters, words, corpora and batches: what goes in comes back, and every target is the next token."""

import doctest
import importlib
import pkgutil
import subprocess
import sys
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearhead.text
from clearhead.text import CharacterTokenizer, WordTokenizer, corpora
from clearhead.text.batches import (
    IGNORE,
    inputs_and_targets,
    pad,
    padded_batches,
    random_batches,
    sequential_batches,
    split,
)
from clearhead.text.tokenizers import ByteLevelTokenizer, BytePairTokenizer
from clearhead.text.tokenizers.base import split_special
from clearhead.text.tokenizers.byte_level import bytes_to_unicode
from clearhead.text.tokenizers.word import join_words, split_words


def test_text_needs_no_torch():
    code = "import sys, clearhead.text.corpora, clearhead.text.tasks; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_examples_in_docstrings_run():
    for module in pkgutil.walk_packages(clearhead.text.__path__, "clearhead.text."):
        assert doctest.testmod(importlib.import_module(module.name)).failed == 0, module.name


@given(st.text(max_size=80))
@settings(deadline=None)
def test_characters_come_back(text):
    tokenizer = CharacterTokenizer.train(text)
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert len(tokenizer) == len(set(text))


@given(st.text(max_size=80), st.text(alphabet="ab ,.'(\n<>stop_", max_size=60))
@settings(deadline=None)
def test_words_come_back(anything, tricky):
    for text in (anything, tricky):
        assert join_words(split_words(text)) == text
        tokenizer = WordTokenizer.train(text, special=("<stop>",))
        assert tokenizer.decode(tokenizer.encode(text)) == text


def test_the_english_of_python_comes_back_in_words_and_characters():
    text = corpora.python_docs()
    for kind in (CharacterTokenizer, WordTokenizer):
        tokenizer = kind.train(text)
        assert tokenizer.decode(tokenizer.encode(text)) == text


def test_words_by_hand():
    assert split_words("The King's cup, she said.") == ["The", "King's", "cup", ",", "she", "said", "."]
    tokenizer = WordTokenizer.train("tea tea tea coffee coffee soup", vocab_size=3)
    assert tokenizer.pieces == ["tea", "coffee", "<unknown>"]
    assert tokenizer.decode(tokenizer.encode("soup tea")) == "<unknown> tea"


def test_special_tokens_are_spaced_like_words():
    tokenizer = WordTokenizer.train("a cup. <stop> a cup", special=("<stop>",))
    assert tokenizer.tokens(tokenizer.encode("a cup. <stop> a")) == ["a", "cup", ".", "<stop>", "a"]


def test_special_characters_tokens():
    tokenizer = CharacterTokenizer.train("abc", special=("<pad>", "<stop>"))
    assert tokenizer.encode("cab<stop>").tolist() == [2, 0, 1, 4]
    assert tokenizer.vocab_size == 5
    assert tokenizer.decode([0, 3]) == "a<pad>"


def test_clear_errors():
    tokenizer = CharacterTokenizer.train("abc")
    with pytest.raises(ValueError, match="'z' was not in the training text"):
        tokenizer.encode("az")
    for ids in ([1.7], [True], ["1"]):
        with pytest.raises(TypeError, match="Ids are integers, but these are"):
            tokenizer.decode(ids)
    with pytest.raises(ValueError, match="Id 3 is not in this vocabulary, whose ids are 0 to 2"):
        tokenizer.decode([0, 3])
    with pytest.raises(ValueError, match=r"shape is \(1, 2\)"):
        tokenizer.decode([[0, 1]])
    with pytest.raises(ValueError, match="there twice: a"):
        CharacterTokenizer(["a", "b", "a"])
    with pytest.raises(ValueError, match="cannot be empty"):
        CharacterTokenizer(["a"], special=("",))
    with pytest.raises(ValueError, match="leaves no room"):
        WordTokenizer.train("a b", vocab_size=1)


def test_python_docs_are_english_about_python():
    text = corpora.python_docs()
    assert len(text) > 200_000
    assert text.count(" the ") > 2_000


def test_split_keeps_every_token_once():
    training, validation = split(np.arange(23), 0.75)
    assert training.tolist() + validation.tolist() == list(range(23))
    assert len(training) == 17
    with pytest.raises(ValueError, match="leaves one part empty"):
        split(np.arange(5), 1.0)


def test_inputs_and_targets_by_hand():
    inputs, targets = inputs_and_targets([[5, 6, 7, 8], [1, 2, 3, 4]])
    assert inputs.tolist() == [[5, 6, 7], [1, 2, 3]]
    assert targets.tolist() == [[6, 7, 8], [2, 3, 4]]
    with pytest.raises(ValueError, match="at least 2 tokens"):
        inputs_and_targets([[1], [2]])


def test_windows_are_places_in_the_text():
    ids = np.arange(100, 140)
    for inputs, targets in islice(random_batches(ids, 7, 5, np.random.default_rng(0)), 20):
        assert inputs.shape == targets.shape == (5, 7)
        np.testing.assert_array_equal(targets, inputs + 1)
        np.testing.assert_array_equal(np.diff(inputs), 1)


def test_every_place_is_reached_and_equally_likely():
    inputs, targets = next(random_batches(np.arange(10), 3, 70_000, np.random.default_rng(0)))
    counts = np.bincount(inputs[:, 0])
    assert len(counts) == 7
    assert abs(counts - 10_000).max() < 500
    assert targets.max() == 9


def test_windows_continue_from_the_state_of_rng():
    rng = np.random.default_rng(1)
    stream = random_batches(np.arange(50), 4, 2, rng)
    next(stream)
    state = rng.bit_generator.state
    first = next(stream)
    rng.bit_generator.state = state
    np.testing.assert_array_equal(next(stream), first)


@pytest.mark.parametrize("size", [4, 9, 10, 11, 12, 13])
def test_every_window_once(size):
    seen = [pair for pair in sequential_batches(np.arange(size), 3, 2)]
    targets = np.concatenate([t.ravel() for _, t in seen])
    assert targets.tolist() == list(range(1, 3 * ((size - 1) // 3) + 1))
    with pytest.raises(ValueError, match="do not fit"):
        sequential_batches(np.arange(3), 3, 2)
    with pytest.raises(ValueError, match="do not fit"):
        random_batches(np.arange(3), 3, 2, np.random.default_rng(0))


def test_pad_by_hand():
    ids, real = pad([[4, 5, 6], [7], []], value=9)
    assert ids.tolist() == [[4, 5, 6], [7, 9, 9], [9, 9, 9]]
    assert real.tolist() == [[True] * 3, [True, False, False], [False] * 3]
    assert pad([])[0].shape == (0, 0)


def test_sentences_have_no_target_where_they_end():
    stream = padded_batches([[1, 2, 3, 4], [5, 6]], 40, np.random.default_rng(0))
    inputs, targets = next(stream)
    rows = {(tuple(x), tuple(y)) for x, y in zip(inputs.tolist(), targets.tolist(), strict=True)}
    assert rows == {((1, 2, 3), (2, 3, 4)), ((5, 6, 0), (6, IGNORE, IGNORE))}


# A text where a tuple of texts belongs, and texts that cannot be printed

BYTES = bytes_to_unicode()


@pytest.mark.parametrize(
    "make",
    [
        lambda special: CharacterTokenizer("ab", special),
        lambda special: CharacterTokenizer.train("abc", special),
        lambda special: WordTokenizer(["a"], special),
        lambda special: WordTokenizer.train("a b", special=special),
        lambda special: BytePairTokenizer([], special),
        lambda special: BytePairTokenizer.train("a b", 300, special),
        lambda special: BytePairTokenizer.train("a b", 300, special=special),
        lambda special: ByteLevelTokenizer(BYTES, [], special),
        lambda special: split_special("a<stop>", special),
        lambda special: split_words("a<stop>", special),
        lambda special: join_words(["a"], special),
    ],
)
def test_one_text_is_no_tuple_of_texts(make):
    for wrong in ("<stop>", "", "x", b"<stop>", [3], (None,)):
        with pytest.raises(TypeError, match="special must be a tuple of texts"):
            make(wrong)
    assert make(()) is not None


def test_pieces_and_merges_are_no_texts_either():
    with pytest.raises(TypeError, match="pieces must be a tuple of texts"):
        WordTokenizer("hello")
    with pytest.raises(TypeError, match="pieces must be a tuple of texts"):
        ByteLevelTokenizer("".join(BYTES), [])
    with pytest.raises(TypeError, match="Each merge must be a pair of texts, got 'ab'"):
        ByteLevelTokenizer([*BYTES, "ab"], ["ab"])
    with pytest.raises(TypeError, match="Each merge must be a pair of texts, got 'a b'"):
        ByteLevelTokenizer([*BYTES, "ab"], ["a b"])
    with pytest.raises(TypeError, match="pieces must be a tuple of texts"):
        join_words("ab")


@pytest.mark.parametrize("text", ["\ud83d", "a\udc00b", "\ude00\ud83d", "\ud800" * 3, "😀\ud83d"])
@pytest.mark.parametrize(
    "tokenizer",
    [
        lambda text: CharacterTokenizer.train(text),
        lambda text: WordTokenizer.train(text),
        lambda text: BytePairTokenizer.train(text, 300),
        lambda text: BytePairTokenizer([], (text,)),
        lambda text: ByteLevelTokenizer(BYTES, []),
        lambda text: ByteLevelTokenizer([*BYTES, text], [], (text,)),
    ],
)
def test_a_decoded_text_can_be_printed(tokenizer, text):
    made = tokenizer(text)
    ids = made.encode(text)
    for found in (made.decode(ids), *made.tokens(ids), *(made.decode([i]) for i in ids)):
        found.encode("utf-8")
    assert "�" in made.decode(ids)


@given(st.lists(st.integers(0, 255), max_size=8))
def test_any_bytes_decode_to_what_can_be_printed(ids):
    ours, theirs = BytePairTokenizer([]), ByteLevelTokenizer(BYTES, [])
    signs = [BYTES[i] for i in ids]
    assert ours.decode(ids) == theirs.decode([theirs.ids[sign] for sign in signs])
    ours.decode(ids).encode("utf-8")
