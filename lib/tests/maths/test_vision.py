"""Images as sentences: roll-out by a slow loop, and a trained model whose file is what it says it is."""

import hashlib
import json

import numpy as np
import pytest
import torch
from sklearn.datasets import load_digits

import train_digits_vit
from clearhead import widgets
from clearhead.maths.losses import cross_entropy
from clearhead.maths.models import vision_transformer
from clearhead.maths.rollout import attention_rollout, encoder_attention
from clearhead.maths.vision import add_class_token, patch_embed
from clearhead.nets.models import VisionTransformer
from clearhead.pretrained import digit_examples, digits_training, digits_vit
from clearhead.pretrained.convert import to_arrays
from clearhead.pretrained.digits_vit import FILE, dequantised, quantised

SIZES = dict(num_heads=3, patch_size=2)
LARGEST = 120_000  # bytes in the page, as text


@pytest.fixture(scope="module")
def digits():
    """The images and labels as the recorded script splits them: to learn from, and to test on."""
    found = load_digits()
    order = np.random.default_rng(0).permutation(len(found.target))
    images, labels = found.images[order, ..., None] / 16, found.target[order]
    return (images[:1400], labels[:1400]), (images[1400:], labels[1400:])


def weights(rng, *shape):
    raised = rng.random(shape)
    return raised / raised.sum(axis=-1, keepdims=True)


def test_roll_out_adds_up_all_paths():
    A = weights(np.random.default_rng(0), 2, 3, 4, 4)
    M = [0.5 * heads.mean(axis=0) + 0.5 * np.eye(4) for heads in A]
    paths = [[sum(M[1][i, k] * M[0][k, j] for k in range(4)) for j in range(4)] for i in range(4)]
    assert np.allclose(attention_rollout(A), paths)
    assert np.allclose(attention_rollout(A).sum(-1), 1)


def test_roll_out_refuses_what_is_no_stack_of_maps():
    for shape in [(3, 4, 4), (2, 3, 4, 5)]:
        with pytest.raises(ValueError, match=r"A \(L, ..., H, T, T\)|needs the axes \(L, ..., H, T, T\)"):
            attention_rollout(np.ones(shape))


def test_the_visible_path_is_where_the_model_looks():
    torch.manual_seed(0)
    model = VisionTransformer(8, 2, 1, 10, 12, 3, 2, eps=1e-5).double()
    images, parameters = torch.rand(5, 8, 8, 1, dtype=torch.float64), to_arrays(model)
    patches = patch_embed(images.numpy(), parameters["patches"], 2)
    x = add_class_token(patches, parameters["cls"], parameters["positions"])
    A = encoder_attention(x, parameters["blocks"], 3)
    assert np.allclose(A, model.attention_weights(images).detach())


def test_the_file_is_the_one_that_the_readme_describes():
    said = (FILE.parent / "README.md").read_text("utf-8")
    digest = hashlib.sha256(FILE.read_bytes()).hexdigest()
    assert digest in said
    assert len(widgets.DigitVision().weights) < LARGEST


def test_checkpoints_reach_recorded_loss_and_accuracy(digits):
    """The loss and accuracy of every checkpoint are reached by its weights."""
    (X, Y), (X_test, Y_test) = digits
    steps, losses, accuracies = digits_training()
    assert len(steps) == 20
    assert accuracies[-1] > 0.95
    assert np.all(np.diff(steps) > 0)
    for checkpoint in (0, 7, 19):
        parameters = digits_vit(checkpoint)
        logits = vision_transformer(X_test, parameters, **SIZES)
        assert np.isclose((logits.argmax(-1) == Y_test).mean(), accuracies[checkpoint], atol=0.003)
        some = vision_transformer(X, parameters, **SIZES)
        assert np.isclose(cross_entropy(some, Y), losses[checkpoint], atol=1e-3)


def test_examples_are_test_images_with_two_hard_ones(digits):
    """The examples are test images and the last two are hard."""
    images, labels = digit_examples()
    X_test, Y_test = digits[1]
    for image, label in zip(images, labels, strict=True):
        found = np.flatnonzero((X_test[..., 0] == image).all(axis=(1, 2)))
        assert label in Y_test[found]
    read = vision_transformer(images[..., None], digits_vit(), **SIZES).argmax(-1)
    assert labels[:10].tolist() == list(range(10))
    assert (read == labels).tolist()[-2:] == [False, False]


def test_weights_in_one_byte_come_back_within_half_a_step():
    parameters = digits_vit(5)
    codes, scales = quantised(parameters)
    again = dequantised(codes, scales)
    assert len(codes) == 4198
    assert len(scales) == 40
    half = abs(parameters["head"]["weight"]).max() / 127 / 2
    assert np.allclose(again["head"]["weight"], parameters["head"]["weight"], atol=half)


def in_torch(parameters):
    """Return the PyTorch model with these weights."""
    model = VisionTransformer(8, 2, 1, 10, 12, 3, 2, eps=1e-5).double()

    def fill(module, part):
        for name, value in part.items():
            target = getattr(module, {"gain": "weight"}.get(name, name), None)
            if isinstance(value, dict):
                fill(target, value)
            elif isinstance(value, list):
                for block, entries in zip(target, value, strict=True):
                    fill(block, entries)
            else:
                target = target.weight if isinstance(target, torch.nn.Embedding) else target
                turn = name == "weight" and isinstance(module, torch.nn.Linear)
                target.data.copy_(torch.tensor(value.T if turn else value))

    fill(model, parameters)
    return model


def test_javascript_gives_the_logits_of_pytorch(page):
    figure, rng = widgets.DigitVision(), np.random.default_rng(3)
    code = """async ([text, inputs]) => {
        const module = await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
        return JSON.stringify(inputs.map((each) => module.default.compute(each).logits)); }"""
    images, moments = rng.random((6, 8, 8)), [0, 3, 8, 12, 16, 19]
    inputs = [
        {"image": image.tolist(), "checkpoint": moment, "weights": figure.weights}
        for image, moment in zip(images, moments, strict=True)
    ]
    found = np.array(json.loads(page.evaluate(code, [figure._esm, inputs])))
    for logits, image, moment in zip(found, images, moments, strict=True):
        model = in_torch(digits_vit(moment))
        expected = model(torch.tensor(image)[None, ..., None]).detach().numpy()[0]
        np.testing.assert_allclose(logits, expected, atol=1e-4, rtol=0)


def test_the_recipe_keeps_the_checkpoints_that_the_file_holds(monkeypatch):
    """Its first steps run again here: the weights before training are those of the file, on any processor."""
    with np.load(FILE) as kept:
        assert kept["steps"].tolist() == list(train_digits_vit.CHECKPOINTS)
        first = dequantised(kept["codes"][0], kept["scales"][0])
    monkeypatch.setattr(train_digits_vit, "CHECKPOINTS", (0, 101))
    (codes, scales, losses, accuracies), logits = train_digits_vit.checkpoints()
    again = dequantised(codes[0], scales[0])
    assert np.array_equal(again["head"]["weight"], first["head"]["weight"])
    assert len(losses) == len(accuracies) == 2
    assert logits.shape == (397, 10)


@pytest.mark.parametrize("wrong", [{"preset": 99}, {"checkpoint": 20}])
def test_the_figure_refuses_what_it_does_not_have(wrong):
    with pytest.raises(ValueError, match="counted from 0"):
        widgets.DigitVision(**wrong)
