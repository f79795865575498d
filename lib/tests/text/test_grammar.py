"""The grammar's exact numbers, against enumeration, sampling and formulas worked by hand."""

import pickle
from collections import Counter
from copy import deepcopy
from fractions import Fraction
from math import log

import numpy as np
import pytest

from clearhead.text import WordTokenizer, corpora, parser_states
from clearhead.text import grammar as grammar_module
from clearhead.text.grammar import Grammar
from clearhead.text.parser_states import first_words
from clearhead.text.rules import expected_children
from clearhead.text.sentences import SENTENCES

GRAMMAR = corpora.grammar()
WARM = "After a long day at work , she sat down to enjoy a warm cup of"


def every_sentence(rules, symbols=("SENTENCE",)):
    """Return every sentence of a finite grammar with its probability, by writing all derivations out."""
    if not symbols:
        return Counter({(): Fraction(1)})
    found = Counter()
    first, rest = symbols[0], every_sentence(rules, symbols[1:])
    if first not in rules:
        beginnings = Counter({(first,): Fraction(1)})
    else:
        beginnings = Counter()
        for p, right in rules[first]:
            for words, q in every_sentence(rules, tuple(right.split())).items():
                beginnings[words] += Fraction(p) * q
    for words, p in beginnings.items():
        for more, q in rest.items():
            found[words + more] += p * q
    return found


@pytest.fixture(scope="module")
def sentences():
    return every_sentence(SENTENCES)


def test_entropy_and_length_equal_enumeration(sentences):
    assert sum(sentences.values()) == 1
    entropy = -sum(float(p) * log(p) for p in sentences.values())
    length = float(sum(p * (len(words) + 1) for words, p in sentences.items()))
    assert GRAMMAR.entropy() == pytest.approx(entropy, abs=1e-12)
    assert GRAMMAR.mean_length() == pytest.approx(length, abs=1e-12)
    assert GRAMMAR.entropy_rate() == pytest.approx(entropy / length, abs=1e-12)


def test_next_words_equal_enumeration_after_every_prefix(sentences):
    following = {}
    for words, p in sentences.items():
        full = (*words, "<stop>")
        for t, word in enumerate(full):
            following.setdefault(full[:t], Counter())[word] += p
    chosen = sorted(following)[::7]
    assert len(chosen) > 50
    for prefix in chosen:
        total = sum(following[prefix].values())
        exact = {word: float(p / total) for word, p in following[prefix].items()}
        assert GRAMMAR.next_words(list(prefix)) == exact


def test_sampling_agrees_with_enumeration(sentences):
    rng = np.random.default_rng(0)
    draws = 40_000
    counts = Counter(tuple(GRAMMAR.sample(rng)) for _ in range(draws))
    assert set(counts) <= set(sentences)
    for words, p in sentences.items():
        spread = (draws * float(p) * (1 - float(p))) ** 0.5
        assert abs(counts[words] - draws * float(p)) < 5 * spread + 1


def test_the_running_examples():
    assert GRAMMAR.next_words(WARM) == {"coffee": 0.6, "tea": 0.3, "soup": 0.1}
    asked = "asked the class a question , and everyone turned to look at"
    assert GRAMMAR.next_words("The teacher " + asked) == {"her": 1.0}
    assert GRAMMAR.next_words("The king " + asked) == {"him": 1.0}
    assert "iPhone" in GRAMMAR.next_words("Apple released a new")
    assert "apple" in GRAMMAR.next_words("I ate an")
    assert set(GRAMMAR.next_words("I ate an apple")) == {"and", "."}


def test_after_a_stop_all_begins_again():
    before = GRAMMAR.next_distribution("")
    np.testing.assert_array_equal(GRAMMAR.next_distribution(WARM + " tea . <stop>"), before)
    assert before.shape == (len(GRAMMAR.vocabulary),)
    assert before.sum() == pytest.approx(1, abs=1e-15)


def test_surprisals_sum_to_the_log_probability(sentences):
    words, p = max(sentences.items(), key=lambda item: len(item[0]))
    assert GRAMMAR.surprisals([*words, "<stop>"]).sum() == pytest.approx(-log(p), abs=1e-12)
    two = [*words, "<stop>", *words, "<stop>"]
    assert GRAMMAR.surprisals(two).sum() == pytest.approx(-2 * log(p), abs=1e-12)


def test_mean_surprisal_approaches_entropy_rate():
    """The mean surprisal of a long text is the entropy rate."""
    words = GRAMMAR.text(3_000, np.random.default_rng(1)).replace(",", " ,").replace(".", " .").split()
    nats = GRAMMAR.surprisals(words)
    assert nats.mean() == pytest.approx(GRAMMAR.entropy_rate(), rel=0.02)


def test_the_text_is_words_for_the_word_tokenizer():
    text = GRAMMAR.text(400, np.random.default_rng(2))
    tokenizer = WordTokenizer.train(text, special=("<stop>",))
    assert set(tokenizer.pieces) - {"<unknown>"} <= set(GRAMMAR.vocabulary)
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_sentences_without_end_geometric_by_hand():
    # n times "very" with probability 2^-(n+1): the entropy is 2 ln 2, the mean length 1 + 1 + 1.
    loop = Grammar({"SENTENCE": [("1/2", "good"), ("1/2", "very SENTENCE")]})
    assert loop.entropy() == pytest.approx(2 * log(2), abs=1e-12)
    assert loop.mean_length() == pytest.approx(3, abs=1e-12)
    assert loop.next_words("very very very") == {"good": 0.5, "very": 0.5}


def test_a_grammar_with_two_derivations_of_one_sentence():
    # "a b" comes about in two ways: the entropy of sentences is smaller than that of derivations.
    twice = Grammar({"SENTENCE": [("1/4", "a b"), ("1/4", "a LAST"), ("1/2", "c")], "LAST": [("1", "b")]})
    assert twice.entropy() == pytest.approx(log(2), abs=1e-15)
    assert twice.next_words("a") == {"b": 1.0}


def test_a_silent_alternative():
    quiet = Grammar({"SENTENCE": [("1", "OPEN b")], "OPEN": [("1/3", "a"), ("2/3", "")]})
    assert quiet.next_words("") == {"b": 2 / 3, "a": 1 / 3}
    assert quiet.entropy() == pytest.approx(log(3) - 2 / 3 * log(2), abs=1e-12)


def test_brackets_have_exact_next_words_though_their_states_never_end():
    nested = Grammar({"SENTENCE": [("2/3", "x"), ("1/3", "( SENTENCE )")]})
    assert nested.next_words("( ( x )") == {")": 1.0}
    mean = np.linalg.solve(np.eye(1) - expected_children(nested.rules), [2 / 3 + 2 / 3])
    draws = [len(nested.sample(np.random.default_rng(seed))) for seed in range(4000)]
    assert np.mean(draws) == pytest.approx(mean[0], rel=0.05)
    with pytest.raises(ValueError, match="states of knowledge"):
        nested.entropy()


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"A": [("1", "a")]}, "start symbol SENTENCE has no rules"),
        ({"SENTENCE": [("0.5", "a")]}, "sum to 1/2"),
        ({"SENTENCE": [("3/2", "a"), ("-1/2", "b")]}, "make them positive"),
        ({"SENTENCE": [("0.5", "SENTENCE a"), ("0.5", "a")]}, "SENTENCE can become itself"),
        (
            {"SENTENCE": [("1", "N M a")], "M": [("1", "SENTENCE")], "N": [("0.5", ""), ("0.5", "b")]},
            "itself",
        ),
        ({"SENTENCE": [("1", "a SENTENCE")]}, "no finite mean length"),
        ({"SENTENCE": [("0.6", "a SENTENCE SENTENCE"), ("0.4", "b")]}, "no finite mean length"),
        ({"SENTENCE": [("1", "a <stop>")]}, "kept for the end"),
    ],
)
def test_rules_that_make_no_grammar_are_refused(rules, says):
    with pytest.raises(ValueError, match=says):
        Grammar(rules)


def test_an_impossible_prefix_names_the_word_and_what_could_come():
    with pytest.raises(ValueError, match="'beer' cannot follow here; what can: coffee, soup, tea"):
        GRAMMAR.next_words(WARM + " beer")
    with pytest.raises(ValueError, match="'beer' cannot follow"):
        GRAMMAR.surprisals(WARM + " beer")


def test_each_state_is_expanded_only_once(monkeypatch):
    expanded = []

    def counted(stack, rules):
        expanded.append(stack)
        return first_words(stack, rules)

    monkeypatch.setattr(parser_states, "first_words", counted)
    fresh = Grammar(SENTENCES)
    after_each = []
    for _ in range(2):
        fresh.next_words(WARM)
        fresh.surprisals([*WARM.split(), "coffee", ".", "<stop>", *WARM.split()])
        after_each.append(len(expanded))
    assert after_each[0] == after_each[1] > 0


def test_a_returned_dict_may_be_changed_and_a_grammar_copied():
    before = GRAMMAR.next_words(WARM)
    GRAMMAR.next_words(WARM).clear()
    assert GRAMMAR.next_words(WARM) == before
    for copy in (deepcopy(GRAMMAR), pickle.loads(pickle.dumps(GRAMMAR))):
        assert copy.next_words(WARM) == before


def test_a_grammar_without_end_keeps_a_bounded_number_of_states(monkeypatch):
    monkeypatch.setattr(grammar_module, "MAX_STATES", 20)
    brackets = Grammar({"SENTENCE": [("2/3", "x"), ("1/3", "( SENTENCE )")]})
    deep = [*"((((((((((x))))))))))", "<stop>"]
    assert np.array_equal(brackets.surprisals(deep * 5), np.tile(brackets.surprisals(deep), 5))
    for depth in range(1, 60):
        brackets.next_words(["("] * depth)
    brackets.next_words("x")
    assert len(brackets._first.known) < 10
