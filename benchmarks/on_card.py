"""Measure everything that needs a graphics card, in one run of at most nine minutes.

python benchmarks/on_card.py --nanogpt DIR --text FILE --out FILE.json
    --only step,nanogpt      some phases, in this order; FILE.json keeps what it has of the others
    --tiny                   a rehearsal on a processor: tiny sizes, no compiling
    --rows FILE.json         no measuring: make the rows of the page again from what was measured

Each phase has a limit. What it finds is written to the file at once, along with the rows of the page of
speeds, which reads `results/card-*.json`.

1. environment: card, driver, versions.
2. tests: `lib/tests/nets/test_on_cuda.py`, while the shapes of the recipe compile in the background.
3. recipe: rates and shapes are searched on parts of the text to learn from, then three seeds are trained.
4. step: a training step of GPT-2 124M in several ways, and by nanoGPT's bench.py.
5. nanogpt: nanoGPT's documented run, unchanged, timed from the arrival of its own log lines.
6. chapters: trainings of three chapters on two threads of the processor, and on the card.
"""

import argparse
import contextlib
import dataclasses
import importlib.metadata
import itertools
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import xml.etree.ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE), str(ROOT / "lib")]
os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "lib"), os.environ.get("PYTHONPATH", "")])

#: Seconds that each phase may take at most.
LIMITS = {"environment": 20, "tests": 120, "recipe": 190, "step": 100, "nanogpt": 130, "chapters": 60}
#: Seconds of steps whose loss is told, and those on which rates are searched.
BUDGETS = 0.35, 0.5, 0.75, 1.0, 1.5
#: Of all seconds of a budget, so much is used: the rest is for the spread between runs.
USED = 0.97
#: Seconds of nanoGPT's 5,000 steps on an H100: the ensemble is trained as long, unless `--seconds` says else.
LONG_SECONDS = 60.0
#: What is compiled: shapes for the short runs, each with its control, and for the members of the ensemble.
SHORT = {
    "4 blocks, width 512, batch 64": {},
    "4 blocks, width 512, batch 32": {"batch": 32},
    "4 blocks, width 384, batch 32": {"width": 384, "heads": 3, "batch": 32},
    "4 blocks, width 384, batch 16": {"width": 384, "heads": 3, "batch": 16},
}
MEMBERS = {
    "6 blocks, width 384, batch 64, dropout 0.2": {"layers": 6, "width": 384, "heads": 3, "dropout": 0.2},
    "6 blocks, width 512, batch 64, dropout 0.35": {"layers": 6, "dropout": 0.35},
}
#: Seconds of steps of a member of the ensemble.
MEMBER_SECONDS = 5.0
#: What is tried, one change after another, and kept where it lowers the mean loss of both parts.
CHANGES = [
    {"rate": 0.02}, {"rate": 0.045}, {"others_rate": 1.5e-2}, {"others_rate": 2.5e-3}, {"momentum": 0.92},
    {"words_factor": 1.0}, {"decay": 0.02}, {"cool": 0.7}, {"spread": 0.35}, {"rate": 0.06},
]  # fmt: skip
MEMBER_CHANGES = [{"rate": 0.015}, {"decay": 0.3}, {"others_rate": 2.5e-3}, {"decay": 0.6}]
SEEDS = 0, 1, 2
#: The goals: the documented loss in the short time, the next one in the longer time, the last by an ensemble.
NATS_IN_LONGER_TIME, LONGER_TIME, SHORT_TIME, LOWEST = 1.40, 1.5, 0.5, 1.36
#: The best loss that nanoGPT's README states for this run, estimated on random windows of held-out text.
DOCUMENTED = 1.4697
TINY_NANOGPT = [
    *("--device=cpu", "--compile=False", "--eval_iters=1", "--block_size=16", "--batch_size=2"),
    *("--n_layer=1", "--n_head=1", "--n_embd=8", "--max_iters=60", "--eval_interval=20"),
]
TINY_SHAPE = {"layers": 1, "width": 32, "heads": 2, "batch": 4, "block": 32}


def say(*words):
    """Print a line immediately."""
    print(f"[{time.perf_counter() - BEGUN:6.1f} s]", *words, flush=True)


BEGUN = time.perf_counter()


class Server:
    """A process that compiles one shape and then answers requests for runs, one after another."""

    def __init__(self, options, shape):
        self.shape = shape
        asked = {"path": str(options.text), "shape": shape, "device": options.device}
        asked |= {"cut": 4000} if options.tiny else {}
        command = [sys.executable, "card_recipe.py", json.dumps(asked)]
        self.errors = tempfile.NamedTemporaryFile("w+", suffix=".log")  # noqa: SIM115  deleted with the server
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self.errors, "text": True}
        few = os.environ | {"TORCHINDUCTOR_COMPILE_THREADS": "3"}  # many shapes compile at once
        self.process = subprocess.Popen(command, cwd=HERE, env=few, **pipes)
        self.ready = None

    def read(self):
        """Return the next answer of the process."""
        while line := self.process.stdout.readline():
            if line.startswith("{"):
                return json.loads(line)
        raise RuntimeError(f"{self.shape}: {Path(self.errors.name).read_text()[-3000:]}")

    def wait(self):
        """Wait until the compilation has ended, and return the seconds that it took."""
        if self.ready is None:
            self.ready = self.read()
        return self.ready

    def run(self, plan, part, **more):
        """Return the results of a run."""
        self.wait()
        self.process.stdin.write(json.dumps({"plan": plan, "part": part} | more) + "\n")
        self.process.stdin.flush()
        return self.read()

    def end(self):
        """End the process."""
        self.process.kill()
        self.process.wait()


class Servers(dict):
    """The processes of all shapes and of the controls, by name."""

    def start(self, options):
        """Start all processes, which compile side by side."""
        if options.tiny:
            shapes = {"tiny": TINY_SHAPE, "control of tiny": TINY_SHAPE | {"attention": False}}
            shapes |= {"tiny with dropout": TINY_SHAPE | {"dropout": 0.2}}
            self.short, self.members = ["tiny"], ["tiny with dropout"]
        else:
            controls = {f"control of {name}": shape | {"attention": False} for name, shape in SHORT.items()}
            shapes = SHORT | MEMBERS | controls
            self.short, self.members = list(SHORT), list(MEMBERS)
        self.update({name: Server(options, shape) for name, shape in shapes.items()})

    def wait(self, seconds):
        """Return the seconds or the error of each compilation, and end the processes that are late."""
        threads, found = {}, {}

        def ready(name):
            with contextlib.suppress(Exception):
                self[name].wait()

        for name in self:
            threads[name] = threading.Thread(target=ready, args=(name,), daemon=True)
            threads[name].start()
        end = time.perf_counter() + seconds
        for name, thread in threads.items():
            thread.join(max(0.0, end - time.perf_counter()))
            server = self[name]
            log = Path(server.errors.name).read_text()[-1500:]
            found[name] = {"shape": server.shape} | (server.ready or {"error": log or "not ready in time"})
        for name in [name for name in self if self[name].ready is None]:
            self.pop(name).end()
        return found

    def end(self):
        """End all processes."""
        for server in self.values():
            server.end()
        self.clear()


# ---- the phases -------------------------------------------------------------------------------------


def environment(_options, _servers):
    """Return the versions of the software, the card and its driver."""
    import torch
    from compare import machine

    facts = machine() | {"cuda": torch.version.cuda, "pythons": {}}
    for name in ("python3", "python3.11", "python3.12", "python3.13"):
        if found := shutil.which(name):
            facts["pythons"][found] = out([found, "--version"])
    for name in ("triton", "pytest", "hypothesis", "numpy", "tqdm"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            facts[name] = importlib.metadata.version(name)
    if torch.cuda.is_available():
        facts["card"] = torch.cuda.get_device_name()
        facts["memory of the card in GiB"] = round(torch.cuda.mem_get_info()[1] / 2**30, 1)
        query = [
            "nvidia-smi",
            "--query-gpu=driver_version,clocks.max.sm,power.limit",
            "--format=csv,noheader",
        ]
        facts["driver, clock, power"] = out(query)
    say(facts)
    return facts


def child(command, threads=None, **pipes):
    """Return a process that ends, together with its own children, when its phase ends."""
    few = {"TORCHINDUCTOR_COMPILE_THREADS": str(threads)} if threads else {}
    process = subprocess.Popen(
        command, cwd=HERE, env=os.environ | few, start_new_session=True, text=True, **pipes
    )
    CHILDREN.append(process)
    return process


def out(command):
    """Return the output of a command."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=20).stdout.strip()
    except (OSError, subprocess.TimeoutExpired) as error:
        return repr(error)


def tests(options, servers):
    """Return how many tests passed, and the last lines of those that failed, while the shapes compile."""
    path = Path(tempfile.mkdtemp()) / "tests.xml"
    command = [sys.executable, "-m", "pytest", "-q", "--maxfail=40", "--noconftest", "-p", "no:cacheprovider"]
    command += [
        f"--junitxml={path}",
        "-o",
        "junit_family=xunit2",
        str(ROOT / "lib/tests/nets/test_on_cuda.py"),
    ]
    environment = os.environ | {"CLEARHEAD_DEVICE": options.device, "OMP_NUM_THREADS": "2"}
    if options.tiny:
        command += ["-k", "losses"]
    begun = time.perf_counter()
    if "recipe" in options.later:
        servers.start(options)
    if "step" in options.later and not options.tiny:  # so that it finds what it needs compiled
        child([sys.executable, "-c", COMPILED_BEFORE, str(options.nanogpt)], 4)
    try:
        limit = LIMITS["tests"] - 15
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=limit
        )
        said = done.stdout[-6000:]
    except subprocess.TimeoutExpired as error:
        said = f"not ended after {limit} s: {(error.stdout or b'')[-3000:]}"
    found = {"seconds": time.perf_counter() - begun, "said": said}
    if path.exists():
        suite = xml.etree.ElementTree.parse(path).getroot().find("testsuite")
        found |= {key: int(suite.get(key)) for key in ("tests", "failures", "errors", "skipped")}
        found["failed"] = {
            f"{case.get('classname')}::{case.get('name')}": (case.find("failure").get("message") or "")[:800]
            for case in suite.iter("testcase")
            if case.find("failure") is not None
        }
    if servers:
        say("the compiled shapes")
        found["compiled"] = servers.wait(max(5.0, LIMITS["tests"] - (time.perf_counter() - begun)))
    return found


def mean(values):
    """Return the mean."""
    return statistics.fmean(values)


class Search:
    """A search for the plan of one shape on parts of the training text, for a given time of its steps."""

    def __init__(self, server, seconds, parts=(1, 2), tiny=False):
        self.server, self.seconds, self.parts, self.tried = server, seconds, parts, []
        self.pace = 1.0 if tiny else server.run({"steps": 60}, 1)["seconds"] / 60
        self.plan = {"steps": 3 if tiny else self.steps(seconds)}
        self.best = self.loss(self.plan)

    def steps(self, seconds):
        """Return the number of steps that fit into a time."""
        return max(2, int(USED * seconds / self.pace))

    def loss(self, plan):
        """Return the mean loss on the parts."""
        found = mean([self.server.run(plan, part)["loss"] for part in self.parts])
        self.tried.append(plan | {"loss": found})
        say("   ", self.tried[-1])
        return found

    def climb(self, changes, until):
        """Try one change after another until a deadline, and keep those that lower the loss."""
        for change in changes:
            if time.perf_counter() > until or any(self.plan.get(k) == v for k, v in change.items()):
                continue
            found = self.loss(self.plan | change)
            if found < self.best:
                self.best, self.plan = found, self.plan | change

    def told(self):
        """Return what was tried and what was chosen."""
        return {"plan": self.plan, "loss": self.best, "pace": self.pace, "tried": self.tried}


def recipe(options, servers):
    """Yield the results of the searches, of three seeds on held-out text, of a control and an ensemble."""
    asked, tiny = time.perf_counter(), options.tiny
    found = {"searches": {}, "runs": {}}
    if not servers:
        servers.start(options)
        found["compiled"] = servers.wait(90.0)
    begun = time.perf_counter()
    searches = {}
    for name in [name for name in servers.short if name in servers]:
        searches[name] = Search(servers[name], SHORT_TIME, tiny=tiny)
        searches[name].climb(CHANGES[: 1 if tiny else 3], begun + 35)
        found["searches"][name] = searches[name].told()
        yield found
    ranked = sorted(searches, key=lambda name: searches[name].best)
    for name in ranked[:2]:
        searches[name].climb(CHANGES[1 if tiny else 3 :][: 1 if tiny else None], begun + 60)
        found["searches"][name] = searches[name].told()
    yield found
    name = min(searches, key=lambda name: searches[name].best)
    best, server = searches[name], servers[name]
    found["chosen"] = {"shape": name, "compiled": server.wait()["seconds"]} | best.told()
    for seconds in BUDGETS[:2] if tiny else BUDGETS:
        plan = best.plan | ({} if tiny else {"steps": best.steps(seconds)})
        found["runs"][str(seconds)] = [server.run(plan | {"seed": seed}, 0) for seed in SEEDS]
        say(seconds, "s:", [round(run["loss"], 4) for run in found["runs"][str(seconds)]])
        yield found
    longer = Search(server, LONGER_TIME, parts=(1,), tiny=tiny)
    longer.plan = best.plan | {"steps": longer.plan["steps"]}
    longer.best = longer.loss(longer.plan)
    longer.climb([{"rate": best.plan.get("rate", 0.03) / 2}, {"decay": 0.3}, {"momentum": 0.92}], begun + 90)
    found["searches"]["for the longer time"] = longer.told()
    found["runs"]["the longer time"] = [server.run(longer.plan | {"seed": seed}, 0) for seed in SEEDS]
    say(LONGER_TIME, "s:", [round(run["loss"], 4) for run in found["runs"]["the longer time"]])
    yield found
    if control := servers.get(f"control of {name}"):
        plan = best.plan | {"steps": 3 if tiny else best.steps(SHORT_TIME)}
        found["control"] = [control.run(plan | {"seed": seed}, 0) for seed in SEEDS]
        say("without attention:", [round(run["loss"], 4) for run in found["control"]])
        yield found
    left = LIMITS["recipe"] - (time.perf_counter() - asked)
    members = {}
    for name in [name for name in servers.members if name in servers]:
        members[name] = Search(servers[name], MEMBER_SECONDS, parts=(1,), tiny=tiny)
        until = time.perf_counter() + max(0.0, (left - options.seconds - 10) / 2 - 2 * MEMBER_SECONDS)
        members[name].climb(MEMBER_CHANGES[: 1 if tiny else None], until)
        found["searches"][name] = members[name].told()
        yield found
    if members:
        name = min(members, key=lambda name: members[name].best)
        left = LIMITS["recipe"] - (time.perf_counter() - asked)
        seconds = 0.5 if tiny else max(2 * MEMBER_SECONDS, min(options.seconds, left - 5))
        found["ensemble"] = servers[name].run(members[name].plan, 0, ensemble=seconds)
        found["ensemble"] |= {"shape": name, "plan": members[name].plan, "asked": seconds}
        say("ensemble:", {k: v for k, v in found["ensemble"].items() if k != "members"})
    if not tiny:
        from compare import isolated

        found["counts"] = isolated("recipe:table_alone", str(options.text))
    yield found


def step(options, servers):
    """Yield the times of our ways to make a training step, and of nanoGPT's bench.py."""
    servers.end()  # their memory is needed
    import gpu

    sizes = {name: 16 for name in gpu.SIZES} | {"num_heads": 2} if options.tiny else gpu.SIZES
    found = {"ways": {}}
    if not options.tiny:
        found["nanogpt"] = gpu.nanogpt(options.nanogpt)
        say("nanoGPT's step:", found["nanogpt"])
        yield found
        found["products"] = gpu.products_a_second()
    asked = [sizes, 2 if options.tiny else gpu.BATCH, 2 if options.tiny else gpu.STEPS, options.device]
    code = (
        "import gpu, json, sys\nfor each in gpu.variants(*json.loads(sys.argv[1])): print(json.dumps(each))"
    )
    command = [sys.executable, "-u", "-c", code, json.dumps([*asked, not options.tiny])]
    for line in child(command, stdout=subprocess.PIPE).stdout:
        if line.startswith("["):
            name, facts = json.loads(line)
            found["ways"][name] = facts
            say(name, facts)
            yield found


def nanogpt(options, servers):
    """Yield the results of nanoGPT's documented run: its log with times, then its loss."""
    servers.end()
    from nanogpt import WHOLE_LOSS, prepared

    with tempfile.TemporaryDirectory() as place:
        copy = prepared(options.nanogpt, options.text, Path(place))
        command = [sys.executable, "-u", "train.py", "config/train_shakespeare_char.py"]
        if options.tiny:
            command += [
                "--device=cpu",
                "--compile=False",
                "--eval_iters=1",
                "--block_size=16",
                "--batch_size=2",
            ]
            command += ["--n_layer=1", "--n_head=1", "--n_embd=8", "--max_iters=60", "--eval_interval=20"]
        lines, begun = [], time.perf_counter()
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        with subprocess.Popen(command, cwd=copy, **pipes) as process:
            timer = threading.Timer(LIMITS["nanogpt"] - 30, process.send_signal, [signal.SIGTERM])
            timer.start()
            for line in process.stdout:
                lines.append([time.perf_counter() - begun, line.rstrip()])
            timer.cancel()
        found = timed(lines) | {"log": [line for _, line in lines][-3:]}
        say({key: value for key, value in found.items() if key != "evaluations"})
        yield found
        told = subprocess.run(
            [sys.executable, "-c", WHOLE_LOSS], cwd=copy, capture_output=True, text=True, check=False
        )
        if told.returncode:
            raise RuntimeError(told.stderr[-2000:])
        found["loss"], found["parameters"] = json.loads(told.stdout.splitlines()[-1])
        say("nanoGPT's loss on the whole held-out text:", found["loss"])
        yield found


def timed(lines):
    """Return the seconds of nanoGPT's steps, computed from the times at which the lines of its log arrived.

    It tells every tenth step. Ten steps between two lines take the time between them, unless an evaluation
    lies between: then they count as the median ten. The first ten, in which it compiles, count so, too.
    """
    marks, evaluations, evaluated = [], [], False
    for moment, line in lines:
        if match := re.match(r"iter (\d+): loss", line):
            marks.append((int(match[1]), moment, evaluated))
            evaluated = False
        elif match := re.match(r"step (\d+): train loss [\d.]+, val loss ([\d.]+)", line):
            evaluations.append([int(match[1]), float(match[2])])
            evaluated = True
        elif line.startswith("saving checkpoint"):
            evaluated = True
    if len(marks) < 4:
        return {"error": "too few steps", "lines": lines[-20:]}
    spans = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in itertools.pairwise(marks) if not b[2] and a[0] > 0]
    a_step = statistics.median(spans)
    plain = mean(spans)
    best = min(evaluations, key=lambda each: each[1])
    return {
        "seconds a step": plain,
        "median seconds a step": a_step,
        "steps": marks[-1][0],
        "seconds to its best loss": plain * best[0],
        "seconds of 5,000 steps": plain * 5000,
        "first steps, compiling": marks[1][1] - marks[0][1] if len(marks) > 1 else None,
        "until the first step ended": marks[0][1],
        "best": best,
        "evaluations": evaluations,
    }


def chapters(options, servers):
    """Yield the seconds of training runs of three chapters and of a larger model, without and with a card."""
    servers.end()
    found = {}
    for name in lessons(options.tiny, None):
        for device in dict.fromkeys(["cpu", options.device]):
            threads = {"OMP_NUM_THREADS": "2"} if device == "cpu" else {}
            code = "import json, on_card, sys; print(json.dumps(on_card.lesson(*json.loads(sys.argv[1]))))"
            command = [sys.executable, "-c", code, json.dumps([name, device, options.tiny])]
            ways = {"capture_output": True, "text": True, "check": False}
            done = subprocess.run(command, cwd=HERE, env=os.environ | threads, **ways)
            got = json.loads(done.stdout.splitlines()[-1]) if not done.returncode else done.stderr[-500:]
            found.setdefault(name, {})[device] = got
        say(name, found[name])
        yield found


def lessons(tiny, device):
    """Return, by name, the steps of each training run and a function that prepares it on a device."""
    import numpy as np
    import torch

    from clearhead import training
    from clearhead.nets.gpt_variant import MODERN, GPTVariant
    from clearhead.nets.models import GPT, VisionTransformer
    from clearhead.text import batches

    rng = np.random.default_rng(0)

    def characters(*sizes, length, batch):
        model = GPT(65, length, *sizes).to(device)
        ids = rng.integers(65, size=100_000)
        return model, batches.random_batches(ids, length, batch, rng), training.muon(model)

    def vision():
        model = VisionTransformer(8, 2, 1, 10, 32, 4, 2).to(device)
        images, labels = rng.random((32, 8, 8, 1), dtype=np.float32), rng.integers(10, size=32)
        return model, itertools.repeat((images, labels)), training.adamw(model)

    def since_gpt2():
        model = GPTVariant(60, 24, 32, 4, 2, MODERN).to(device)
        ids = torch.from_numpy(rng.integers(60, size=(32, 24)))
        return model, itertools.repeat((ids, ids)), training.adamw(model)

    large = "the model of chapter 9 with 6 blocks of width 384 and texts of 256 characters"
    return {
        "chapter 9, the character model": (300, lambda: characters(64, 4, 1, length=64, batch=12)),
        "chapter 13, a vision transformer": (350, vision),
        "chapter 16, a GPT with newer parts": (150, since_gpt2),
        large: (2 if tiny else 8, lambda: characters(384, 6, 6, length=64 if tiny else 256, batch=16)),
    }


def lesson(name, device, tiny):
    """Return the seconds of a training run after a warm-up, and its number of steps."""
    from clearhead import training

    steps, prepare = lessons(tiny, device)[name]
    model, draws, optimizer = prepare()
    steps = 3 if tiny else steps
    history = training.train(model, draws, 3, optimizer)
    begun = time.perf_counter()
    training.train(model, draws, 3 + steps, optimizer, history=history)
    return {"seconds": time.perf_counter() - begun, "steps": steps}


#: Fills PyTorch's store of compiled code: what it measures beside everything else counts for nothing.
COMPILED_BEFORE = """
import gpu, sys
gpu.nanogpt(sys.argv[1])
print(*gpu.variants(gpu.SIZES, gpu.BATCH, 1, "cuda", most=2))
"""
PHASES = {each.__name__: each for each in (environment, tests, recipe, step, nanogpt, chapters)}
CHILDREN = []


# ---- the rows of the page ---------------------------------------------------------------------------


def rows(phases):
    """Yield the rows of the page of speeds from the results of the phases."""
    yield from rows_of_the_step(phases.get("step", {}))
    yield from rows_of_the_run(phases.get("recipe", {}), phases.get("nanogpt", {}))
    for name, both in phases.get("chapters", {}).items():
        if isinstance(both, dict) and all(isinstance(both.get(where), dict) for where in ("cpu", "cuda")):
            ours, theirs = both["cuda"]["seconds"], both["cpu"]["seconds"]
            note = f"{both['cuda']['steps']} steps, one run"
            yield dict(subject="chapters on a card", what=name, ours=ours, peer=theirs, unit="s",
                       against="two threads of the processor", note=note)  # fmt: skip


def rows_of_the_step(found):
    """Yield one row for each way to make a step."""
    ways = {name: each for name, each in found.get("ways", {}).items() if "seconds" in each}
    if not ways or "nanogpt" not in found:
        return
    peer, subject = 1000 * found["nanogpt"], "a training step on a card"
    for name, each in ways.items():
        best = 1000 * each["operations"] / found["products"]
        ours = 1000 * each["seconds"]
        goal = 1.0 if name == "train, the model and the loss compiled" else None
        note = f"{best / ours:.0%} of the operations per second of a large product"
        row = {"subject": subject, "unit": "ms", "ours": ours, "note": note, "limit": best}
        yield row | {"what": name, "peer": peer, "against": "nanoGPT's bench.py, compiled", "goal": goal}
    name, each = min(ways.items(), key=lambda item: item[1]["seconds"])
    best = 1000 * each["operations"] / found["products"]
    row = {"subject": subject, "what": f"the fastest way: {name}", "ours": 1000 * each["seconds"]}
    yield row | {"peer": 2 * best, "unit": "ms", "against": "twice the time of its products", "goal": 1.0}


def rows_of_the_run(found, theirs):
    """Yield the rows of the documented run."""
    subject, runs = "nanoGPT's run on a card", found.get("runs", {})
    if not runs:
        return
    yield from rows_of_the_documented_loss(found)
    if "control" in found:
        every, peer = found["control"], median(runs[str(SHORT_TIME)], "loss")
        yield {"subject": subject, "what": "control: no attention, the same steps; median of three seeds",
               "unit": "nats", "ours": median(every, "loss"), "peer": peer, "against": "with attention",
               "note": words(every)}  # fmt: skip
    if "ensemble" in found:
        each = found["ensemble"]
        members, alone = each["members"], mean([member["loss"] for member in each["members"]])
        note = f"{len(members)} models of {members[0]['steps']:,} steps in {each['seconds']:.0f} s of steps; "
        note += f"each alone {alone:.3f} on average; {each['shape']}; one run"
        limit = theirs.get("seconds of 5,000 steps", LONG_SECONDS)
        yield {"subject": subject, "what": f"the mean of several models in {limit:.0f} s",
               "unit": "nats", "ours": each["loss"], "peer": LOWEST, "against": "a fixed goal", "goal": 1.0,
               "note": note, "fair": each["seconds"] <= limit}  # fmt: skip
    if str(SHORT_TIME) in runs and {"loss", "seconds to its best loss"} <= theirs.keys():
        yield from rows_of_nanogpt(found, theirs)
    if counts := found.get("counts"):
        yield {"subject": "counts without a network", "what": "counts without a network, on the processor",
               "unit": "nats", "ours": counts["loss"], "peer": DOCUMENTED,
               "against": "nanoGPT's README", "note": f"{counts['wall']:.1f} s"}  # fmt: skip


def median(every, what):
    """Return the median over some runs."""
    return statistics.median(run[what] for run in every)


def worst(every, what="loss"):
    """Return the largest value over some runs."""
    return max(run[what] for run in every)


def words(every):
    """Return a description of what the runs of three seeds have in common, with their losses."""
    losses = ", ".join(f"{run['loss']:.3f}" for run in every)
    steps, seconds = f"{every[0]['steps']:,} steps", f"{worst(every, 'seconds'):.3f} s"
    return f"{steps} in {seconds}; losses {losses}; {every[0]['parameters']:,} parameters"


def rows_of_the_documented_loss(found):
    """Yield the rows that compare our runs with the loss in nanoGPT's README and with fixed goals."""
    runs, row = found["runs"], {"subject": "nanoGPT's run on a card"}
    every = runs.get(str(SHORT_TIME))
    if every:
        chosen = found["chosen"]
        note = f"{words(every)}; {chosen['shape']}; compiling took {chosen['compiled']:.0f} s before"
        yield row | {"what": f"{SHORT_TIME} s of steps, if all seeds reach the loss in nanoGPT's README",
                     "unit": "s", "ours": worst(every, "seconds"), "peer": SHORT_TIME, "goal": 1.0,
                     "against": "a fixed goal", "note": note, "fair": worst(every) <= DOCUMENTED}  # fmt: skip
    for name, every in runs.items():
        row |= {"ours": worst(every), "unit": "nats", "note": words(every)}
        if name == "the longer time":
            what = f"the worst of three seeds in {LONGER_TIME} s, rates searched for this time"
            kept = worst(every, "seconds") <= LONGER_TIME
            yield row | {"what": what, "peer": NATS_IN_LONGER_TIME, "against": "a fixed goal", "goal": 1.0,
                         "fair": kept}  # fmt: skip
        else:
            what = f"the worst of three seeds in {name} s"
            yield row | {"what": what, "peer": DOCUMENTED, "against": "nanoGPT's README"}


def rows_of_nanogpt(found, theirs):
    """Yield the rows that compare our runs with nanoGPT's own run on the same card."""
    row, goal = {"subject": "nanoGPT on the same card"}, theirs["loss"]
    runs = {name: every for name, every in found["runs"].items() if name != "the longer time"}
    enough = [every for every in runs.values() if worst(every) <= goal]
    every = min(enough or runs.values(), key=lambda every: worst(every, "seconds"))
    yield row | {"what": "the shortest time in which all three seeds reach its best loss", "unit": "s",
                 "ours": worst(every, "seconds"), "peer": theirs["seconds to its best loss"],
                 "against": "nanoGPT, compiled, its steps alone", "fair": bool(enough),
                 "note": f"{words(every)}; nanoGPT's best loss is {goal:.3f}"}  # fmt: skip
    every = runs[str(SHORT_TIME)]
    yield row | {"what": f"{SHORT_TIME} s of steps, if all three seeds reach its best loss", "unit": "s",
                 "ours": worst(every, "seconds"), "peer": SHORT_TIME, "against": "a fixed goal", "goal": 1.0,
                 "fair": worst(every) <= goal, "note": words(every)}  # fmt: skip
    yield row | {"what": "compiling, before the steps", "unit": "s", "ours": found["chosen"]["compiled"],
                 "peer": theirs["until the first step ended"],
                 "against": "nanoGPT, until its first step and evaluation ended",
                 "note": "other things compiled at the same time as ours; nanoGPT's alone"}  # fmt: skip


def write(path, phases):
    """Write the results with the rows of the page, completely or not at all."""
    from compare import Row

    facts = {
        key: value for key, value in phases.get("environment", {}).items() if key not in ("pythons", "took")
    }
    shown = []
    try:
        for each in rows(phases):
            row = Row(**each)
            shown.append(dataclasses.asdict(row) | {"by": "on_card", "ratio": row.ratio, "holds": row.holds})
    except Exception:  # what was measured is kept, and `--rows` makes the rows once they are repaired
        traceback.print_exc()
    text = json.dumps({"machine": facts, "rows": shown, "phases": phases}, indent=1)
    fresh = path.with_suffix(".part")
    fresh.write_text(text + "\n")
    fresh.replace(path)


def main():
    """Run the phases, and write the results after each answer."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nanogpt", type=Path)
    parser.add_argument("--text", type=Path)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "card-h100.json")
    parser.add_argument("--only", help=f"some of {', '.join(PHASES)}, in the order in which they run")
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--seconds", type=float, default=LONG_SECONDS, help="of the ensemble's steps")
    parser.add_argument("--within", type=float, default=530.0, help="seconds for everything")
    parser.add_argument("--rows", type=Path)
    options = parser.parse_args()
    if options.rows:
        write(options.rows, json.loads(options.rows.read_text())["phases"])
        return
    import torch

    options.device = "cuda" if torch.cuda.is_available() and not options.tiny else "cpu"
    options.nanogpt, options.text = options.nanogpt.resolve(), options.text.resolve()
    if options.device == "cpu" and not options.tiny:
        sys.exit("There is no graphics card here. `--tiny` rehearses on the processor.")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    names = options.only.split(",") if options.only else list(PHASES)
    if unknown := set(names) - set(PHASES):
        parser.error(f"There is no phase {', '.join(sorted(unknown))}; there are {', '.join(PHASES)}.")
    phases = kept(options.out) if options.only and options.out.exists() else {}
    servers = Servers()
    try:
        for n, name in enumerate(names):
            say("phase", name)
            options.later = names[n + 1 :]
            try:
                LIMITS[name] = min(LIMITS[name], options.within - (time.perf_counter() - BEGUN))
                if LIMITS[name] < 15:
                    raise TimeoutError("no time was left")
                phase(name, options, servers, phases)
            except Exception as error:
                phases.setdefault(name, {})["error"] = f"{type(error).__name__}: {error}"[-3000:]
                say("FAILED", phases[name]["error"])
            write(options.out, phases)
    finally:
        servers.end()
    say("done:", options.out)


def kept(path):
    """Return the results of earlier runs in a file, which must be from this card and version of PyTorch."""
    import torch

    phases = json.loads(path.read_text())["phases"]
    then = phases.get("environment", {})
    card = torch.cuda.get_device_name() if torch.cuda.is_available() else None
    there, here = (then.get("card"), then.get("torch")), (card, torch.__version__)
    if then and there != here:
        sys.exit(
            f"{path} holds results of {there}, but this is {here}. Numbers of two machines are not compared: "
            "write to another file with --out, and run all phases."
        )
    return phases


def phase(name, options, servers, phases):
    """Run a phase, write whatever it yields, and end it at its time limit."""
    begun = time.perf_counter()

    def late(_signal, _frame):
        raise TimeoutError(f"ended after {LIMITS[name]:.0f} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(int(LIMITS[name]) + 10)
    try:
        found = PHASES[name](options, servers)
        for each in [found] if isinstance(found, dict) else found:
            phases[name] = each
            write(options.out, phases)
    finally:
        signal.alarm(0)
        for each in CHILDREN:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(each.pid, signal.SIGKILL)
        CHILDREN.clear()
        phases.setdefault(name, {})["took"] = time.perf_counter() - begun


if __name__ == "__main__":
    main()
