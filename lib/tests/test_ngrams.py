"""N-grams against a slow loop with a dict, and the model that weighs them against what it learnt."""

from collections import Counter

import numpy as np
import pytest
import torch

from clearhead.nets.interpolated import FLOOR, InterpolatedGPT
from clearhead.nets.modern import ModernGPT
from clearhead.text.batches import every_window, windows
from clearhead.text.corpora import python_docs
from clearhead.text.ngrams import NGrams
from clearhead.training import evaluate, train

V, ORDER, PARTS, DISCOUNT = 4, 4, 3, 0.6
TEXT = np.random.default_rng(0).choice(V, size=200, p=[0.5, 0.3, 0.15, 0.05])


def slowly(text, row, left_out, order, discount, least):
    """Return P(next | row) from counts in a dict, and the length of the longest context that was held."""
    part = [1 + i * PARTS // len(text) for i in range(len(text))]
    text, row = [int(token) for token in text], [int(token) for token in row]
    chances, longest = np.full(V, 1 / V), 0
    for k in range(order + 1):
        if k > len(row):
            break
        context = row[len(row) - k :]
        after = [i for i in range(k, len(text)) if text[i - k : i] == context]
        if k and len(after) < least:
            break
        longest = k
        counts = Counter(text[i] for i in after if part[i] != left_out)
        n = max(counts.total(), 1)
        own = np.array([max(counts[x] - discount, 0) / n for x in range(V)])
        chances = own + (1 - own.sum()) * chances
    return chances, longest


@pytest.mark.parametrize("least", [1, 3])
@pytest.mark.parametrize("left_out", range(PARTS + 1))
def test_the_tables_are_those_of_a_slow_loop(left_out, least):
    ngrams = NGrams(TEXT, V, ORDER, PARTS, DISCOUNT, least)
    rows = np.random.default_rng(1).integers(V, size=(2, 9))
    rows[1] = TEXT[100:109]
    P, length = ngrams.probabilities(rows + V * left_out, (0, 2, ORDER))
    assert np.abs(P.sum(axis=-1) - 1).max() < 1e-6
    for b, t in np.ndindex(rows.shape):
        for i, order in enumerate((0, 2, ORDER)):
            expected, longest = slowly(TEXT, rows[b, : t + 1], left_out, order, DISCOUNT, least)
            assert np.abs(P[b, t, i] - expected).max() < 1e-6
        assert length[b, t] == longest


def test_by_hand():
    """In "abab" b follows a twice and a follows b once; each count gives one half to what was not seen."""
    P, _ = NGrams([0, 1, 0, 1], 2, order=1, parts=1, discount=0.5, least=1).probabilities([0, 1], (0, 1))
    assert np.allclose(P[0, 0], [0.5, 0.5])  # a and b twice each: (2 - 1/2)/4 + (1/4)/2
    assert np.allclose(P[0, 1], [0.25 * 0.5, 0.75 + 0.25 * 0.5])
    assert np.allclose(P[1, 1], [0.5 + 0.5 * 0.5, 0.5 * 0.5])


def test_the_marked_text_says_where_a_token_stands():
    ngrams = NGrams(TEXT, V, ORDER, PARTS)
    part, ids = np.divmod(ngrams.marked, V)
    assert np.array_equal(ids, TEXT)
    assert np.array_equal(np.unique(part), [1, 2, 3])
    assert np.all(np.diff(part) >= 0)
    assert len(ngrams.tables) == PARTS + 1


def test_a_text_does_not_tell_itself_what_comes_next():
    text = np.concatenate([TEXT % 3, [3, 3, 3, 3], TEXT % 3])  # 3 stands nowhere else
    ngrams = NGrams(text, V, 2, 5, least=1)  # all four stand in part 3
    place = len(TEXT) + 1
    assert ngrams.probabilities(text[place : place + 2], (2,))[0][-1, 0, 3] > 0.2
    assert ngrams.probabilities(ngrams.marked[place : place + 2], (2,))[0][-1, 0, 3] < 0.1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (dict(ids=TEXT[None]), r"\(1, 200\)"),
        (dict(ids=TEXT, parts=0), "of 0 parts"),
        (dict(ids=TEXT[:2], parts=3), "of 3 parts"),
        (dict(ids=TEXT, vocab_size=3), "3 words"),
        (dict(ids=TEXT, order=-1), "-1"),
        (dict(ids=TEXT, least=0), "count from 1"),
        (dict(ids=TEXT, discount=1.5), "1.5"),
    ],
)
def test_what_cannot_be_counted_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        NGrams(**{"vocab_size": V, **options})


def test_a_question_that_the_counts_cannot_answer_is_refused():
    ngrams = NGrams(TEXT, V, 2, PARTS)
    with pytest.raises(ValueError, match="0 to 2"):
        ngrams.probabilities([[0]], (3,))
    with pytest.raises(ValueError, match="4 words and 3 parts"):
        ngrams.probabilities([[V * (PARTS + 1)]], (1,))


def test_contexts_that_no_text_holds_often_enough_are_shortened():
    P, length = NGrams([0, 1, 2, 3], V, 3, 1, least=2).probabilities([[0, 1]], (3,))
    assert np.array_equal(length, [[0, 0]])
    assert np.allclose(P, 0.25)


def test_rows_and_texts_may_be_shorter_than_the_contexts():
    ngrams = NGrams(TEXT, V, 6, PARTS, least=1)
    whole = ngrams.probabilities(TEXT[20:29], (6,))
    for T in range(9):
        P, length = ngrams.probabilities(TEXT[20 : 20 + T], (6,))
        assert np.array_equal(P, whole[0][:T])
        assert np.array_equal(length, whole[1][:T])
    P, _ = NGrams(TEXT[:3], V, 6, 1, least=1).probabilities(TEXT[:3], (6,))
    assert np.allclose(P.sum(axis=-1), 1)


@pytest.fixture
def model():
    """Return a small model in float64 whose every number is random."""
    ngrams = NGrams(TEXT, V, ORDER, PARTS)
    made = InterpolatedGPT(ngrams, 12, 3, 2, orders=(1, 4), pairs=True).double()
    with torch.no_grad():
        for weight in made.parameters():
            weight.normal_(std=0.5, generator=torch.Generator().manual_seed(weight.numel()))
    return made


def test_what_it_says_are_chances(model):
    ids = torch.as_tensor(TEXT[:12])[None]
    assert torch.allclose(model(ids).exp().sum(-1), torch.ones(1, 12, dtype=torch.float64))


def test_no_token_sees_its_future(model):
    ids = torch.as_tensor(TEXT[:12])[None]
    other = ids.clone()
    other[:, 7] = (other[:, 7] + 1) % V
    assert torch.equal(model(ids)[:, :7], model(other)[:, :7])
    assert not torch.allclose(model(ids)[:, 7:], model(other)[:, 7:])


@pytest.mark.parametrize("believed", [0, 1, 2])
def test_a_gate_that_believes_one_of_them_gives_that_one(model, believed):
    with torch.no_grad():
        model.said.weight.zero_()
        model.gate.weight.zero_()
        model.lengths.weight.zero_()
        model.lengths.weight[:, believed] = 500.0
    ids = torch.as_tensor(TEXT[:12])[None]
    P = model.ngrams.probabilities(ids.numpy(), (1, 4))[0].astype(float)
    plain = ModernGPT.forward(model, ids).softmax(-1)
    expected = [plain, torch.from_numpy(P[:, :, 0]), torch.from_numpy(P[:, :, 1])][believed]
    assert torch.allclose(model(ids).exp(), expected, atol=1e-9)


def test_the_sum_is_its_equation(model):
    ids = torch.as_tensor(TEXT[3:15])[None]
    P, length = map(torch.from_numpy, model.ngrams.probabilities(ids.numpy(), (1, 4)))
    P = P.double()
    weight = {name: p.detach() for name, p in model.named_parameters()}
    said = (P + FLOOR).log().reshape(1, 12, 2 * V) @ weight["said.weight"].T
    y = model.hidden(model.embedded(ids) + said)
    sure = P.max(-1).values
    g = torch.cat([y, sure, (sure + FLOOR).log()], -1) @ weight["gate.weight"].T
    g = (g + weight["lengths.weight"][length]).softmax(-1)
    both = g[..., 0:1] * (y @ weight["words.weight"].T).softmax(-1)
    both = both + g[..., 1:2] * P[..., 0, :] + g[..., 2:3] * P[..., 1, :]
    assert torch.allclose(model(ids).exp(), both, atol=1e-12)


def test_marked_windows_use_the_counts_without_their_part(model):
    marked = torch.as_tensor(model.ngrams.marked[:12])[None]
    assert not torch.allclose(model(marked), model(marked % V))
    with torch.no_grad():
        model.lengths.weight[:, 0] = 500.0
        model.said.weight.zero_()
    assert torch.allclose(model(marked), model(marked % V))  # the counts are all that differs


def test_it_ends_below_the_counts_and_below_what_it_learns_alone():
    """English for two seconds: letter by letter, on held-out text."""
    ids = np.unique(list(python_docs()[:60_000]), return_inverse=True)[1]
    size, learn, test = ids.max() + 1, ids[:50_000], ids[50_000:]
    ngrams = NGrams(learn, size, order=4, parts=2)
    torch.manual_seed(0)
    both, alone = InterpolatedGPT(ngrams, 32, 2, 1, orders=(2, 4)), ModernGPT(size, 32, 2, 1)
    for model in (both, alone):
        marked = windows(ngrams.marked, 64, 8, np.random.default_rng(0))
        train(model, ((x if model is both else x % size, y % size) for x, y in marked), 100)
    counts = [counted(ngrams, test, order) for order in (2, 4)]
    loss = {model: evaluate(model, every_window(test, 64, 32)) for model in (both, alone)}
    assert loss[both] < min(loss[alone], *counts) - 0.05


def counted(ngrams, text, order):
    """Return the loss of the counts alone."""
    P, _ = ngrams.probabilities(text[None, :-1], (order,))
    return -np.log(np.take_along_axis(P[:, :, 0], text[None, 1:, None], axis=-1)).mean()
