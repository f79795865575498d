"""Images and words together: zeros have no direction, duplicates change nothing, weights do as said."""

import hashlib
import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import train_questions
from clearhead.figures import image_maps
from clearhead.maths import losses, vision
from clearhead.maths.softmax import softmax
from clearhead.maths.vectors import unit_vectors
from clearhead.maths.vision import patchify_series
from clearhead.nets import losses as net_losses
from clearhead.nets import vectors as net_vectors
from clearhead.nets.models import TextEncoder, VisionTransformer
from clearhead.nets.vision import TwoTowers, VQAModel
from clearhead.pretrained import mini_clip, questions
from clearhead.text.kmers import kmer_ids, kmers

seeds = st.integers(0, 10_000)


# A row of zeros.


def test_a_row_of_zeros_is_equally_like_everything():
    x, y = np.zeros((3, 4)), np.random.default_rng(0).normal(size=(3, 4))
    assert losses.info_nce(x, y) == pytest.approx(math.log(3))
    x[1:] = y[1:]
    for found in (losses.info_nce(x, y), net_losses.info_nce(torch.tensor(x), torch.tensor(y)).item()):
        assert np.isfinite(found)
        assert found == pytest.approx(by_loops(x, y, 0.07))


def by_loops(x, y, temperature):
    """Return InfoNCE by loops, where a vector of zeros has the cosine 0 with everything."""

    def cosine(a, b):
        lengths = math.sqrt(sum(a * a)) * math.sqrt(sum(b * b))
        return sum(a * b) / lengths if lengths else 0.0

    S = np.array([[cosine(a, b) / temperature for b in y] for a in x])
    total = 0.0
    for i in range(len(S)):
        total += np.log(np.exp(S[i]).sum()) + np.log(np.exp(S[:, i]).sum()) - 2 * S[i, i]
    return total / (2 * len(S))


def test_zeros_give_no_gradient_and_no_nan():
    x = torch.zeros(3, 4, dtype=torch.float64)
    x[0, 0] = 2.0
    x.requires_grad_()
    y = torch.randn(3, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).requires_grad_()
    net_losses.info_nce(x, y).backward()
    assert torch.isfinite(x.grad).all()
    assert torch.isfinite(y.grad).all()
    assert (x.grad[1:] == 0).all()
    assert x.grad[0].abs().max() > 0


def test_normalized_rows_have_unit_length_and_correct_gradient():
    """Directions have length one and the gradient of a normal row."""
    x = torch.randn(5, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    expected = torch.nn.functional.normalize(x, dim=-1)
    torch.testing.assert_close(net_vectors.unit_vectors(x), expected)
    assert torch.autograd.gradcheck(net_vectors.unit_vectors, x.clone().requires_grad_())


# The statement about duplicates.


def several_right(S, same):
    share = same / same.sum(axis=1, keepdims=True)
    rows = -(share * np.log(softmax(S))).sum(axis=1).mean()
    return (rows - (share * np.log(softmax(S.T))).sum(axis=1).mean()) / 2


@given(seeds, st.integers(2, 12), st.floats(0.05, 3))
def test_equal_captions_give_same_loss_for_any_partner(seed, B, temperature):
    """With equal captions one right partner or several is the same loss."""
    rng = np.random.default_rng(seed)
    labels, images, names = rng.integers(4, size=B), rng.normal(size=(B, 5)), rng.normal(size=(4, 5))
    S = unit_vectors(images) @ unit_vectors(names[labels]).T / temperature
    one = losses.info_nce(images, names[labels], temperature)
    np.testing.assert_allclose(one, several_right(S, labels[:, None] == labels), rtol=1e-9)
    counts = np.bincount(labels)[np.bincount(labels) > 0]
    assert one >= (counts * np.log(counts)).sum() / B - 1e-9


def test_and_the_same_gradient():
    generator = torch.Generator().manual_seed(0)
    labels = torch.tensor([0, 0, 1, 2, 2, 2])
    images, names = (
        torch.randn(n, 4, dtype=torch.float64, generator=generator).requires_grad_() for n in (6, 3)
    )
    one = net_losses.info_nce(images, names[labels], 0.2)
    S = net_vectors.unit_vectors(images) @ net_vectors.unit_vectors(names[labels]).T / 0.2
    share = (labels[:, None] == labels).double()
    share = share / share.sum(1, keepdim=True)
    several = -(share * (S.log_softmax(1) + S.T.log_softmax(1))).sum(1).mean() / 2
    for a, b in zip(*(torch.autograd.grad(loss, (images, names)) for loss in (one, several)), strict=True):
        torch.testing.assert_close(a, b, rtol=1e-9, atol=1e-12)


# Tokens.


@given(st.text("ACGT", min_size=1, max_size=30), st.integers(1, 5), st.integers(1, 4))
def test_kmers_are_slices_and_their_ids_tell_them_apart(dna, k, stride):
    words, ids = kmers(dna, k, stride), kmer_ids(dna, k, stride)
    assert len(words) == len(ids) == max(0, (len(dna) - k) // stride + 1)
    assert [int(np.base_repr(i, 4)) for i in ids] == [
        int(w.translate(str.maketrans("ACGT", "0123"))) for w in words
    ]
    assert all(0 <= i < 4**k for i in ids)


def test_another_letter_is_refused():
    with pytest.raises(ValueError, match="got also N, X"):
        kmer_ids("ACGNTX", 2)
    for cut in (lambda: kmers("ACG", 0), lambda: kmers("ACG", 2, 0)):
        with pytest.raises(ValueError, match="at least 1"):
            cut()


def test_windows_of_a_series():
    series = np.arange(10.0)
    expected = np.lib.stride_tricks.sliding_window_view(series, 4)
    np.testing.assert_array_equal(patchify_series(series, 4, 1), expected)
    np.testing.assert_array_equal(patchify_series(np.stack([series, -series]), 4, 3)[1], -expected[::3])
    np.testing.assert_array_equal(patchify_series(series, 1), series[:, None])
    with pytest.raises(ValueError, match="window is 0"):
        patchify_series(series, 0, 2)
    with pytest.raises(ValueError, match="W is 11, and must be from 1 to 10"):
        patchify_series(series, 11)
    with pytest.raises(ValueError, match="stride must be at least 1, got 0"):
        patchify_series(series, 4, 0)


def test_one_vector_alone_is_looked_for_like_a_row():
    x, y = np.random.default_rng(0).normal(size=(2, 5, 3))
    assert [int(vision.retrieve(row, y)) for row in x] == vision.retrieve(x, y).tolist()


# Models, and the weights that are shipped.


def test_two_towers_do_not_look_at_padding():
    generator = torch.Generator().manual_seed(0)
    image = VisionTransformer(8, 2, 1, 16, 16, 2, 1, generator=generator)
    towers = TwoTowers(image, TextEncoder(9, 6, 16, 2, 1, generator=generator))
    ids = torch.tensor([[1, 4, 5, 0, 0, 0]])
    torch.testing.assert_close(towers.read(ids), towers.read(ids[:, :3]))
    assert towers(torch.rand(3, 8, 8, 1)).shape == (3, 16)
    assert towers.temperature.item() == pytest.approx(0.07)


def test_answering_model_has_hidden_layer_of_4d():
    """A model that answers has a hidden layer four times as wide."""
    assert VQAModel(9, 4, 6, 5, 8).feed_forward.up.weight.shape == (32, 8)


@pytest.mark.parametrize("module", [mini_clip, questions])
def test_the_shipped_files_are_the_recorded_ones(module):
    path = module.EXTRACT if module is mini_clip else module.MODELS
    assert hashlib.sha256(path.read_bytes()).hexdigest() in path.with_name("README.md").read_text("utf-8")
    assert path.stat().st_size < 120_000


def test_the_shipped_clip_finds_what_is_said():
    clip = mini_clip.mini_clip()
    assert (vision.retrieve(clip.x, clip.y) == clip.labels).mean() == pytest.approx(0.935, abs=0.005)
    np.testing.assert_allclose(np.linalg.norm(clip.x, axis=1), 1, atol=2e-3)
    assert clip.images.shape == (397, 8, 8)
    assert "".join(mini_clip.LETTERS[i] for i in mini_clip.spell(["three"])[0]) == "^three"


def test_the_shipped_models_answer_and_look_as_is_said():
    models = questions.question_models()
    right, looks = train_questions.measure(models["looks there"])
    assert (right, looks) == pytest.approx((1.0, 0.883), abs=0.01)
    right, looks = train_questions.measure(models["looks elsewhere"])
    assert (right, looks) == pytest.approx((1.0, 0.007), abs=0.01)


def test_a_scene_can_be_answered_from_its_pixels():
    drawn = questions.scenes(200, np.random.default_rng(0))
    patches = drawn.patches.reshape(200, 9, 16, 3)
    for i in range(200):
        pixels = patches[i, drawn.cells[i, 0]]
        colour = int(pixels.sum(axis=0).argmax())
        shape = int(((questions.GLYPHS.reshape(3, 16) - pixels[:, colour]) ** 2).sum(axis=1).argmin())
        asked, named = drawn.questions[i]
        assert named in (
            (3 + colour, 6 + shape) if asked == 2 else (3 + colour,) if asked == 0 else (6 + shape,)
        )
        assert drawn.answers[i] == (shape, 3 + colour, 6 + drawn.cells[i, 0])[asked]
        assert len(set(drawn.cells[i])) == 3


def test_a_picture_of_maps_says_where_they_lie():
    words = image_maps(np.zeros((4, 4, 3)), [[[0.1, 0.2], [0.7, 0.0]]], ["here"], "A black square").words
    assert words.startswith("A black square. ")
    assert "‘here’ most in row 2, column 1 (0.70), and least in row 2, column 2 (0.00)" in words
    with pytest.raises(ValueError, match="M names"):
        image_maps(np.zeros((4, 4, 3)), [[[1.0]]], ["a", "b"])
