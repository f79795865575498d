"""The correspondence between tensors of published models and ours: names in `transformers`, and layouts."""

from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Way:
    """The layout of a tensor in a file: `write` makes it from our tensors, and `read` is the inverse."""

    read: object
    write: object


AS_IS = Way(lambda theirs: [theirs], lambda ours: ours)
TRANSPOSED = Way(lambda theirs: [theirs.mT], lambda ours: ours.mT)
JOINED = Way(lambda theirs: theirs.chunk(3), lambda *ours: torch.cat(ours))
JOINED_TRANSPOSED = Way(
    lambda theirs: [part.mT for part in theirs.chunk(3, dim=1)],
    lambda *ours: torch.cat([part.mT for part in ours], dim=1),
)
ONE_MORE_AXIS = Way(lambda theirs: [theirs[0]], lambda ours: ours[None])
TWO_MORE_AXES = Way(lambda theirs: [theirs[0, 0]], lambda ours: ours[None, None])


def patches(patch_size):
    """Return the layout of ViT's first layer, a convolution (D, c, P, P) there and linear (D, P P c) here."""
    P = patch_size
    return Way(
        lambda theirs: [theirs.permute(0, 2, 3, 1).flatten(1)],
        lambda ours: ours.reshape(len(ours), P, P, -1).permute(0, 3, 1, 2),
    )


def pair(theirs, ours, way=AS_IS):
    """Return the entries of a layer that has a weight and a bias."""
    return {f"{theirs}.weight": ((f"{ours}.weight",), way), f"{theirs}.bias": ((f"{ours}.bias",), AS_IS)}


def gpt2(model):
    """Return a dict from the name of each tensor of GPT-2 to the names of our tensors in it, and its layout.

    Parameters
    ----------
    model : GPT

    Returns
    -------
    entries : dict
        Their name -> (our names, `Way`). GPT-2's "Conv1D" is a linear map that is stored as (in, out), and
        its c_attn holds query, key and value side by side.
    """
    entries = {
        "wte.weight": (("tokens.weight",), AS_IS),
        "wpe.weight": (("positions.weight",), AS_IS),
    } | pair("ln_f", "norm")
    for i in range(len(model.blocks)):
        block, attention = (
            f"blocks.{i}",
            [f"blocks.{i}.attention.{part}" for part in ("query", "key", "value")],
        )
        entries |= pair(f"h.{i}.ln_1", f"{block}.attention_norm")
        entries[f"h.{i}.attn.c_attn.weight"] = tuple(f"{n}.weight" for n in attention), JOINED_TRANSPOSED
        entries[f"h.{i}.attn.c_attn.bias"] = tuple(f"{n}.bias" for n in attention), JOINED
        entries |= pair(f"h.{i}.attn.c_proj", f"{block}.attention.output", TRANSPOSED)
        entries |= pair(f"h.{i}.ln_2", f"{block}.feed_forward_norm")
        entries |= pair(f"h.{i}.mlp.c_fc", f"{block}.feed_forward.up", TRANSPOSED)
        entries |= pair(f"h.{i}.mlp.c_proj", f"{block}.feed_forward.down", TRANSPOSED)
    return entries


def bert(model):
    """Return a dict from the name of each tensor of BERT to the names of our tensors in it, and its layout.

    Parameters
    ----------
    model : TextEncoder or MaskedLanguageModel

    Returns
    -------
    entries : dict
        Their name -> (our names, `Way`).
    """
    masked = hasattr(model, "encoder")
    encoder, ours = (model.encoder, "encoder.") if masked else (model, "")
    entries = pair("embeddings.LayerNorm", f"{ours}norm")
    for theirs, table in (("word", "tokens"), ("position", "positions"), ("token_type", "segments")):
        entries[f"embeddings.{theirs}_embeddings.weight"] = ((f"{ours}{table}.weight",), AS_IS)
    for i in range(len(encoder.blocks)):
        layer, block = f"encoder.layer.{i}", f"{ours}blocks.{i}"
        for part in ("query", "key", "value"):
            entries |= pair(f"{layer}.attention.self.{part}", f"{block}.attention.{part}")
        entries |= pair(f"{layer}.attention.output.dense", f"{block}.attention.output")
        entries |= pair(f"{layer}.attention.output.LayerNorm", f"{block}.attention_norm")
        entries |= pair(f"{layer}.intermediate.dense", f"{block}.feed_forward.up")
        entries |= pair(f"{layer}.output.dense", f"{block}.feed_forward.down")
        entries |= pair(f"{layer}.output.LayerNorm", f"{block}.feed_forward_norm")
    if encoder.pool is not None:
        entries |= pair("pooler.dense", f"{ours}pool")
    if masked:
        entries |= pair("cls.predictions.transform.dense", "transform")
        entries |= pair("cls.predictions.transform.LayerNorm", "norm")
        entries["cls.predictions.bias"] = (("bias",), AS_IS)
    return entries


def vit(model):
    """Return a dict from the name of each tensor of ViT to the names of our tensors in it, and its layout.

    Parameters
    ----------
    model : VisionTransformer

    Returns
    -------
    entries : dict
        Their name -> (our names, `Way`). Our pixels have their channel last, theirs first.
    """
    entries = {
        "embeddings.cls_token": (("cls",), TWO_MORE_AXES),
        "embeddings.position_embeddings": (("positions.weight",), ONE_MORE_AXIS),
    } | pair("embeddings.patch_embeddings.projection", "patches", patches(model.patch_size))
    for i in range(len(model.blocks)):
        layer, block = f"encoder.layer.{i}", f"blocks.{i}"
        for part in ("query", "key", "value"):
            entries |= pair(f"{layer}.attention.attention.{part}", f"{block}.attention.{part}")
        entries |= pair(f"{layer}.attention.output.dense", f"{block}.attention.output")
        entries |= pair(f"{layer}.layernorm_before", f"{block}.attention_norm")
        entries |= pair(f"{layer}.layernorm_after", f"{block}.feed_forward_norm")
        entries |= pair(f"{layer}.intermediate.dense", f"{block}.feed_forward.up")
        entries |= pair(f"{layer}.output.dense", f"{block}.feed_forward.down")
    entries |= pair("layernorm", "norm")
    return entries | (pair("classifier", "head") if hasattr(model.head, "weight") else {})


LAYOUTS = {"gpt2": gpt2, "bert": bert, "vit": vit}
WRAPPERS = ("_orig_mod.", "module.", "_orig_mod.")  # prefixes of compiled and of distributed models
PREFIXES = {"gpt2": "transformer.", "bert": "bert.", "vit": "vit."}

# Regular expressions for known tensors that are ignored: masks and counters, which are not learned, and
# learned parts that our models do not have.
LEFT_OUT = {
    "gpt2": (r"h\.\d+\.attn\.bias", r"h\.\d+\.attn\.masked_bias"),  # causal masks
    "bert": (
        r"embeddings\.position_ids",  # 0, 1, 2, ...
        r"embeddings\.token_type_ids",  # zeros
        r"cls\.seq_relationship\.(weight|bias)",  # whether one sentence follows another
    ),
    "vit": (
        r"pooler\.dense\.(weight|bias)",  # one more layer on the class token, which only ViTModel has
        r"embeddings\.mask_token",  # for training on masked patches
    ),
}

# Tensors that a file may hold twice; both copies must be equal, because our models have only one of them.
TIED = {
    "gpt2": {"lm_head.weight": "wte.weight"},
    "bert": {
        "cls.predictions.decoder.weight": "embeddings.word_embeddings.weight",
        "cls.predictions.decoder.bias": "cls.predictions.bias",
    },
    "vit": {},
}


def plain_name(layout, name):
    """Return a tensor's name without prefixes, and with the newer names of a norm's gain and bias."""
    for wrapper in WRAPPERS:
        name = name.removeprefix(wrapper)
    name = name.removeprefix(PREFIXES[layout])
    return name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")


def full_name(layout, name, prefixed):
    """Return the name under which `transformers` writes a tensor, with a prefix if `prefixed` is true."""
    headless = name.startswith(("cls.", "classifier."))
    return PREFIXES[layout] + name if prefixed and not headless else name
