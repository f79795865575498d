"""Time one token of SmolLM2 in NumPy, in PyTorch, in the page and in llama.cpp, and one of the small model.

A token is what comes after the first one: each way reads the prompt anew, and its time is taken off.
"""

import tempfile
from pathlib import Path

import numpy as np
import torch
from ceilings import least_seconds, readings
from compare import Row, in_turns
from llama import seconds_a_token
from playwright.sync_api import sync_playwright
from race.language_model import LanguageModelInTorch

import chromium
from clearhead.nets.cache import cached_step
from clearhead.pretrained import live, smollm
from clearhead.widgets import LiveTransformer
from support.live_figures import IN_THE_WRITER, state_of
from support.talk_site import write_site

TOKENS, MINUTES = 20, 60_000
WRITE = "([ids, length]) => talk.request('generate', { ids, length, temperature: 0 })"
OPEN = "window.writer = new Writer(get);"
LIVE = """(length) => {
    const likeliest = (row) => row.indexOf(Math.max(...row));
    writer.cache.truncate(0);
    writer.ids = [];
    writer.reset(writer.text);
    for (let i = 0; i < length; i++) writer.write({ order: [likeliest(writer.logits)], p: [1] });
    return writer.generatedIds; }"""


def a_token(ways, rounds, beside=()):
    """Return the seconds per token after the first for each implementation, and of the fastest reference.

    All take turns. A way is a function of how many to write; a call beside, such as a reading, takes nothing.
    """
    calls = {}
    for name, write in ways.items():
        calls |= {name: lambda write=write: write(TOKENS + 1), f"{name}, one": lambda write=write: write(1)}
    seconds, ratios = in_turns(calls | dict(enumerate(beside)), rounds)
    first = seconds[next(iter(ways))]
    found = {name: first * (ratios[name] - ratios[f"{name}, one"]) / TOKENS for name in ways}
    return found, min((first * ratios[k] for k in range(len(beside))), default=None)


def on_paper(model, begin, rounds):
    """Yield the rows for a token in PyTorch and in NumPy, beside the time to read every weight once."""
    nbytes = 4 * sum(tensor.size for tensor in model.file.tensors.values())
    fast, threads = LanguageModelInTorch(model), torch.get_num_threads()
    ways = {name: lambda n, which=which: list(which.generate(begin, n))
            for name, which in (("PyTorch", fast), ("NumPy", model))}  # fmt: skip
    peer = seconds_a_token(begin, threads, rounds, TOKENS)
    found, reading = a_token(ways, rounds, readings(nbytes))
    for name, goal in (("PyTorch", 2.0), ("NumPy", None)):
        note = f"{1 / found[name]:.1f} tokens per second, {threads} threads"
        what, told = f"SmolLM2, a token, in {name}", "reading its float32 once"
        yield Row("talk", what, 1000 * found[name], 1000 * reading, "ms", told, goal, note)
        if peer:
            told = f"llama.cpp, same file, {threads} threads"
            note = "float32 here, the file's own 4 bits there"
            yield Row("talk", what, 1000 * found[name], 1000 * peer, "ms", told, note=note)


def in_the_page(browser, model, begin, rounds):
    """Yield the rows for a token of SmolLM2 in the page, and for the first after a prompt of 60 tokens."""
    page, prompt = browser.new_page(), (begin + model.tokens.encode("There was a cup. " * 12).tolist())[:60]
    with tempfile.TemporaryDirectory() as folder:
        page.goto(write_site(Path(folder)).as_uri())
        page.locator(".talk-file").set_input_files(smollm.find())
        page.wait_for_selector(".talk-content:not([hidden])", timeout=2 * MINUTES)

    def write(ids, length):
        page.evaluate(WRITE, [[0], 1])  # forgets the prompt
        page.evaluate(WRITE, [ids, length])

    ways = {"NumPy": lambda n: list(model.generate(begin, n)), "page": lambda n: write(begin, n)}
    peer = seconds_a_token(begin, 1, rounds, TOKENS)
    found, _ = a_token(ways, rounds)
    limit = 1000 * min(map(least_seconds, readings(smollm.find().stat().st_size)))
    what, ours = "SmolLM2, a token, in the page", 1000 * found["page"]
    note = f"{1 / found['page']:.0f} tokens per second on one core"
    yield Row("talk", what, ours, 1000 * found["NumPy"], "ms", "ours in NumPy", limit=limit)
    yield Row("talk", what, ours, 1000 / 15, "ms", "a fixed goal", 1.0, note)
    if peer:
        told = "llama.cpp, same file, one thread"
        yield Row("talk", what, ours, 1000 * peer, "ms", told, limit=limit)
    calls = {"NumPy": lambda: list(model.generate(prompt, 1)), "page": lambda: write(prompt, 1)}
    seconds, ratios = in_turns(calls, rounds)
    what, told = "SmolLM2, the first token after 60, in the page", "ours in NumPy"
    first = seconds["NumPy"] * ratios["page"]
    yield Row("talk", what, first, seconds["NumPy"], "s", told)
    yield Row("talk", what, first, 3, "s", "a fixed goal", 1.0)


def small(browser, rounds):
    """Yield the row for the small model that runs on every page of the book."""
    page, figure = browser.new_page(), LiveTransformer()
    page.evaluate(IN_THE_WRITER + OPEN + "}", [figure._esm, state_of(figure), None])
    step, begin = cached_step(live.live_gpt()), live.live_tokenizer().encode("<stop>" + figure.text).tolist()

    def in_torch(length):
        text = list(begin)
        step(np.array([0]))  # forgets the prompt
        for _ in range(length):
            text.append(int(np.argmax(step(np.array(text)))))
        return text[len(begin) :]

    if in_torch(TOKENS) != page.evaluate(LIVE, TOKENS):
        raise RuntimeError("The page and PyTorch do not write the same.")
    found, _ = a_token({"PyTorch": in_torch, "page": lambda n: page.evaluate(LIVE, n)}, rounds)
    note = f"{1 / found['page']:.0f} tokens per second"
    ours, theirs = 1000 * found["page"], 1000 * found["PyTorch"]
    nbytes = 4 * sum(array.size for array in live.live_arrays().values())
    limit = 1000 * min(map(least_seconds, readings(nbytes)))
    what, told = "the small live model, a token, in the page", "the same model in PyTorch"
    yield Row("talk", what, ours, theirs, "ms", told, note=note, limit=limit)
    yield Row("talk", what, ours, 10, "ms", "a fixed goal", 1.0)


def rows(full, _options):
    """Yield the rows of this subject."""
    model, rounds = smollm.load(), 7 if full else 3
    begin = model.tokens.encode(smollm.chat_prompt([("user", "Write a long story about a cup.")])).tolist()
    yield from on_paper(model, begin, rounds)
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright, chromium.found())
        yield from small(browser, 3 * rounds)
        yield from in_the_page(browser, model, begin, rounds)
