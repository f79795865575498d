"""The GPT that is shown live: its weights reach the loss stated, and the page writes as Python does."""

import hashlib
import re
import unicodedata

import numpy as np
import pytest
import torch

from clearhead.maths.models import gpt
from clearhead.nets.cache import cached_step
from clearhead.pretrained import live
from clearhead.text.batches import sequential_batches
from clearhead.training import evaluate
from clearhead.widgets import LiveTransformer
from support.live_figures import IN_THE_WRITER, drawn, state_of

README = (live.WEIGHTS.parent / "README.md").read_text("utf-8")
TOKENIZER = live.live_tokenizer()


@pytest.fixture(scope="module")
def model():
    return live.live_gpt()


def in_the_page(page, script, inputs=None, **state):
    """Return what a script gives in the page; it may use `Writer`, `render`, `get`, `model` and `inputs`."""
    figure = LiveTransformer()
    return page.evaluate(IN_THE_WRITER + script + "}", [figure._esm, state_of(figure) | state, inputs])


def test_the_file_is_the_one_that_the_readme_names():
    assert hashlib.sha256(live.WEIGHTS.read_bytes()).hexdigest() in README
    assert live.WEIGHTS.stat().st_size < 6_000_000
    assert 3_000_000 < sum(array.size for array in live.live_arrays().values()) < 3_500_000


def test_page_stores_byte_per_weight_and_scale_per_row(model):
    """The page holds a byte for each number and a scale for each row."""
    figure, numbers = LiveTransformer(), sum(p.numel() for p in model.parameters())
    assert len(figure.weights) == numbers
    assert len(figure.scales) < numbers / 20


@pytest.mark.parametrize("shape", [(5, 7), (7,), (1, 1)])
def test_rounding_error_is_at_most_half_step(shape):
    """Rounding moves a number by half a step of its row at most."""
    array = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    codes, scales = live.rounded(array)
    assert codes.dtype == np.int8
    assert np.abs(codes).max(axis=-1).min() == 127
    assert np.all(np.abs(codes * scales[..., None] - array) <= scales[..., None] * 0.5001)


def test_a_row_of_zeros_stays_zero():
    codes, scales = live.rounded(np.zeros((2, 3), np.float32))
    assert not codes.any()
    assert (scales == 1).all()


@pytest.mark.parametrize("source", ["story", "sentence"])
def test_the_weights_reach_the_loss_that_the_readme_states(model, source):
    with np.load(live.WEIGHTS) as file:
        held_out = file[f"validation.{source}"].astype(np.int64)
    windows = sequential_batches(held_out, live.SIZES["context_length"], 16)
    stated = re.search(rf"\| {source} \|.*\| (\d\.\d+) \|$", README, flags=re.MULTILINE)
    assert evaluate(model, windows) == pytest.approx(float(stated[1]), abs=0.005)


def test_numpy_and_pytorch_read_the_same_weights(model):
    ids = np.random.default_rng(0).integers(live.SIZES["vocab_size"], size=90)
    with torch.no_grad():
        expected = model(torch.tensor(ids)).numpy()
    found = gpt(ids, live.live_parameters(), live.SIZES["num_heads"])
    np.testing.assert_allclose(found, expected, atol=1e-4)


def test_the_sentence_of_the_book_is_finished():
    _, _, teacher, cup = (text for _, text in LiveTransformer().prompts)
    assert re.search(r"are ‘her’, 0.[5-9]", LiveTransformer(text=teacher, temperature=1).words)
    assert "‘at’ looks most at ‘teacher’, 0." in LiveTransformer(text=teacher).words
    king = LiveTransformer(text=teacher.replace("teacher", "king")).words
    assert "are ‘him’," in king
    assert "‘at’ looks most at ‘king’, 0." in king
    assert re.search("are ‘coffee’, 0.[4-8]", LiveTransformer(text=cup, temperature=1).words)


@pytest.mark.parametrize("seed", range(3))
def test_logits_in_the_page_equal_those_of_pytorch(page, model, seed):
    ids = np.random.default_rng(seed).integers(live.SIZES["vocab_size"], size=128)
    script = """
        const { cache } = new Writer(get);
        cache.truncate(0);
        return inputs.map((id) => [...cache.extend(id)]);"""
    shown = in_the_page(page, script, ids.tolist())
    with torch.no_grad():
        np.testing.assert_allclose(shown, model(torch.tensor(ids)).numpy(), atol=1e-4)


def test_the_tokenizer_of_the_page_is_the_one_of_python(page):
    rng = np.random.default_rng(5)
    signs = [chr(c) for c in [*range(0x3000), *range(0xFE00, 0x1F700)] if known(c)]
    common = [*"aabcde  st'’\n\t1²é_.", "<stop>", " the", "'ll"]
    texts = []
    for _ in range(600):
        from_common = rng.random(int(rng.integers(50))) < 0.7
        texts.append("".join(rng.choice(common if each else signs) for each in from_common))
    script = """
        const { tokenizer } = new Writer(get);
        return inputs.map((text) => {
            const ids = tokenizer.encode(text);
            return [ids, tokenizer.decode(ids), tokenizer.tokens(ids)]; });"""
    for text, (ids, decoded, tokens) in zip(texts, in_the_page(page, script, texts), strict=True):
        assert ids == TOKENIZER.encode(text).tolist(), repr(text)
        assert decoded == text
        assert tokens == TOKENIZER.tokens(ids)


def known(point):
    """Return True for what is a character in the oldest Unicode of a supported Python, and no surrogate."""
    return unicodedata.category(chr(point)) not in ("Cn", "Cs", "Co")


def test_the_page_writes_greedily_what_python_writes(page, model):
    script = """
        const writer = new Writer(get), likeliest = (row) => row.indexOf(Math.max(...row));
        for (let i = 0; i < 200; i++) writer.write({ order: [likeliest(writer.logits)], p: [1] });
        return writer.generatedIds;"""
    step, ids, text = cached_step(model), [], TOKENIZER.encode("<stop>" + LiveTransformer().text).tolist()
    for _ in range(200):
        ids.append(int(np.argmax(step(np.array(text)))))
        text.append(ids[-1])
        text = text if len(text) <= 128 else text[-64:]
    assert in_the_page(page, script) == ids


def test_the_page_writes_on_beyond_its_context_and_says_what(page):
    script = """
        const el = document.body.appendChild(document.createElement("div"));
        document.body.replaceChildren(el);
        render({ model, el });
        window.button = el.querySelector(".ch-buttons button");
        window.line = el.querySelector(".ch-line");"""
    in_the_page(page, script, length=300, pace=2)
    page.evaluate("""async () => {
        while (document.querySelectorAll(".ch-word").length < 300) {
            if (button.textContent === "Generate") button.click();   // it came to an end of its own
            await new Promise((done) => setTimeout(done, 50)); } }""")
    page.wait_for_function("button.textContent === 'Generate'", polling=250)
    page.wait_for_timeout(200)
    assert page.evaluate("line.textContent").startswith("Generated: ‘")


def test_what_is_written_reaches_python_and_can_be_thrown_away(page):
    script = """
        const el = document.body.appendChild(document.createElement("div"));
        const wait = (ms) => new Promise((done) => setTimeout(done, ms));
        render({ model, el });
        const [write, one, again] = el.querySelectorAll(".ch-buttons button");
        one.click();
        const first = model.get("written");
        write.click();
        await wait(300);
        write.click();
        const stopped = model.get("written");
        again.click();
        return [first, stopped, model.get("written"), el.querySelector(".ch-generated-text").textContent];"""
    first, stopped, after, shown = in_the_page(page, script, length=100_000, pace=2)
    assert stopped.startswith(first)
    assert len(stopped) > len(first) > 0
    assert (after, shown) == ("", LiveTransformer().text)


OPENED = """
    const el = document.body.appendChild(document.createElement("div"));
    render({ model, el });
    const texts = (all) => [...el.querySelectorAll(all)].map((each) => each.textContent);
    const tile = el.querySelectorAll(".ch-tiles")[inputs.layer].querySelectorAll("button")[inputs.head];"""


@pytest.mark.parametrize(("layer", "head", "chosen"), [(1, 3, -1), (0, 0, 6), (3, 2, 5)])
def test_opened_head_shows_values_of_running_model(page, model, layer, head, chosen):
    """An opened head shows the numbers of the model that ran."""
    script = f"""{OPENED}
        tile.click();
        const rows = [...el.querySelectorAll(".ch-steps tbody tr")].slice(1);
        return rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent));"""
    shown = in_the_page(page, script, {"layer": layer, "head": head}, chosen=chosen)
    ids = TOKENIZER.encode("<stop>" + LiveTransformer().text)
    with torch.no_grad():
        A = model.attention_weights(torch.tensor(ids[None]))[layer][0, head, chosen].numpy()
    selected = (layer, head, chosen % len(ids))
    steps = LiveTransformer.compute(ids, live.live_parameters(), live.SIZES["num_heads"], 1, 5, *selected)[
        "head"
    ]
    for s, (_, score, scaled, may_look, share, _) in enumerate(shown):
        assert value(score) == pytest.approx(steps["scores"][s], abs=0.051)
        assert value(scaled) == pytest.approx(steps["scaled"][s], abs=0.0051)
        assert value(share) == pytest.approx(A[s], abs=0.0051)
        assert may_look == ("✓" if s <= selected[2] else "−∞")
    assert len(shown) == len(ids)


def test_equal_tokens_are_distinguished_and_rows_summarized(page):
    """Equal tokens are reported apart and a row of numbers in few words."""
    script = f"""{OPENED}
        tile.click();
        const labels = (all) => [...el.querySelectorAll(all)].map((each) => each.getAttribute("aria-label"));
        return [labels(".ch-steps tbody th").filter(Boolean), labels(".ch-steps canvas")];"""
    rows, strips = in_the_page(page, script, {"layer": 1, "head": 0}, text="She had a cup , a cup , a cup")
    assert len(set(rows)) == len(rows)
    assert [rows[rows.index("‘cup’ (no. 1)")], rows[-1]] == ["‘cup’ (no. 1)", "‘cup’ (no. 3)"]
    assert all(len(words) < 120 and "the largest is entry" in words for words in strips)


def value(text):
    return float(text.replace("−", "-"))


def test_escape_closes_what_was_opened_and_the_focus_goes_home(page):
    script = f"""{OPENED}
        const panel = el.querySelector(".ch-opened"), found = [panel.hidden];
        tile.click();
        found.push(panel.hidden, tile.getAttribute("aria-expanded"), document.activeElement === panel);
        panel.dispatchEvent(new KeyboardEvent("keydown", {{ key: "Escape", bubbles: true }}));
        return [...found, panel.hidden, model.get("opened"), document.activeElement === tile];"""
    found = in_the_page(page, script, {"layer": 2, "head": 4})
    assert found == [True, False, "true", True, True, "", True]


def test_writing_keeps_the_prompt_and_stops(page):
    script = """
        const el = document.body.appendChild(document.createElement("div"));
        const wait = (ms) => new Promise((done) => setTimeout(done, ms));
        render({ model, el });
        const write = el.querySelector(".ch-buttons button"), begun = performance.now();
        write.click();
        while (write.textContent === "Stop") await wait(20);
        const count = el.querySelectorAll(".ch-word").length;
        const shown = el.querySelector(".ch-generated-text").textContent;
        return [performance.now() - begun, count, shown, model.get("written")];"""
    milliseconds, count, shown, written = in_the_page(page, script, length=12)
    assert 1 <= count <= 12
    assert milliseconds >= 100 * (count - 1)
    assert shown == LiveTransformer().text + written.replace("<stop>", " ¶ ")


def test_chosen_word_continues_text(page):
    """Another word may be chosen and the text goes on from there."""
    script = """
        const writer = new Writer(get), likeliest = (row) => row.indexOf(Math.max(...row));
        for (let i = 0; i < 150; i++) writer.write({ order: [likeliest(writer.logits), 300], p: [0.8, 0.2] });
        const before = [...writer.generatedIds];
        writer.replaceToken(3, 300);
        const fresh = new Writer(get);
        [...before.slice(0, 3), 300].forEach((id) => fresh.appendToken(id, {}));
        const difference = Math.max(...writer.logits.map((z, i) => Math.abs(z - fresh.logits[i])));
        return [before.slice(0, 3), writer.generatedIds, writer.from, difference];"""
    before, generated, forgotten, difference = in_the_page(page, script)
    assert generated == [*before, 300]
    assert forgotten == 0
    assert difference < 1e-5


PAINTED = """
    const flow = el.querySelector(".ch-flow"), canvas = flow.querySelector("canvas");
    const context = canvas.getContext("2d"), ratio = canvas.width / canvas.getBoundingClientRect().width;
    const painted = (...box) => context.getImageData(...box.map((side) => Math.round(side * ratio))).data
      .filter((value, i) => i % 4 === 3 && value).length;
    const parts = [...flow.querySelectorAll(flow.matches(".ch-narrow") ? ".ch-flow-note" : ".ch-flow-token")]
      .filter((part) => part.checkVisibility());
    const between = (part) => flow.matches(".ch-narrow")
      ? painted(part.offsetLeft, part.offsetTop, part.offsetWidth, part.offsetHeight)
      : painted(part.offsetWidth + 6, part.offsetTop - 1, flow.offsetWidth - part.offsetWidth - 6, 2);
    return [painted(0, 0, flow.offsetWidth, flow.offsetHeight), parts.map(between)];
"""


@pytest.mark.parametrize("width", [330, 960])
def test_painted_rows_do_not_overlap(page, width):
    """However wide the model is: between two rows, and under the words between two layers, is nothing."""
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate("wide => Object.assign(document.body.style, { margin: 0, width: `${wide}px` })", width)
    everything, between = drawn(page, LiveTransformer(), PAINTED)
    assert everything > 1000
    assert len(between) >= 5
    assert max(between) == 0
