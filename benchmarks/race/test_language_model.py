"""Test that the PyTorch language model agrees with its twin in NumPy: python -m pytest benchmarks/race."""

import copy
import sys
from pathlib import Path

import numpy as np

from clearhead.maths.llama import llama

from .language_model import LanguageModelInTorch

sys.path += [str(Path(__file__).resolve().parents[2] / "lib" / "tests" / each) for each in ("", "pretrained")]
import test_smollm

real, small = test_smollm.real, test_smollm.small  # its fixtures


def test_a_small_model_gives_the_same_at_once_and_token_by_token(small):
    ours, model = small[1], LanguageModelInTorch(small[1])
    ids = np.random.default_rng(1).integers(280, size=30).tolist()
    assert np.abs(model.logits(ids) - ours.logits(ids)).max() < 1e-4
    assert np.abs(model.attention_weights(ids) - ours.attention_weights(ids)).max() < 1e-4
    step = model.next_logits()
    for length in (3, 4, 5, 20, 30, 6, 30):  # a text grows, is cut, and grows again
        assert np.abs(step(ids[:length]) - ours.logits(ids[:length])[-1]).max() < 1e-4
    other = [7, *ids[1:10]]
    assert np.abs(step(other) - ours.logits(other)[-1]).max() < 1e-4


def test_its_stream_can_be_entered_between_two_blocks(small):
    model = LanguageModelInTorch(small[1])
    stream, ids = model.residual_stream([5, 6, 7]), [5, 6, 7]
    for block in range(3):
        assert np.allclose(
            model.unembed(model.forward_from(stream[block], block)), model.logits(ids), atol=1e-5
        )


def test_other_weights_make_the_same_other_model(small):
    ours, ids = small[1], [5, 6, 7, 8]
    parameters = copy.deepcopy(ours.parameters)
    parameters["blocks"][1]["attention"]["value"]["weight"] *= 2
    expected = llama(np.array(ids), parameters, ours.num_heads, ours.num_groups, ours.base)
    model = LanguageModelInTorch(ours)
    assert np.abs(model.with_parameters(parameters).logits(ids) - expected).max() < 1e-4
    assert np.abs(model.logits(ids) - ours.logits(ids)).max() < 1e-4
    assert np.abs(expected - ours.logits(ids)).max() > 0.01


def test_the_real_model_gives_the_same(real):
    ids, fast = real.tokens.encode("The capital of France is"), LanguageModelInTorch(real)
    assert np.abs(fast.logits(ids) - real.logits(ids)).max() < 2e-3
    assert np.abs(fast.attention_weights(ids) - real.attention_weights(ids)).max() < 1e-4
    assert fast.write("The capital of France is", 2) == real.write("The capital of France is", 2) == " Paris."
