"""Weights in and out: our models with the weights of `transformers` give the numbers of `transformers`."""

import copy
import errno
import hashlib
import json
import os
import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
import torch

from clearhead.files import problem, write_private, write_whole
from clearhead.maths import models as maths_models
from clearhead.maths.architectures import BERTConfig, GPTConfig, ViTConfig
from clearhead.maths.counting import parameters
from clearhead.maths.layers import gelu_tanh
from clearhead.nets import layers as net_layers
from clearhead.nets.masks import padding_mask
from clearhead.nets.models import GPT, EncoderDecoder, MaskedLanguageModel, TextEncoder, VisionTransformer
from clearhead.pretrained import hub
from clearhead.pretrained.convert import from_pretrained, load, save, to_arrays
from support.places import ROOT

os.environ["HF_HUB_OFFLINE"] = "1"
transformers = pytest.importorskip("transformers")
safetensors = pytest.importorskip("safetensors.torch")
huggingface_hub = pytest.importorskip("huggingface_hub")
transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()

V, D, HEADS, LAYERS, LONG = 19, 12, 3, 2, 7
TEXT = dict(vocab_size=V, bos_token_id=None, eos_token_id=None)
BLOCKS = dict(hidden_size=D, num_hidden_layers=LAYERS, num_attention_heads=HEADS, intermediate_size=4 * D)
GPT2 = transformers.GPT2Config(n_positions=LONG, n_embd=D, n_head=HEADS, n_layer=LAYERS, **TEXT)
BERT = transformers.BertConfig(max_position_embeddings=LONG, type_vocab_size=3, **BLOCKS, **TEXT)
VIT = transformers.ViTConfig(image_size=8, patch_size=4, num_channels=2, num_labels=5, **BLOCKS)
KINDS = {
    "GPT2LMHeadModel": ("gpt2", GPT2),
    "GPT2Model": ("gpt2", GPT2),
    "BertModel": ("bert", BERT),
    "BertForMaskedLM": ("bert", BERT),
    "BertForPreTraining": ("bert", BERT),
    "ViTModel": ("vit", VIT),
    "ViTForImageClassification": ("vit", VIT),
}
PRECISION = [(torch.float32, 1e-5), (torch.float64, 1e-10)]


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Return a function that gives a model of `transformers`, every weight random, and its folder."""
    made = {}

    def make(kind, dtype=torch.float32):
        if (kind, dtype) not in made:
            theirs = getattr(transformers, kind)(KINDS[kind][1]).to(dtype).eval()
            generator = torch.Generator().manual_seed(0)
            with torch.no_grad():
                for name, weight in theirs.named_parameters():
                    weight.copy_(torch.randn(weight.shape, generator=generator, dtype=torch.float64) / 3)
                    if name.endswith("weight") and ("norm" in name.lower() or "ln_" in name):
                        weight += 1  # or attention would look everywhere alike, and prove little
            folder = tmp_path_factory.mktemp(kind)
            theirs.save_pretrained(folder)
            made[kind, dtype] = theirs, folder
        return made[kind, dtype]

    return make


def read(kind, folder):
    return from_pretrained(KINDS[kind][0], folder)


def hidden_states(model, *inputs, **options):
    """Return what goes into the first block of ours, and what comes out of every block."""
    states, first = [], getattr(model, "encoder", model).blocks[0]
    hooks = [first.register_forward_pre_hook(lambda _block, given: states.append(given[0]))]
    for block in getattr(model, "encoder", model).blocks:
        hooks.append(block.register_forward_hook(lambda _block, _given, out: states.append(out)))
    with torch.no_grad():
        result = model(*inputs, **options)
    for hook in hooks:
        hook.remove()
    return result, states


def assert_close(found, expected, tolerance):
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    assert (found - expected).abs().max() <= tolerance


def some_ids(length=LONG):
    return torch.randint(V, (3, length), generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize(("dtype", "tolerance"), PRECISION)
@pytest.mark.parametrize("kind", ["GPT2LMHeadModel", "GPT2Model"])
def test_gpt2(published, kind, dtype, tolerance):
    theirs, folder = published(kind, dtype)
    ours, ids = read(kind, folder), some_ids()
    with torch.no_grad():
        expected = theirs(ids, output_hidden_states=True)
    logits, states = hidden_states(ours, ids)
    states[-1] = ours.norm(states[-1])  # theirs are normed at the end
    for found, state in zip(states, expected.hidden_states, strict=True):
        assert_close(found, state, tolerance)
    if kind == "GPT2LMHeadModel":
        assert_close(logits, expected.logits, tolerance)


@pytest.mark.parametrize(
    ("kind", "config", "sizes"),
    [
        ("GPT2LMHeadModel", dict(n_inner=20), GPTConfig(D, HEADS, LAYERS, V, LONG, d_ff=20)),
        ("BertModel", dict(intermediate_size=31), BERTConfig(D, HEADS, LAYERS, V, LONG, 3, d_ff=31)),
        (
            "ViTForImageClassification",
            dict(intermediate_size=7),
            ViTConfig(D, HEADS, LAYERS, 4, 8, 2, 5, d_ff=7),
        ),
    ],
)
def test_the_feed_forward_part_may_be_of_any_width(kind, config, sizes, tmp_path):
    """Opened, counted, saved and opened again, by us and by `transformers`."""
    whole = copy.deepcopy(KINDS[kind][1])
    whole.update(config)
    torch.manual_seed(0)
    theirs = getattr(transformers, kind)(whole).double().eval()
    theirs.save_pretrained(tmp_path / "theirs")
    ours = read(kind, tmp_path / "theirs")
    given = torch.randn(3, 8, 8, 2).double() if kind.startswith("ViT") else some_ids()
    with torch.no_grad():
        expected = theirs(given.permute(0, 3, 1, 2) if kind.startswith("ViT") else given)[0]
    assert_close(ours(given).detach(), expected, 1e-10)
    assert sum(p.numel() for p in ours.parameters()) == parameters(sizes)
    save(ours, tmp_path / "ours")
    assert_equal(load(tmp_path / "ours"), ours)
    again = getattr(transformers, kind).from_pretrained(tmp_path / "ours").double().eval()
    assert all(torch.equal(p, q) for p, q in zip(again.parameters(), theirs.parameters(), strict=True))


@pytest.mark.parametrize(("dtype", "tolerance"), PRECISION)
@pytest.mark.parametrize("kind", ["BertModel", "BertForMaskedLM", "BertForPreTraining"])
def test_bert(published, kind, dtype, tolerance):
    theirs, folder = published(kind, dtype)
    ours, ids, lengths = read(kind, folder), some_ids(), torch.tensor([7, 4, 1])
    mask, segments = padding_mask(lengths, LONG), ids % 3
    with torch.no_grad():
        expected = theirs(
            ids, attention_mask=mask[:, 0, 0].long(), token_type_ids=segments, output_hidden_states=True
        )
    result, states = hidden_states(ours, ids, mask, segments)
    for found, state in zip(states, expected.hidden_states, strict=True):
        assert_close(found, state, tolerance)
    if kind == "BertModel":
        assert_close(result, expected.last_hidden_state, tolerance)
        assert_close(ours.pooled(result), expected.pooler_output, tolerance)
    else:
        logits = expected.logits if kind == "BertForMaskedLM" else expected.prediction_logits
        assert_close(result, logits, tolerance)


@pytest.mark.parametrize(("dtype", "tolerance"), PRECISION)
@pytest.mark.parametrize("kind", ["ViTModel", "ViTForImageClassification"])
def test_vit(published, kind, dtype, tolerance):
    theirs, folder = published(kind, dtype)
    ours = read(kind, folder)
    images = torch.randn(3, 8, 8, 2, generator=torch.Generator().manual_seed(2), dtype=dtype)
    with torch.no_grad():
        expected = theirs(images.permute(0, 3, 1, 2), output_hidden_states=True)
    result, states = hidden_states(ours, images)
    for found, state in zip(states, expected.hidden_states, strict=True):
        assert_close(found, state, tolerance)
    summary = expected.last_hidden_state[:, 0] if kind == "ViTModel" else expected.logits
    assert_close(result, summary, tolerance)


def test_numpy_runs_gpt2(published):
    theirs, folder = published("GPT2LMHeadModel")
    ids = some_ids()
    logits = maths_models.gpt(ids.numpy(), to_arrays(read("GPT2LMHeadModel", folder)), HEADS, gelu_tanh)
    assert logits.dtype == np.float32
    assert np.abs(logits - theirs(ids).logits.detach().numpy()).max() < 1e-5


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("GPT2LMHeadModel", "transformer.h.0.attn.c_proj.weight"),
        ("BertForMaskedLM", "bert.encoder.layer.1.attention.self.key.weight"),
        ("ViTForImageClassification", "vit.encoder.layer.0.attention.attention.value.weight"),
    ],
)
def test_a_square_weight_the_wrong_way_round_is_found(published, kind, name, tmp_path):
    """Its shape tells nothing; the numbers do. So the proofs above can fail."""

    def edit(tensors):
        tensors[name] = tensors[name].T.contiguous()

    images = torch.randn(3, 8, 8, 2, generator=torch.Generator().manual_seed(2))
    given = images if kind.startswith("ViT") else some_ids()
    right, wrong = read(kind, published(kind)[1]), read(kind, change(published, kind, tmp_path, edit))
    assert (right(given) - wrong(given)).abs().max() > 1e-2


# There and back


def our_models():
    generator = torch.Generator().manual_seed(3)
    encoder = partial(TextEncoder, V, LONG, D, HEADS, LAYERS, generator=generator)
    return {
        "GPT": GPT(V, LONG, D, HEADS, LAYERS, generator=generator),
        "TextEncoder": encoder(),
        "MaskedLanguageModel": MaskedLanguageModel(encoder(), generator),
        "VisionTransformer": VisionTransformer(8, 4, 2, 5, D, HEADS, LAYERS, generator=generator),
    }


def assert_equal(first, second):
    one, other = first.state_dict(), second.state_dict()
    assert list(one) == list(other)
    for name, tensor in one.items():
        assert torch.equal(tensor, other[name]), name
    epsilons = [
        [part.eps for part in m.modules() if isinstance(part, torch.nn.LayerNorm)] for m in (first, second)
    ]
    assert epsilons[0] == epsilons[1]


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("kind", our_models())
def test_a_saved_model_comes_back_bit_for_bit(kind, dtype, tmp_path):
    ours = our_models()[kind].to(dtype)
    save(ours, tmp_path / "first")
    back = load(tmp_path / "first")
    assert_equal(ours, back)
    save(back, tmp_path / "second")
    for name in hub.FILES:
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()
    assert sorted(path.name for path in (tmp_path / "first").iterdir()) == sorted(hub.FILES)


def test_an_image_of_one_patch_comes_back(tmp_path):
    ours = VisionTransformer(4, 4, 2, 5, D, HEADS, LAYERS)
    save(ours, tmp_path)
    said = json.loads((tmp_path / "config.json").read_text())
    assert (said["image_size"], said["patch_size"], said["num_channels"]) == (4, 4, 2)
    assert_equal(ours, load(tmp_path))


@pytest.mark.parametrize("kind", ["BertModel", "ViTModel"])
def test_headless_model_is_saved_with_published_names(published, kind, tmp_path):
    """A model without a head is saved under the published names."""
    folder = published(kind)[1]
    save(read(kind, folder), tmp_path)
    ours, theirs = (set(safetensors.load_file(at / "model.safetensors")) for at in (tmp_path, folder))
    assert ours <= theirs
    assert all("pooler" in name for name in theirs - ours)


@pytest.mark.parametrize("kind", KINDS)
def test_a_published_model_comes_back_bit_for_bit(published, kind, tmp_path):
    ours = read(kind, published(kind)[1])
    save(ours, tmp_path)
    assert_equal(ours, load(tmp_path))


@pytest.mark.parametrize(
    "kind", ["GPT2LMHeadModel", "BertModel", "BertForMaskedLM", "ViTForImageClassification"]
)
def test_transformers_reads_what_we_save(published, kind, tmp_path):
    theirs, folder = published(kind)
    save(read(kind, folder), tmp_path)
    back, said = getattr(transformers, kind).from_pretrained(tmp_path, output_loading_info=True)
    assert not any(said.values()), said
    assert type(back.config) is type(theirs.config)
    for name, tensor in theirs.state_dict().items():
        assert torch.equal(tensor, back.state_dict()[name]), name


def test_a_loaded_model_learns(published):
    ours = read("GPT2LMHeadModel", published("GPT2LMHeadModel")[1])
    ours(some_ids()).square().mean().backward()
    assert all(weight.grad is not None and torch.isfinite(weight.grad).all() for weight in ours.parameters())
    assert not ours.training


# Strictness


def change(published, kind, folder, edit=None, **config):
    """Return a folder with the tensors of a published model after an edit, and a changed config.json."""
    source = published(kind)[1]
    tensors = safetensors.load_file(source / "model.safetensors")
    if edit:
        edit(tensors)
    safetensors.save_file(tensors, folder / "model.safetensors")
    said = json.loads((source / "config.json").read_text()) | config
    (folder / "config.json").write_text(json.dumps({k: v for k, v in said.items() if v != "absent"}))
    return folder


ONE_EACH = [
    ("GPT2LMHeadModel", "transformer.h.1.attn.c_attn.weight", (D, 3 * D)),
    ("BertModel", "encoder.layer.0.output.dense.weight", (D, 4 * D)),
    ("ViTForImageClassification", "vit.embeddings.patch_embeddings.projection.weight", (D, 2, 4, 4)),
]


@pytest.mark.parametrize(("kind", "name", "shape"), ONE_EACH)
def test_a_missing_tensor_is_named(published, kind, name, shape, tmp_path):
    folder = change(published, kind, tmp_path, lambda tensors: tensors.pop(name))
    with pytest.raises(ValueError, match="has no tensor") as error:
        read(kind, folder)
    plain = name.removeprefix("transformer.").removeprefix("vit.")
    assert repr(plain) in str(error.value)
    assert str(shape) in str(error.value)


@pytest.mark.parametrize(("kind", "name", "shape"), ONE_EACH)
def test_a_misshapen_tensor_is_named_with_both_shapes(published, kind, name, shape, tmp_path):
    wrong = (*shape[:-1], shape[-1] + 1)
    folder = change(published, kind, tmp_path, lambda tensors: tensors.update({name: torch.zeros(wrong)}))
    with pytest.raises(ValueError, match="has shape") as error:
        read(kind, folder)
    assert all(part in str(error.value) for part in (repr(name), str(shape), str(wrong)))


def test_a_weight_that_is_not_transposed_is_found(published, tmp_path):
    name = "transformer.h.0.mlp.c_fc.weight"

    def edit(tensors):
        tensors[name] = tensors[name].T.contiguous()

    with pytest.raises(ValueError, match=r"c_fc.weight' has shape \(48, 12\), but .* \(12, 48\)"):
        read("GPT2LMHeadModel", change(published, "GPT2LMHeadModel", tmp_path, edit))


@pytest.mark.parametrize("kind", KINDS)
def test_an_extra_tensor_is_named(published, kind, tmp_path):
    folder = change(published, kind, tmp_path, lambda tensors: tensors.update(surprise=torch.zeros(2, 3)))
    with pytest.raises(ValueError, match=r"tensor 'surprise' of shape \(2, 3\), for which there is no place"):
        read(kind, folder)


def test_a_layer_too_many_or_too_few_is_named(published, tmp_path):
    folder = change(published, "GPT2LMHeadModel", tmp_path, n_layer=1)
    with pytest.raises(ValueError, match=r"'transformer.h.1.attn.c_attn.bias' of shape \(36,\), for which"):
        read("GPT2LMHeadModel", folder)
    folder = change(published, "GPT2LMHeadModel", tmp_path, n_layer=3)
    with pytest.raises(ValueError, match=r"no tensor 'h.2.ln_1.weight' of shape \(12,\)"):
        read("GPT2LMHeadModel", folder)


def test_known_buffers_old_names_and_tied_copies_are_read(published, tmp_path):
    def masks(tensors):
        tensors["transformer.h.0.attn.bias"] = torch.ones(1, 1, LONG, LONG)
        tensors["transformer.h.1.attn.masked_bias"] = torch.tensor(-1e4)
        tensors["lm_head.weight"] = tensors["transformer.wte.weight"].clone()

    def old_names(tensors):
        for name in list(tensors):
            old = name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
                "LayerNorm.bias", "LayerNorm.beta"
            )
            tensors[old] = tensors.pop(name)
        tensors["bert.embeddings.position_ids"] = torch.arange(LONG)[None]
        tensors["cls.predictions.decoder.bias"] = tensors["cls.predictions.bias"].clone()

    for kind, edit in (("GPT2LMHeadModel", masks), ("BertForMaskedLM", old_names)):
        expected = read(kind, published(kind)[1])
        assert_equal(read(kind, change(published, kind, tmp_path, edit)), expected)


def test_an_untied_copy_is_named(published, tmp_path):
    def edit(tensors):
        tensors["lm_head.weight"] = tensors["transformer.wte.weight"] + 1

    with pytest.raises(ValueError, match=r"'lm_head.weight' must equal 'transformer.wte.weight'"):
        read("GPT2LMHeadModel", change(published, "GPT2LMHeadModel", tmp_path, edit))


def test_a_tensor_that_comes_twice_is_named(published, tmp_path):
    def edit(tensors):
        tensors["wpe.weight"] = tensors["transformer.wpe.weight"].clone()

    with pytest.raises(ValueError, match=r"holds 'wpe.weight' twice: as .*'transformer.wpe.weight'"):
        read("GPT2LMHeadModel", change(published, "GPT2LMHeadModel", tmp_path, edit))


@pytest.mark.parametrize(
    ("kind", "config", "said"),
    [
        ("GPT2LMHeadModel", dict(activation_function="swish"), "'swish'; we have gelu_new"),
        (
            "GPT2LMHeadModel",
            dict(scale_attn_by_inverse_layer_idx=True),
            "scale_attn_by_inverse_layer_idx = True",
        ),
        ("GPT2LMHeadModel", dict(n_embd="absent"), "does not say n_embd"),
        ("BertModel", dict(hidden_act="relu"), "hidden_act = 'relu', but our bert can only have 'gelu'"),
        ("BertModel", dict(intermediate_size=50), r"shape \(48, 12\), but config.json asks for \(50, 12\)"),
        ("BertModel", dict(num_attention_heads=5), "d_model 12 and num_heads 5"),
        ("BertModel", dict(model_type="roberta"), "model_type = 'roberta', but 'bert' was asked for"),
        ("ViTModel", dict(qkv_bias=False), "qkv_bias = False"),
        ("ViTModel", dict(patch_size=3), "patch_size 3"),
    ],
)
def test_a_config_that_our_models_cannot_be_is_refused(published, kind, config, said, tmp_path):
    with pytest.raises(ValueError, match=said):
        read(kind, change(published, kind, tmp_path, **config))


def test_other_activations_and_epsilons_are_those_of_config_json(published, tmp_path):
    config = dict(activation_function="relu", layer_norm_epsilon=0.1)
    folder = change(published, "GPT2LMHeadModel", tmp_path, **config)
    theirs = transformers.GPT2LMHeadModel.from_pretrained(folder).eval()
    with torch.no_grad():
        assert_close(read("GPT2LMHeadModel", folder)(some_ids()), theirs(some_ids()).logits, 1e-5)


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("GPT2LMHeadModel", "layer_norm_epsilon"),
        ("GPT2LMHeadModel", "activation_function"),
        ("BertModel", "layer_norm_eps"),
        ("ViTModel", "layer_norm_eps"),
    ],
)
def test_what_config_json_leaves_out_is_as_in_transformers(published, kind, key, tmp_path):
    ours = read(kind, change(published, kind, tmp_path, **{key: "absent"}))
    assert key in json.loads((published(kind)[1] / "config.json").read_text())
    assert_equal(ours, read(kind, published(kind)[1]))
    if kind.startswith("GPT2"):
        assert ours.blocks[0].feed_forward.activation is net_layers.gelu_tanh


def test_wrong_use_is_said(published, tmp_path):
    with pytest.raises(ValueError, match="no layout 'llama'; there are gpt2, bert, vit"):
        from_pretrained("llama", tmp_path)
    with pytest.raises(FileNotFoundError, match=r"has no config\.json"):
        from_pretrained("gpt2", tmp_path)
    with pytest.raises(TypeError, match="got EncoderDecoder"):
        save(EncoderDecoder(V, D, HEADS, 1), tmp_path)
    with pytest.raises(TypeError, match="without blocks"):
        save(GPT(V, LONG, D, HEADS, 0), tmp_path)
    with pytest.raises(TypeError, match="no name for the activation"):
        save(GPT(V, LONG, D, HEADS, 1, activation=torch.sin), tmp_path)
    encoder = read("BertForMaskedLM", published("BertForMaskedLM")[1]).encoder
    with pytest.raises(ValueError, match="no pooler"):
        encoder.pooled(encoder(some_ids()))
    folder = change(published, "BertModel", tmp_path)
    (folder / "model.safetensors").write_bytes(b"not this")
    with pytest.raises(ValueError, match="not a whole safetensors file"):
        load(folder)


# The hub, played by a small server on this machine


@pytest.fixture
def server(published, monkeypatch):
    """Return a server that has one model, and a list of what was asked of it."""
    folder, asked = published("GPT2LMHeadModel")[1], []

    class Hub(BaseHTTPRequestHandler):
        def do_HEAD(self):
            asked.append(self.path)
            path = folder / self.path.rpartition("/")[2]
            if not self.path.startswith("/tiny/gpt/resolve/main/") or not path.is_file():
                self.send_response(404)
                self.send_header("X-Error-Code", "RepoNotFound")
                return self.end_headers()
            content = path.read_bytes()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("X-Repo-Commit", 40 * "a")
            self.send_header("ETag", f'"{hashlib.sha1(content).hexdigest()}"')
            self.end_headers()
            return content

        def do_GET(self):
            if content := self.do_HEAD():
                self.wfile.write(content[: len(content) - self.server.cut])

        def log_message(self, *_):
            """Say nothing."""

    running = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=running.serve_forever, args=[0.01], daemon=True).start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{running.server_port}")
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(huggingface_hub.utils._http.time, "sleep", lambda seconds: None)  # between tries
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    running.asked, running.cut, running.folder = asked, 0, folder
    yield running
    running.shutdown()
    running.server_close()


def sums(folder):
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in hub.FILES}


def files(folder):
    """Return which of a model's files lie whole in a folder, also deep in it."""
    return sorted(path.name for path in folder.rglob("*") if path.is_file() and path.name in hub.FILES)


def test_a_download_is_asked_for_checked_and_kept(server, published, tmp_path):
    with pytest.raises(FileNotFoundError, match="download=True"):
        from_pretrained("gpt2", "tiny/gpt", cache=tmp_path)
    assert server.asked == []
    first = from_pretrained("gpt2", "tiny/gpt", download=True, sha256=sums(server.folder), cache=tmp_path)
    assert_equal(first, read("GPT2LMHeadModel", server.folder))
    assert set(hub.FILES) <= {path.rpartition("/")[2] for path in server.asked}
    assert files(tmp_path) == sorted(hub.FILES)
    server.asked.clear()
    assert_equal(from_pretrained("gpt2", "tiny/gpt", cache=tmp_path), first)
    assert server.asked == []


def test_a_wrong_checksum_leaves_nothing_behind(server, tmp_path):
    wrong = {"model.safetensors": "0" * 64}
    with pytest.raises(ValueError, match=f"SHA-256 .*, not {'0' * 64}"):
        from_pretrained("gpt2", "tiny/gpt", download=True, sha256=wrong, cache=tmp_path)
    assert files(tmp_path) == ["config.json"]
    with pytest.raises(ValueError, match="not 000"):
        from_pretrained("gpt2", server.folder, sha256=wrong)
    with pytest.raises(ValueError, match=r"got one for 'weights\.bin'"):
        from_pretrained("gpt2", server.folder, sha256={"weights.bin": ""})


def test_half_a_file_leaves_nothing_behind(server, tmp_path):
    server.cut = 3
    with pytest.raises(ConnectionError, match=r"download config\.json of tiny/gpt"):
        from_pretrained("gpt2", "tiny/gpt", download=True, cache=tmp_path)
    assert files(tmp_path) == []


def test_no_network_or_no_such_model_is_said(server, tmp_path, monkeypatch):
    with pytest.raises(ConnectionError, match="404"):
        from_pretrained("gpt2", "tiny/other", download=True, cache=tmp_path)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ConnectionError, match="are you online"):
        from_pretrained("gpt2", "tiny/gpt", download=True, cache=tmp_path)
    assert files(tmp_path) == []


@pytest.mark.parametrize("name", ["../secret", "a/../b", "a/b/c", "no folder", "/no/such/folder", ""])
def test_what_is_no_hub_id_is_never_asked_for(server, name, tmp_path):
    with pytest.raises(FileNotFoundError):
        from_pretrained("gpt2", name, download=True, cache=tmp_path / "cache")
    assert server.asked == []


@pytest.mark.parametrize("data", [b"new", "née"])
def test_a_file_is_written_whole(data, tmp_path):
    write_whole(tmp_path / "deep" / "a", b"old")
    write_whole(tmp_path / "deep" / "a", data)
    assert (tmp_path / "deep" / "a").read_bytes() == (data if data == b"new" else data.encode())


@pytest.mark.parametrize(("umask", "mode", "folder"), [(0o022, 0o644, 0o755), (0o077, 0o600, 0o700)])
def test_file_respects_umask_and_private_file_is_private(tmp_path, umask, mode, folder):
    """A file respects the umask and a private one needs none."""
    before = os.umask(umask)
    try:
        write_whole(tmp_path / "new" / "a", b"")
        write_private(tmp_path / "private" / "deep" / "a", b"")
    finally:
        os.umask(before)
    modes = [p.stat().st_mode & 0o777 for p in (tmp_path / "new", tmp_path / "new" / "a")]
    assert modes == [folder, mode]
    made = [tmp_path / "private", tmp_path / "private" / "deep", tmp_path / "private" / "deep" / "a"]
    assert [p.stat().st_mode & 0o777 for p in made] == [0o700, 0o700, 0o600]


@pytest.mark.parametrize("place", ["write", "fsync"])
def test_full_disk_keeps_old_file_and_names_new_one(tmp_path, monkeypatch, place):
    """A full disk leaves the old file and names the new one."""
    write_whole(tmp_path / "a", b"old")

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    def pieces():
        yield b"half"
        full()

    if place == "fsync":
        monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as raised:
        write_whole(tmp_path / "a", pieces() if place == "write" else b"new")
    assert raised.value.filename == str(tmp_path / "a")
    assert "the disk is full" in problem(raised.value)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a", b"old")]


def test_a_write_that_breaks_off_leaves_the_old_file(tmp_path):
    write_whole(tmp_path / "a", b"old")
    with pytest.raises(TypeError):
        write_whole(tmp_path / "a", 3)
    assert (tmp_path / "a").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize(
    ("layer", "said"),
    [
        (torch.nn.LSTM(3, 4, num_layers=2), "num_layers = 2"),
        (torch.nn.GRU(3, 4, bidirectional=True), "bidirectional = True"),
        (torch.nn.LSTM(3, 4, proj_size=2), "proj_size = 2"),
        (torch.nn.RNN(3, 4, bias=False), "bias = False"),
        (torch.nn.RNN(3, 4, nonlinearity="relu"), "nonlinearity = 'relu'"),
        (torch.nn.GRUCell(3, 4, bias=False), "bias = False"),
        (torch.nn.Conv1d(4, 4, 3, groups=2), "groups = 2"),
        (torch.nn.Conv1d(4, 4, 3, stride=2), r"stride = \(2,\)"),
        (torch.nn.Conv1d(4, 4, 3, padding=1), r"padding = \(1,\)"),
        (torch.nn.Conv1d(4, 4, 3, bias=False), "bias = False"),
    ],
)
def test_a_layer_with_weights_that_maths_cannot_name_is_refused(layer, said):
    with pytest.raises(TypeError, match=f"{type(layer).__name__} with {said}"):
        to_arrays(layer)


def test_llama_names_of_the_translator_are_those_of_transformers():
    """Every weight of a Llama is in the table of the page on notation, with the number of axes it says."""
    sizes = dict(hidden_size=16, intermediate_size=24, num_hidden_layers=1, vocab_size=20)
    config = transformers.LlamaConfig(**sizes, num_attention_heads=4, num_key_value_heads=2)
    names = {name for name, _ in transformers.LlamaForCausalLM(config).named_parameters()}
    page = (ROOT / "book" / "notation.md").read_text("utf-8")
    table = page[page.index("### From our parts to a Llama") :]
    for name in names:
        last = name.removeprefix("model.layers.0.").removesuffix(".weight").rsplit(".", 1)[-1]
        assert last in table, name
    said = {word for row in table.splitlines() for word in row.split("`")[1::2] if word in vars(config)}
    assert {"num_key_value_heads", "intermediate_size", "rms_norm_eps", "tie_word_embeddings"} <= said


TWINS = [
    ("GPT2LMHeadModel", "transformer.wte.weight", "lm_head.weight"),
    ("BertForMaskedLM", "bert.embeddings.word_embeddings.weight", "cls.predictions.decoder.weight"),
    ("BertForMaskedLM", "cls.predictions.bias", "cls.predictions.decoder.bias"),
]


@pytest.mark.parametrize(("kind", "name", "twin"), TWINS)
def test_a_tied_tensor_is_read_under_either_name(published, kind, name, twin, tmp_path):
    def rename(tensors):
        tensors[twin] = tensors.pop(name)

    expected, found = load(published(kind)[1]), load(change(published, kind, tmp_path, rename))
    for key, tensor in expected.state_dict().items():
        assert torch.equal(found.state_dict()[key], tensor), key


@pytest.mark.parametrize("prefix", ["module.", "_orig_mod.", "module._orig_mod.", "_orig_mod.module."])
@pytest.mark.parametrize("kind", ["GPT2LMHeadModel", "BertForMaskedLM", "ViTForImageClassification"])
def test_the_prefix_of_a_wrapped_model_is_understood(published, kind, prefix, tmp_path):
    def wrap(tensors):
        for name in list(tensors):
            tensors[prefix + name] = tensors.pop(name)

    expected, found = load(published(kind)[1]), load(change(published, kind, tmp_path, wrap))
    assert all(torch.equal(found.state_dict()[key], t) for key, t in expected.state_dict().items())


@pytest.mark.parametrize(
    ("kind", "config", "said"),
    [
        ("GPT2LMHeadModel", dict(n_layer="2"), "n_layer = '2'"),
        ("GPT2LMHeadModel", dict(n_layer=2.0), "n_layer = 2.0"),
        ("GPT2LMHeadModel", dict(n_layer=True), "n_layer = True"),
        ("GPT2LMHeadModel", dict(n_embd=0), "n_embd = 0"),
        ("GPT2LMHeadModel", dict(n_head=None), "n_head = None"),
        ("GPT2LMHeadModel", dict(vocab_size=[9]), "vocab_size"),
        ("GPT2LMHeadModel", dict(n_inner="48"), "n_inner = '48'"),
        ("GPT2LMHeadModel", dict(layer_norm_epsilon="small"), "layer_norm_epsilon = 'small'"),
        ("GPT2LMHeadModel", dict(activation_function=["relu"]), "activation_function"),
        ("BertModel", dict(type_vocab_size=-1), "type_vocab_size = -1"),
        ("BertModel", dict(intermediate_size="48"), "intermediate_size = '48'"),
        ("BertModel", dict(layer_norm_eps=-1.0), "layer_norm_eps = -1.0"),
        ("ViTForImageClassification", dict(image_size=[8, 6]), r"image_size = \[8, 6\]"),
        ("ViTForImageClassification", dict(image_size="8"), "image_size = '8'"),
        ("ViTForImageClassification", dict(patch_size=[]), "patch_size"),
        ("ViTForImageClassification", dict(id2label=["a"]), "id2label"),
    ],
)
def test_a_config_of_another_type_is_said_in_words(published, kind, config, said, tmp_path):
    with pytest.raises(ValueError, match=f"config.json says {said}"):
        load(change(published, kind, tmp_path, **config))


def test_equal_sides_are_one_size(published, tmp_path):
    said = json.loads((published("ViTModel")[1] / "config.json").read_text())
    sides = {name: [said[name]] * 2 for name in ("image_size", "patch_size")}
    assert load(change(published, "ViTModel", tmp_path, **sides)).image_size == said["image_size"]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda text: "[" + text + "]", "must hold an object .*, got a list"),
        (lambda text: "3", "must hold an object"),
        (lambda text: text[:-5], "not a whole JSON file"),
        (lambda text: "", "not a whole JSON file"),
    ],
)
def test_a_config_that_is_no_object_is_said_in_words(published, make, says, tmp_path):
    folder = change(published, "GPT2LMHeadModel", tmp_path)
    path = folder / "config.json"
    path.write_text(make(path.read_text()))
    for reading in (lambda: load(folder), lambda: from_pretrained("gpt2", folder)):
        with pytest.raises(ValueError, match=says):
            reading()


def test_a_byte_order_mark_is_left_out(published, tmp_path):
    folder = change(published, "GPT2LMHeadModel", tmp_path)
    path = folder / "config.json"
    path.write_text("\ufeff" + path.read_text(), encoding="utf-8")
    assert load(folder).tokens.weight.shape == load(published("GPT2LMHeadModel")[1]).tokens.weight.shape


def test_images_of_another_shape_are_refused_with_both():
    """(4, 16) has as many patches as (8, 8), but each would be given the position of another one."""
    model = VisionTransformer(8, 2, 3, 5, 8, 2, 1)
    weights = to_arrays(model)
    for shape in [(1, 4, 16, 3), (1, 16, 4, 3), (2, 32, 2, 3)]:
        says = rf"images is \({', '.join(map(str, shape))}\).*\(..., 8, 8, channels\)"
        with pytest.raises(ValueError, match=says):
            model(torch.zeros(shape))
        with pytest.raises(ValueError, match=says):
            maths_models.vision_transformer(np.zeros(shape), weights, 2, 2)
    with pytest.raises(ValueError, match=r"images is \(1, 8, 8, 1\).*\(..., 8, 8, 3\)"):
        model(torch.zeros(1, 8, 8, 1))
    assert model(torch.zeros(1, 8, 8, 3)).shape == (1, 5)
    assert maths_models.vision_transformer(np.zeros((8, 8, 3)), weights, 2, 2).shape == (5,)
