"""Published sizes, to the last number; and the formulas against models built without memory."""

from dataclasses import replace

import pytest
import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from clearhead.maths.architectures import PRESETS, BERTConfig, GPTConfig, TransformerConfig, ViTConfig, preset
from clearhead.maths.counting import (
    attention_bytes,
    flops_breakdown,
    kv_cache_bytes,
    parameter_breakdown,
    parameters,
)

PUBLISHED = {
    "GPT-2": 124_439_808,
    "GPT-2 medium": 354_823_168,
    "GPT-2 large": 774_030_080,
    "GPT-2 XL": 1_557_611_200,
    "GPT-3": 174_604_259_328,
    "BERT-base": 109_482_240,
    "BERT-large": 335_141_888,
    "ViT-B/16": 86_567_656,
    "ViT-L/16": 304_326_632,
    "ViT-H/14": 632_045_800,
}


def blocks(config, kind=nn.TransformerEncoderLayer):
    sizes = config.d_model, config.num_heads, config.d_ff
    return nn.ModuleList([kind(*sizes, dropout=0.0, batch_first=True) for _ in range(config.num_layers)])


def in_torch(config):
    """Return the same model made of PyTorch's own parts, on whatever device is the default."""
    D = config.d_model
    if isinstance(config, GPTConfig):
        return [
            nn.Embedding(config.vocab_size, D),
            nn.Embedding(config.context_length, D),
            blocks(config),
            nn.LayerNorm(D),
        ]
    if isinstance(config, BERTConfig):
        tables = [
            nn.Embedding(rows, D) for rows in (config.vocab_size, config.context_length, config.num_segments)
        ]
        return [*tables, nn.LayerNorm(D), blocks(config), nn.Linear(D, D)]
    if isinstance(config, ViTConfig):
        size = config.patch_size
        front = [nn.Conv2d(config.channels, D, size, stride=size), nn.Embedding(config.context_length, D)]
        return [*front, nn.Embedding(1, D), blocks(config), nn.LayerNorm(D), nn.Linear(D, config.num_classes)]
    stacks = [blocks(config), blocks(config, nn.TransformerDecoderLayer)]
    return [nn.Embedding(config.vocab_size, D), *stacks]


def count(modules, skip=()):
    return sum(
        p.numel()
        for module in modules
        for name, p in module.named_parameters()
        if not name.endswith(tuple(skip))
    )


@pytest.mark.parametrize(("name", "published"), PUBLISHED.items())
def test_published_sizes(name, published):
    assert parameters(preset(name)) == published


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "GPT-3"])
def test_formulas_equal_models_of_pytorch_parts(name):
    config = preset(name)
    paper_has_no = ("in_proj_bias", "out_proj.bias") if isinstance(config, TransformerConfig) else ()
    with torch.device("meta"):
        assert count(in_torch(config), skip=paper_has_no) == parameters(config)


def test_original_transformer_size_agrees_with_its_paper():
    # Table 3 says 65 and 213 million for a vocabulary of "about 37000".
    """The first transformer is within a few percent of its table."""
    assert parameters(preset("Transformer base")) == 63_045_632
    assert parameters(preset("Transformer base")) == pytest.approx(65e6, rel=0.04)
    assert parameters(preset("Transformer big")) == pytest.approx(213e6, rel=0.01)


def test_parameter_breakdown_sums_to_total():
    """The parameter breakdown sums to the total and GPT-3 is all blocks."""
    for config in PRESETS.values():
        assert sum(parameter_breakdown(config).values()) == parameters(config)
        assert all(isinstance(part, int) and part > 0 for part in parameter_breakdown(config).values())
    parts = parameter_breakdown(preset("GPT-3"))
    share = (parts["attention"] + parts["feed-forward"] + parts["block norms"]) / sum(parts.values())
    assert round(share, 3) == 0.996


def test_sizes_do_not_hide_each_other():
    """Change one size at a time: the count follows a model of PyTorch parts of the same odd sizes."""
    base = GPTConfig(d_model=6, num_heads=3, num_layers=2, vocab_size=11, context_length=7)
    sizes = {"d_model": 9, "num_layers": 5, "vocab_size": 13, "context_length": 4, "d_ff": 10}
    for change in ({}, *({name: size} for name, size in sizes.items())):
        config = replace(base, **change)
        assert parameters(config) == count(in_torch(config))
    assert parameters(replace(base, num_heads=1)) == parameters(base)


def flops(*given):
    return sum(flops_breakdown(*given).values())


def counted_by_torch(call):
    # The fused kernel of the CPU is not counted, so ask for the plain one.
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops()


@pytest.mark.parametrize("kind", [GPTConfig, BERTConfig, ViTConfig, TransformerConfig])
def test_the_feed_forward_layer_may_be_of_any_width(kind):
    sizes = dict(d_model=12, num_heads=3, num_layers=2)
    sizes |= dict(patch_size=2, image_size=6) if kind is ViTConfig else dict(vocab_size=17, context_length=8)
    assert kind(**sizes) == kind(**sizes, d_ff=48)
    narrow = kind(**sizes, d_ff=7)
    skip = ["in_proj_bias", "out_proj.bias"] if kind is TransformerConfig else []
    assert parameters(narrow) == count(in_torch(narrow), skip)


@pytest.mark.parametrize("d_ff", [None, 30])
@pytest.mark.parametrize("length", [5, 8])
def test_operations_equal_those_that_pytorch_counts(length, d_ff):
    config = GPTConfig(d_model=12, num_heads=3, num_layers=2, vocab_size=17, context_length=8, d_ff=d_ff)
    x = torch.zeros(1, length, 12)
    layers, output = blocks(config).train(), nn.Linear(12, 17)
    once = counted_by_torch(lambda: output(layers[1](layers[0](x))))
    assert flops(config, length) == once
    assert flops(config) == flops(config, 8)


def test_operations_of_the_other_kinds_equal_those_that_pytorch_counts():
    bert = BERTConfig(d_model=12, num_heads=3, num_layers=1, vocab_size=17, context_length=8)
    x = torch.zeros(1, 8, 12)
    assert flops(bert) == counted_by_torch(lambda: nn.Linear(12, 12)(blocks(bert)[0](x)[:, 0]))
    vit = ViTConfig(
        d_model=12, num_heads=3, num_layers=1, patch_size=2, image_size=6, channels=3, num_classes=5
    )
    x, image = torch.zeros(1, 10, 12), torch.zeros(1, 3, 6, 6)
    assert vit.context_length == 10
    assert parameters(vit) == count(in_torch(vit))
    assert parameters(bert) == count(in_torch(bert))
    assert flops(vit) == counted_by_torch(
        lambda: (nn.Conv2d(3, 12, 2, stride=2)(image), nn.Linear(12, 5)(blocks(vit)[0](x)[:, 0]))
    )
    both = TransformerConfig(d_model=12, num_heads=3, num_layers=1, vocab_size=17)
    x = torch.zeros(1, 7, 12)
    decoder = blocks(both, nn.TransformerDecoderLayer)[0]
    assert flops(both, 7) == counted_by_torch(lambda: nn.Linear(12, 17)(decoder(x, blocks(both)[0](x))))


def test_the_quadratic_share():
    config = preset("GPT-2")

    def share(n):
        parts = flops_breakdown(config, n)
        return parts["attention"] / (parts["attention"] + parts["projections"] + parts["feed-forward"])

    assert [round(100 * share(n), 1) for n in (15, 30, 1024, 4608, 100_000)] == [0.3, 0.6, 18.2, 50.0, 95.6]
    blocks_of = [
        sum(v for part, v in flops_breakdown(config, n).items() if part != "output") for n in (15, 30)
    ]
    assert round(blocks_of[1] / blocks_of[0], 3) == 2.006


def test_bytes_by_hand():
    assert kv_cache_bytes(preset("GPT-2"), 1) == 36_864
    assert kv_cache_bytes(preset("GPT-2"), 1024) == 37_748_736
    assert kv_cache_bytes(preset("GPT-3"), 2048) == 9_663_676_416
    assert kv_cache_bytes(preset("GPT-2"), 1, bytes_per_element=4) == 73_728
    assert attention_bytes(4096) == 67_108_864
    assert attention_bytes(15) * 4 == attention_bytes(30)
    assert attention_bytes(15, num_heads=3, bytes_per_element=2) == 1350


@pytest.mark.parametrize("function", [parameters, parameter_breakdown, flops_breakdown])
def test_an_unknown_config_is_refused(function):
    with pytest.raises(TypeError, match="got dict"):
        function({"d_model": 3})


def test_clear_errors():
    with pytest.raises(TypeError, match="config must be a GPTConfig, got ViTConfig"):
        kv_cache_bytes(preset("ViT-B/16"), 3)
    with pytest.raises(ValueError, match="no model 'GPT-9'"):
        preset("GPT-9")
    with pytest.raises(ValueError, match="10 columns cannot be divided among 3 heads"):
        GPTConfig(d_model=10, num_heads=3, num_layers=1, vocab_size=5, context_length=5)
    with pytest.raises(ValueError, match="225 pixels cannot be cut into patches of 16"):
        replace(preset("ViT-B/16"), image_size=225)
