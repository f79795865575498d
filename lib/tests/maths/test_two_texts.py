"""Cross-attention, the little translation and the blanks: against loops, PyTorch and enumeration."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from clearhead.maths.single_head import cross_attention, self_attention
from clearhead.text import corpora, translation
from clearhead.text.batches import IGNORE
from clearhead.text.masking import mask_tokens, masked_token_posterior

RULES = corpora.grammar()


def two_texts(rng, T=4, S=6, D=5, d=3, e=2):
    sizes = (T, D), (S, D), (D, d), (D, d), (D, e)
    return [rng.normal(size=size) for size in sizes]


def test_cross_attention_is_pytorchs_kernel():
    x, context, W_q, W_k, W_v = two_texts(np.random.default_rng(0))
    Q, K, V = (torch.tensor(M)[None] for M in (x @ W_q, context @ W_k, context @ W_v))
    Z, A = cross_attention(x, context, W_q, W_k, W_v)
    np.testing.assert_allclose(Z, F.scaled_dot_product_attention(Q, K, V)[0])
    assert A.shape == (4, 6)


def test_cross_attention_ignores_source_order():
    """Cross attention does not see the order of its source and may look at itself."""
    rng = np.random.default_rng(1)
    x, context, *weights = two_texts(rng)
    order = rng.permutation(len(context))
    Z, A = cross_attention(x, context, *weights)
    mixed, moved = cross_attention(x, context[order], *weights)
    np.testing.assert_allclose(mixed, Z)
    np.testing.assert_allclose(moved, A[:, order])
    np.testing.assert_array_equal(cross_attention(x, x, *weights)[0], self_attention(x, *weights)[0])


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("this course is fantastic", "este curso es fantástico"),
        ("the red house is small", "la casa roja es pequeña"),
        ("the new king does not want a white table", "el rey nuevo no quiere una mesa blanca"),
        ("this old cup is not red", "esta taza vieja no es roja"),
        ("a queen paints the small dog", "una reina pinta el perro pequeño"),
    ],
)
def test_translations_written_by_hand(english, spanish):
    words, places = translation.translate(english)
    assert " ".join(words) == spanish
    assert sorted(places) == [i for i, word in enumerate(english.split()) if word != "does"]


def test_every_random_sentence_has_a_translation_that_can_be_written():
    rng = np.random.default_rng(2)
    drawn = [translation.sentence(rng) for _ in range(300)]
    pairs = [(english, translation.translate(english)[0]) for english in drawn]
    source, read, targets = translation.pad_pairs(pairs)
    assert (read[:, 0] == translation.START).all()
    for row, (english, spanish), inputs, outputs in zip(source, pairs, read, targets, strict=True):
        assert [translation.VOCABULARY[i] for i in row if i] == english
        said = outputs[outputs != IGNORE]
        assert [translation.VOCABULARY[i] for i in said] == [*spanish, "<stop>"]
        np.testing.assert_array_equal(inputs[1 : len(said)], said[:-1])
        assert (inputs[len(said) :] == translation.PAD).all()
    assert {len(english) for english in drawn} == {4, 5, 6, 7, 8, 9}


def test_the_two_languages_share_no_word():
    assert len(set(translation.VOCABULARY)) == len(translation.VOCABULARY)


@pytest.mark.parametrize(
    ("words", "says"),
    [("the zebra is red", "'zebra' is not in"), ("the red", "'the' has no noun")],
)
def test_what_cannot_be_translated_is_said(words, says):
    with pytest.raises(ValueError, match=says):
        translation.translate(words)
    with pytest.raises(ValueError, match="'zebra' is in neither"):
        translation.encode("zebra")


def test_shift_right_and_its_batches():
    targets = np.array([[5, 6, 7], [8, 9, 4]])
    np.testing.assert_array_equal(translation.shift_right(targets, 1), [[1, 5, 6], [1, 8, 9]])
    np.testing.assert_array_equal(translation.shift_right(targets[0], 1), [1, 5, 6])


def test_the_lesson_of_bert_has_its_shares():
    rng = np.random.default_rng(3)
    ids = rng.integers(3, 2000, size=(400, 500))
    ids[:, 0] = 1
    inputs, targets = mask_tokens(ids, 2, np.arange(3, 2000), rng, keep=(1,))
    chosen = targets != IGNORE
    assert not chosen[:, 0].any()
    assert chosen[:, 1:].mean() == pytest.approx(0.15, abs=0.005)
    np.testing.assert_array_equal(targets[chosen], ids[chosen])
    np.testing.assert_array_equal(inputs[~chosen], ids[~chosen])
    hidden, same = inputs[chosen] == 2, inputs[chosen] == ids[chosen]
    assert hidden.mean() == pytest.approx(0.8, abs=0.01)
    assert same.mean() == pytest.approx(0.1, abs=0.01)
    np.testing.assert_array_equal(mask_tokens(ids, 2, [5], rng, mlm_probability=0)[0], ids)


def test_masked_token_posterior_agrees_with_counting():
    rng, seen = np.random.default_rng(4), {}
    for _ in range(4000):
        words = RULES.sample(rng)
        if " ".join(words[2:]) == "asked the class a question , and everyone turned to look at her .":
            seen[words[1]] = seen.get(words[1], 0) + 1
    said = "The ? asked the class a question , and everyone turned to look at her . <stop>"
    exact = masked_token_posterior(RULES, said, 1)
    assert exact == pytest.approx({"teacher": 0.8, "queen": 0.2})
    total = sum(seen.values())
    assert {word: n / total for word, n in seen.items()} == pytest.approx(exact, abs=0.05)


def test_masked_token_posterior_of_last_word_equals_next_word():
    """Masked token posterior of the last word is the next words."""
    said = "I ate an apple and it was"
    assert masked_token_posterior(RULES, f"{said} ?", 7) == pytest.approx(RULES.next_words(said))
    with pytest.raises(ValueError, match="No word can stand between"):
        masked_token_posterior(RULES, "I ate an ? cup", 3)
