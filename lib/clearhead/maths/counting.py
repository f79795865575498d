"""The number of parameters, operations and bytes of a transformer, computed from its sizes."""

from clearhead.contracts import checked

from .architectures import BERTConfig, GPTConfig, TransformerConfig, ViTConfig


@checked
def parameters(config):
    """Return the number of learned parameters of a model.

        P = Σ_part parameter_breakdown(part)

    Parameters
    ----------
    config : GPTConfig, BERTConfig, ViTConfig or TransformerConfig
        The sizes of the model.

    Returns
    -------
    count : () int
        GPT-2: 124,439,808.

    Raises
    ------
    TypeError
        If the config is of none of these kinds.
    """
    return sum(parameter_breakdown(config).values())


def parameter_breakdown(config):
    """Return the number of learned parameters of each part of a model.

        a block: 4 D² + 4 D for attention, 2 D F + F + D for feed-forward, 4 D for two norms

    Parameters
    ----------
    config : GPTConfig, BERTConfig, ViTConfig or TransformerConfig
        The sizes of the model.

    Returns
    -------
    parts : dict of str to int
        What is shared (an output layer that is the embedding table) is counted once.

    Raises
    ------
    TypeError
        If the config is of none of these kinds.
    """
    return _for_kind(config, _gpt_breakdown, _bert_breakdown, _vit_breakdown, _transformer_breakdown)(config)


def _gpt_breakdown(config):
    D = config.d_model
    embeddings = {"token embeddings": config.vocab_size * D, "position embeddings": config.context_length * D}
    return embeddings | _blocks(config) | {"final norm": 2 * D}


def _bert_breakdown(config):
    D = config.d_model
    return {
        "token embeddings": config.vocab_size * D,
        "position embeddings": config.context_length * D,
        "segment embeddings": config.num_segments * D,
        "embedding norm": 2 * D,
        **_blocks(config),
        "pooling": D * D + D,
    }


def _vit_breakdown(config):
    D = config.d_model
    return {
        "patch embedding": config.channels * config.patch_size**2 * D + D,
        "class token": D,
        "position embeddings": config.context_length * D,
        **_blocks(config),
        "final norm": 2 * D,
        "output": D * config.num_classes + config.num_classes,
    }


def _transformer_breakdown(config):
    D, L, F = config.d_model, config.num_layers, config.d_ff
    feed_forward = 2 * D * F + F + D
    return {
        "token embeddings": config.vocab_size * D,
        "encoder attention": L * 4 * D * D,
        "encoder feed-forward": L * feed_forward,
        "encoder norms": L * 4 * D,
        "decoder self-attention": L * 4 * D * D,
        "decoder cross-attention": L * 4 * D * D,
        "decoder feed-forward": L * feed_forward,
        "decoder norms": L * 6 * D,
    }


def _blocks(config):
    D, L, F = config.d_model, config.num_layers, config.d_ff
    return {
        "attention": L * (4 * D * D + 4 * D),
        "feed-forward": L * (2 * D * F + F + D),
        "block norms": L * 4 * D,
    }


@checked
def flops_breakdown(config, length=None):
    """Return the number of floating-point operations of each part of a forward pass over n tokens.

        L blocks: 8 n D² L for projections, 4 n² D L for attention, 4 n D F L for feed-forward

    Parameters
    ----------
    config : GPTConfig, BERTConfig, ViTConfig or TransformerConfig
        The sizes of the model.
    length : () int T from 0, optional
        How many tokens (n); the longest that the model can take if it is not given. An encoder-decoder
        reads n and writes n.

    Returns
    -------
    parts : dict of str to int
        "attention" is what grows with n²: scores and mixing. It counts every pair, masked or not, and
        equals the other two together where n = 2 D + F: 6 D with F = 4 D.

    Raises
    ------
    TypeError
        If the config is of none of these kinds.
    """
    count = _for_kind(config, _gpt_flops, _bert_flops, _vit_flops, _transformer_flops)
    return count(config, config.context_length if length is None else length)


def _gpt_flops(config, n):
    return _block_flops(config, n) | {"output": 2 * n * config.d_model * config.vocab_size}


def _bert_flops(config, n):
    return _block_flops(config, n) | {"pooling": 2 * config.d_model**2}


def _vit_flops(config, n):
    patch = config.channels * config.patch_size**2
    return {
        "patch embedding": 2 * (n - 1) * patch * config.d_model,
        **_block_flops(config, n),
        "output": 2 * config.d_model * config.num_classes,
    }


def _transformer_flops(config, n):
    one = _block_flops(config, n)
    stacks = {"projections": 3, "attention": 3, "feed-forward": 2}  # the decoder attends twice a block
    blocks = {part: times * one[part] for part, times in stacks.items()}
    return blocks | {"output": 2 * n * config.d_model * config.vocab_size}


def _block_flops(config, n):
    D, L, F = config.d_model, config.num_layers, config.d_ff
    return {
        "projections": L * 8 * n * D * D,
        "attention": L * 4 * n * n * D,
        "feed-forward": L * 4 * n * D * F,
    }


@checked
def kv_cache_bytes(config, length, bytes_per_element=2):
    """Return the size in bytes of the key-value cache with which a decoder avoids recomputing the past.

        2 L n D bytes: a key and a value for each layer and token

    Parameters
    ----------
    config : GPTConfig
        The sizes of the model.
    length : () int T from 0
        How many tokens (n) are kept.
    bytes_per_element : () int from 1, optional
        2 for half precision, 4 for single.

    Returns
    -------
    count : () int
        GPT-2 keeps 36,864 bytes a token.

    Raises
    ------
    TypeError
        If the model is not decoder-only.
    """
    return 2 * config.num_layers * length * config.d_model * bytes_per_element


@checked
def attention_bytes(length, num_heads=1, bytes_per_element=4):
    """Return the size in bytes of the attention weights of one layer, if all are in memory at once.

        H n² bytes

    Parameters
    ----------
    length : () int T from 0
        How many tokens (n).
    num_heads : () int H from 1, optional
        How many heads (H).
    bytes_per_element : () int from 1, optional
        4 for single precision, 2 for half.

    Returns
    -------
    count : () int
        One head of 4,096 tokens: 67,108,864 bytes.
    """
    return num_heads * length**2 * bytes_per_element


def _for_kind(config, gpt, bert, vit, transformer):
    """Return the counting function for this kind of model."""
    kinds = {GPTConfig: gpt, BERTConfig: bert, ViTConfig: vit, TransformerConfig: transformer}
    if type(config) not in kinds:
        names = ", ".join(kind.__name__ for kind in kinds)
        raise TypeError(f'Give one of {names}, got {type(config).__name__}: preset("GPT-2") makes one.')
    return kinds[type(config)]
