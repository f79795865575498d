"""On a graphics card, all models, losses, caches and samplers give what they give on a CPU.

Each case runs twice, on the CPU in float64 and on the device in float64, float32 or bfloat16, from the same
numbers, and both results and gradients are compared. Without a card all of it is skipped, unless
`CLEARHEAD_DEVICE=cpu` asks for the CPU in its place: then the tests themselves are tested.
"""

import importlib
import inspect
import itertools
import os
import pkgutil
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

import clearhead.nets
from clearhead import training
from clearhead.maths import sampling
from clearhead.maths.decoding import beam_search, generate
from clearhead.nets.arrays import to_array, to_tensor
from clearhead.nets.attention import (
    fast_attention,
    nadaraya_watson,
    scaled_dot_product_attention,
    soft_lookup,
    with_causal_mask,
)
from clearhead.nets.cache import KeyValueCache, cached_step
from clearhead.nets.circuits import AttentionOnly, hidden_states
from clearhead.nets.diffusion import (
    AdaptiveEncoderBlock,
    ConvolutionalDenoiser,
    Denoiser,
    DiffusionTransformer,
    NoiseAndClass,
    adaptive_layer_norm,
    add_noise,
    classifier_free_guidance,
    denoising_loss,
    euler_step,
    optimal_denoiser,
    score_from_denoiser,
)
from clearhead.nets.gpt_variant import (
    MODERN,
    CausalAttention,
    GatedFeedForward,
    GPTVariant,
    GPTVariantBlock,
    GPTVariantConfig,
    scale_residual_init,
)
from clearhead.nets.heads import (
    GroupedQueryAttention,
    MultiHeadAttention,
    attention_weights,
    merge_heads,
    split_heads,
)
from clearhead.nets.layers import (
    Embedding,
    embed,
    gelu,
    gelu_tanh,
    layer_norm,
    linear,
    relu,
    rms_norm,
    silu,
)
from clearhead.nets.linear_attention import causal_linear_attention, feature_map, linear_attention
from clearhead.nets.llama import (
    llama_attention,
    llama_block,
    load_balancing_loss,
    mixture_of_experts,
    top_k_gates,
)
from clearhead.nets.long_attention import (
    chunked_attention,
    finish_online_softmax,
    init_online_softmax,
    online_softmax,
    sliding_window_attention,
    update_online_softmax,
)
from clearhead.nets.losses import cross_entropy, info_nce, perplexity
from clearhead.nets.masks import causal_mask, causal_padding_mask, padding_mask, sliding_window_mask
from clearhead.nets.models import (
    GPT,
    EncoderDecoder,
    MaskedLanguageModel,
    TextEncoder,
    VisionTransformer,
    check_like_ids,
    init_weights,
    placed,
)
from clearhead.nets.positions import (
    alibi_bias,
    apply_rotary,
    frequencies,
    learned_positions,
    padded_positions,
    relative_bias,
    rotary_angles,
    sinusoidal,
)
from clearhead.nets.post_training import dpo_loss, grpo_loss, preference_loss
from clearhead.nets.ring_attention import attention_over_processes
from clearhead.nets.single_head import cross_attention, self_attention
from clearhead.nets.softmax import log_softmax, scale_by_temperature, softmax
from clearhead.nets.transformer import (
    DecoderBlock,
    EncoderBlock,
    FeedForward,
    PostNormDecoderBlock,
    PostNormEncoderBlock,
    gated_feed_forward,
)
from clearhead.nets.vectors import image_to_vector, one_hot, standardize, unit_vectors
from clearhead.nets.vision import TwoTowers, VQAModel, add_class_token, patchify, unpatchify
from clearhead.text.grammar import Grammar
from clearhead.training.excess import ExactEvaluator
from clearhead.training.optimizers import CombinedOptimizer, muon_parameters
from clearhead.training.parallel import Workers

DEVICE = os.environ.get("CLEARHEAD_DEVICE", "cuda")
pytestmark = pytest.mark.skipif(
    DEVICE == "cuda" and not torch.cuda.is_available(), reason="There is no graphics card here."
)
#: How far, relative to the length of the result, a precision may be away from float64 on the CPU.
TOLERANCE = {torch.float64: 1e-10, torch.float32: 2e-5, torch.bfloat16: 0.05}
DTYPES = pytest.mark.parametrize("dtype", TOLERANCE, ids=lambda dtype: str(dtype).removeprefix("torch."))


class Maker:
    """Makes the inputs of a case, always the same ones, on a device and in a precision.

    All numbers are rounded to `rounded`, so that a case in float64 begins with what the one in bfloat16 has.
    """

    def __init__(self, device, dtype, rounded):
        self.device, self.dtype, self.rounded = device, dtype, rounded
        self.generator, self.leaves = torch.Generator().manual_seed(0), []

    def floats(self, *shape, scale=1.0):
        """Return random numbers that want a gradient."""
        numbers = scale * torch.randn(shape, generator=self.generator, dtype=torch.float64)
        leaf = numbers.to(self.rounded).to(self.device, self.dtype).requires_grad_()
        self.leaves.append(leaf)
        return leaf

    def levels(self, number):
        """Return noise levels between 0.2 and 2."""
        numbers = 0.2 + 1.8 * torch.rand(number, generator=self.generator, dtype=torch.float64)
        return numbers.to(self.rounded).to(self.device, self.dtype)

    def ids(self, high, *shape):
        """Return random integers."""
        return torch.randint(high, shape, generator=self.generator).to(self.device)

    def mask(self, *shape):
        """Return a random mask; its first column is True."""
        mask = torch.rand(shape, generator=self.generator) < 0.6
        mask[..., 0] = True
        return mask.to(self.device)

    def model(self, model):
        """Return a model with random parameters, all of which matter."""
        with torch.no_grad():
            for p in model.double().parameters():
                numbers = torch.randn(p.shape, generator=self.generator, dtype=torch.float64) * 0.3
                p.copy_(numbers.to(self.rounded))
        model = model.to(self.device, self.dtype)
        self.leaves += list(model.parameters())
        return model

    def weights(self, rows, columns, name="weight"):
        """Return the parameters of a linear map."""
        return {name: self.floats(rows, columns, scale=rows**-0.5)}


CASES = {}


def case(function):
    """Add a function that takes a maker and returns a tensor, or several."""
    CASES[function.__name__] = function
    return function


def heads(make, T=7, S=7, d=4, e=4):
    """Return Q, K and V of two texts with three heads."""
    return make.floats(2, 3, T, d), make.floats(2, 3, S, d), make.floats(2, 3, S, e)


@case
def attention_that_is_visible(make):
    Q, K, V = heads(make, 5, 7, 4, 6)
    return scaled_dot_product_attention(Q, K, V, make.mask(5, 7))


@case
def attention_that_is_fast(make):
    Q, K, V = heads(make)
    mask = make.mask(2, 1, 7, 7)
    causal = fast_attention(Q, K, V, causal=True)
    both = fast_attention(Q, K, V, mask, causal=True)
    return fast_attention(Q, K, V), causal, fast_attention(Q, K, V, mask), both


@case
def attention_of_one_head(make):
    Q, K, V = make.floats(5, 4), make.floats(6, 4), make.floats(6, 3)
    return fast_attention(Q, K, V), soft_lookup(Q[0], K, V, 0.5), with_causal_mask(make.mask(5, 6), Q, K)


@case
def attention_with_projections(make):
    x, context = make.floats(2, 5, 6), make.floats(2, 4, 6)
    W = [make.floats(6, 4, scale=0.4) for _ in range(3)]
    return self_attention(x, *W, make.mask(5, 5)), cross_attention(x, context, *W)


@case
def attention_by_distance(make):
    return nadaraya_watson(make.floats(2, 3), make.floats(6, 3), make.floats(6, 2), 0.7)


@case
def attention_in_chunks(make):
    Q, K, V = heads(make)
    mask = make.mask(2, 1, 7, 7)
    return (
        chunked_attention(Q, K, V, chunk=3),
        chunked_attention(Q, K, V, chunk=1, causal=True),
        chunked_attention(Q, K, V, mask, chunk=2),
        sliding_window_attention(Q, K, V, 3),
    )


@case
def softmax_in_pieces(make):
    Q, K, V = heads(make)
    sofar = init_online_softmax(Q, K, V)
    for rows in (slice(0, 3), slice(3, 7)):
        sofar = update_online_softmax(sofar, Q @ K[..., rows, :].mT / 2, V[..., rows, :])
    return online_softmax(make.floats(3, 9), 4), finish_online_softmax(sofar)


@case
def attention_that_is_linear(make):
    Q, K, V = heads(make)
    return linear_attention(Q, K, V), causal_linear_attention(Q, K, V), feature_map(Q)


@case
def softmaxes(make):
    scores = make.floats(4, 6)
    masked = torch.where(make.mask(4, 6), scores, -torch.inf)
    nowhere = torch.full_like(scores, -torch.inf)
    cold = scale_by_temperature(scores, 0.0).isneginf()
    return softmax(masked), softmax(nowhere), log_softmax(scores), scale_by_temperature(scores, 0.5), cold


@case
def activations(make):
    x = make.floats(3, 5)
    return relu(x), gelu(x), gelu_tanh(x), silu(x)


@case
def layers(make):
    x, gain, bias = make.floats(3, 5), make.floats(5), make.floats(5)
    maps = linear(x, make.floats(5, 4), make.floats(4))
    return maps, layer_norm(x, gain, bias), rms_norm(x, gain), embed(make.ids(9, 3, 4), make.floats(9, 5))


@case
def feed_forward_networks(make):
    x = make.floats(2, 5, 8)
    names = {"gate": make.weights(8, 12), "up": make.weights(8, 12), "down": make.weights(12, 8)}
    modules = FeedForward(8, 12), GatedFeedForward(8, 12)
    return gated_feed_forward(x, names), *(make.model(module)(x) for module in modules)


@case
def vectors(make):
    x = make.floats(4, 5)
    return standardize(x), unit_vectors(x), one_hot(make.ids(6, 4), 6), image_to_vector(make.floats(3, 2, 2))


@case
def losses_of_tokens(make):
    logits, targets = make.floats(2, 5, 9), make.ids(9, 2, 5)
    targets[0, :3] = -100
    nothing = cross_entropy(logits, torch.full_like(targets, -100))
    mean = training.token_loss(logits, targets)
    return cross_entropy(logits, targets), perplexity(logits, targets), nothing, mean


@case
def losses_of_pairs(make):
    return info_nce(make.floats(5, 6), make.floats(5, 6), 0.5), preference_loss(
        make.floats(6), make.floats(6)
    )


@case
def losses_after_training(make):
    log_p = [make.floats(3, 5, scale=0.1) for _ in range(3)]
    policy = [make.floats(6) for _ in range(4)]
    return dpo_loss(*policy), grpo_loss(*log_p, make.floats(3), make.mask(3, 5))


@case
def masks(make):
    lengths, real = torch.tensor([2, 5]).to(make.device), make.mask(2, 5)
    window = sliding_window_mask(5, 2, make.device)
    return causal_mask(5, make.device), padding_mask(lengths, 5), causal_padding_mask(real), window


@case
def positions(make):
    table, bias, x = make.floats(9, 4), make.floats(2, 7), make.floats(2, 5, 6)
    angles = rotary_angles(5, 6, device=make.device)
    fixed = sinusoidal(5, 6, make.device), frequencies(6, device=make.device), alibi_bias(3, 5, make.device)
    turned = apply_rotary(x, angles), apply_rotary(x, angles.cpu())
    learned = learned_positions(5, table), relative_bias(bias, 5), padded_positions(make.mask(2, 5))
    return *fixed, *turned, *learned


@case
def heads_split_and_merged(make):
    x = make.floats(2, 5, 12)
    return split_heads(x, 3), merge_heads(split_heads(x, 3))


@case
def attention_modules(make):
    x, context = make.floats(2, 5, 12), make.floats(2, 4, 12)
    many, grouped = make.model(MultiHeadAttention(12, 3)), make.model(GroupedQueryAttention(12, 6, 2))
    causal = make.model(CausalAttention(12, 6, MODERN))
    visible = many.forward_with_weights(x, x, causal=True)
    return many(x, context), many(x, x, causal=True), visible, grouped(x, context, make.mask(5, 4)), causal(x)


@case
def blocks(make):
    x, context, mask = make.floats(2, 5, 12), make.floats(2, 4, 12), make.mask(5, 5)
    encoders = [make.model(kind(12, 3)) for kind in (EncoderBlock, PostNormEncoderBlock)]
    decoders = [make.model(kind(12, 3)) for kind in (DecoderBlock, PostNormDecoderBlock)]
    read = [block(x, mask) for block in encoders]
    modern = make.model(GPTVariantBlock(12, 6, MODERN))
    return *read, *(block(x, context, causal=True) for block in decoders), modern(x)


@case
def gpt(make):
    model, ids = make.model(GPT(11, 9, 12, 3, 2)), make.ids(11, 2, 7)
    real = torch.tensor([[0, 0, 1, 1, 1, 1, 1], [1] * 7], dtype=torch.bool).to(make.device)
    check_like_ids(ids, attention_mask=real)
    shown = (
        model.attention_weights(ids),
        torch.stack(attention_weights(model, ids)),
        hidden_states(model, ids),
    )
    return model(ids), model(ids, real), placed(model.positions, ids, real, None), *shown


@case
def gpt_with_newer_parts(make):
    model = scale_residual_init(make.model(GPTVariant(11, 9, 12, 6, 2, MODERN)))
    plain, ids = make.model(GPTVariant(11, 9, 12, 6, 2, GPTVariantConfig())), make.ids(11, 2, 7)
    return model(ids), model.attention_weights(ids) if hasattr(model, "attention_weights") else plain(ids)


@case
def attention_only(make):
    model, ids = make.model(AttentionOnly(11, 9, 12, 3, 2)), make.ids(11, 2, 7)
    return model(ids), model.attention_weights(ids)


@case
def text_encoder(make):
    model = make.model(MaskedLanguageModel(TextEncoder(11, 9, 12, 3, 2)))
    ids, mask = make.ids(11, 2, 7), make.mask(2, 1, 1, 7)
    encoder = model.encoder
    return model(ids, mask), encoder.pooled(encoder(ids, mask)), encoder.attention_weights(ids, mask)


@case
def encoder_decoder(make):
    model = make.model(EncoderDecoder(11, 12, 3, 2))
    source, target, mask = make.ids(11, 2, 6), make.ids(11, 2, 5), make.mask(2, 1, 1, 6)
    return model(source, target, mask), model.attention_weights(source, target, mask)


@case
def vision(make):
    model, images = make.model(VisionTransformer(8, 2, 1, 10, 12, 3, 2)), make.floats(2, 8, 8, 1)
    x = patchify(images, 2)
    token = add_class_token(x, make.floats(4), make.floats(17, 4))
    return model(images), model.attention_weights(images), token, unpatchify(x, 8, 8, 2)


@case
def images_and_words(make):
    towers = TwoTowers(VisionTransformer(8, 4, 1, 12, 12, 3, 1), TextEncoder(11, 9, 12, 3, 1))
    towers, images, ids = make.model(towers), make.floats(2, 8, 8, 1), make.ids(11, 2, 5)
    answers = make.model(VQAModel(11, 4, 6, 5, 12))(make.floats(2, 4, 6), ids)
    return towers(images), towers.read(ids), towers.temperature, answers


@case
def llama(make):
    parameters = {
        "attention_norm": {"gain": make.floats(12)},
        "feed_forward_norm": {"gain": make.floats(12)},
        "attention": {
            "query": make.weights(12, 12), "key": make.weights(12, 4),
            "value": make.weights(12, 4), "output": make.weights(12, 12),
        },
        "feed_forward": {
            "gate": make.weights(12, 16), "up": make.weights(12, 16), "down": make.weights(16, 12),
        },
    }  # fmt: skip
    x, kept = make.floats(2, 5, 12), [make.floats(2, 1, 3, 4) for _ in range(2)]
    angles = rotary_angles(8, 4, device=make.device)[3:]
    alone = llama_attention(x, parameters["attention"], 3, angles, *kept, make.mask(2, 8))
    return *llama_block(x, parameters, 3, angles, *kept), *alone


@case
def experts(make):
    # Well apart, so that in every precision the same experts are chosen.
    order = torch.stack([torch.randperm(4, generator=make.generator) for _ in range(6)])
    scores = order.to(make.device, make.dtype).requires_grad_()
    gates = top_k_gates(scores, 2)
    parameters = {
        "router": {"weight": torch.eye(4, dtype=make.dtype, device=make.device)},
        "up": {"weight": make.floats(4, 4, 6)},
        "down": {"weight": make.floats(4, 6, 4)},
    }
    return gates, load_balancing_loss(scores, gates), *mixture_of_experts(scores, parameters, 2)


@case
def steps_of_diffusion(make):
    x, clean, noise = make.floats(3, 6), make.floats(3, 6), make.floats(3, 6)
    noisy = add_noise(x, noise, 0.8)
    slope, step = score_from_denoiser(noisy, clean, 0.8), euler_step(noisy, clean, 0.8, 0.5)
    guided = classifier_free_guidance(clean, x, 2.5)
    return noisy, *optimal_denoiser(x, make.floats(4, 6), 2.0), slope, step, guided


@case
def parts_of_a_denoiser(make):
    x, condition = make.floats(2, 5, 12), make.floats(2, 12)
    normal = adaptive_layer_norm(x, make.floats(2, 12), make.floats(2, 12))
    levels = make.levels(2).log() / 4
    told = make.model(NoiseAndClass(3, 12))(levels, make.ids(4, 2))
    return normal, make.model(AdaptiveEncoderBlock(12, 3))(x, condition), told


@case
def denoisers(make):
    """Their outputs, and the loss from which they learn."""
    networks = DiffusionTransformer(8, 2, 1, 3, 12, 3, 2), ConvolutionalDenoiser(1, 3, 8, 2)
    images, noise, labels = make.floats(2, 8, 8, 1), make.floats(2, 8, 8, 1), make.ids(4, 2)
    found, sigma = [], make.levels(2)
    for network in networks:
        denoiser = make.model(Denoiser(network, 0.5))
        found.append(denoiser(images + noise, sigma, labels))
        found.append(denoising_loss(denoiser, images, labels, sigma, noise))
    return found


@case
def cache(make):
    """A text in pieces, forgotten in part, and a padded one."""
    model, ids = make.model(GPT(11, 9, 12, 3, 2)), make.ids(11, 2, 7)
    cache = KeyValueCache(model)
    found = [cache.extend(ids[:, :3]), cache.extend(ids[:, 3:5]), cache.next_logits(ids[:, 5:6])]
    cache.crop(4)
    found.append(cache.next_logits(ids[:, 4:]))
    cache.crop(0)
    real = torch.tensor([[0, 0, 1, 1, 1, 1, 1], [1] * 7], dtype=torch.bool).to(make.device)
    return *found, cache.extend(ids, real), cache.next_logits(ids[:, :1])


@case
def initial_weights(make):
    model = init_weights(nn.Linear(40, 50), torch.Generator().manual_seed(0))
    return Embedding(7, 4).to(make.device)(make.ids(7, 3)).shape[0] * model.weight.double()


def flat(outputs):
    """Return all tensors in nested outputs, as a list."""
    if isinstance(outputs, torch.Tensor):
        return [outputs]
    return [tensor for each in outputs for tensor in flat(each)]


def results(make, function):
    """Return the outputs of a case, then the gradients of a random sum of them for all leaves."""
    outputs = flat(function(make))
    weigh, total = torch.Generator().manual_seed(1), 0.0
    for each in outputs:
        if each.requires_grad:
            weights = torch.randn(each.shape, generator=weigh, dtype=torch.float64)
            total = total + (each.double() * weights.to(each.device)).sum()
    if isinstance(total, torch.Tensor):
        total.backward()
    return outputs, [leaf.grad for leaf in make.leaves]


def assert_close(found, expected, tolerance, what, least=1e-3):
    """Compare relative to the length of what is expected, or to `least`; what is not a float exactly."""
    assert found.shape == expected.shape, what
    if not expected.is_floating_point():
        assert torch.equal(found.cpu(), expected), what
        return
    found, expected = found.detach().cpu().double(), expected.detach().double()
    assert torch.equal(found.isfinite(), expected.isfinite()), what
    found, expected = found.nan_to_num(posinf=0, neginf=0), expected.nan_to_num(posinf=0, neginf=0)
    distance = (found - expected).norm() / expected.norm().clamp(min=least)
    assert distance < tolerance, f"{what}: {distance:.2g} from what the CPU says"


@DTYPES
@pytest.mark.parametrize("name", CASES)
def test_results_and_gradients_are_those_of_the_cpu(name, dtype):
    expected, slopes = results(Maker("cpu", torch.float64, dtype), CASES[name])
    outputs, gradients = results(Maker(DEVICE, dtype, dtype), CASES[name])
    assert len(outputs) == len(expected)
    for n, (found, right) in enumerate(zip(outputs, expected, strict=True)):
        assert found.device.type == DEVICE or name == "initial_weights"
        assert_close(found, right, TOLERANCE[dtype], f"output {n}")
    # Some gradients are small differences of large numbers: they are measured by the longest one.
    least = max([float(slope.norm()) / 30 for slope in slopes if slope is not None] + [1e-3])
    for n, (found, right) in enumerate(zip(gradients, slopes, strict=True)):
        assert (found is None) == (right is None), f"gradient {n}"
        if right is not None:
            assert_close(found, right, TOLERANCE[dtype], f"gradient {n}", least)


#: What needs no case of its own, and why.
ELSEWHERE = {
    "OutOfRange": "On a card PyTorch itself stops the program, as `Embedding` says.",
    "ring_attention": "It runs in the processes of `attention_over_processes`, always on CPUs.",
}


def public_names():
    """Return the names of all public functions and classes of `nets`."""
    for module in pkgutil.iter_modules(clearhead.nets.__path__):
        if module.name != "contracts":
            here = importlib.import_module(f"clearhead.nets.{module.name}")
            for name, each in vars(here).items():
                mine = getattr(each, "__module__", "") == here.__name__ and not name.startswith("_")
                if mine and (inspect.isfunction(each) or inspect.isclass(each)):
                    yield name


def test_every_function_and_class_of_nets_has_a_case():
    text = Path(__file__).read_text().split("\nCASES = {}\n")[1]
    text = text.split("\n#: What needs no case")[0] + text.split("\ndef test_every_function")[1]
    used = set(re.findall(r"\w+", text))
    missing = sorted(set(public_names()) - used - set(ELSEWHERE))
    assert missing == [], f"These run on no card: {missing}. Add a case for each."


@DTYPES
def test_arrays_come_and_go(dtype):
    numbers = torch.randn(3, 4, generator=torch.Generator().manual_seed(0)).to(dtype)
    assert np.array_equal(to_array(numbers.to(DEVICE)), to_array(numbers))
    there = to_tensor(np.arange(6, dtype=np.int16), DEVICE)
    assert (there.device.type, there.dtype) == (DEVICE, torch.int64)


def test_attention_over_processes_comes_back_to_the_device():
    make, there = Maker("cpu", torch.float64, torch.float64), Maker(DEVICE, torch.float64, torch.float64)
    expected = fast_attention(*heads(make), causal=True)
    found = attention_over_processes(*heads(there), number=2, causal=True)
    assert found.device.type == DEVICE
    assert_close(found, expected, 1e-10, "Z")


# ---- training ---------------------------------------------------------------------------------------

PRECISIONS = pytest.mark.parametrize("precision", [None, torch.bfloat16], ids=["float32", "autocast"])


def a_gpt(device, dtype=torch.float32):
    """Return the same small GPT on a device."""
    return GPT(11, 8, 16, 2, 2, generator=torch.Generator().manual_seed(0)).to(device, dtype)


def lessons():
    """Yield, without end, batches of texts that count up, and their next tokens."""
    rng = np.random.default_rng(0)
    while True:
        ids = (rng.integers(11, size=(4, 1)) + np.arange(9)) % 11
        yield ids[:, :-1], ids[:, 1:]


@PRECISIONS
@pytest.mark.parametrize("rule", [training.adamw, training.muon])
def test_training_follows_the_cpu(rule, precision):
    losses = {}
    for device in ("cpu", DEVICE):
        model = a_gpt(device)
        schedule = training.warmup_cosine(3, 30)
        history = training.train(model, lessons(), 30, rule(model), schedule, precision=precision)
        seen = training.evaluate(model, itertools.islice(lessons(), 3), precision=precision)
        assert all(isinstance(each, float) for each in (*history.losses, *history.norms, seen))
        losses[device] = [*history.losses, seen]
    assert losses["cpu"][-1] < 0.8 * losses["cpu"][0]
    # Rounding grows from step to step, and Muon rounds to bfloat16 everywhere.
    exact = precision is None and rule is training.adamw
    assert np.abs(np.subtract(losses[DEVICE], losses["cpu"]))[:15].max() < (1e-3 if exact else 0.15)


def test_training_in_float64_is_that_of_the_cpu():
    histories = [training.train(a_gpt(device, torch.float64), lessons(), 20) for device in ("cpu", DEVICE)]
    for what in ("losses", "norms"):
        assert np.allclose(*(getattr(each, what) for each in histories), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("rule", [training.adamw, training.muon])
def test_a_training_goes_on_from_a_checkpoint_on_the_device(rule, tmp_path):
    whole = a_gpt(DEVICE)
    expected = training.train(whole, lessons(), 12, rule(whole)).losses
    first, optimizer = a_gpt(DEVICE), None
    optimizer, draws = rule(first), lessons()
    history = training.train(first, draws, 6, optimizer)
    training.save(tmp_path / "run.pt", first, optimizer, history)
    second = a_gpt(DEVICE)
    optimizer = rule(second)
    history = training.resume(tmp_path / "run.pt", second, optimizer)
    found = training.train(second, draws, 12, optimizer, history=history).losses
    assert np.allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_a_loss_that_is_not_finite_leaves_the_model():
    model = a_gpt(DEVICE)
    before = [p.detach().clone() for p in model.parameters()]
    with pytest.raises(FloatingPointError, match="loss is nan at step 0") as caught:
        training.train(model, lessons(), 3, loss=lambda logits, targets: logits.sum() * torch.nan)
    assert caught.value.history.step == 0
    assert all(torch.equal(p, old) for p, old in zip(model.parameters(), before, strict=True))


def test_a_batch_without_targets_is_named():
    nothing = np.zeros((2, 4), dtype=int), np.full((2, 4), -100)
    on_device = tuple(torch.as_tensor(each).to(DEVICE) for each in nothing)
    for batch in (nothing, on_device):
        with pytest.raises(ValueError, match="The batch holds no target"):
            training.train(a_gpt(DEVICE), iter([batch]), 1)


def test_batches_that_lie_on_the_device_teach_the_same():
    there = ([torch.as_tensor(each).to(DEVICE) for each in batch] for batch in lessons())
    histories = [training.train(a_gpt(DEVICE), draws, 8) for draws in (lessons(), there)]
    assert np.allclose(*(each.losses for each in histories), rtol=1e-4, atol=1e-5)


def test_workers_share_a_batch_on_the_device():
    inputs, targets = (torch.as_tensor(each).to(DEVICE) for each in next(lessons()))
    targets[0] = -100
    shares = [Workers(rank, 2).shard(inputs, targets) for rank in range(2)]
    assert sum(share for _, _, share in shares) == pytest.approx(1.0)
    assert all(rows.device.type == DEVICE for rows, _, _ in shares)


def test_the_parts_of_muon_step_as_one():
    model = a_gpt(DEVICE)
    assert len(muon_parameters(model)) == 12
    assert isinstance(training.muon(model), CombinedOptimizer)


def test_the_excess_is_that_of_the_cpu():
    evaluator = ExactEvaluator(Grammar({"S": [("1/4", "a b"), ("1/4", "b a a"), ("1/2", "b")]}, "S"))
    V, T = len(evaluator.vocabulary), evaluator.inputs.shape[1]
    model = GPT(V, T, 16, 2, 2, generator=torch.Generator().manual_seed(0)).double()
    expected = evaluator.excess(model)
    assert evaluator.excess(model.to(DEVICE)) == pytest.approx(expected, rel=1e-9)


# ---- samplers ---------------------------------------------------------------------------------------


def on_both():
    """Return the steps of one model for `generate`, on the CPU and on the device, in float64."""
    models = []
    for device in ("cpu", DEVICE):
        model = a_gpt("cpu", torch.float64)
        with torch.no_grad():
            for p in model.parameters():
                p.mul_(20)
        models.append(model.to(device))
    return [cached_step(model) for model in models]


CHOOSERS = {
    "greedy": lambda logits, _rng: sampling.greedy(logits),
    "sample": sampling.sample,
    "temperature": lambda logits, rng: sampling.sample(sampling.temperature(logits, 0.7), rng),
    "top k": lambda logits, rng: sampling.sample(sampling.top_k(logits, 3), rng),
    "top p": lambda logits, rng: sampling.sample(sampling.top_p(logits, 0.8), rng),
    "min p": lambda logits, rng: sampling.sample(sampling.min_p(logits, 0.1), rng),
}


@pytest.mark.parametrize("name", CHOOSERS)
def test_the_same_tokens_are_drawn(name):
    texts = []
    for step in on_both():
        rng, ids = np.random.default_rng(0), [1, 2]
        while len(ids) < 8:
            ids.append(int(CHOOSERS[name](step(np.array(ids)), rng)))
        texts.append(ids)
    assert texts[0] == texts[1]


def test_generated_and_searched_texts_are_the_same():
    texts = [generate(step, np.array([1, 2]), 6, np.random.default_rng(0)) for step in on_both()]
    assert np.array_equal(*texts)
    beams = [beam_search(step, np.array([1, 2]), 5, 3) for step in on_both()]
    for (mine, score), (ids, expected) in zip(*beams, strict=True):
        assert np.array_equal(mine, ids)
        assert score == pytest.approx(expected, rel=1e-9)
