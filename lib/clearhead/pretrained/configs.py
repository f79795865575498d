"""Conversion between the config.json of a published model and our model of the same sizes."""

import json
import math

import torch
from torch import nn

from clearhead.nets.layers import gelu, gelu_tanh, relu
from clearhead.nets.models import GPT, MaskedLanguageModel, TextEncoder, VisionTransformer

ACTIVATIONS = {"gelu_new": gelu_tanh, "gelu_pytorch_tanh": gelu_tanh, "gelu": gelu, "relu": relu}

# The allowed values in config.json for parts that our models have in one form only; a missing key means this
# form.
ONLY = {
    "gpt2": {
        "tie_word_embeddings": (True,),
        "scale_attn_weights": (True,),
        "scale_attn_by_inverse_layer_idx": (False,),
        "add_cross_attention": (False,),
    },
    "bert": {
        "hidden_act": ("gelu",),
        "position_embedding_type": ("absolute",),
        "tie_word_embeddings": (True,),
        "is_decoder": (False,),
        "add_cross_attention": (False,),
    },
    "vit": {"hidden_act": ("gelu",), "qkv_bias": (True,)},
}


def build(layout, config, names):
    """Return a model with the sizes in a config.json, without weights, on PyTorch's meta device.

    Parameters
    ----------
    layout : str
        "gpt2", "bert" or "vit".
    config : dict
        The contents of config.json.
    names : set of str
        The names of the tensors in the file, without prefixes. They show whether there is a head or a pooler.

    Returns
    -------
    model : GPT, TextEncoder, MaskedLanguageModel or VisionTransformer

    Raises
    ------
    ValueError
        If a size is missing, or config.json describes a model that ours cannot be.
    """
    config = _Config(config)
    if config.get("model_type", layout) != layout:
        raise ValueError(
            f"config.json says model_type = {config['model_type']!r}, but {layout!r} was asked for: the same "
            "names of tensors may mean something else there."
        )
    for key, allowed in ONLY[layout].items():
        if config.get(key, allowed[0]) not in allowed:
            raise ValueError(
                f"config.json says {key} = {config[key]!r}, but our {layout} can only have {allowed[0]!r}."
            )
    with torch.device("meta"):
        model, epsilon = BUILDERS[layout](config, names)
    for part in model.modules():
        if isinstance(part, nn.LayerNorm):
            part.eps = epsilon
    return model


def read(path):
    """Return the contents of a config.json as a dict.

    Parameters
    ----------
    path : pathlib.Path
        The file, which may begin with a byte order mark.

    Returns
    -------
    config : dict

    Raises
    ------
    ValueError
        If the file is not JSON, or does not hold an object.
    """
    try:
        config = json.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise ValueError(f"{path} is not a whole JSON file: {error}.") from error
    if not isinstance(config, dict):
        raise ValueError(f"{path} must hold an object with names and values, got a {type(config).__name__}.")
    return config


class _Config(dict):
    """The contents of a config.json, with clear errors for keys that are missing or not numbers."""

    def __missing__(self, key):
        raise ValueError(f"config.json does not say {key}: is it the config of this model?")

    def whole(self, *keys):
        """Return a list of the sizes under some keys, which must be positive integers."""
        for key in keys:
            value = self[key]
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise ValueError(f"config.json says {key} = {value!r}, and it must be an integer above 0.")
        return [self[key] for key in keys]

    def size(self, key, default=None):
        """Return the size under a key, or the default if it is missing or null."""
        return default if self.get(key) is None else self.whole(key)[0]

    def side(self, key):
        """Return the side of a square, which may be given as a list of two equal sides."""
        value = self[key]
        if isinstance(value, list) and len(value) == 2 and value[0] == value[1]:
            return _Config({key: value[0]}).whole(key)[0]
        if isinstance(value, list):
            raise ValueError(f"config.json says {key} = {value!r}, but our vit has squares only.")
        return self.whole(key)[0]

    def epsilon(self, key, default):
        """Return the epsilon of the norms, which must be a finite number of at least 0."""
        value = self.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
            raise ValueError(f"config.json says {key} = {value!r}, which must be a number of at least 0.")
        return value


def _gpt2(config, names):
    activation = config.get("activation_function", "gelu_new")
    if not isinstance(activation, str) or activation not in ACTIVATIONS:
        raise ValueError(
            f"config.json says activation_function = {activation!r}; we have {', '.join(ACTIVATIONS)}."
        )
    sizes = config.whole("vocab_size", "n_positions", "n_embd", "n_head", "n_layer")
    model = GPT(*sizes, activation=ACTIVATIONS[activation], d_ff=config.size("n_inner"))
    return model, config.epsilon("layer_norm_epsilon", 1e-5)


def _bert(config, names):
    wanted = (
        "vocab_size",
        "max_position_embeddings",
        "hidden_size",
        "num_attention_heads",
        "num_hidden_layers",
    )
    segments, (d_ff,) = config.size("type_vocab_size", 2), config.whole("intermediate_size")
    model = TextEncoder(*config.whole(*wanted), num_segments=segments, d_ff=d_ff)
    if not any(name.startswith("pooler.") for name in names):
        model.pool = None
    if any(name.startswith("cls.predictions.") for name in names):
        model = MaskedLanguageModel(model)
    return model, config.epsilon("layer_norm_eps", 1e-12)


def _vit(config, names):
    labels = config.get("id2label")
    if labels is not None and not isinstance(labels, dict):
        raise ValueError(f"config.json says id2label = {labels!r}, which must name each class by its number.")
    classes = len(labels) if labels is not None else config.size("num_labels", 2)
    wanted = "hidden_size", "num_attention_heads", "num_hidden_layers"
    sides = config.side("image_size"), config.side("patch_size")
    (d_ff,) = config.whole("intermediate_size")
    channels = config.size("num_channels", 3)
    model = VisionTransformer(*sides, channels, classes, *config.whole(*wanted), d_ff=d_ff)
    if not any(name.startswith("classifier.") for name in names):
        model.head = nn.Identity()  # the model then gives the normed class token (B, D)
    return model, config.epsilon("layer_norm_eps", 1e-12)


BUILDERS = {"gpt2": _gpt2, "bert": _bert, "vit": _vit}


def describe(model):
    """Return the layout of a model, the contents of its config.json, and whether its names have a prefix.

    Parameters
    ----------
    model : GPT, TextEncoder, MaskedLanguageModel or VisionTransformer

    Returns
    -------
    layout, config, prefixed : str, dict, bool

    Raises
    ------
    TypeError
        If the model is of another kind, or has no blocks.
    """
    kind = type(model)
    if kind not in DESCRIPTIONS:
        known = ", ".join(each.__name__ for each in DESCRIPTIONS)
        raise TypeError(f"Only {known} can be saved in a published layout, got {kind.__name__}.")
    body = getattr(model, "encoder", model)
    if not len(body.blocks):
        raise TypeError("A model without blocks cannot be saved: nothing tells its number of heads.")
    layout, architecture, sizes = DESCRIPTIONS[kind](model)
    dtype = str(body.norm.weight.dtype).removeprefix("torch.")
    config = {"architectures": [architecture], "model_type": layout, "dtype": dtype} | sizes
    return layout, config, not architecture.endswith("Model") or layout == "gpt2"


def _say_gpt(model):
    activation = model.blocks[0].feed_forward.activation
    names = [name for name, function in ACTIVATIONS.items() if function is activation]
    if not names:
        raise TypeError(f"The layout of gpt2 has no name for the activation {activation}.")
    (vocab_size, d_model), n_positions = model.tokens.weight.shape, len(model.positions.weight)
    sizes = dict(vocab_size=vocab_size, n_positions=n_positions, n_embd=d_model, n_layer=len(model.blocks))
    sizes |= dict(n_head=model.blocks[0].attention.num_heads, activation_function=names[0])
    sizes |= dict(n_inner=_width(model), layer_norm_epsilon=model.norm.eps)
    return "gpt2", "GPT2LMHeadModel", sizes


def _width(model):
    """Return the width of the feed-forward layers of a model."""
    return model.blocks[0].feed_forward.up.out_features


def _say_shared(model):
    return dict(
        hidden_size=model.norm.weight.shape[0],
        intermediate_size=_width(model),
        num_hidden_layers=len(model.blocks),
        num_attention_heads=model.blocks[0].attention.num_heads,
        layer_norm_eps=model.norm.eps,
        hidden_act="gelu",
    )


def _say_bert(model):
    body = getattr(model, "encoder", model)
    tables = dict(
        vocab_size=body.tokens, max_position_embeddings=body.positions, type_vocab_size=body.segments
    )
    sizes = {key: table.weight.shape[0] for key, table in tables.items()}
    return "bert", "BertModel" if body is model else "BertForMaskedLM", _say_shared(body) | sizes


def _say_vit(model):
    P = model.patch_size
    sizes = dict(image_size=model.image_size, patch_size=P, qkv_bias=True)
    sizes |= dict(num_channels=model.patches.weight.shape[1] // P**2)
    if isinstance(model.head, nn.Identity):
        return "vit", "ViTModel", _say_shared(model) | sizes
    labels = {str(i): f"LABEL_{i}" for i in range(model.head.weight.shape[0])}
    sizes |= dict(id2label=labels, label2id={label: int(i) for i, label in labels.items()})
    return "vit", "ViTForImageClassification", _say_shared(model) | sizes


DESCRIPTIONS = {
    GPT: _say_gpt,
    TextEncoder: _say_bert,
    MaskedLanguageModel: _say_bert,
    VisionTransformer: _say_vit,
}
