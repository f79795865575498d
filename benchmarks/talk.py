"""The real model: seconds a token in NumPy, in PyTorch and in Chromium, against reading its numbers once."""

import sys
import tempfile
from pathlib import Path

import torch
from ceilings import bytes_a_second, readings
from compare import Row, in_turns
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "lib" / "tests"), str(ROOT / "book")]

import chromium  # noqa: E402
from clearhead.pretrained import smollm  # noqa: E402
from clearhead.pretrained.language_model_in_torch import LanguageModelInTorch  # noqa: E402
from talk_site import write_site  # noqa: E402

TOKENS, MINUTES = 20, 60_000
WRITE = "([ids, length]) => talk.ask('write', { ids, length, temperature: 0 })"


def on_paper(model, begin, rounds):
    """Give a row for a token in PyTorch and one in NumPy, beside the time to read every weight once."""
    nbytes = 4 * sum(tensor.size for tensor in model.file.tensors.values())
    fast = LanguageModelInTorch(model)

    def writing(which):
        return lambda: list(which.written(begin, TOKENS + 1))

    def reading(which):  # the prompt, and the first token
        return lambda: list(which.written(begin, 1))

    read = readings(nbytes)[0]
    calls = {"read": lambda: [read() for _ in range(TOKENS)]}
    for name, which in (("PyTorch", fast), ("NumPy", model)):
        calls |= {name: writing(which), f"{name}, the prompt": reading(which)}
    seconds, ratios = in_turns(calls, rounds)
    once, threads = seconds["read"] / TOKENS, torch.get_num_threads()
    for name, goal in (("PyTorch", 2.0), ("NumPy", None)):
        ours = once * (ratios[name] - ratios[f"{name}, the prompt"])
        note = f"{1 / ours:.1f} tokens a second, {threads} thread{'s' * (threads > 1)}"
        what, told = f"SmolLM2, a token, in {name}", "reading its float32 once"
        yield Row("talk", what, 1000 * ours, 1000 * once, "ms", told, goal, note)


def rows(full, _options):
    """Give the rows of NumPy and PyTorch, of a token written in the page, and of the first one of 60."""
    model = smollm.load()
    begin = model.tokens.encode(smollm.chat_prompt([("user", "Write a long story about a cup.")])).tolist()
    prompt = (begin + model.tokens.encode("Once upon a time there was a cup. " * 4).tolist())[:60]
    yield from on_paper(model, begin, 7 if full else 3)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = chromium.launch(playwright, chromium.found()).new_page()
        page.goto(write_site(Path(folder)).as_uri())
        page.locator(".talk-file").set_input_files(smollm.find())
        page.wait_for_selector(".talk-room:not([hidden])", timeout=2 * MINUTES)

        def in_page(ids, length):
            return lambda: page.evaluate(WRITE, [ids, length])

        calls = {"NumPy": lambda: list(model.written(begin, TOKENS)), "page": in_page(begin, TOKENS)}
        seconds, ratios = in_turns(calls, 7 if full else 3)
        ours, peer = seconds["NumPy"] * ratios["page"] / TOKENS, seconds["NumPy"] / TOKENS
        limit = smollm.find().stat().st_size / bytes_a_second()
        note = f"{1 / ours:.0f} tokens a second on one core"
        yield Row("talk", "a token, in the page", ours, peer, "s", "ours in NumPy", 0.53, note, limit)
        calls = {
            "NumPy": lambda: list(model.written(prompt, 1)),
            "page": lambda: (in_page([0], 1)(), in_page(prompt, 1)()),  # the first forgets the prompt
        }
        seconds, ratios = in_turns(calls, 7 if full else 3)
        yield Row(
            "talk", "the first token after 60, in the page", seconds["NumPy"] * ratios["page"],
            seconds["NumPy"], "s", "ours in NumPy", note="eight tokens at once",
        )  # fmt: skip
