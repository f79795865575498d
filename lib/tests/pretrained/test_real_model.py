"""A real model: its small extracts say what they should, and where the whole of it is there, it agrees."""

import hashlib
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
import torch

from clearhead.nets.circuits import hidden_states
from clearhead.nets.models import GPT, EncoderDecoder, MaskedLanguageModel, TextEncoder
from clearhead.pretrained import minilm, sentences_with_attention, teacher_attention, words_in_context
from clearhead.pretrained.sentences import EXTRACT
from extract_sentences import ATTENDED, listed
from support.models import here

os.environ["HF_HUB_OFFLINE"] = "1"
transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")
safetensors = pytest.importorskip("safetensors.torch")
transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()

WORDS = ("apple", "model", "cup")
README = Path(minilm.__file__).with_name("README.md").read_text("utf-8")
MINILM = dict(hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536)


def cosine(first, second):
    return (first * second).sum(-1) / np.linalg.norm(first, axis=-1) / np.linalg.norm(second, axis=-1)


def by_sentence(word, start):
    (found,) = [each for each in words_in_context(word) if each.sentence.startswith(start)]
    return found.states


# The extract.


def test_the_extract_is_the_file_that_the_readme_names():
    assert hashlib.sha256(EXTRACT.read_bytes()).hexdigest() in README
    assert EXTRACT.stat().st_size < 500_000
    assert minilm.SHA256["model.safetensors"] in README


def test_the_extract_holds_the_sentences_of_its_script():
    found = [each for word in WORDS for each in words_in_context(word)]
    assert [[each.word, each.meaning, each.sentence] for each in found] == listed()
    for each in found:
        assert each.tokens[each.place] == each.word
        assert [each.tokens[0], each.tokens[-1]] == ["[CLS]", "[SEP]"]
        assert len(each.tokens) == len(each.ids)
        assert each.states.shape == (7, 384)
        assert each.states.dtype == np.float32
    found = sentences_with_attention()
    assert [each.sentence for each in found] == list(ATTENDED)
    for each in found:
        assert " ".join(each.tokens[1:-1]).replace(" ,", ",") == each.sentence.lower()
        assert each.A.shape == (6, 12, 17, 17)
        assert np.abs(each.A.sum(-1) - 1).max() < 1e-3
        assert len(each.ids) == 17
    assert np.array_equal(teacher_attention()[1], found[0].A)


@pytest.mark.parametrize(
    ("word", "first", "second", "expected"),
    [
        ("apple", "Apple released", "I ate", {0: 0.95, 2: 0.75, 6: 0.63}),
        ("apple", "Apple released", "The new phone", {6: 0.81}),
        ("model", "The machine", "The fashion", {0: 0.99, 2: 0.79, 6: 0.66}),
        ("model", "The machine", "We trained", {6: 0.81}),
        ("cup", "She sat", "They won", {0: 0.96, 2: 0.54, 6: 0.44}),
        ("cup", "They won", "Germany", {6: 0.81}),
    ],
)
def test_context_moves_the_word(word, first, second, expected):
    found = cosine(by_sentence(word, first), by_sentence(word, second))
    for layer, value in expected.items():
        assert abs(found[layer] - value) < 0.01


@pytest.mark.parametrize(("layer", "head", "weight"), [(5, 2, 0.43), (1, 3, 0.40), (2, 5, 0.37)])
def test_her_looks_at_the_teacher(layer, head, weight):
    tokens, A = teacher_attention()
    to_teacher = A[:, :, tokens.index("her"), tokens.index("teacher")]
    assert abs(to_teacher[layer, head] - weight) < 0.01
    assert to_teacher[layer, head] in np.sort(to_teacher.ravel())[-3:]


def test_one_head_resolves_pronoun_and_strongest_does_not():
    """One head finds who is meant and the strongest one does not."""
    _, _, queen, king = sentences_with_attention()
    for each, meant in ((queen, "queen"), (king, "king")):
        looks = each.A[1, 3, 15]
        assert each.tokens[looks.argmax()] == meant
        assert looks.max() > 0.3
    assert queen.tokens[queen.A[5, 2, 15].argmax()] == "king"


def test_an_unknown_word_is_refused():
    with pytest.raises(ValueError, match="apple, model, cup"):
        words_in_context("bank")


# Between the blocks.


@pytest.mark.parametrize("kind", [GPT, TextEncoder])
def test_hidden_states_are_what_the_blocks_give_and_take(kind):
    model, ids = kind(11, 8, 6, 2, 3), torch.arange(10).reshape(2, 5)
    states = hidden_states(model, ids)
    assert states.shape == (4, 2, 5, 6)
    assert not states.requires_grad
    assert not any(block._forward_hooks or block._forward_pre_hooks for block in model.blocks)
    options = {"causal": True} if kind is GPT else {}
    for block, before, after in zip(model.blocks, states[:-1], states[1:], strict=True):
        assert torch.allclose(block(before, **options), after, atol=1e-6)


def test_hidden_states_needs_model_with_blocks():
    """Hidden states looks into an encoder and refuses what has no blocks."""
    encoder, ids = TextEncoder(11, 8, 6, 2, 3), torch.arange(5)[None]
    inside = hidden_states(MaskedLanguageModel(encoder), ids)
    assert torch.equal(inside, hidden_states(encoder, ids))
    for model in (torch.nn.Linear(2, 2), EncoderDecoder(5, 6, 2, 1)):
        with pytest.raises(ValueError, match="has no blocks"):
            hidden_states(model, ids)


# The whole model: its loader, on random weights.


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """Return a model of the same shape with random weights and few words, saved as the real one is."""
    config = transformers.BertConfig(
        vocab_size=40, max_position_embeddings=32, **MINILM, attn_implementation="eager"
    )
    theirs = transformers.BertModel(config).eval()
    theirs.save_pretrained(tmp_path)
    kept = safetensors.load_file(tmp_path / "model.safetensors")
    kept["embeddings.position_ids"] = torch.arange(32)[None]  # as older files have it, and this one
    safetensors.save_file(kept, tmp_path / "model.safetensors", {"format": "pt"})
    words = {word: i for i, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "warm", "cup", "##s"])}
    tokenizer = tokenizers.BertWordPieceTokenizer(words)
    tokenizer.enable_padding(length=128)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    sums = {name: hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() for name in minilm.SHA256}
    monkeypatch.setenv("CLEARHEAD_MINILM", str(tmp_path))
    return theirs, sums


def test_the_loader_opens_what_has_the_checksum_and_nothing_else(stand_in, monkeypatch):
    with pytest.raises(ValueError, match="another file, or damaged"):
        minilm.open_minilm()
    with pytest.raises(ValueError, match="another file, or damaged"):
        minilm.open_tokenizer()
    theirs, sums = stand_in
    monkeypatch.setattr(minilm, "SHA256", sums)
    assert minilm.open_tokenizer().encode("warm cups").tokens == ["[CLS]", "warm", "cup", "##s", "[SEP]"]
    assert_equals_transformers(minilm.open_minilm(), theirs, [[2, 4, 5, 6, 3], list(range(32))], 1e-4)


def test_a_missing_model_is_said_in_one_line(tmp_path, monkeypatch):
    monkeypatch.delenv("CLEARHEAD_MINILM", raising=False)
    monkeypatch.setattr(minilm, "PACKAGE", "no_such_package")
    with pytest.raises(FileNotFoundError, match="not on this computer") as missing:
        minilm.open_minilm()
    assert "\n" not in str(missing.value)
    monkeypatch.setenv("CLEARHEAD_MINILM", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=re.escape(f"{tmp_path} holds no model.safetensors")):
        minilm.open_tokenizer()


# The whole model itself, where it is there.


def assert_equals_transformers(ours, theirs, texts, tolerance):
    """Compare every hidden state and every attention weight, for lists of ids."""
    for ids in texts:
        ids = torch.tensor([ids])
        with torch.no_grad():
            expected = theirs(ids, output_hidden_states=True, output_attentions=True)
            A = ours.attention_weights(ids)
        states = hidden_states(ours, ids)
        assert (states - torch.stack(expected.hidden_states)).abs().max() <= tolerance
        assert (A - torch.stack(expected.attentions)).abs().max() <= tolerance


def all_ids():
    words = [each.ids for word in WORDS for each in words_in_context(word)]
    return words + [each.ids for each in sentences_with_attention()]


@pytest.fixture(scope="module")
def real():
    """Return the folder of the real model, or skip."""
    return here(minilm.find_minilm)


def test_the_real_model_equals_transformers_in_every_hidden_state(real):
    theirs = transformers.BertModel.from_pretrained(real, attn_implementation="eager").eval()
    ours = minilm.open_minilm(real)
    assert sum(weight.numel() for weight in ours.parameters()) == 22_713_216
    assert json.loads((real / "config.json").read_text("utf-8")).items() >= MINILM.items()
    assert_equals_transformers(ours, theirs, all_ids(), 1e-4)


def test_the_real_model_gives_the_extract(real):
    ours, tokenizer = minilm.open_minilm(real), minilm.open_tokenizer(real)
    for each in [each for word in WORDS for each in words_in_context(word)]:
        assert tokenizer.encode(each.sentence).ids == each.ids
        states = hidden_states(ours, torch.tensor([each.ids]))[:, 0, each.place]
        assert np.abs(states.numpy() - each.states).max() < 3e-3
    for each in sentences_with_attention():
        assert tokenizer.encode(each.sentence).ids == each.ids
        with torch.no_grad():
            live = ours.attention_weights(torch.tensor([each.ids]))[:, 0].numpy()
        assert np.abs(live - each.A).max() < 1e-3
