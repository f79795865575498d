"""Talk to a real model: the page computes what the library does, and says what is wrong with a file."""

import hashlib
import sys
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from support import in_page_firefox

pytest.importorskip("sphinx")
pytest.importorskip("transformers")

from clearhead.maths.quantization import unpack_q4_1, unpack_q8_0
from clearhead.pretrained import smollm
from support.models import here
from support.places import ROOT
from support.small_llama import ENTRIES, lines, packed, small_llama, tensors_of, write
from support.talk_site import write_site

MINUTE = 60_000
SOURCES = ROOT / "book" / "static" / "talk"
#: Arrays of JavaScript become lists.
REQUEST = """async ([method, inputs]) => JSON.parse(JSON.stringify(await talk.request(method, inputs),
    (_, value) => (ArrayBuffer.isView(value) ? [...value] : value)))"""
STATUS = "document.querySelector('.talk-status').textContent"


@pytest.fixture(scope="module")
def small_file(tmp_path_factory):
    """A small model with random weights, packed as SmolLM2 is."""
    kinds = {"token_embd": 8, "norm": 0}
    tensors = {
        name: (array, next((kind for part, kind in kinds.items() if part in name), 3))
        for name, (array, _) in tensors_of(small_llama()).items()
    }
    return write(tmp_path_factory.mktemp("small") / "small.gguf", ENTRIES, tensors)


@pytest.fixture(scope="module")
def real_file():
    """The file of SmolLM2, or skip and say what to install."""
    return here(smollm.find)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return write_site(tmp_path_factory.mktemp("site"))


class Talk:
    """The page in a new tab, with the addresses that it requested."""

    def __init__(self, browser, address):
        self.page, self.requested = browser.new_page(viewport={"width": 390, "height": 844}), []
        self.page.on("pageerror", lambda error: pytest.fail(f"error in the page: {error}"))
        self.page.on("request", lambda request: self.requested.append(request.url))
        self.page.goto(address)

    def choose(self, path):
        """Choose a file, wait until it is opened or refused, and return what the page says."""
        self.page.locator(".talk-file").set_input_files(str(path))
        return self.opened()

    def opened(self):
        self.page.wait_for_function(
            "!document.querySelector('.talk-source').disabled"
            " || !document.querySelector('.talk-content').hidden",
            timeout=2 * MINUTE,
        )
        return self.page.evaluate(STATUS)

    def request(self, method, **inputs):
        return self.page.evaluate(REQUEST, [method, inputs])

    def logits(self, ids):
        return np.array(self.request("read", ids=list(ids)))

    def say(self, words):
        """Send words, wait for the answer, and return what the page says of it."""
        self.page.fill("#talk-message", words)
        self.page.evaluate(f"{STATUS} = ''")  # what it says of the answer before
        self.page.click("text=Send")
        return self.written()

    def written(self):
        self.page.wait_for_function(f"{STATUS}.startsWith('Generated')", timeout=2 * MINUTE)
        return self.page.evaluate(STATUS)


@pytest.fixture(scope="module")
def small(browser, site, small_file):
    talk = Talk(browser, site.as_uri())
    talk.choose(small_file)
    return talk, smollm.load(small_file)


@pytest.fixture(scope="module")
def real(browser, site, real_file):
    talk = Talk(browser, site.as_uri())
    talk.choose(real_file)
    return talk, smollm.load()


# What needs no model.


@pytest.mark.parametrize(
    ("name", "size", "kind", "unpack"), [("four", 20, 3, unpack_q4_1), ("eight", 34, 8, unpack_q8_0)]
)
@pytest.mark.parametrize("positions", [1, 4, 8])
def test_the_kernel_multiplies_as_numpy_does(page, name, size, kind, unpack, positions):
    rng = np.random.default_rng(positions)
    weights, x = rng.normal(size=(7, 64)), rng.normal(size=(positions, 2, 32))
    blocks = packed(weights, kind)
    scale = np.abs(x).max(axis=-1, keepdims=True) / 32767
    whole = np.round(x / scale)
    page.add_script_tag(path=SOURCES / "kernel.js")
    script = """async ([name, weights, whole, scale, positions]) => {
        const kernel = talk.kernel(), memory = new WebAssembly.Memory({ initial: 8 });
        const run = await kernel.start(memory);
        kernel.float16Table(memory);
        const [w, x, y] = [300000, 400000, 450000], data = new DataView(memory.buffer);
        new Uint8Array(memory.buffer).set(weights, w);
        for (let p = 0; p < positions; p++) for (let block = 0; block < 2; block++) {
            const address = x + (block * positions + p) * kernel.BLOCK_BYTES, row = whole[p][block];
            row.forEach((number, i) => data.setInt16(address + 2 * i, number, true));
            data.setFloat32(address + 64, scale[p][block][0], true);
            data.setFloat32(address + 68, scale[p][block][0] * row.reduce((a, b) => a + b), true);
        }
        run[name + positions](w, x, y, 7, 2, 28);
        return Array.from(new Float32Array(memory.buffer, y, 7 * positions)); }"""
    found = page.evaluate(script, [name, list(blocks), whole.tolist(), scale.tolist(), positions])
    unpacked = unpack(np.frombuffer(blocks, np.uint8).reshape(-1, size)).reshape(7, 64)
    expected = (whole * scale).reshape(positions, 64) @ unpacked.T
    np.testing.assert_allclose(np.reshape(found, (positions, 7)), expected, atol=1e-4)


def test_before_a_click_the_page_brings_a_few_kilobytes(browser, site):
    talk = Talk(browser, site.as_uri())
    requested = [Path(address.removeprefix("file://")) for address in talk.requested]
    assert sorted(path.name for path in requested) == ["start.js", "talk.css", "talk.html"]
    assert (SOURCES / "start.js").stat().st_size < 5000


# A small model: always there.


def test_a_small_model_in_the_page_equals_ours(small):
    talk, model = small
    ids = np.random.default_rng(0).integers(280, size=45).tolist()
    for length in (1, 2, 4, 9, 17, 29, 30, 45, 20):  # all widths of the kernel; a text that grows, and is cut
        assert np.abs(talk.logits(ids[:length]) - model.logits(ids[:length])[-1]).max() < 1e-2
    other = [7, *ids[1:12]]
    assert np.abs(talk.logits(other) - model.logits(other)[-1]).max() < 1e-2
    assert np.abs(talk.logits(ids) - model.logits(other)[-1]).max() > 0.1


def test_all_that_is_shown_of_a_token_equals_ours(small):
    talk, model = small
    check_inspection(talk, model, np.random.default_rng(1).integers(280, size=20).tolist(), 12)


def check_inspection(talk, model, ids, position):
    """Compare what the page shows of one token: choices, lens, and where every head attends."""
    found = talk.request("inspect", ids=ids, position=position)
    probabilities = np.exp(model.logits(ids)[position - 1].astype(float))
    probabilities /= probabilities.sum()
    order = np.argsort(-probabilities)[:10]
    assert [each["p"] for each in found["best"]] == pytest.approx(probabilities[order], rel=0.02)
    assert found["p"] == pytest.approx(probabilities[ids[position]], rel=0.02)
    lens = model.unembed(model.residual_stream(ids)[:, position - 1])
    assert [best[0]["id"] for best in found["lens"]] == lens.argmax(axis=-1).tolist()
    maps = model.attention_weights(ids)
    assert np.abs(np.array(found["heads"]) - maps[:, :, position - 1, :position]).max() < 1e-3
    rows = talk.request("map", ids=ids, layer=1, head=2)
    assert np.abs(np.array(rows[-1]) - maps[1, 2, -1]).max() < 1e-3


# What is wrong with a file is said, and another one can be chosen.

WRONG = {
    "empty": (lambda data: b"", "not a model's file"),
    "a picture": (lambda data: b"\x89PNG" + data[4:], "not a model's file"),
    "of another version": (lambda data: data[:4] + b"\x09" + data[5:], "version 2 or 3"),
    "cut in its header": (lambda data: data[:200], "middle of its header"),
    "cut in its numbers": (lambda data: data[:-100], "a part is missing"),
    "half a wheel": (lambda data: b"PK\x03\x04" + data[4:2000], "its end is missing"),
    "of another family": (lambda data: data.replace(b"llama", b"gpt-2", 1), "gpt-2"),
    "without a tensor": (
        lambda data: data.replace(b"blk.1.ffn_up", b"blk.1.ffn_no", 1),
        "lacks the tensor blk.1.ffn_up",
    ),
}


@pytest.mark.parametrize("how", WRONG)
def test_wrong_file_is_reported_and_right_one_accepted(browser, site, small_file, tmp_path, how):
    """A wrong file is said and the right one can follow."""
    change, said = WRONG[how]
    path = tmp_path / "wrong.gguf"
    path.write_bytes(change(small_file.read_bytes()))
    talk = Talk(browser, site.as_uri())
    assert said in talk.choose(path)
    assert talk.page.locator(".talk-content").is_hidden()
    assert "is loaded: 2 blocks of 4 heads" in talk.choose(small_file)
    assert "not the published file" in talk.page.evaluate(STATUS)


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_wheel_is_opened_as_it_is(browser, site, small_file, tmp_path, packing):
    wheel = tmp_path / "llm_small-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", packing) as archive:
        archive.writestr("llm_small/__init__.py", "")
        archive.write(small_file, "llm_small/small.gguf")
        archive.writestr("llm_small/after.txt", "x")
    talk = Talk(browser, site.as_uri())
    assert "is loaded" in talk.choose(wheel)
    assert talk.logits([1, 2, 3]).shape == (280,)
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("a.txt", "")
    assert "no model in this ZIP" in Talk(browser, site.as_uri()).choose(wheel)


@pytest.fixture
def served(site):
    """The address of the site over http."""
    handler = partial(SimpleHTTPRequestHandler, directory=site.parent)
    handler.log_message = lambda *_: None
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{site.name}"
    server.shutdown()


def test_over_http_the_model_is_next_to_the_page(browser, site, served, small_file):
    talk = Talk(browser, served)
    talk.page.click("text=Load the model")
    assert "is not next to this page" in talk.opened()
    model_file = site.parent / "_static" / "talk" / "smollm2.gguf"
    model_file.write_bytes(small_file.read_bytes())
    talk.page.click("text=Load the model")
    assert "is loaded" in talk.opened()
    assert {address.split("/")[2] for address in talk.requested if address.startswith("http")} == {
        served.split("/")[2]
    }
    model_file.unlink()


def test_make_llm_puts_verified_file_beside_page(small_file, tmp_path, monkeypatch):
    """Make llm puts the checked file where the page asks for it."""
    sys.path.append(str(ROOT / "book"))
    import llm

    monkeypatch.setenv("CLEARHEAD_SMOLLM", str(small_file))
    with pytest.raises(FileNotFoundError, match="make book first"):
        llm.put(tmp_path)
    (tmp_path / llm.MODEL_FILE).parent.mkdir(parents=True)
    with pytest.raises(ValueError, match="another file, or damaged"):
        llm.put(tmp_path)
    monkeypatch.setattr(smollm, "SHA256", hashlib.sha256(small_file.read_bytes()).hexdigest())
    assert llm.put(tmp_path).read_bytes() == small_file.read_bytes()


def keys(page, *names):
    """Press keys, and return block and head of the cell that is reached, chosen, and in the number fields."""
    for name in names:
        page.keyboard.press(name)
    page.wait_for_function("document.querySelector('.talk-attention').textContent.startsWith('Head')")
    return page.evaluate("""() => {
        const of = (cell) => cell.getAttribute("aria-label").match(/\\d+/g).slice(0, 2).map(Number);
        const chosen = [...document.querySelectorAll('.talk-cell[aria-selected="true"]')];
        const stops = document.querySelectorAll('.talk-cell[tabindex="0"]');
        const fields = ["block", "head"].map((name) => Number(document.getElementById("talk-" + name).value));
        return [of(document.activeElement), ...chosen.map(of), ...[...stops].map(of), fields]; }""")


def test_a_head_is_chosen_by_the_arrow_keys(browser, site, small_file):
    talk = Talk(browser, site.as_uri())
    talk.choose(small_file)
    talk.page.select_option("#talk-kind", "text")
    talk.say("a b c")
    talk.page.locator("[data-p]").first.click()
    talk.page.wait_for_selector(".talk-panel:not([hidden])", timeout=MINUTE)
    talk.page.locator(".talk-cell").nth(0).click()
    assert keys(talk.page) == [[0, 0]] * 4
    assert keys(talk.page, "ArrowRight", "ArrowRight", "ArrowDown") == [[1, 2]] * 4
    assert keys(talk.page, "ArrowDown", "End") == [[1, 3]] * 4  # there is no third block
    assert keys(talk.page, "ArrowRight", "ArrowUp", "ArrowLeft") == [[0, 2]] * 4
    assert keys(talk.page, "Control+End", "Home") == [[1, 0]] * 4
    assert talk.page.inner_text(".talk-attention").startswith("Head 0 of layer 1")


def test_text_from_first_page_fills_field(browser, site, small_file):
    """A text that the first page hands over is in the field."""
    talk = Talk(browser, f"{site.as_uri()}#text=Twelve+%2B+seven+is")
    talk.choose(small_file)
    assert talk.page.input_value("#talk-message") == "Twelve + seven is"
    assert talk.page.input_value("#talk-kind") == "text"


OPENED = """(async () => {
    const sources = document.querySelector(".talk-source"), content = document.querySelector(".talk-content");
    while (content.hidden && (sources.disabled || !document.querySelector(".talk-status").textContent))
        await new Promise((done) => setTimeout(done, 50));
    return document.querySelector(".talk-status").textContent; })()"""


@pytest.mark.parametrize("way", ["from disk", "over http"])
def test_in_firefox_the_page_computes_the_same(site, served, small_file, tmp_path, way):
    in_page_firefox.need()
    model = smollm.load(small_file)
    ids = np.random.default_rng(0).integers(280, size=30).tolist()
    model_file = site.parent / "_static" / "talk" / "smollm2.gguf"
    model_file.write_bytes(small_file.read_bytes())
    with in_page_firefox.running(tmp_path) as firefox:
        firefox.goto(served if way == "over http" else site.as_uri())
        if way == "over http":
            firefox.evaluate("document.querySelector('.talk-fetch').click()")
        else:
            firefox.choose(".talk-file", small_file)
        assert "is loaded: 2 blocks of 4 heads" in firefox.evaluate(OPENED)
        logits = firefox.evaluate(f"talk.request('read', {{ ids: {ids} }}).then((found) => [...found])")
        assert np.abs(np.array(logits) - model.logits(ids)[-1]).max() < 1e-2
        plain = "(found) => found.heads.map((row) => row.map((each) => [...each]))"
        heads = firefox.evaluate(f"talk.request('inspect', {{ ids: {ids}, position: 20 }}).then({plain})")
        assert np.abs(np.array(heads) - model.attention_weights(ids)[:, :, 19, :20]).max() < 1e-3
    model_file.unlink()


# The model itself, where it is there.


def prompts():
    questions = "What is attention?", "Write a line about 12 + 7 and é, 中文 🙂.", "Name three colours."
    chats = [smollm.chat_prompt([("user", question)]) for question in questions]
    return ["The capital of France is", "1 2 3 4 5", "Once upon a time there was a girl. She", *chats]


def test_logits_and_next_tokens_equal_ours(real):
    talk, model = real
    for prompt in prompts():
        ids = model.tokens.encode(prompt).tolist()
        assert talk.request("encode", text=prompt) == ids
        expected = model.logits(ids)[-1]
        found = talk.logits(ids)
        assert np.abs(found - expected).max() < 1e-2
        assert found.argmax() == expected.argmax()


def test_the_tokenizer_equals_ours_on_ten_thousand_lines(real):
    talk, model = real
    every = list(lines(10_000))
    script = """async (every) => {
        const found = await Promise.all(every.map((text) => talk.request("encode", { text })));
        return [found, await Promise.all(found.map((ids) => talk.request("decode", { ids })))]; }"""
    found = talk.page.evaluate(script, every)
    expected = [model.tokens.encode(line).tolist() for line in every]
    assert [line for line, a, b in zip(every, found[0], expected, strict=True) if a != b] == []
    assert found[1] == [model.tokens.decode(ids) for ids in expected]


def test_what_is_seen_in_the_real_model_equals_ours(real):
    talk, model = real
    ids = model.tokens.encode("The capital of France is Paris.").tolist()
    check_inspection(talk, model, ids, 5)
    row = talk.request("inspect", ids=ids, position=5)["heads"][23][4]  # the page says so of this head
    assert model.tokens.tokens(ids)[int(np.argmax(row[1:])) + 1] == " France"


def violations(page):
    """Return what axe finds wrong in the page."""
    from axe_playwright_python.sync_playwright import Axe

    options = {"preload": False, "resultTypes": ["violations"]}
    found = Axe().run(page, options=options).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]


def test_a_talk(real):
    """A question, its answer, a look inside, another token, a second question; on a phone, in both themes."""
    talk, model = real
    page = talk.page
    assert page.evaluate(STATUS).startswith("SmolLM2-135M-Instruct is loaded: 30 blocks of 9 heads")
    said = talk.say("What is the capital of France?")
    assert f"Generated: “{model.answer('What is the capital of France?')}”" in said
    assert "can be wrong" in page.inner_text(".talk-warning")
    page.locator(".talk-assistant [data-p]", has_text="Paris").click()
    page.wait_for_selector(".talk-panel:not([hidden])", timeout=MINUTE)
    assert page.locator(".talk-choices li").count() == 10
    assert page.locator(".talk-panel tbody tr").count() == 31
    assert page.locator(".talk-cell").count() == 270
    page.wait_for_function("document.querySelector('.talk-map').width > 30")
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    other = page.locator(".talk-choices button:not(:disabled)").nth(1)
    chosen = other.inner_text().lstrip("␣")
    other.click()
    talk.written()
    assert f"The capital of France is {chosen}" in page.locator(".talk-assistant").inner_text()
    assert "Generated" in talk.say("And of Italy?")
    assert page.locator(".talk-user").count() == 2


def test_stop_and_too_long_a_text(real):
    talk, _ = real
    talk.page.click("text=New chat")
    talk.page.fill("#talk-message", "word " * 1100)
    talk.page.click("text=Send")
    talk.page.wait_for_function(f"{STATUS}.startsWith('That is too long')", timeout=MINUTE)
    assert len(talk.page.input_value("#talk-message")) > 5000  # nothing is lost
    talk.page.fill("#talk-message", "Write a long story.")
    talk.page.click("text=Send")
    talk.page.wait_for_selector(".talk-assistant [data-p]", timeout=MINUTE)
    talk.page.click("text=Stop")
    talk.written()
    assert 0 < talk.page.locator(".talk-assistant [data-p]").count() < 400
