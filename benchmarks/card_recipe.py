"""Train the recipe on a graphics card, with a whole step captured as one CUDA graph.

`Training` holds the model, the optimizer, the text and the plan of a run (which windows are read at which
step, and at which fraction of the learning rate), all in memory that stays where it is. A step therefore
needs nothing from the host, and a run is the same graph, replayed as often as there are steps. Rates and
seeds change between runs without compiling or capturing again.

`serve` answers requests for runs, a line of JSON each, so that several shapes can compile side by side in
processes of their own, while their runs are timed one after another.
"""

import dataclasses
import json
import sys
import time

import numpy as np
import torch
from race.modern import ModernGPT
from race.muon import POLAR_EXPRESS, orthogonal
from recipe import read

from clearhead import training
from clearhead.text import batches
from clearhead.training.optimizers import muon_parameters

#: The types in which matrices are multiplied: bfloat16 on a card.
PRECISION = torch.bfloat16
#: Steps before a graph is captured, as PyTorch's manual asks for.
WARM_UP = 3


@dataclasses.dataclass(frozen=True)
class Shape:
    """The settings that are compiled in: the model, and the number and length of the windows of a step."""

    layers: int = 4
    width: int = 512
    heads: int = 4
    batch: int = 64
    block: int = 256
    back: int = 2
    dropout: float = 0.0
    attention: bool = True  # False for a control
    beta1: float = 0.8  # of AdamW: a captured graph keeps the one that it was captured with


@dataclasses.dataclass(frozen=True)
class Plan:
    """The settings that may change from run to run without compiling again."""

    steps: int = 100
    rate: float = 0.03  # of the matrices of the blocks, under Muon
    others_rate: float = 5e-3  # of the rest, under AdamW
    words_factor: float = 0.5  # of that rate, for the scores of the words
    spread: float = 0.15  # the standard deviation of the first embeddings
    momentum: float = 0.85  # of Muon
    decay: float = 0.1  # of its matrices
    warmup: int = 2
    cool: float = 1.0  # the last part of the run, in which the rates fall to zero
    seed: int = 0


class Training:
    """A model with its optimizer and its text, which can be trained again and again from the start.

    Parameters
    ----------
    shape : Shape
    texts : list of (learn, test)
        Arrays of ids: index 0 is the whole text with the held-out text, the others are parts to choose on.
    vocab_size : int
    device : str
        "cuda", or "cpu", where the same steps run without compiling and without a graph.
    most_steps : int
        The longest run that is asked for.
    """

    def __init__(self, shape, texts, vocab_size, device="cuda", most_steps=40_000):
        self.shape, self.device, self.texts = shape, torch.device(device), texts
        self.graph = None
        torch.set_float32_matmul_precision("high")
        sizes = vocab_size, shape.width, shape.heads, shape.layers
        more = {"back": shape.back, "attention": shape.attention, "dropout": shape.dropout}
        self.model = ModernGPT(*sizes, **more).to(self.device)
        length = max(len(learn) for learn, _ in texts)
        self.text = torch.zeros(length, dtype=torch.int64, device=self.device)
        self.starts = torch.zeros(most_steps, shape.batch, dtype=torch.int64, device=self.device)
        self.factors = torch.zeros(most_steps, device=self.device)
        self.losses = torch.zeros(most_steps, device=self.device)
        self.at = torch.zeros(1, dtype=torch.int64, device=self.device)
        self.columns = torch.arange(shape.block + 1, device=self.device)
        self._make_optimizers()
        self.loss = self._loss
        if self.device.type == "cuda":
            self.loss = torch.compile(self._loss)

    def _make_optimizers(self):
        hidden = muon_parameters(self.model)
        chosen = {id(p) for p in hidden}
        self.rest = {name: p for name, p in self.model.named_parameters() if id(p) not in chosen}
        # Rates, the momentum and the decay are tensors, so that a captured graph reads them anew.
        self.knobs = {name: torch.zeros((), device=self.device) for name in ("rate", "momentum", "decay")}
        self.rates = [torch.zeros((), device=self.device) for _ in self.rest]
        self.base_rates = torch.zeros(len(self.rest), device=self.device)
        self.stacks = {}
        for matrix in hidden:
            self.stacks.setdefault(tuple(matrix.shape), []).append(matrix)
        self.means = {
            size: torch.zeros(len(every), *size, device=self.device) for size, every in self.stacks.items()
        }
        self.adam = self._adam()

    def _adam(self):
        card = self.device.type == "cuda"
        groups = [{"params": [p], "lr": rate} for p, rate in zip(self.rest.values(), self.rates, strict=True)]
        how = {"betas": (self.shape.beta1, 0.99), "weight_decay": 0.0, "fused": True}
        return torch.optim.AdamW(groups, **how, **({"capturable": True} if card else {}))

    def _loss(self, inputs, targets):
        with torch.autocast(self.device.type, PRECISION, cache_enabled=False):
            logits = self.model(inputs)
        return training.token_loss(logits, targets)

    def step(self):
        """Make one update with data that is already on the card."""
        windows = self.text[self.starts.index_select(0, self.at).view(-1, 1) + self.columns]
        loss = self.loss(windows[:, :-1], windows[:, 1:])
        for p in self.model.parameters():
            p.grad = None
        loss.backward()
        factor = self.factors.index_select(0, self.at).squeeze(0)
        for rate, now in zip(self.rates, (self.base_rates * factor).unbind(), strict=True):
            rate.copy_(now)
        self.adam.step()
        self._muon_step(self.knobs["rate"] * factor)
        self.losses.index_copy_(0, self.at, loss.detach().view(1))
        self.at += 1

    @torch.no_grad()
    def _muon_step(self, rate):
        """Update the matrices of the blocks, stacked by their size, as `StackedMuon` does."""
        momentum = self.knobs["momentum"]
        for (rows, columns), matrices in self.stacks.items():
            mean = self.means[rows, columns]
            gradients = torch.stack([matrix.grad for matrix in matrices])
            mean.lerp_(gradients, 1 - momentum)
            upward = gradients.lerp(mean, momentum)
            tall = rows > columns
            steps = orthogonal(upward.mT if tall else upward, POLAR_EXPRESS, PRECISION)
            steps = (steps.mT if tall else steps) * (rate * max(1, rows / columns) ** 0.5)
            torch._foreach_mul_(matrices, 1 - rate * self.knobs["decay"])
            torch._foreach_sub_(matrices, list(steps.unbind()))

    def capture(self):
        """Compile, warm up and capture a step as a CUDA graph, and return the seconds that this takes."""
        begun = time.perf_counter()
        self.start(Plan(), part=len(self.texts) - 1)
        if self.device.type != "cuda":
            self.step()
            return time.perf_counter() - begun
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(WARM_UP):
                self.step()
        torch.cuda.current_stream().wait_stream(side)
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.step()
        torch.cuda.synchronize()
        return time.perf_counter() - begun

    @torch.no_grad()
    def start(self, plan, part):
        """Reset weights, optimizer, windows and learning rates to the beginning of a run."""
        torch.manual_seed(plan.seed)
        learn, _ = self.texts[part]
        self.text[: len(learn)] = torch.from_numpy(learn)
        self.model.train()
        self.model._start(plan.spread, torch.Generator(self.device).manual_seed(plan.seed))
        for mean in self.means.values():
            mean.zero_()
        for state in self.adam.state.values():
            for each in state.values():
                each.zero_()
        for name, knob in self.knobs.items():
            knob.fill_(getattr(plan, name))
        words = [plan.words_factor if name == "words.weight" else 1.0 for name in self.rest]
        self.base_rates.copy_(plan.others_rate * torch.tensor(words))
        self.starts[: plan.steps] = torch.from_numpy(
            starts(len(learn), self.shape.block, self.shape.batch, plan.steps, plan.seed)
        )
        self.factors[: plan.steps] = torch.tensor([factor(plan, step) for step in range(plan.steps)])
        self.at.zero_()

    def run(self, plan, part=0):
        """Train from a fresh start, and return the loss on the held-out text and the seconds of the steps."""
        begun = time.perf_counter()
        self.start(plan, part)
        self._wait()
        prepared = time.perf_counter() - begun
        begun = time.perf_counter()
        for _ in range(plan.steps):
            self.graph.replay() if self.graph else self.step()
        self._wait()
        seconds = time.perf_counter() - begun
        last = float(self.losses[max(0, plan.steps - 20) : plan.steps].mean())
        found = {"loss": self.held_out(part), "seconds": seconds, "prepared": prepared, "learned": last}
        return found | {"steps": plan.steps, "parameters": self.size()}

    def size(self):
        """Return the number of parameters of the model."""
        return sum(p.numel() for p in self.model.parameters())

    def _wait(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def held_out(self, part):
        """Return the loss on the whole held-out text of a part."""
        windows = batches.sequential_batches(self.texts[part][1], self.shape.block, 64)
        return training.evaluate(self.model, windows, precision=PRECISION)

    @torch.no_grad()
    def probabilities(self, part=0):
        """Return the probability that the model gives to each token of the held-out text."""
        self.model.eval()
        found = []
        for inputs, targets in batches.sequential_batches(self.texts[part][1], self.shape.block, 64):
            inputs, targets = (torch.from_numpy(np.array(x)).to(self.device) for x in (inputs, targets))
            with torch.autocast(self.device.type, PRECISION):
                logits = self.model(inputs)
            rows = logits.double().softmax(-1)
            found.append(rows.gather(-1, targets.unsqueeze(-1)).flatten())
        return torch.cat(found)


def starts(length, block, batch, steps, seed):
    """Return the first token of each window of each step; the whole text is read before any part is repeated.

    In each pass the windows lie side by side from another place on, and come in another order.
    """
    rng, found, have = np.random.default_rng(seed), [], 0
    while have < steps * batch:
        first = rng.integers(block)
        here = first + block * rng.permutation((length - 1 - first) // block)
        found.append(here)
        have += len(here)
    return np.concatenate(found)[: steps * batch].reshape(steps, batch)


def factor(plan, step):
    """Return the factor of the learning rate: a short warm-up, a plateau, and a linear decay to zero."""
    falling = max(plan.cool * plan.steps, 1)
    return min((step + 1) / plan.warmup, 1.0, max((plan.steps - step) / falling, 0.0))


def ensemble(trainer, plan, part, seconds):
    """Train models with different seeds within a time; return their losses and that of their mean prediction.

    The probability of the ensemble is the mean of the probabilities of its members. Only the steps count;
    another member is trained as long as the longest so far fits into what is left.
    """
    total, spent, members, means = None, 0.0, [], []
    while not members or spent + 1.01 * max(each["seconds"] for each in members) <= seconds:
        seed = plan.seed + len(members)
        members.append(trainer.run(dataclasses.replace(plan, seed=seed), part) | {"seed": seed})
        spent += members[-1]["seconds"]
        here = trainer.probabilities(part)
        total = here if total is None else total + here
        means.append(float(-(total / len(members)).log().mean()))
        print(f"member {len(members)}: {members[-1]['loss']:.4f}, mean {means[-1]:.4f}", file=sys.stderr)
    return {"loss": means[-1], "seconds": spent, "members": members, "losses": means}


def serve(path, shape, device, cut=None):
    """Compile a shape, report that it is ready, and answer each request line with a line of results."""
    texts = [read(path, part)[:2] for part in (0, 1, 2)]
    if cut:
        texts = [(learn[:cut], test[: cut // 4]) for learn, test in texts]
    trainer, compiled = Training(Shape(**shape), texts, read(path)[2], device), device == "cuda"
    try:
        seconds = trainer.capture()
    except Exception as error:  # where PyTorch cannot compile, a graph of its ordinary kernels is captured
        print(f"Not compiled: {error}"[:2000], file=sys.stderr)
        trainer.loss, compiled = trainer._loss, False
        seconds = trainer.capture()
    answer(seconds=seconds, parameters=trainer.size(), compiled=compiled)
    for line in sys.stdin:
        request = json.loads(line)
        plan, part = Plan(**request.get("plan", {})), request.get("part", 0)
        if "ensemble" in request:
            answer(**ensemble(trainer, plan, part, request["ensemble"]))
        else:
            answer(**trainer.run(plan, part))


def answer(**found):
    """Write one line of JSON to standard output, which carries nothing else."""
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    serve(**json.loads(sys.argv[1]))
