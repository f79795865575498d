"""The modern GPT: causal, a function of distances only, and equal to its equations written out in NumPy."""

import math

import numpy as np
import pytest
import torch

from clearhead.maths.softmax import softmax
from clearhead.nets.modern import ModernBlock, ModernGPT, normalized, shifted, turned


@pytest.fixture
def model():
    """Return a small model in float64 whose every number is random, the zeros of the start too."""
    made = ModernGPT(7, 12, 3, 2, pairs=True, generator=torch.Generator().manual_seed(0)).double()
    with torch.no_grad():
        for weight in made.parameters():
            weight.normal_(std=0.5, generator=torch.Generator().manual_seed(weight.numel()))
    return made


def test_it_starts_with_every_token_equally_likely():
    logits = ModernGPT(11, 8, 2, 1)(torch.arange(5)[None])
    loss = torch.nn.functional.cross_entropy(logits[0], torch.arange(5))
    assert math.isclose(loss.item(), math.log(11), rel_tol=1e-6)


def test_no_token_sees_its_future(model):
    ids = torch.randint(7, (2, 9), generator=torch.Generator().manual_seed(1))
    other = ids.clone()
    other[:, 5] = (other[:, 5] + 1) % 7
    before, after = model(ids), model(other)
    assert torch.equal(before[:, :5], after[:, :5])
    assert not torch.allclose(before[:, 5:], after[:, 5:])


def test_scores_depend_on_the_distance_only():
    q, k = torch.randn(2, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    angles = torch.arange(20.0, dtype=torch.float64)[:, None] * torch.tensor([1.0, 0.3, 0.1, 0.03])
    Q, K = (turned(x.expand(20, 8), angles.cos(), angles.sin()) for x in (q, k))
    S = Q @ K.T
    for offset in (0, 3, 11):
        diagonal = S.diagonal(offset)
        assert torch.allclose(diagonal, diagonal[0].expand_as(diagonal), atol=1e-12)
    assert torch.allclose(Q.norm(dim=-1), q.norm().expand(20))


def norm(x):
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5)


def test_a_block_is_its_equations(model):
    block, T, H, d = model.blocks[0], 6, 3, 4
    x = torch.randn(T, 12, dtype=torch.float64, generator=torch.Generator().manual_seed(3))
    angles = torch.arange(T, dtype=torch.float64)[:, None] * torch.tensor([1.0, 0.01], dtype=torch.float64)
    got = block(x, angles.cos(), angles.sin()).detach().numpy()

    weight = {name: p.detach().numpy().T for name, p in block.named_parameters()}
    x, z = x.numpy(), angles.numpy()
    QK, V = norm(x) @ weight["query_key.weight"], norm(x) @ weight["value.weight"]
    heads = []
    for h in range(H):
        q, k = (norm(QK[:, start : start + d]) for start in (h * d, 12 + h * d))
        turn = [np.exp(1j * z) * (y[:, : d // 2] + 1j * y[:, d // 2 :]) for y in (q, k)]
        S = (turn[0] @ turn[1].conj().T).real / np.sqrt(d)
        heads.append(softmax(np.where(np.tri(T) > 0, S, -np.inf)) @ V[:, h * d : (h + 1) * d])
    y = x + np.concatenate(heads, axis=-1) @ weight["output.weight"]
    y = y + np.maximum(norm(y) @ weight["up.weight"], 0) ** 2 @ weight["down.weight"]
    assert np.abs(got - y).max() < 1e-10


def test_shifted_rows_come_later():
    x = torch.arange(6.0).reshape(3, 2)
    assert torch.equal(shifted(x, 1), torch.tensor([[0.0, 0.0], [0.0, 1.0], [2.0, 3.0]]))
    assert torch.equal(shifted(x, 0), x)


def test_pairs_give_each_couple_of_neighbours_a_row_of_its_own():
    model = ModernGPT(5, 4, 1, 1, taps=0, pairs=True)
    with torch.no_grad():
        model.pairs.weight[2 * 5 + 3] = torch.tensor([10.0, -10.0, 10.0, 10.0])
        model.words.weight.normal_(generator=torch.Generator().manual_seed(4))
    with_pair, without = model(torch.tensor([2, 3])), model(torch.tensor([1, 3]))
    assert not torch.allclose(with_pair[1], without[1])


def test_rows_get_length_one_a_column():
    x = torch.randn(4, 9, generator=torch.Generator().manual_seed(5))
    assert torch.allclose(normalized(x).square().mean(dim=-1), torch.ones(4), atol=1e-4)
    assert torch.allclose(normalized(x).mean(dim=-1), torch.zeros(4), atol=1e-6)


def test_heads_that_do_not_divide_the_width_are_refused():
    with pytest.raises(ValueError, match="10"):
        ModernBlock(10, 3)
