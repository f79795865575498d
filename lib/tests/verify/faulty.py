"""Functions with one fault each, written in PyTorch as people write them, and the name of the fault.

None of them is an edit of a reference: shapes, helpers and the order of the steps are others.
"""

import math

import numpy as np
import torch
import torch.nn.functional as F

from clearhead.verify import adapt

FAULTS = []


def fault(entry, name, arrays="torch"):
    """Register a function that has the fault of this name at this entry point."""

    def register(function):
        FAULTS.append((entry, name, adapt(function, arrays=arrays)))
        return function

    return register


@fault("softmax", "always_the_last_axis")
def axis_is_not_read(z, axis):
    return torch.softmax(z, -1)


@fault("softmax", "overflow")
def no_maximum_is_subtracted(z, axis):
    e = torch.exp(z)
    return e / e.sum(axis, keepdim=True)


def _attention(q, k, v, mask=None, scale=None):
    scores = torch.einsum("td,sd->ts", q, k) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, -1).nan_to_num() @ v


@fault("attention", "mask_inverted_with_nan")
def mask_in_the_sense_of_multihead_attention(Q, K, V, mask):
    scores = Q @ K.T / math.sqrt(Q.shape[1])
    return torch.softmax(scores.masked_fill(mask, float("-inf")), -1) @ V


@fault("attention", "mask_inverted")
def mask_reversed_without_nan(Q, K, V, mask):
    return _attention(Q, K, V, ~mask)


@fault("attention", "no_scaling")
def scale_is_missing(Q, K, V, mask):
    return _attention(Q, K, V, mask, 1.0)


@fault("attention", "divided_by_d")
def scale_without_the_root(Q, K, V, mask):
    return _attention(Q, K, V, mask, 1 / Q.shape[-1])


@fault("attention", "softmax_over_queries")
def softmax_over_dimension_0(Q, K, V, mask):
    scores = (Q @ K.T / Q.shape[-1] ** 0.5).masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, 0).nan_to_num() @ V


@fault("attention", "masked_scores_are_zero")
def masked_scores_are_multiplied_with_the_mask(Q, K, V, mask):
    return torch.softmax(Q @ K.T / Q.shape[-1] ** 0.5 * mask, -1) @ V


@fault("attention", "mask_after_softmax")
def mask_after_the_softmax(Q, K, V, mask):
    return torch.softmax(Q @ K.T / Q.shape[-1] ** 0.5, -1).masked_fill(~mask, 0) @ V


@fault("causal_attention", "future_leak_by_one")
def triangle_begins_one_too_late(Q, K, V):
    T, S = len(Q), len(K)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 2)
    return _attention(Q, K, V, ~future)


@fault("causal_attention", "only_the_past")
def triangle_without_the_diagonal(Q, K, V):
    T, S = len(Q), len(K)
    return _attention(Q, K, V, torch.ones(T, S, dtype=torch.bool).tril(S - T - 1))


@fault("causal_attention", "no_mask")
def mask_is_forgotten(Q, K, V):
    return _attention(Q, K, V)


@fault("causal_attention", "scaled_by_the_width_of_the_values")
def scale_by_the_width_of_the_values(Q, K, V):
    mask = torch.ones(len(Q), len(K), dtype=torch.bool).tril(len(K) - len(Q))
    return _attention(Q, K, V, mask, V.shape[-1] ** -0.5)


@fault("causal_attention", "future_leak_by_one")
def leak_in_code_that_is_aligned_at_the_first_key(Q, K, V):
    return _attention(Q, K, V, torch.ones(len(Q), len(K), dtype=torch.bool).tril(1))


@fault("multi_head_attention", "scaled_by_the_width_of_the_tokens")
def scale_by_the_width_of_the_model(X, W_q, W_k, W_v, W_o, num_heads):
    q, k, v = ((X @ W).unflatten(-1, (num_heads, -1)).transpose(0, 1) for W in (W_q, W_k, W_v))
    A = torch.softmax(q @ k.mT / X.shape[-1] ** 0.5, -1)
    return (A @ v).transpose(0, 1).flatten(1) @ W_o


@fault("multi_head_attention", "merge_without_transpose")
def heads_are_viewed_without_a_transpose(X, W_q, W_k, W_v, W_o, num_heads):
    q, k, v = ((X @ W).unflatten(-1, (num_heads, -1)).transpose(0, 1) for W in (W_q, W_k, W_v))
    A = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1)
    return (A @ v).contiguous().view(len(X), -1) @ W_o


@fault("split_heads", "reshape_without_transpose")
def heads_by_view_alone(x, num_heads):
    return x.view(num_heads, len(x), -1)


@fault("grouped_query_attention", "tiled")
def groups_are_repeated_in_turn(Q, K, V):
    times = len(Q) // len(K)
    K, V = K.repeat(times, 1, 1), V.repeat(times, 1, 1)
    return F.scaled_dot_product_attention(Q, K, V)


@fault("cached_grouped_query_attention", "mask_without_the_cache")
def causal_mask_at_the_top_left(Q, K, V):
    times = len(Q) // len(K)
    K, V = K.repeat_interleave(times, 0), V.repeat_interleave(times, 0)
    return F.scaled_dot_product_attention(Q, K, V, is_causal=True)


@fault("kv_cache_step", "past_only")
def new_token_does_not_see_itself(x, K, V, W_q, W_k, W_v):
    z = (
        F.scaled_dot_product_attention((x @ W_q)[None], K, V)[0]
        if len(K)
        else torch.zeros(V.shape[1], dtype=x.dtype)
    )
    return z, torch.cat([K, (x @ W_k)[None]]), torch.cat([V, (x @ W_v)[None]])


@fault("rotary_with_cache", "no_start_position")
def offset_of_the_cache_is_missing(x, start, base):
    return _rotated(x, torch.arange(len(x)), base)


@fault("rotary_with_cache", "no_start_position")
def offset_is_missing_with_halves(x, start, base):
    return _rotated_halves(x, torch.arange(len(x)), base)


def _rotated(x, positions, base):
    speeds = base ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    turn = torch.polar(torch.ones((), dtype=x.dtype), positions[:, None] * speeds)
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * turn).flatten(-2)


def _rotated_halves(x, positions, base):
    speeds = base ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    angles = torch.cat([positions[:, None] * speeds] * 2, -1)
    a, b = x.chunk(2, -1)
    return x * angles.cos() + torch.cat([-b, a], -1) * angles.sin()


@fault("rotary", "two_layouts_mixed")
def rotate_half_of_halves_with_repeated_angles(Q, positions):
    speeds = 10000.0 ** (-torch.arange(0, Q.shape[-1], 2, dtype=Q.dtype) / Q.shape[-1])
    angles = (positions[:, None] * speeds).repeat_interleave(2, -1)
    a, b = Q.chunk(2, -1)
    return Q * angles.cos() + torch.cat([-b, a], -1) * angles.sin()


@fault("rms_norm", "multiplied_by_the_root")
def divided_by_the_reciprocal_root(x, gain, eps):
    return gain * (x / torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps))


@fault("alibi_bias", "slopes_from_head_0")
def slopes_begin_with_1(num_heads, length):
    slopes = 2.0 ** (-8 * torch.arange(num_heads) / num_heads)
    places = torch.arange(length)
    return -slopes[:, None, None] * (places[:, None] - places).abs()


@fault("sliding_window_attention", "future_visible")
def window_on_both_sides(Q, K, V, window):
    places = torch.arange(len(Q))
    return _attention(Q, K, V, (places[:, None] - places).abs() < window)


@fault("left_padded_positions", "padding_counted")
def positions_count_the_padding(attention_mask):
    return torch.arange(attention_mask.shape[1]).expand(attention_mask.shape)


@fault("left_padded_mask", "padding_visible")
def causal_mask_without_the_padding(attention_mask):
    T = attention_mask.shape[1]
    return torch.ones(T, T, dtype=torch.bool).tril().expand(len(attention_mask), 1, T, T)


@fault("rms_norm", "eps_outside_the_root")
def epsilon_after_the_root(x, gain, eps):
    return gain * x / (x.pow(2).mean(-1, keepdim=True).sqrt() + eps)


@fault("rms_norm", "mean_subtracted")
def mean_is_subtracted(x, gain, eps):
    x = x - x.mean(-1, keepdim=True)
    return F.rms_norm(x, gain.shape, gain, eps)


@fault("rms_norm", "sum_of_squares")
def norm_instead_of_root_mean_square(x, gain, eps):
    return gain * x * torch.rsqrt(x.pow(2).sum(-1, keepdim=True) + eps)


@fault("cross_entropy", "divided_by_all")
def ignored_targets_are_counted_in_the_mean(logits, targets):
    return F.cross_entropy(logits, targets, reduction="sum") / len(targets)


@fault("perplexity", "mean_of_inverses")
def mean_of_the_exponentials(logits, targets):
    return F.cross_entropy(logits, targets, reduction="none").exp().mean()


@fault("kl_divergence", "reversed_direction")
def arguments_of_kl_div_swapped(p_logits, q_logits):
    return F.kl_div(p_logits.log_softmax(-1), q_logits.softmax(-1), reduction="batchmean")


@fault("kl_divergence", "mean_over_all_entries")
def kl_div_with_its_default(p_logits, q_logits):
    return F.kl_div(q_logits.log_softmax(-1), p_logits.softmax(-1), reduction="mean")


@fault("dpo_loss", "no_reference")
def reference_is_left_out(chosen, rejected, ref_chosen, ref_rejected, beta):
    return -F.logsigmoid(beta * (chosen - rejected)).mean()


@fault("top_p", "crossing_token_dropped_but_one_stays")
def top_p_drops_the_crossing_token(z, p):
    values, order = z.sort(descending=True)
    drop = values.softmax(-1).cumsum(-1) > p
    drop[0] = False
    return z.masked_fill(torch.zeros_like(drop).scatter(0, order, drop), float("-inf"))


@fault("top_k", "one_too_many")
def top_k_keeps_one_more(z, k):
    least = z.sort(descending=True).values[min(k, len(z) - 1)]
    return z.masked_fill(z < least, float("-inf"))


@fault("min_p", "a_fixed_limit")
def min_p_with_an_absolute_threshold(logits, p_base):
    return logits.masked_fill(logits.softmax(-1) < p_base, float("-inf"))


@fault("repetition_penalty", "always_divided")
def penalty_divides_negative_logits(logits, generated_ids, penalty):
    logits = logits.clone()
    logits[generated_ids] = logits[generated_ids] / penalty
    return logits


@fault("temperature", "multiplied")
def temperature_multiplies(z, T):
    return torch.softmax(z * T, -1)


@fault("speculative_sampling_step", "drawn_from_p")
def after_a_rejection_the_target_itself(p, q, drafted, u, v):
    if u < p[drafted] / q[drafted]:
        return drafted
    return int(torch.searchsorted(p.cumsum(0), v * p.sum(), right=True))


@fault("load_balancing_loss", "not_times_e")
def balance_without_the_number_of_experts(scores, gates):
    chosen = (gates > 0).to(scores.dtype)
    return (chosen.sum(0) / chosen.sum() * scores.softmax(-1).mean(0)).sum()


@fault("merge_lora", "not_divided_by_the_rank")
def lora_without_the_rank(W, A, B, alpha):
    return W + alpha * A @ B


@fault("patchify", "reshape_without_transpose")
def patches_by_view_alone(image, P):
    return image.reshape(-1, P * P * image.shape[-1])


@fault("adamw_step", "corrected_for_the_next_step")
def bias_correction_counts_from_2(w, g, m, v, t, rate, decay):
    m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
    mean, square = m / (1 - 0.9 ** (t + 1)), v / (1 - 0.99 ** (t + 1))
    return w - rate * (mean / (square.sqrt() + 1e-8) + decay * w), m, v


@fault("adamw_step", "decay_in_the_gradient")
def decay_in_the_gradient(w, g, m, v, t, rate, decay):
    g = g + decay * w
    m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
    mean, square = m / (1 - 0.9**t), v / (1 - 0.99**t)
    return w - rate * mean / (square.sqrt() + 1e-8), m, v


@fault("gradient_accumulation", "mean_of_means")
def mean_gradients_are_averaged(gradients, token_counts):
    return gradients.mean(0)


@fault("clip_grad_norm", "entries_clipped")
def clipped_by_value(gradient, max_norm):
    return gradient.clamp(-max_norm, max_norm)


@fault("sinusoidal_positions", "frequency_for_each_column", arrays="numpy")
def exponent_counts_columns(length, d_model):
    angles = np.arange(length)[:, None] / 10000 ** (np.arange(d_model) / d_model)
    P = np.zeros((length, d_model))
    P[:, 0::2], P[:, 1::2] = np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2])
    return P


@fault("bpe_encode", "longest_piece_first", arrays="list")
def greedy_longest_match(word, merges):
    known = {a + b for a, b in merges}
    pieces, start = [], 0
    while start < len(word):
        end = next((e for e in range(len(word), start, -1) if word[start:e] in known), start + 1)
        pieces.append(word[start:end])
        start = end
    return pieces


@fault("tokenizer_round_trip", "broken_characters", arrays="list")
def each_byte_decoded_by_itself(text):
    return "".join(bytes([byte]).decode("utf-8", "replace") for byte in text.encode("utf-8"))


@fault("shift_targets", "not_shifted")
def labels_are_not_shifted(ids, real):
    targets = torch.where(real, ids, -100)
    return ids[:, :-1], targets[:, :-1]


@fault("chunked_attention", "neither_factor")
def running_sums_are_not_rescaled(Q, K, V, chunk):
    highest, total, Z = -torch.inf, 0, 0
    for start in range(0, len(K), chunk):
        s = Q @ K[start : start + chunk].T / Q.shape[1] ** 0.5
        highest = torch.maximum(torch.as_tensor(highest, dtype=s.dtype), s.amax(1, keepdim=True))
        e = torch.exp(s - highest)
        total, Z = total + e.sum(1, keepdim=True), Z + e @ V[start : start + chunk]
    return Z / total


@fault("info_nce", "no_normalization")
def embeddings_are_not_normalized(x, y, temperature):
    logits, partners = x @ y.T / temperature, torch.arange(len(x))
    return (F.cross_entropy(logits, partners) + F.cross_entropy(logits.T, partners)) / 2


@fault("gated_feed_forward", "silu_on_the_other_branch")
def activation_on_the_other_branch(x, W_gate, W_up, W_down):
    return (x @ W_gate * F.silu(x @ W_up)) @ W_down


@fault("causal_attention", "first_key_unless_one_query")
def causal_flag_of_torch_for_more_than_one_query(Q, K, V):
    return F.scaled_dot_product_attention(Q, K, V, is_causal=len(Q) > 1)


@fault("attention", "filled_with_a_number_too_high")
def masked_with_minus_ten_thousand(Q, K, V, mask):
    scores = (Q @ K.T / Q.shape[1] ** 0.5).masked_fill(~mask, -1e4)
    return scores.softmax(-1) @ V


@fault("kv_cache_step", "newest_first")
def new_token_goes_to_the_front(x, K, V, W_q, W_k, W_v):
    K, V = torch.cat([(x @ W_k)[None], K]), torch.cat([(x @ W_v)[None], V])
    return F.scaled_dot_product_attention((x @ W_q)[None], K, V)[0], K, V


@fault("top_k", "probabilities_returned")
def top_k_of_the_probabilities(z, k):
    values, ids = z.softmax(-1).topk(min(k, len(z)))
    return torch.full_like(z, float("-inf")).scatter(0, ids, values)


@fault("top_p", "not_sorted_and_crossing_token_dropped")
def top_p_without_sorting(z, p):
    return z.masked_fill(z.softmax(-1).cumsum(-1) > p, float("-inf"))


@fault("speculative_sampling_step", "acceptance_reversed")
def draft_token_accepted_where_it_must_be_rejected(p, q, drafted, u, v):
    if u > p[drafted] / q[drafted]:
        return drafted
    rest = (p - q).clamp(min=0)
    return int(torch.searchsorted(rest.cumsum(0), v * rest.sum(), right=True))


@fault("info_nce", "multiplied_by_temperature")
def logits_multiplied_by_the_temperature_in_one_direction(x, y, temperature):
    x, y = F.normalize(x, dim=-1), F.normalize(y, dim=-1)
    return F.cross_entropy(x @ y.T * temperature, torch.arange(len(x)))
