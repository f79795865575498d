"""No false alarm: PyTorch, transformers, tokenizers and our library hold, or follow a told convention."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from clearhead.maths import (
    attention,
    decoding,
    embeddings,
    heads,
    linear_attention,
    llama,
    long_attention,
    losses,
    low_rank,
    masks,
    optimizers,
    positions,
    post_training,
    sampling,
    softmax,
    vectors,
    vision,
)
from clearhead.maths import layers as maths_layers
from clearhead.maths.positions import apply_rotary, frequencies
from clearhead.nets import layers as nets_layers
from clearhead.verify import adapt
from clearhead.verify.entry_points import entry_points
from clearhead.verify.verifying import verify

transformers = pytest.importorskip("transformers")
ALL = entry_points()
FOUND = []


def right(entry, *conventions, **how):
    """Register a right function of somebody's: the entry point, and the conventions that it follows."""

    def register(function):
        FOUND.append((entry, conventions, function.__name__, adapt(function, **{"arrays": "torch"} | how)))
        return function

    return register


def named(label, entry, function, *conventions, arguments=None, **how):
    """Register a function that needs no code of its own."""
    FOUND.append((entry, conventions, label, adapt(function, arguments, **{"arrays": "torch"} | how)))


HEADS = {"layout": {"Q": "B H T d", "K": "B G S d", "V": "B G S e", "result": "B H T e"}}
ONE = {"Q": "B 1 T d", "K": "B 1 S d", "V": "B 1 S e", "result": "B 1 T e"}
QKV = {"query": "Q", "key": "K", "value": "V"}
SDPA = F.scaled_dot_product_attention

# ---------------------------------------------------------------- PyTorch
named("torch.softmax", "softmax", torch.softmax)
named("F.log_softmax", "log_softmax", F.log_softmax, arguments={"input": "scores", "dim": -1})
named(
    "SDPA, boolean mask",
    "attention",
    SDPA,
    arguments=QKV | {"attn_mask": "mask"},
    layout=ONE | {"mask": "B 1 T S"},
)
named(
    "SDPA, additive mask",
    "attention",
    SDPA,
    arguments=QKV | {"attn_mask": "mask"},
    mask="additive",
    layout=ONE | {"mask": "B 1 T S"},
)
named(
    "SDPA, a large negative number",
    "attention",
    SDPA,
    "mean_without_any_key",
    arguments=QKV | {"attn_mask": "mask"},
    mask=lambda mask: (mask - 1.0) * 1e30,
)
named(
    "SDPA, is_causal",
    "causal_attention",
    SDPA,
    "aligned_at_the_first_key",
    arguments=QKV | {"is_causal": True},
)
named("SDPA without a mask", "chunked_attention", SDPA, arguments=QKV)
named("SDPA, enable_gqa", "grouped_query_attention", SDPA, arguments=QKV | {"enable_gqa": True}, **HEADS)
named("F.embedding", "embedding", F.embedding, arguments={"input": "ids", "weight": "table"})
named(
    "F.rms_norm",
    "rms_norm",
    F.rms_norm,
    arguments={"input": "x", "normalized_shape": lambda gain: gain.shape, "weight": "gain", "eps": "eps"},
)


@right("layer_norm", "sample_standard_deviation")
def as_in_the_annotated_transformer(x, gain, bias, eps=1e-5):
    return gain * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) + bias


@right("layer_norm", "sample_variance")
def layer_norm_of_torch_var(x, gain, bias, eps=1e-5):
    return gain * (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True) + eps).sqrt() + bias


named(
    "F.layer_norm",
    "layer_norm",
    F.layer_norm,
    arguments={
        "input": "x",
        "normalized_shape": lambda gain: gain.shape,
        "weight": "gain",
        "bias": "bias",
        "eps": "eps",
    },
)
named("F.gelu", "gelu", F.gelu)
named("F.gelu, tanh", "gelu", F.gelu, "tanh_approximation", arguments={"input": "x", "approximate": "tanh"})
named("F.silu", "silu", F.silu)
named(
    "F.cosine_similarity",
    "cosine",
    F.cosine_similarity,
    "lengths_at_least_1e_8",
    arguments={"x1": "x", "x2": "y", "dim": -1},
)
named(
    "F.cross_entropy",
    "cross_entropy",
    F.cross_entropy,
    "nan_without_any_target",
    arguments={"input": "logits", "target": "targets"},
)
named(
    "F.cross_entropy, smoothing",
    "label_smoothing",
    F.cross_entropy,
    arguments={"input": "logits", "target": "targets", "label_smoothing": "smoothing"},
)
named(
    "F.kl_div",
    "kl_divergence",
    F.kl_div,
    arguments={
        "input": lambda q_logits: q_logits.log_softmax(-1),
        "target": lambda p_logits: p_logits.log_softmax(-1),
        "reduction": "batchmean",
        "log_target": True,
    },
)
named(
    "PixelUnshuffle of one patch",
    "patchify",
    nn.functional.unfold,
    "channels_first",
    arguments={"input": "image", "kernel_size": "P", "stride": "P"},
    layout={"image": "1 c R C"},
    result=lambda out: out[0].T,
)
named(
    "F.conv2d",
    "patch_embedding",
    F.conv2d,
    arguments={
        "input": "image",
        "weight": "kernel",
        "bias": "bias",
        "stride": lambda kernel: kernel.shape[-1],
    },
    layout={"image": "1 c R C"},
    result=lambda out: out[0].flatten(1).T,
)


@right("standardize", "sample_standard_deviation")
def by_torch_std(X):
    return (X - X.mean(0)) / X.std(0)


@right("grpo_advantages", "sample_standard_deviation")
def advantages_by_torch_std(rewards, eps):
    return (rewards - rewards.mean(1, keepdim=True)) / (rewards.std(1, keepdim=True) + eps)


@right("perplexity")
def perplexity_of_cross_entropy(logits, targets):
    return F.cross_entropy(logits, targets).exp()


@right("dpo_loss")
def dpo_with_logsigmoid(chosen, rejected, ref_chosen, ref_rejected, beta):
    return -F.logsigmoid(beta * (chosen - rejected - ref_chosen + ref_rejected)).mean()


@right("multi_head_attention")
def multihead_attention_of_torch(X, W_q, W_k, W_v, W_o, num_heads):
    D, width, values = len(W_q), W_q.shape[1], W_v.shape[1]
    if not D == width == values:  # the layer has one width
        heads_of = [(X @ W).unflatten(-1, (num_heads, -1)).transpose(0, 1) for W in (W_q, W_k, W_v)]
        return SDPA(*heads_of).transpose(0, 1).flatten(1) @ W_o
    layer = nn.MultiheadAttention(D, num_heads, bias=False, dtype=X.dtype)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.cat([W_q, W_k, W_v], 1).T)
        layer.out_proj.weight.copy_(W_o.T)
        return layer(X, X, X)[0]


@right("attention_gradients")
def gradients_by_autograd(dZ, Q, K, V):
    given = [x.clone().requires_grad_() for x in (Q, K, V)]
    return torch.autograd.grad(SDPA(*given), given, dZ)


@right("rms_norm_gradients")
def norm_gradients_by_autograd(dy, x, gain, eps):
    given = [x.clone().requires_grad_(), gain.clone().requires_grad_()]
    return torch.autograd.grad(F.rms_norm(given[0], gain.shape, given[1], eps), given, dy)


@right("adamw_step")
def adamw_of_torch(w, g, m, v, t, rate, decay):
    weight = w.clone().requires_grad_()
    optimizer = torch.optim.AdamW([weight], lr=rate, betas=(0.9, 0.99), eps=1e-8, weight_decay=decay)
    weight.grad = g.clone()
    state = {"step": torch.tensor(float(t - 1)), "exp_avg": m.clone(), "exp_avg_sq": v.clone()}
    optimizer.state[weight] = state
    optimizer.step()
    return weight, state["exp_avg"], state["exp_avg_sq"]


@right("clip_grad_norm")
def clip_grad_norm_of_torch(gradient, max_norm):
    weight = torch.zeros_like(gradient, requires_grad=True)
    weight.grad = gradient.clone()
    nn.utils.clip_grad_norm_([weight], max_norm)
    return weight.grad


@right("newton_schulz")
def newton_schulz_of_torch(M, steps):
    from torch.optim._muon import _zeropower_via_newtonschulz

    return _zeropower_via_newtonschulz(M, (3.4445, -4.7750, 2.0315), steps, 1e-7)


@right("gradient_accumulation")
def micro_batches_with_autograd(gradients, token_counts):
    weight = torch.zeros(gradients.shape[1], dtype=gradients.dtype, requires_grad=True)
    for gradient, count in zip(gradients, token_counts, strict=True):
        ((weight @ gradient) * count / token_counts.sum()).backward()
    return weight.grad


@right("top_p")
def top_p_as_it_is_often_written(z, p):
    values, order = z.sort(descending=True)
    drop = values.softmax(-1).cumsum(-1) > p
    drop[1:] = drop[:-1].clone()
    drop[0] = False
    return z.masked_fill(torch.zeros_like(drop).scatter(0, order, drop), float("-inf"))


@right("tied_gradient")
def tied_gradient_by_autograd(ids, dx, h, dlogits):
    E = torch.zeros(dlogits.shape[1], dx.shape[1], dtype=dx.dtype, requires_grad=True)
    ((F.embedding(ids, E) * dx).sum() + ((h @ E.T) * dlogits).sum()).backward()
    return E.grad


# ---------------------------------------------------------------- transformers
LLAMA = transformers.models.llama.modeling_llama


@right("rms_norm")
def rms_norm_of_llama(x, gain, eps):
    norm = LLAMA.LlamaRMSNorm(len(gain), eps)
    norm.weight = nn.Parameter(gain)
    return norm(x)


@right("rms_norm", "gain_plus_one")
def rms_norm_of_gemma(x, gain, eps):
    norm = transformers.models.gemma.modeling_gemma.GemmaRMSNorm(len(gain), eps)
    norm.weight = nn.Parameter(gain)
    return norm(x)


@right("rotary", "halves")
def rotary_of_llama(Q, positions):
    return _rotated_by_llama(Q, positions, 10000.0)


@right("rotary_with_cache", "halves")
def rotary_of_llama_with_a_start(x, start, base):
    return _rotated_by_llama(x, torch.arange(start, start + len(x)), base)


def _rotated_by_llama(x, positions, base):
    d = x.shape[1]
    config = transformers.LlamaConfig(hidden_size=d, num_attention_heads=1, head_dim=d)
    config.rope_parameters = {"rope_type": "default", "rope_theta": base}
    cos, sin = LLAMA.LlamaRotaryEmbedding(config)(x[None], positions[None])
    return LLAMA.apply_rotary_pos_emb(x[None, None], x[None, None], cos, sin)[0][0, 0]


@right("rotary")
def rotary_of_gptj(Q, positions):
    module = transformers.models.gptj.modeling_gptj
    sin, cos = module.create_sinusoidal_positions(int(positions.max()) + 1, Q.shape[1])[positions].chunk(
        2, -1
    )
    return module.apply_rotary_pos_emb(Q[None, :, None], sin[None], cos[None])[0, :, 0]


@right("grouped_query_attention")
def repeated_keys_of_llama(Q, K, V):
    times = len(Q) // len(K)
    return SDPA(Q[None], LLAMA.repeat_kv(K[None], times), LLAMA.repeat_kv(V[None], times))[0]


@right("kv_cache_step")
def dynamic_cache(x, K, V, W_q, W_k, W_v):
    cache = transformers.DynamicCache()
    if len(K):
        cache.update(K[None, None], V[None, None], 0)
    keys, values = cache.update((x @ W_k)[None, None, None], (x @ W_v)[None, None, None], 0)
    return SDPA((x @ W_q)[None, None, None], keys, values)[0, 0, 0], keys[0, 0], values[0, 0]


@right("alibi_bias", "of_the_key")
def alibi_of_bloom(num_heads, length):
    module = transformers.models.bloom.modeling_bloom
    bias = module.build_alibi_tensor(torch.ones(1, length, dtype=torch.long), num_heads, torch.float64)
    return bias.view(num_heads, 1, length).expand(num_heads, length, length)


@right("gelu", "sigmoid_approximation")
def quick_gelu_of_clip(x):
    return transformers.activations.ACT2FN["quick_gelu"](x)


@right("feed_forward", "tanh_approximation")
def feed_forward_of_gpt2(x, up, down):
    act = transformers.activations.ACT2FN["gelu_new"]
    return act(x @ up["weight"] + up["bias"]) @ down["weight"] + down["bias"]


@right("gated_feed_forward")
def mlp_of_llama(x, W_gate, W_up, W_down):
    D, F_ = W_up.shape
    mlp = LLAMA.LlamaMLP(
        transformers.LlamaConfig(hidden_size=D, intermediate_size=F_, num_attention_heads=1, head_dim=2)
    ).to(x.dtype)
    for layer, W in ((mlp.gate_proj, W_gate), (mlp.up_proj, W_up), (mlp.down_proj, W_down)):
        layer.weight = nn.Parameter(W.T)
    return mlp(x)


@right("load_balancing_loss", "times_k")
def balance_loss_of_mixtral(scores, gates):
    module = transformers.models.mixtral.modeling_mixtral
    k = int((gates > 0).sum(1).max())
    return module.load_balancing_loss_func((scores,), scores.shape[1], k)


def processed(processor, z, ids=None):
    """Return the logits that a processor of transformers makes of one row."""
    ids = torch.zeros(1, 0, dtype=torch.long) if ids is None else ids[None]
    return processor(ids, z[None].clone())[0]


@right("temperature")
def temperature_of_transformers(z, T):
    return processed(transformers.TemperatureLogitsWarper(float(T)), z).softmax(-1)


@right("top_k")
def top_k_of_transformers(z, k):
    return processed(transformers.TopKLogitsWarper(k), z)


@right("top_p")
def top_p_of_transformers(z, p):
    return processed(transformers.TopPLogitsWarper(p), z)


@right("min_p")
def min_p_of_transformers(logits, p_base):
    rows = logits.reshape(-1, logits.shape[-1])
    none = torch.zeros(len(rows), 0, dtype=torch.long)
    return transformers.MinPLogitsWarper(p_base)(none, rows.clone()).reshape(logits.shape)


@right("repetition_penalty")
def repetition_penalty_of_transformers(logits, generated_ids, penalty):
    return processed(transformers.RepetitionPenaltyLogitsProcessor(float(penalty)), logits, generated_ids)


@right("bytes_to_unicode", arrays="list")
def bytes_of_tokenizers(text):
    from tokenizers.pre_tokenizers import ByteLevel

    pieces = ByteLevel(add_prefix_space=False, use_regex=False).pre_tokenize_str(text)
    return "".join(piece for piece, _ in pieces)


@right("tokenizer_round_trip", arrays="list")
def byte_level_tokenizer(text):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    vocab = {sign: number for number, sign in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer.decode(tokenizer.encode(text).ids)


# ---------------------------------------------------------------- our own library, in NumPy and PyTorch
def ours(entry, function, *conventions, arrays="numpy", **how):
    """Register a function of our library."""
    label = f"{function.__module__}.{function.__name__}"
    FOUND.append((entry, conventions, label, adapt(function, **how, arrays=arrays)))


def first(output):
    """Return the first of several outputs."""
    return output[0]


ours("attention", attention.scaled_dot_product_attention, result=first)
ours(
    "chunked_attention",
    long_attention.chunked_attention,
    arguments={"Q": "Q", "K": "K", "V": "V", "chunk": "chunk"},
)
ours("sliding_window_attention", long_attention.sliding_window_attention)
ours("linear_attention", linear_attention.linear_attention)
ours("causal_mask", masks.causal_mask)
ours("padding_mask", masks.padding_mask)
ours("sliding_window_mask", masks.sliding_window_mask)
ours("left_padded_mask", masks.causal_padding_mask)
ours("left_padded_positions", positions.padded_positions)
ours("split_heads", heads.split_heads)
ours("merge_heads", heads.merge_heads)
ours("sinusoidal_positions", positions.sinusoidal)
ours("alibi_bias", positions.alibi_bias)
ours("layer_norm", maths_layers.layer_norm)
ours("layer_norm", nets_layers.layer_norm, arrays="torch")
ours("rms_norm", nets_layers.rms_norm, arrays="torch")
ours("gelu", maths_layers.gelu)
ours("silu", maths_layers.silu)
ours("log_softmax", softmax.log_softmax)
ours("cross_entropy", losses.cross_entropy)
ours("perplexity", losses.perplexity)
ours("info_nce", losses.info_nce)
ours("dpo_loss", post_training.dpo_loss)
ours("grpo_advantages", post_training.grpo_advantages)
ours(
    "merge_lora",
    low_rank.merge_lora,
    arguments={"weight": "W", "A": "A", "B": "B", "scale": lambda A, alpha: alpha / A.shape[1]},
)
ours("top_k", sampling.top_k)
ours("top_p", sampling.top_p)
ours("min_p", sampling.min_p)
ours("top_k_gates", llama.top_k_gates)
ours("load_balancing_loss", llama.load_balancing_loss)
ours("newton_schulz", optimizers.newton_schulz)
ours("clip_grad_norm", optimizers.clip_grad_norm)
ours("beam_search", decoding.beam_search, result=first)
ours("cosine", embeddings.cosine)
ours("standardize", vectors.standardize)
ours("patchify", vision.patchify)
ours("unpatchify", vision.unpatchify)


@right("rotary", arrays="numpy")
def rotary_of_our_library(Q, positions):
    angles = positions[:, None] * frequencies(Q.shape[1])
    return apply_rotary(Q, angles)


@pytest.mark.parametrize(
    ("entry", "conventions", "label", "adapter"), FOUND, ids=[f"{e}-{n}" for e, _, n, _ in FOUND]
)
def test_no_false_alarm(entry, conventions, label, adapter):
    for seed in (0, 2026):
        found = verify(ALL[entry], adapter, seed)
        told = [each.problem for each in found.verdict.tried if not each.passed] if found.verdict else []
        assert found.passed, (found.mistake and found.mistake.name, found.explanations, told)
        assert tuple(each.name for each in found.conventions) == conventions


def test_half_of_the_entry_points_meet_a_library():
    assert len({entry for entry, *_ in FOUND}) >= 40
