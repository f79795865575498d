"""What we compute is what PyTorch's own layers and kernels compute, in float64."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from clearhead.maths import counting, layers, linear_attention, recurrent, softmax, vision
from clearhead.maths.architectures import PRESETS, BERTConfig, GPTConfig, TransformerConfig
from clearhead.nets import attention, losses, masks, positions
from clearhead.nets import layers as net_layers
from clearhead.nets import linear_attention as net_linear_attention
from clearhead.nets.heads import (
    GroupedQueryAttention,
    MultiHeadAttention,
    MultiHeadLatentAttention,
    merge_heads,
    split_heads,
)
from clearhead.nets.models import GPT, EncoderDecoder, MaskedLanguageModel, TextEncoder, VisionTransformer
from clearhead.nets.transformer import DecoderBlock, EncoderBlock, PostNormDecoderBlock, PostNormEncoderBlock
from clearhead.pretrained.convert import to_arrays

LONG, WIDE, HEADS = 5, 12, 3


def normal(*size, seed=0):
    return torch.randn(*size, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def assert_close(found, expected):
    torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-10)


def some_masks():
    """Return no mask, a causal one, one of padding, and a random one with a row of nothing."""
    random = torch.rand(2, 1, LONG, LONG, generator=torch.Generator().manual_seed(1)) < 0.5
    random[0, 0, 2] = False
    return [None, masks.causal_mask(LONG), masks.padding_mask(torch.tensor([2, 5]), LONG), random]


@pytest.mark.parametrize("mask", some_masks(), ids=["none", "causal", "padding", "random"])
def test_attention(mask):
    Q, K, V = normal(3, 2, HEADS, LONG, 4)
    expected = F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)
    assert_close(attention.scaled_dot_product_attention(Q, K, V, mask)[0], expected)
    assert_close(attention.fast_attention(Q, K, V, mask), expected)


def test_causal_attention_needs_no_mask():
    Q, K, V = normal(3, 2, HEADS, LONG, 4)
    seen, _ = attention.scaled_dot_product_attention(Q, K, V, masks.causal_mask(LONG))
    assert_close(attention.fast_attention(Q, K, V, causal=True), seen)
    padding = masks.padding_mask(torch.tensor([2, 5]), LONG)
    seen, _ = attention.scaled_dot_product_attention(Q, K, V, masks.causal_mask(LONG) & padding)
    assert_close(attention.fast_attention(Q, K, V, padding, causal=True), seen)


@pytest.mark.parametrize("leading", [(), (HEADS,), (2, HEADS)])
@pytest.mark.parametrize("causal", [False, True])
def test_the_fast_path_never_builds_the_table(leading, causal):
    """PyTorch takes its fused kernel on four axes only; with fewer it would quietly build A."""
    Q, K, V = normal(3, *leading, LONG, 4)
    with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.FLASH_ATTENTION):
        found = attention.fast_attention(Q, K, V, causal=causal)
    mask = masks.causal_mask(LONG) if causal else None
    assert_close(found, attention.scaled_dot_product_attention(Q, K, V, mask)[0])


@pytest.mark.parametrize("leading", [(), (1,), (2, 1), (3, 1, 1), (2, 1, 2, 3)])
@pytest.mark.parametrize("heads", [(), (HEADS,), (2, HEADS)])
def test_a_mask_has_two_axes_or_all_or_more(leading, heads):
    Q, K, V = normal(3, *heads, LONG, 4)
    mask = torch.rand(*leading, LONG, LONG, generator=torch.Generator().manual_seed(1)) < 0.5
    if 0 < len(leading) < len(heads):
        for attend in (attention.scaled_dot_product_attention, attention.fast_attention):
            with pytest.raises(ValueError, match=r"needs \(S,\), \(T, S\) or all 4 axes"):
                attend(Q, K, V, mask)
        return
    expected = attention.scaled_dot_product_attention(Q, K, V, mask)[0]
    assert_close(attention.fast_attention(Q, K, V, mask), expected)


@pytest.mark.parametrize(("length", "context"), [(3, 5), (5, 3)])
def test_causal_attention_when_keys_are_more_or_fewer(length, context):
    Q, K = normal(2, length, 4), normal(2, context, 4, seed=1)
    everything = torch.ones(length, context, dtype=torch.bool)
    expected = F.scaled_dot_product_attention(Q, K, K, is_causal=True)
    assert_close(attention.fast_attention(Q, K, K, everything, causal=True), expected)


@pytest.mark.parametrize("ours", ["softmax", "log_softmax", "relu", "gelu", "silu", "sigmoid"])
def test_activations(ours):
    x = normal(4, 7) * 5
    theirs = {"softmax": torch.softmax, "log_softmax": torch.log_softmax, "sigmoid": torch.sigmoid}
    expected = theirs[ours](x, -1) if "softmax" in ours else theirs.get(ours, getattr(F, ours, None))(x)
    np.testing.assert_allclose(
        getattr(softmax if "softmax" in ours else layers, ours)(x.numpy()),
        expected.numpy(),
        rtol=1e-10,
        atol=1e-12,
    )


def test_gelu_tanh():
    x = normal(4, 7) * 5
    expected = F.gelu(x, approximate="tanh").numpy()
    np.testing.assert_allclose(layers.gelu_tanh(x.numpy()), expected, rtol=1e-10, atol=1e-12)
    assert 1e-4 < abs(layers.gelu(x.numpy()) - expected).max() < 5e-4


@pytest.mark.parametrize("kind", [nn.LayerNorm, nn.RMSNorm])
def test_norms(kind):
    x, norm = normal(2, LONG, 8) * 3 + 1, kind(8, eps=1e-5).double()
    with torch.no_grad():
        norm.weight.copy_(normal(8, seed=1))
    by_hand = getattr(net_layers, {nn.LayerNorm: "layer_norm", nn.RMSNorm: "rms_norm"}[kind])
    learned = {name: torch.from_numpy(w) for name, w in to_arrays(norm).items() if name != "eps"}
    assert_close(by_hand(x, **learned), norm(x))


def as_ours(theirs):
    """Return the weights of nn.MultiheadAttention under the names of our `MultiHeadAttention`."""
    weights = theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)
    ours = {"output.weight": theirs.out_proj.weight, "output.bias": theirs.out_proj.bias}
    for name, weight, bias in zip(("query", "key", "value"), *weights, strict=True):
        ours |= {f"{name}.weight": weight, f"{name}.bias": bias}
    return ours


@pytest.mark.parametrize("mask", some_masks()[:3], ids=["none", "causal", "padding"])
def test_multi_head_attention(mask):
    x, context = normal(2, LONG, WIDE), normal(2, LONG, WIDE, seed=1)
    theirs, ours = (
        nn.MultiheadAttention(WIDE, HEADS, batch_first=True).double(),
        MultiHeadAttention(WIDE, HEADS),
    )
    nn.init.normal_(theirs.in_proj_bias)
    ours = ours.double()
    ours.load_state_dict(as_ours(theirs))
    blocked = {} if mask is None else {"attn_mask": ~mask}  # in this layer, True means blocked
    if mask is not None and mask.dim() == 4:
        blocked = {"key_padding_mask": ~mask[:, 0, 0]}
    expected, weights = theirs(x, context, context, **blocked, average_attn_weights=False)
    Z, A = ours.forward_with_weights(x, context, mask)
    assert_close(Z, expected)
    assert_close(A, weights)
    assert_close(ours(x, context, mask), expected)


def load_block(ours, theirs):
    """Copy the weights of a layer of PyTorch's transformer into our block."""
    names = {"linear1": "feed_forward.up", "linear2": "feed_forward.down", "norm1": "attention_norm"}
    if hasattr(theirs, "multihead_attn"):
        names |= {"norm2": "cross_attention_norm", "norm3": "feed_forward_norm"}
        crossing = as_ours(theirs.multihead_attn)
        cross = {f"cross_attention.{name}": weight for name, weight in crossing.items()}
    else:
        names |= {"norm2": "feed_forward_norm"}
        cross = {}
    weights = {f"attention.{name}": weight for name, weight in as_ours(theirs.self_attn).items()} | cross
    for their_name, name in names.items():
        part = getattr(theirs, their_name)
        weights |= {f"{name}.weight": part.weight, f"{name}.bias": part.bias}
    ours.load_state_dict(weights)


@pytest.mark.parametrize("activation", ["gelu", "relu"])
@pytest.mark.parametrize("pre_norm", [True, False])
def test_blocks(pre_norm, activation):
    """In both orders of norms, with causal and padding masks, in training mode (no fused kernel)."""
    how = dict(dropout=0.0, activation=activation, batch_first=True, norm_first=pre_norm)
    x, context = normal(2, LONG, WIDE), normal(2, 4, WIDE, seed=1)
    past, real = masks.causal_mask(LONG), masks.padding_mask(torch.tensor([2, 4]), 4)
    sizes = (WIDE, HEADS, 20, getattr(F, activation))

    theirs = nn.TransformerEncoderLayer(WIDE, HEADS, 20, **how).double()
    ours = (EncoderBlock if pre_norm else PostNormEncoderBlock)(*sizes).double()
    load_block(ours, theirs)
    assert_close(ours(x), theirs(x))
    assert_close(ours(x, causal=True), theirs(x, src_mask=~past))
    assert_close(ours(context, real), theirs(context, src_key_padding_mask=~real[:, 0, 0]))

    theirs = nn.TransformerDecoderLayer(WIDE, HEADS, 20, **how).double()
    ours = (DecoderBlock if pre_norm else PostNormDecoderBlock)(*sizes).double()
    load_block(ours, theirs)
    blocked = dict(tgt_mask=~past, memory_key_padding_mask=~real[:, 0, 0])
    assert_close(ours(x, context, context_mask=real, causal=True), theirs(x, context, **blocked))


def test_grouped_query_attention():
    x, ours = normal(2, LONG, WIDE), GroupedQueryAttention(WIDE, 6, 2).double()
    Q, K, V = (
        split_heads(part(x), number)
        for part, number in ((ours.query, 6), (ours.key, 2), (ours.value, 2))
    )  # fmt: skip
    Z = F.scaled_dot_product_attention(Q, K, V, enable_gqa=True)
    assert_close(ours(x, x), ours.output(merge_heads(Z)))


def test_latent_attention_is_that_of_deepseek():
    """The module of `transformers`, without its norm and with a rotary part of zeros, and its own scale."""
    deepseek = pytest.importorskip("transformers.models.deepseek_v3.modeling_deepseek_v3")
    sizes = dict(kv_lora_rank=5, qk_nope_head_dim=4, v_head_dim=4, qk_rope_head_dim=2, q_lora_rank=None)
    config = deepseek.DeepseekV3Config(
        hidden_size=WIDE, num_attention_heads=HEADS, num_key_value_heads=HEADS, **sizes
    )
    config._attn_implementation = "sdpa"  # its eager path has a softmax in float32
    theirs, ours = deepseek.DeepseekV3Attention(config, 0), MultiHeadLatentAttention(WIDE, HEADS, 5)
    theirs.kv_a_layernorm, theirs.scaling = nn.Identity(), 1 / 2
    ours, theirs, x = ours.double(), theirs.double().eval(), normal(2, LONG, WIDE)
    query, down, up = (
        layer.weight.detach() for layer in (theirs.q_proj, theirs.kv_a_proj_with_mqa, theirs.kv_b_proj)
    )
    load(ours.query, query.reshape(HEADS, 6, WIDE)[:, :4].reshape(12, WIDE))
    load(ours.down, down[:5])
    for part, layer in enumerate((ours.key, ours.value)):  # of each head: a key of 4, and a value of 4
        load(layer, up.reshape(HEADS, 2, 4, 5)[:, part].reshape(12, 5))
    load(ours.output, theirs.o_proj.weight.detach())
    nothing, past = torch.zeros(2, LONG, 2).double(), torch.ones(LONG, LONG).tril().bool()
    hidden = torch.zeros(LONG, LONG).double().masked_fill(~past, -torch.inf)[None, None]
    expected = theirs(x, (nothing, nothing), hidden)[0]
    assert_close(ours(x, x, causal=True), expected)
    assert_close(ours.absorbed(x, x, causal=True), expected)
    assert_close(ours.absorbed(x, x, mask=past), expected)


def load(layer, weight):
    layer.load_state_dict({"weight": weight})


@pytest.mark.parametrize("kind", [nn.RNN, nn.LSTM, nn.GRU])
def test_recurrent_steps(kind):
    """A sentence read step by step, against the layer that reads it at once, and the cell."""
    theirs = kind(6, 4, batch_first=True).double()
    x = normal(2, LONG, 6)
    parameters, memory = to_arrays(theirs), [np.zeros((2, 4))] * (2 if kind is nn.LSTM else 1)
    step = getattr(recurrent, f"{kind.__name__.lower()}_step")
    expected, _ = theirs(x)
    for t in range(LONG):
        after = step(x[:, t].numpy(), *memory, parameters)
        memory = list(after) if isinstance(after, tuple) else [after]
        np.testing.assert_allclose(memory[0], expected[:, t].detach().numpy(), rtol=1e-10, atol=1e-12)


def test_convolution():
    theirs, x = nn.Conv1d(6, 4, 3).double(), normal(2, LONG, 6)
    parameters = to_arrays(theirs)
    expected = theirs(x.mT).mT.detach().numpy()
    np.testing.assert_allclose(recurrent.conv1d(x.numpy(), **parameters), expected, rtol=1e-10)
    matrix = recurrent.toeplitz(parameters["weight"], LONG)
    rows = x.numpy().reshape(2, -1) @ matrix
    np.testing.assert_allclose(rows.reshape(expected.shape) + parameters["bias"], expected, rtol=1e-10)


def test_patches_are_what_a_strided_convolution_sees():
    images, convolution = normal(2, 8, 12, 3), nn.Conv2d(3, 10, kernel_size=4, stride=4).double()
    expected = convolution(images.permute(0, 3, 1, 2)).flatten(2).mT.detach()
    weight = convolution.weight.permute(2, 3, 1, 0).reshape(-1, 10)
    parameters = {"weight": weight.detach().numpy(), "bias": convolution.bias.detach().numpy()}
    found = vision.patch_embed(images.numpy(), parameters, 4)
    np.testing.assert_allclose(found, expected.numpy(), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("ignore", [-100, 2])
def test_losses(ignore):
    logits, targets = normal(2, LONG, 7), torch.tensor([[1, 2, 0, 6, 2], [2, 5, 5, 3, 4]])
    expected = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=ignore)
    assert_close(losses.cross_entropy(logits, targets, ignore), expected)
    assert_close(losses.perplexity(logits, targets, ignore), expected.exp())


def test_info_nce():
    x, y = normal(6, 4), normal(6, 4, seed=1)
    likeness = F.cosine_similarity(x[:, None], y[None], dim=-1) / 0.1
    at = torch.arange(6)
    expected = (F.cross_entropy(likeness, at) + F.cross_entropy(likeness.T, at)) / 2
    assert_close(losses.info_nce(x, y, 0.1), expected)


def test_linear_attention_is_attention_with_another_kernel():
    Q, K, V = normal(3, 2, LONG, 4)
    kernel = (F.elu(Q) + 1) @ (F.elu(K) + 1).mT
    for causal, ours in (
        (False, linear_attention.linear_attention),
        (True, linear_attention.causal_linear_attention),
    ):
        kept = kernel.tril() if causal else kernel
        expected = (kept / kept.sum(dim=-1, keepdim=True)) @ V
        np.testing.assert_allclose(ours(Q.numpy(), K.numpy(), V.numpy()), expected.numpy(), rtol=1e-10)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_features_stay_positive_far_below_zero(dtype):
    """There elu(x) + 1 rounds to 0, and a sum of zeros divides zero by zero."""
    low = torch.tensor([-80.0, -20.0, -6.5, -1.0, 0.0, 3.0])
    found = net_linear_attention.feature_map(low.to(dtype))
    torch.testing.assert_close(
        found.float(), torch.from_numpy(linear_attention.feature_map(low.numpy())), rtol=0.02, atol=0
    )
    Q, K, V = torch.full((3, 1, 4), -20.0, dtype=dtype)
    for attend in (net_linear_attention.linear_attention, net_linear_attention.causal_linear_attention):
        torch.testing.assert_close(attend(Q, K, V), V, rtol=0.02, atol=0)


def test_a_loss_in_half_precision_is_a_sum_in_single():
    logits, targets = torch.zeros(20_000, 50, dtype=torch.float16), torch.zeros(20_000, dtype=torch.long)
    found = losses.cross_entropy(logits, targets)
    torch.testing.assert_close(found, torch.tensor(50.0).log().half())


def test_sinusoidal_positions_by_their_formula():
    for t in range(4):
        for k in range(3):
            angle = torch.tensor(t / 10000 ** (2 * k / 6), dtype=torch.float64)
            row = positions.sinusoidal(4, 6)[t]
            assert_close(row[2 * k], torch.sin(angle))
            assert_close(row[2 * k + 1], torch.cos(angle))


def count(model):
    return sum(weight.numel() for weight in model.parameters())


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "GPT-3"])
def test_published_parameter_counts(name):
    """The models have the sizes that were published, made on the meta device, which holds no numbers."""
    config = PRESETS[name]
    sizes = (config.d_model, config.num_heads, config.num_layers)
    with torch.device("meta"):
        if isinstance(config, GPTConfig):
            model = GPT(config.vocab_size, config.context_length, *sizes)
        elif isinstance(config, BERTConfig):
            model = TextEncoder(config.vocab_size, config.context_length, *sizes, config.num_segments)
        elif isinstance(config, TransformerConfig):
            model = EncoderDecoder(config.vocab_size, *sizes)
        else:
            look = (config.image_size, config.patch_size, config.channels, config.num_classes)
            model = VisionTransformer(*look, *sizes)
    assert count(model) == counting.parameters(config)


def models():
    """Return one small model of each kind with inputs for it."""
    ids, generator = torch.tensor([[1, 2, 3, 4], [4, 3, 2, 1]]), torch.Generator().manual_seed(0)
    real = masks.padding_mask(torch.tensor([2, 4]), 4)
    encoder = TextEncoder(9, 6, 8, 2, 3, generator=generator)
    vision = VisionTransformer(8, 4, 1, 5, 8, 2, 3, generator=generator)
    return {
        "GPT": (GPT(9, 6, 8, 2, 3, generator=generator), (ids,)),
        "TextEncoder": (encoder, (ids, real)),
        "EncoderDecoder": (EncoderDecoder(9, 8, 2, 3, generator=generator), (ids, ids[:, :3], real)),
        "VisionTransformer": (vision, (normal(2, 8, 8, 1),)),
    }  # fmt: skip


@pytest.mark.parametrize("name", models())
def test_the_picture_is_of_the_model_that_ran(name):
    """Every attention gives by the visible path what it gave by the fast path, inside the running model."""
    model, inputs = models()[name]
    model, seen = model.double(), []

    def compare(part, given, named, output):
        Z, A = part.forward_with_weights(*given, **named)
        assert_close(Z, output)
        seen.append(A.shape)

    for part in model.modules():
        if isinstance(part, GroupedQueryAttention):
            part.register_forward_hook(compare, with_kwargs=True)
    looked = model.attention_weights(*inputs)
    looked = looked if isinstance(looked, tuple) else (looked,)
    assert sum(map(len, looked)) == len(seen) == (9 if name == "EncoderDecoder" else 3)
    assert all(maps.shape[1:3] == (2, 2) for maps in looked)


def test_attention_weights_removes_its_hooks():
    model, inputs = models()["GPT"]
    before = model(*inputs)
    maps = model.attention_weights(*inputs)
    assert maps.shape == (3, 2, 2, 4, 4)
    assert not any(part._forward_hooks for part in model.modules())
    torch.testing.assert_close(model(*inputs), before)
    with pytest.raises(ValueError, match="shorten"):
        model.attention_weights(torch.zeros(1, 7, dtype=torch.long))
    assert not any(part._forward_hooks for part in model.modules())


def test_models_start_near_even_odds_and_repeatably():
    first, second = (GPT(50, 8, 16, 2, 2, generator=torch.Generator().manual_seed(7)) for _ in range(2))
    for one, other in zip(first.parameters(), second.parameters(), strict=True):
        assert torch.equal(one, other)
    ids = torch.arange(8)[None]
    assert abs(losses.cross_entropy(first(ids), ids + 20) - np.log(50)) < 0.1


def test_masked_language_model_shares_its_table():
    encoder = TextEncoder(9, 6, 8, 2, 1)
    model = MaskedLanguageModel(encoder)
    assert count(model) == count(encoder) + 8 * 8 + 8 + 2 * 8 + 9
    assert encoder.pooled(encoder(torch.tensor([[1, 2]]))).shape == (1, 8)


def test_an_unknown_layer_is_named():
    with pytest.raises(TypeError, match="Bilinear"):
        to_arrays(nn.Sequential(nn.Bilinear(2, 2, 2)))
