"""What must hold whatever the numbers and sizes: tried on many that Hypothesis makes up."""

import math

import numpy as np
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from clearhead.maths import (
    attention,
    linear_attention,
    long_attention,
    losses,
    masks,
    single_head,
    softmax,
    vision,
)
from clearhead.maths.heads import (
    absorbed_latent_attention,
    grouped_query_attention,
    merge_heads,
    multi_head_attention,
    multi_head_latent_attention,
    split_heads,
)
from clearhead.maths.layers import layer_norm, rms_norm
from clearhead.maths.positions import (
    alibi_bias,
    apply_rotary,
    relative_bias,
    rotary_angles,
    sinusoidal,
    sinusoidal_shift,
)
from clearhead.maths.recurrent import conv1d, toeplitz
from clearhead.maths.transformer import encoder_block, feed_forward
from clearhead.nets.attention import fast_attention
from clearhead.nets.heads import GroupedQueryAttention
from clearhead.nets.models import GPT, TextEncoder
from clearhead.nets.transformer import EncoderBlock
from clearhead.pretrained.convert import to_arrays

seeds = st.integers(0, 10_000)
sizes = st.integers(1, 6)
torch.manual_seed(0)
BLOCK = to_arrays(EncoderBlock(8, 2).double())


def numbers(seed, *shape, scale=1.0):
    return np.random.default_rng(seed).normal(size=shape) * scale


def queries_keys_values(seed, T, S, d, e):
    return numbers(seed, 2, T, d), numbers(seed + 1, 2, S, d), numbers(seed + 2, 2, S, e)


def random_mask(seed, *shape):
    return np.random.default_rng(seed).random(shape) < 0.6


def close(found, expected, tolerance=1e-10):
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


# Softmax


@given(seeds, sizes, st.floats(-1e4, 1e4), st.floats(0.01, 1000))
def test_softmax_ignores_a_shift_and_sums_to_one(seed, size, shift, scale):
    scores = numbers(seed, 3, size, scale=scale)
    weights = softmax.softmax(scores)
    assert (weights >= 0).all()
    close(weights.sum(axis=-1), 1)
    close(softmax.softmax(scores + shift), weights, 1e-7)
    close(np.exp(softmax.log_softmax(scores)), weights)


@given(seeds, st.integers(2, 8))
def test_temperature_runs_from_the_best_to_the_mean(seed, size):
    scores = numbers(seed, size)
    entropy = [
        -(a * np.log(np.where(a > 0, a, 1))).sum()
        for t in (0, 0.1, 0.5, 1, 2, 10, 1e6)
        for a in [softmax.softmax(softmax.scale_by_temperature(scores, t))]
    ]
    assert all(np.diff(entropy) >= -1e-12)
    assert softmax.softmax(softmax.scale_by_temperature(scores, 0))[scores.argmax()] == 1
    close(entropy[-1], math.log(size), 1e-6)


# Attention


@given(seeds, sizes, sizes, sizes, sizes)
def test_rows_of_weights_sum_to_one_or_zero(seed, T, S, d, e):
    mask = random_mask(seed, T, S)
    Z, A = attention.scaled_dot_product_attention(*queries_keys_values(seed, T, S, d, e), mask)
    close(A.sum(axis=-1), np.broadcast_to(mask.any(axis=-1).astype(float), A.shape[:-1]))
    assert not A[:, ~mask].any()
    assert not Z[:, ~mask.any(axis=-1)].any()


@given(seeds, sizes, sizes, sizes)
def test_outputs_stay_among_the_values(seed, S, d, e):
    q, K, V = numbers(seed, d), numbers(seed + 1, S, d), numbers(seed + 2, S, e)
    for temperature in (0, 0.5, 3):
        z, a = attention.soft_lookup(q, K, V, temperature)
        assert (z >= V.min(axis=0) - 1e-12).all()
        assert (z <= V.max(axis=0) + 1e-12).all()
        close(a.sum(), 1)


@given(seeds, sizes, sizes)
def test_order_of_entries_does_not_matter(seed, S, d):
    q, K, V = numbers(seed, d), numbers(seed + 1, S, d), numbers(seed + 2, S, 3)
    order = np.random.default_rng(seed).permutation(S)
    close(attention.soft_lookup(q, K[order], V[order])[0], attention.soft_lookup(q, K, V)[0])


@given(seeds, sizes)
def test_self_attention_is_permutation_equivariant(seed, T):
    x, weights = numbers(seed, T, 5), numbers(seed + 1, 3, 5, 4)
    order = np.random.default_rng(seed).permutation(T)
    Z, A = single_head.self_attention(x, *weights)
    shuffled_Z, shuffled_A = single_head.self_attention(x[order], *weights)
    close(shuffled_Z, Z[order])
    close(shuffled_A, A[order][:, order])


@given(seeds, sizes, sizes)
def test_adding_a_vector_to_all_keys_changes_nothing(seed, T, S):
    Q, K, V = queries_keys_values(seed, T, S, 4, 3)
    expected = attention.scaled_dot_product_attention(Q, K, V)[1]
    close(attention.scaled_dot_product_attention(Q, K + numbers(seed, 4), V)[1], expected)


# Blocks and models


@given(seeds, sizes)
def test_a_block_is_permutation_equivariant(seed, T):
    x, order = numbers(seed, T, 8), np.random.default_rng(seed).permutation(T)
    close(encoder_block(x[order], BLOCK, 2), encoder_block(x, BLOCK, 2)[order])


@given(seeds, st.integers(2, 6), st.data())
def test_a_causal_block_never_sees_the_future(seed, T, data):
    t = data.draw(st.integers(1, T - 1))
    x, other = numbers(seed, T, 8), numbers(seed, T, 8)
    other[t:] = numbers(seed + 1, T - t, 8)
    mask = masks.causal_mask(T)
    assert np.array_equal(encoder_block(x, BLOCK, 2, mask)[:t], encoder_block(other, BLOCK, 2, mask)[:t])


@given(seeds, st.integers(2, 6), st.data())
def test_a_gpt_never_sees_the_future(seed, T, data):
    t = data.draw(st.integers(1, T - 1))
    ids = torch.from_numpy(np.random.default_rng(seed).integers(11, size=(1, T)))
    other = ids.clone()
    other[:, t:] = (other[:, t:] + 1) % 11
    model = GPT(11, 6, 8, 2, 2, generator=torch.Generator().manual_seed(seed)).double()
    close(model(ids)[:, :t].detach(), model(other)[:, :t].detach())
    assert not torch.allclose(model(ids)[:, t:], model(other)[:, t:])


@given(seeds, sizes, st.integers(0, 4))
def test_neither_content_nor_amount_of_padding_matters(seed, real, padding):
    model = TextEncoder(11, 10, 8, 2, 2, generator=torch.Generator().manual_seed(seed)).double()
    ids = torch.from_numpy(np.random.default_rng(seed).integers(11, size=(1, real + padding)))
    mask = torch.from_numpy(masks.padding_mask(np.array([real]), real + padding))
    close(model(ids, mask)[:, :real].detach(), model(ids[:, :real]).detach())


@given(seeds, sizes)
def test_feed_forward_treats_each_token_alone(seed, T):
    x = numbers(seed, T, 8)
    close(feed_forward(x, BLOCK["feed_forward"])[:1], feed_forward(x[:1], BLOCK["feed_forward"]))


@given(seeds, st.floats(0.5, 100), st.floats(-100, 100))
def test_norms_ignore_scale_and_layer_norm_ignores_a_shift(seed, scale, shift):
    x, ones, zeros = numbers(seed, 3, 8), np.ones(8), np.zeros(8)
    close(layer_norm(scale * x + shift, ones, zeros, eps=0), layer_norm(x, ones, zeros, eps=0), 1e-8)
    close(rms_norm(scale * x, ones, eps=0), rms_norm(x, ones, eps=0))


# Heads


@given(seeds, sizes, sizes, sizes)
def test_merging_undoes_splitting_and_no_token_moves(seed, T, H, d):
    x = numbers(seed, 2, T, H * d)
    heads = split_heads(x, H)
    assert np.array_equal(merge_heads(heads), x)
    for h in range(H):
        assert np.array_equal(heads[:, h], x[..., h * d : (h + 1) * d])


@given(seeds, sizes, sizes)
def test_heads_are_attentions_side_by_side(seed, T, S):
    x, context, parameters = numbers(seed, T, 8), numbers(seed + 1, S, 8), BLOCK["attention"]
    Z, A = multi_head_attention(x, context, parameters, 2)
    total = parameters["output"]["bias"]
    for h in range(2):
        columns = slice(4 * h, 4 * h + 4)
        Q, K, V = (
            tokens @ parameters[name]["weight"][:, columns] + parameters[name]["bias"][columns]
            for name, tokens in (("query", x), ("key", context), ("value", context))
        )
        head, weights = attention.scaled_dot_product_attention(Q, K, V)
        close(A[h], weights)
        total = total + head @ parameters["output"]["weight"][columns]
    close(Z, total)


@given(seeds, sizes)
def test_one_group_a_head_is_multi_head_attention(seed, T):
    x = numbers(seed, T, 8)
    expected = multi_head_attention(x, x, BLOCK["attention"], 2)
    for found, e in zip(grouped_query_attention(x, x, BLOCK["attention"], 2, 2), expected, strict=True):
        assert np.array_equal(found, e)


@given(seeds, sizes, sizes, st.integers(1, 9))
def test_latent_attention_is_multi_head_attention_of_low_rank(seed, T, S, rank):
    """Also with the matrices absorbed, with a mask, and with more latent dimensions than a token has."""
    widths = {"query": (8, 6), "down": (8, rank), "key": (rank, 6), "value": (rank, 10), "output": (10, 8)}
    latent = {name: {"weight": numbers(seed + i, *s)} for i, (name, s) in enumerate(widths.items())}
    full = {name: latent[name] for name in ("query", "output")}
    for name in ("key", "value"):
        full[name] = {"weight": latent["down"]["weight"] @ latent[name]["weight"]}
    x, context, mask = numbers(seed, 2, T, 8), numbers(seed + 9, 2, S, 8), random_mask(seed, 2, 2, T, S)
    expected = multi_head_attention(x, context, full, 2, mask)
    for attend in (multi_head_latent_attention, absorbed_latent_attention):
        for found, e in zip(attend(x, context, latent, 2, mask), expected, strict=True):
            close(found, e)


@given(seeds)
def test_heads_of_a_group_share_their_keys(seed):
    torch.manual_seed(seed)
    module = GroupedQueryAttention(8, 4, 2).double()
    _, K, V = module.heads(torch.ones(3, 8).double(), torch.randn(3, 8).double())
    assert torch.equal(K[0], K[1])
    assert torch.equal(V[2], V[3])
    assert not torch.equal(K[1], K[2])


# Positions


@given(st.integers(-20, 20), st.integers(-20, 20), st.integers(1, 5))
def test_rotations_compose(a, b, pairs):
    d = 2 * pairs
    R_a, R_b = sinusoidal_shift(a, d), sinusoidal_shift(b, d)
    close(R_a @ R_b, sinusoidal_shift(a + b, d))
    close(R_a @ R_a.T, np.eye(d))
    positions = sinusoidal(60, d)
    close(positions[20:40] @ R_a, positions[20 + a : 40 + a])


@given(st.integers(2, 40), st.integers(1, 5))
def test_sinusoidal_products_depend_on_distance_only(length, pairs):
    positions = sinusoidal(length, 2 * pairs)
    products = positions @ positions.T
    close((positions**2).sum(axis=-1), pairs)
    close(products[1:, 1:], products[:-1, :-1])


@given(seeds, st.integers(1, 4), st.integers(0, 10))
def test_rotary_scores_depend_on_distance_only(seed, pairs, shift):
    q, k = numbers(seed, 1, 2 * pairs), numbers(seed + 1, 1, 2 * pairs)
    angles = rotary_angles(30, 2 * pairs)
    score = lambda i, j: (apply_rotary(q, angles[i : i + 1]) @ apply_rotary(k, angles[j : j + 1]).T).item()  # noqa: E731
    close(score(7 + shift, 3 + shift), score(7, 3))
    close(np.linalg.norm(apply_rotary(q, angles[9:10])), np.linalg.norm(q))


@given(seeds, st.integers(1, 8), st.integers(0, 3))
def test_relative_biases_depend_on_distance_only(seed, T, farthest):
    table = numbers(seed, 2, 2 * farthest + 1)
    bias = relative_bias(table, T)
    for i in range(T):
        for j in range(T):
            expected = table[:, min(max(j - i, -farthest), farthest) + farthest]
            assert np.array_equal(bias[:, i, j], expected)


@given(st.integers(1, 4), st.integers(2, 9))
def test_alibi_falls_with_distance_and_slower_in_later_heads(power, T):
    H = 2**power
    bias = alibi_bias(H, T)
    assert np.array_equal(bias[:, 0, 1], -(2.0 ** (-8 * np.arange(1, H + 1) / H)))
    assert (np.diff(bias[:, 0], axis=-1) < 0).all()
    assert (np.diff(bias[:, 1:, 0], axis=0) > 0).all()
    assert np.array_equal(bias, bias.swapaxes(-1, -2))


# Long texts


@given(seeds, sizes, sizes, st.integers(1, 8), st.booleans(), st.sampled_from([1, 1e3]))
def test_the_size_of_the_chunk_does_not_matter(seed, T, S, chunk, masked, scale):
    Q, K, V = queries_keys_values(seed, T, S, 4, 3)
    mask = random_mask(seed, T, S) if masked else None
    expected = attention.scaled_dot_product_attention(scale * Q, K, V, mask)[0]
    close(long_attention.chunked_attention(scale * Q, K, V, mask, chunk), expected)
    scores = scale * numbers(seed, T, S)
    close(long_attention.online_softmax(scores, chunk), softmax.softmax(scores))


@given(seeds, st.integers(1, 9), st.integers(1, 11))
def test_a_sliding_window_is_a_mask(seed, T, window):
    Q, K, V = queries_keys_values(seed, T, T, 4, 3)
    expected = attention.scaled_dot_product_attention(Q, K, V, masks.sliding_window_mask(T, window))[0]
    close(long_attention.sliding_window_attention(Q, K, V, window), expected)
    if window >= T:
        close(expected, attention.scaled_dot_product_attention(Q, K, V, masks.causal_mask(T))[0])


@given(seeds, sizes)
def test_linear_attention_of_one_key_is_its_value(seed, T):
    """However unlike the query it is."""
    Q, V = numbers(seed, T, 1) - 3, numbers(seed + 1, 1, 3)
    close(linear_attention.linear_attention(Q, np.array([[-4.0]]), V), np.repeat(V, T, axis=0))


@given(seeds, st.integers(2, 8))
def test_linear_attention_in_both_forms(seed, T):
    Q, K, V = queries_keys_values(seed, T, T, 4, 3)
    causal = linear_attention.causal_linear_attention(Q, K, V)
    close(causal[:, -1:], linear_attention.linear_attention(Q[:, -1:], K, V))
    changed = linear_attention.causal_linear_attention(Q, np.concatenate([K[:, :-1], K[:, :1]], axis=1), V)
    assert np.array_equal(causal[:, :-1], changed[:, :-1])


@given(seeds, sizes, sizes)
def test_the_fast_path_and_the_visible_path_agree(seed, T, S):
    Q, K, V = queries_keys_values(seed, T, S, 4, 3)
    mask = random_mask(seed, T, S)
    expected = attention.scaled_dot_product_attention(Q, K, V, mask)[0]
    close(fast_attention(*map(torch.from_numpy, (Q, K, V, mask))).numpy(), expected)


# Losses, convolutions, patches


@given(seeds, st.integers(1, 8), st.integers(2, 9))
def test_uniform_cross_entropy_is_logarithm_of_vocabulary(seed, T, V):
    """Cross entropy of even odds is the logarithm of the choices."""
    targets = np.random.default_rng(seed).integers(V, size=T)
    close(losses.cross_entropy(np.full((T, V), 2.5), targets), math.log(V))
    close(losses.perplexity(np.full((T, V), 2.5), targets), V)
    shifted = numbers(seed, T, V)
    close(losses.cross_entropy(shifted + 7, targets), losses.cross_entropy(shifted, targets))


@given(seeds, st.integers(2, 6))
def test_ignored_targets_do_not_count(seed, T):
    logits, targets = numbers(seed, T, 5), np.random.default_rng(seed).integers(5, size=T)
    targets[0] = losses.IGNORE
    close(losses.cross_entropy(logits, targets), losses.cross_entropy(logits[1:], targets[1:]))


@given(seeds, st.integers(2, 6))
def test_info_nce_is_symmetric_and_ln_b_at_chance(seed, B):
    x, y = numbers(seed, B, 4), numbers(seed + 1, B, 4)
    close(losses.info_nce(x, y), losses.info_nce(y, x))
    close(losses.info_nce(3 * x, y), losses.info_nce(x, y))
    close(losses.info_nce(np.ones((B, 4)), y * 0 + 2), math.log(B))


@given(seeds, st.integers(4, 8), st.integers(1, 3))
def test_convolution_is_shift_equivariant_and_a_toeplitz_matrix(seed, T, W):
    x, weight, bias = numbers(seed, T, 2), numbers(seed + 1, W, 2, 3), numbers(seed + 2, 3)
    y = conv1d(x, weight, bias)
    close(conv1d(x[1:], weight, bias), y[1:])
    matrix = toeplitz(weight, T)
    close((x.reshape(-1) @ matrix).reshape(y.shape) + bias, y)
    close(matrix[2:, 3:], matrix[:-2, :-3])


@given(seeds, st.integers(1, 4), st.integers(1, 4), st.integers(1, 3), st.integers(1, 3))
def test_patches_come_back(seed, down, across, P, channels):
    images = numbers(seed, 2, down * P, across * P, channels)
    patches = vision.patchify(images, P)
    assert np.array_equal(vision.unpatchify(patches, down * P, across * P, P), images)
    assume(down > 1)
    assert np.array_equal(patches[:, across].reshape(2, P, P, channels), images[:, P : 2 * P, :P])
