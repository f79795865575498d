"""The loop learns what can be learnt, stops where theory says, and goes on bit for bit where it stopped."""

import errno
import math
import os
import socket
import subprocess
import sys
from copy import deepcopy
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from clearhead.nets.models import GPT
from clearhead.text import corpora, tasks
from clearhead.text.batches import IGNORE, padded_batches, random_batches, sequential_batches
from clearhead.training import (
    History,
    adamw,
    evaluate,
    init_workers,
    muon,
    resume,
    save,
    token_loss,
    train,
    warmup_cosine,
)
from clearhead.training.optimizers import muon_parameters
from clearhead.training.parallel import Workers

IDS = np.random.default_rng(0).integers(7, size=500)


class Small(nn.Module):
    """A model with an embedding, one numbered block, dropout and an output: all that the loop must handle."""

    def __init__(self, vocab_size=7, d_model=8, seed=0, dropout=0.1):
        super().__init__()
        torch.manual_seed(seed)
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.blocks = nn.ModuleList(
            [nn.Sequential(nn.Linear(d_model, d_model), nn.Tanh(), nn.Dropout(dropout))]
        )
        self.output = nn.Linear(d_model, vocab_size)

    def forward(self, ids):
        x = self.embedding(ids)
        return self.output(x + self.blocks[0](x))


OPTIMIZERS = [adamw, muon]


def test_one_step_by_hand():
    """Plain gradient descent on one batch equals the update written out."""
    model, batch = Small(dropout=0.0), next(random_batches(IDS, 5, 3, np.random.default_rng(1)))
    inputs, targets = map(torch.tensor, batch)
    loss = F.cross_entropy(model(inputs).reshape(-1, 7), targets.reshape(-1))
    gradients = torch.autograd.grad(loss, list(model.parameters()))
    expected = [p.detach() - 0.25 * g for p, g in zip(model.parameters(), gradients, strict=True)]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    history = train(model, [batch], 1, optimizer, schedule=lambda step: 0.5, clip=math.inf)
    for p, e in zip(model.parameters(), expected, strict=True):
        torch.testing.assert_close(p.detach(), e)
    assert history.losses == [pytest.approx(loss.item(), abs=1e-6)]
    assert history.rates == [0.25]
    assert history.norms == [pytest.approx(math.sqrt(sum(float((g**2).sum()) for g in gradients)), rel=1e-5)]


def test_the_gradient_is_cut_to_the_clip():
    model = Small(dropout=0.0)
    before = [p.detach().clone() for p in model.parameters()]
    train(
        model,
        random_batches(IDS, 5, 3, np.random.default_rng(1)),
        1,
        torch.optim.SGD(model.parameters(), lr=1.0),
        clip=0.01,
    )
    moved = sum(float(((p.detach() - b) ** 2).sum()) for p, b in zip(model.parameters(), before, strict=True))
    assert math.sqrt(moved) == pytest.approx(0.01, rel=1e-3)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_it_learns_to_sort_out_the_next_letter(optimizer):
    """After 0 1 2 ... 6 comes 0 again: a bigram model can know everything."""
    ids = np.arange(400) % 7
    model = Small(dropout=0.0)
    history = train(model, random_batches(ids, 6, 8, np.random.default_rng(0)), 150, optimizer(model))
    assert history.losses[0] == pytest.approx(math.log(7), abs=0.5)
    assert history.losses[-1] < 0.1
    assert history.step == 150


def test_bigram_loss_converges_to_bigram_entropy():
    """No model that sees one word of the grammar can do better than the conditional entropy of pairs."""
    grammar, rng = corpora.grammar(), np.random.default_rng(0)
    names = {word: i for i, word in enumerate(grammar.vocabulary)}
    texts = [[names[w] for w in ("<stop>", *grammar.sample(rng), "<stop>")] for _ in range(600)]
    pairs = np.array([pair for text in texts for pair in pairwise(text)])
    joint = np.zeros((len(names), len(names)))
    np.add.at(joint, tuple(pairs.T), 1 / len(pairs))
    rows = joint.sum(axis=1, keepdims=True)
    floor = -(joint * np.log(np.where(joint > 0, joint / np.where(rows > 0, rows, 1), 1))).sum()
    table = nn.Embedding(len(names), len(names))
    batches = padded_batches(texts, 100, np.random.default_rng(1))
    optimizer = torch.optim.Adam(table.parameters(), lr=0.1)
    train(table, batches, 300, optimizer, warmup_cosine(10, 300, min_lr_ratio=0.01), clip=math.inf)
    found = evaluate(table, [(pairs[:, 0], pairs[:, 1])])
    assert floor - 1e-6 < found < floor + 0.03
    assert floor > grammar.entropy_rate()


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_resume_continues_bit_for_bit(tmp_path, optimizer):
    def fresh():
        model, rng = Small(seed=3), np.random.default_rng(5)
        return model, optimizer(model), rng, random_batches(IDS, 5, 4, rng)

    how = dict(
        schedule=warmup_cosine(4, 20), measure=lambda m: evaluate(m, sequential_batches(IDS, 5, 50)), every=5
    )
    model, o, rng, batches = fresh()
    torch.manual_seed(9)
    whole = train(model, batches, 20, o, **how)
    other, o, rng, batches = fresh()
    torch.manual_seed(9)
    half = train(other, batches, 10, o, **how)
    save(tmp_path / "half.pt", other, o, half, rng)
    again, o, rng, batches = fresh()
    torch.manual_seed(12345)
    again.output.weight.data.zero_()
    history = resume(tmp_path / "half.pt", again, o, rng)
    joined = train(again, batches, 20, o, history=history, **how)
    assert joined == whole
    assert half.step == 10
    assert sorted(whole.measured) == [0, 5, 10, 15, 20]
    for a, b in zip(again.parameters(), model.parameters(), strict=True):
        assert torch.equal(a, b)


def test_a_checkpoint_is_whole_or_the_old_one(tmp_path, monkeypatch):
    model, path = Small(), tmp_path / "run.pt"
    optimizer = adamw(model)
    save(path, model, optimizer, History())
    before = path.read_bytes()

    def breaks(new, path):
        assert len(Path(new).read_bytes()) >= len(before) / 2  # all is written, and then the power fails
        raise OSError(errno.ENOSPC, "disk full")

    monkeypatch.setattr(os, "replace", breaks)
    with pytest.raises(OSError, match="disk full"):
        save(path, model, optimizer, History())
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_checkpoints_that_do_not_fit_are_refused(tmp_path):
    model, path = Small(), tmp_path / "run.pt"
    save(path, model, adamw(model), History(), np.random.default_rng(0))
    with pytest.raises(ValueError, match="must both be given the rng"):
        resume(path, model, adamw(model))
    with pytest.raises(FileNotFoundError, match="no checkpoint"):
        resume(tmp_path / "absent.pt", model, adamw(model))
    wide = Small(d_model=9)
    with pytest.raises(RuntimeError, match=r"embedding\.weight"):
        resume(path, wide, adamw(wide), np.random.default_rng(0))


def test_evaluate_counts_targets_once_and_restores_mode():
    """Evaluate counts each target once and leaves the model as it was."""
    model = Small(dropout=0.5).train()
    whole = list(sequential_batches(IDS[:46], 5, 9))
    uneven = list(sequential_batches(IDS[:46], 5, 4))
    assert evaluate(model, whole) == pytest.approx(evaluate(model, uneven), abs=1e-6)
    assert model.training
    hidden = [(x, np.where(np.arange(5) < 2, y, IGNORE)) for x, y in whole]
    short = [(x[:, :2], y[:, :2]) for x, y in whole]
    assert evaluate(model, hidden) == pytest.approx(evaluate(model, short), abs=1e-6)
    nothing = [(whole[0][0], np.full_like(whole[0][1], IGNORE))]
    with pytest.raises(ValueError, match="hold no target"):
        evaluate(model, nothing)


def test_uniform_logits_cost_ln_v():
    logits = torch.zeros(3, 5, 7)
    targets = torch.randint(7, (3, 5))
    assert token_loss(logits, targets).item() == pytest.approx(math.log(7))
    assert token_loss(logits[:, 0], targets[:, 0]).item() == pytest.approx(math.log(7))


def test_any_module_will_do():
    """A classifier of whole sequences: one target a row, and inputs that are not whole numbers."""
    rng = np.random.default_rng(0)

    def batches():
        while True:
            ids, targets = tasks.recall_the_first(32, 3, 4, rng)
            yield np.eye(4)[ids].reshape(32, 12), targets

    torch.manual_seed(0)
    learner = nn.Linear(12, 4)
    history = train(learner, batches(), 150, torch.optim.Adam(learner.parameters(), lr=0.05))
    assert history.losses[-1] < 0.5 < history.losses[0]


def test_bfloat16_stays_near():
    losses = []
    for precision in (None, torch.bfloat16):
        model = Small(dropout=0.0)
        batches = random_batches(IDS, 5, 4, np.random.default_rng(0))
        losses.append(train(model, batches, 5, precision=precision).losses)
    np.testing.assert_allclose(losses[0], losses[1], atol=0.02)
    assert losses[0] != losses[1]


def test_warmup_cosine_by_hand():
    factor = warmup_cosine(4, 12, min_lr_ratio=0.2)
    np.testing.assert_allclose([factor(t) for t in range(5)], [0.2, 0.4, 0.6, 0.8, 1.0])
    assert factor(8) == pytest.approx(0.6)
    assert factor(12) == factor(50) == pytest.approx(0.2)
    with pytest.raises(ValueError, match="must end before"):
        warmup_cosine(5, 5)


def test_warmup_cosine_is_pytorchs_cosine():
    o = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    theirs = torch.optim.lr_scheduler.CosineAnnealingLR(o, 20, eta_min=0.1)
    ours = warmup_cosine(0, 20)
    for step in range(20):
        assert ours(step) == pytest.approx(o.param_groups[0]["lr"], abs=1e-9)
        o.step()
        theirs.step()


def test_groups_of_parameters():
    model = Small()
    decays, free = adamw(model).param_groups
    assert {p.ndim for p in decays["params"]} == {2}
    assert {p.ndim for p in free["params"]} == {1}
    assert [p is model.blocks[0][0].weight for p in muon_parameters(model)] == [True]
    everything = [p for group in muon(model).param_groups for p in group["params"]]
    assert {id(p) for p in everything} == {id(p) for p in model.parameters()}
    assert len(everything) == len(list(model.parameters()))
    with pytest.raises(ValueError, match="no matrix in a numbered block"):
        muon(nn.Linear(3, 4))


def test_each_group_keeps_its_own_rate():
    model = Small()
    optimizer = muon(model, learning_rate=0.02, others_rate=0.005)
    train(model, random_batches(IDS, 5, 4, np.random.default_rng(0)), 2, optimizer, schedule=lambda step: 0.5)
    assert [group["lr"] for group in optimizer.param_groups] == [0.01, 0.0025, 0.0025]


def test_clear_errors():
    model = Small()
    batches = list(islice(random_batches(IDS, 5, 4, np.random.default_rng(0)), 3))
    with pytest.raises(ValueError, match="ended after 3 of 5 steps"):
        train(model, batches, 5)
    model.output.bias.data[0] = math.nan
    with pytest.raises(FloatingPointError, match="loss is nan at step 0"):
        train(model, batches, 1)


@pytest.mark.parametrize(("factor", "said"), [(math.nan, "loss is nan"), (1.0, "gradient is nan")])
def test_a_step_that_is_not_finite_is_not_taken(factor, said):
    """Three good steps, then one whose loss, or only its gradient, is no number: nothing of it is kept."""

    def loss(logits, targets):
        steps.append(0)
        worse = factor * (logits * 0.0).clamp(min=0).sqrt().sum() if len(steps) == 4 else 0.0
        return token_loss(logits, targets) + worse

    def batches():
        return random_batches(IDS, 5, 4, np.random.default_rng(0))

    steps, good, model = [0] * 9, Small(dropout=0.0), Small(dropout=0.0)
    expected = train(good, batches(), 3)
    steps.clear()
    with pytest.raises(FloatingPointError, match=f"{said}.* at step 3") as caught:
        train(model, batches(), 9, loss=loss)
    assert caught.value.history == expected
    for name, p in model.state_dict().items():
        torch.testing.assert_close(p, good.state_dict()[name])


def test_the_given_history_is_not_changed():
    model, before = Small(), History()
    after = train(model, random_batches(IDS, 5, 4, np.random.default_rng(0)), 2, history=before)
    assert (before.step, after.step) == (0, 2)


def test_a_bar_is_no_part_of_the_result():
    def run(progress):
        return train(Small(), random_batches(IDS, 5, 4, np.random.default_rng(0)), 3, progress=progress)

    assert run(True) == run(False)


def run_as_one_of(workers):
    """Train on rows of different lengths; return losses, gradient lengths and the parameters."""
    texts = [IDS[i : i + 3 + i % 5].tolist() for i in range(0, 400, 8)]
    model = Small(dropout=0.0).double()
    model.unused = nn.Linear(3, 3).double()  # gets no gradient, so nothing may pull it towards zero
    batches = padded_batches(texts, 6, np.random.default_rng(0))
    history = train(model, batches, 6, adamw(model), workers=workers)
    return history.losses, history.norms, model.state_dict()


def test_two_processes_equal_one(tmp_path, monkeypatch):
    """The shares hold different numbers of targets, and the mean over all of them must still be right."""
    alone = run_as_one_of(init_workers())
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    as_torchrun = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": "2"}
    for name, value in as_torchrun.items():
        monkeypatch.setenv(name, value)
    code = "import sys, torch, test_training as t; torch.save(t.run_as_one_of(t.init_workers()), sys.argv[1])"
    command = [sys.executable, "-c", code, str(tmp_path / "other.pt")]
    other = subprocess.Popen(command, env={**os.environ, "RANK": "1"}, cwd=Path(__file__).parent)
    monkeypatch.setenv("RANK", "0")
    try:
        together = run_as_one_of(init_workers())
    finally:
        torch.distributed.destroy_process_group()
    assert other.wait(timeout=120) == 0
    for losses, norms, parameters in (together, torch.load(tmp_path / "other.pt")):
        np.testing.assert_allclose(losses, alone[0], atol=1e-12)
        np.testing.assert_allclose(norms, alone[1], atol=1e-12)
        for name, p in parameters.items():
            torch.testing.assert_close(p, alone[2][name], atol=1e-12, rtol=0)


def test_a_share_without_targets_is_refused():
    targets = torch.tensor([[1, 2], [IGNORE, IGNORE]])
    with pytest.raises(ValueError, match="Process 1 of 2 finds no target in its share of a batch of 2"):
        Workers(1, 2).shard(targets, targets)


@pytest.mark.parametrize("every", [0, -1, 0.5, None])
def test_measuring_never_is_refused(every):
    with pytest.raises((ValueError, TypeError), match="every must be"):
        train(GPT(9, 4, 8, 2, 1), [], 1, measure=lambda model: 0.0, every=every)


def test_a_batch_without_targets_is_named():
    ids = np.zeros((2, 4), dtype=int)
    with pytest.raises(ValueError, match=r"The batch holds no target: all 8 of them are -100"):
        train(GPT(9, 4, 8, 2, 1), [(ids, np.full_like(ids, -100))], 1)


def training(width=8, kind=adamw, seed=0):
    model = GPT(9, 4, width, 2, 1, generator=torch.Generator().manual_seed(seed))
    return model, kind(model), np.random.default_rng(seed)


def state_of(model, optimizer, rng):
    return deepcopy(
        (model.state_dict(), optimizer.state_dict(), rng.bit_generator.state, torch.get_rng_state())
    )


def same(one, other):
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


SPOILED = {
    "another optimizer": lambda state: state | {"optimizer": {"state": {}, "param_groups": []}},
    "an optimizer of another kind": lambda state: state | {"optimizer": {"optimizers": []}},
    "one tensor misshapen": lambda state: state | {"model": state["model"] | {"norm.bias": torch.zeros(3)}},
    "one tensor missing": lambda state: state | {"model": dict(list(state["model"].items())[:-1])},
    "another generator": lambda state: state | {"rng": {"bit_generator": "MT19937"}},
    "another history": lambda state: state | {"history": {"loss": []}},
    "no state of PyTorch": lambda state: state | {"torch": torch.zeros(3)},
}


@pytest.mark.parametrize("kind", [adamw, muon])
@pytest.mark.parametrize("how", SPOILED)
def test_a_checkpoint_is_loaded_whole_or_not_at_all(tmp_path, how, kind):
    model, optimizer, rng = training(kind=kind)
    history = train(model, random_batches(np.arange(50) % 9, 4, 2, rng), 2, optimizer)
    save(tmp_path / "one.pt", model, optimizer, history, rng)
    torch.save(SPOILED[how](torch.load(tmp_path / "one.pt")), tmp_path / "spoiled.pt")
    again = training(seed=1, kind=kind)
    train(again[0], random_batches(np.arange(50) % 9, 4, 2, again[2]), 1, again[1])
    before = state_of(*again)
    with pytest.raises((ValueError, RuntimeError, TypeError)):
        resume(tmp_path / "spoiled.pt", *again)
    assert same(before, state_of(*again))
    assert resume(tmp_path / "one.pt", *again).losses == history.losses
    assert same(model.state_dict(), again[0].state_dict())


def spoil(path, **parts):
    """Write the checkpoint of a test with other parts."""
    torch.save(torch.load(path.with_name("whole.pt")) | parts, path)


def test_optimizer_of_another_class_is_refused_and_nothing_changes(tmp_path):
    """What AdamW remembered means nothing to SGD, although both have as many parameters."""
    model, optimizer, rng = training()
    history = train(model, random_batches(np.arange(50) % 9, 4, 2, rng), 2, optimizer)
    save(tmp_path / "one.pt", model, optimizer, history)
    other = training(seed=1)[0]
    sgd = torch.optim.SGD(other.parameters(), lr=0.1, momentum=0.9)
    before = deepcopy((other.state_dict(), sgd.state_dict()))
    with pytest.raises(ValueError, match=r"momentum.*the saved one has.*betas"):
        resume(tmp_path / "one.pt", other, sgd)
    assert same(before, (other.state_dict(), sgd.state_dict()))


@pytest.mark.parametrize(
    ("write", "says"),
    [
        (lambda path, whole: path.write_bytes(b""), "is no checkpoint"),
        (lambda path, whole: path.write_bytes(b"hello"), "is no checkpoint"),
        (lambda path, whole: path.write_bytes(whole[: len(whole) // 2]), "is no checkpoint"),
        (lambda path, whole: path.write_bytes(whole[:-1]), "is no checkpoint"),
        (lambda path, whole: torch.save({"weights": torch.ones(2)}, path), "it was not written by `save`"),
        (lambda path, whole: torch.save([1, 2], path), "it was not written by `save`"),
        (lambda path, whole: torch.save(deepcopy, path), "is no checkpoint"),
        (lambda path, whole: spoil(path, model=None), "it was not written by `save`"),
        (lambda path, whole: spoil(path, history={"x": 1}), "damaged checkpoint"),
        (lambda path, whole: spoil(path, history=None), "damaged checkpoint"),
        (lambda path, whole: spoil(path, torch=None), "damaged checkpoint"),
    ],
)
def test_a_foreign_or_damaged_checkpoint_is_said_in_words(tmp_path, write, says):
    model, optimizer, rng = training()
    save(tmp_path / "whole.pt", model, optimizer, train(model, [], 0), rng)
    path = tmp_path / "other.pt"
    write(path, (tmp_path / "whole.pt").read_bytes())
    with pytest.raises(ValueError, match=says):
        resume(path, model, optimizer, rng)
