"""Modules with random weights, for tests that compare them with their twins in NumPy."""

import inspect

import torch

from support.shape_tables import SIZES


def build(kind, seed=0):
    """Return a module of a kind, in float64, every weight of it random."""
    wanted = [p.name for p in inspect.signature(kind).parameters.values() if p.default is p.empty]
    module = kind(**{name: SIZE[name] for name in wanted}).double()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in module.parameters():
            weight.copy_(torch.randn(weight.shape, generator=generator, dtype=torch.float64) / 2)
    return module


SQUARE = {"R": 12, "C": 12}
SIZE = dict(
    context_length=7, image_size=12, channels=SIZES["c"], num_classes=SIZES["V"], vocab_size=SIZES["V"],
    num_layers=SIZES["L"], num_heads=SIZES["H"], num_groups=SIZES["G"], d_model=SIZES["D"], d_ff=SIZES["F"],
    patch_size=SIZES["P"], num_patches=SIZES["S"], patch_width=SIZES["F"], num_answers=SIZES["e"],
    rank=SIZES["r"], num_features=SIZES["F"], num_active=2,
)  # fmt: skip


def signature_of(module):
    return inspect.signature(module.forward).parameters
