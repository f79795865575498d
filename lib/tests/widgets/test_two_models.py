"""The first page's figure: the record is SmolLM2's own, and what is typed goes to the model that runs."""

import dataclasses
import hashlib

import numpy as np
import pytest

import extract_smollm
from clearhead.maths.softmax import softmax
from clearhead.pretrained import smollm, smollm_runs
from clearhead.widgets import TwoModels
from support.live_figures import drawn
from support.models import here

README = smollm_runs.FILE.with_name("README.md").read_text("utf-8")
RUNS, IDS, WORDS = smollm_runs.recorded_runs()


def test_record_is_small_and_named_in_readme():
    """The record is the one that the readme names and small."""
    assert hashlib.sha256(smollm_runs.FILE.read_bytes()).hexdigest() in README
    figure = TwoModels()
    in_page = sum(len(getattr(figure, name)) * 4 / 3 for name in smollm_runs.ARRAYS)
    assert in_page + sum(len(word) + 4 for word in WORDS) < 600_000
    assert len(RUNS) == 5


@pytest.fixture(scope="module")
def real():
    return here(smollm.load)


def fresh(model, ids):
    """Return the probabilities of all words after each block and token, and where all heads look."""
    return softmax(model.unembed(model.residual_stream(ids))), model.attention_weights(ids)


def differences(run, shares, A):
    """Return the names of those arrays of a record that are not what the model gives, within the rounding."""
    down = np.tril_indices(len(run.tokens))
    near = 1e-3  # another processor rounds in another way
    found = []
    for name, given, kept, all_shares, step in (
        ("lens", run.lens_words, run.lens_shares, shares, smollm_runs.SHARE),
        ("next", run.next_words, run.next_shares, shares[-1], smollm_runs.FINE),
    ):
        own = np.take_along_axis(all_shares, np.array(IDS)[given], axis=-1)
        most = kept.shape[-1]
        largest = -np.sort(-np.partition(all_shares, -most, axis=-1)[..., -most:], axis=-1)
        if max(np.abs(each - kept / step).max() for each in (own, largest)) > 0.5 / step + near:
            found.append(name)
    if np.abs(A[:, :, *down] - run.attention / smollm_runs.SHARE).max() > 0.5 / smollm_runs.SHARE + near:
        found.append("attention")
    return found


@pytest.mark.parametrize("number", range(5))
def test_every_recorded_number_is_the_models(real, number):
    sentence, look = extract_smollm.RUNS[number]
    ids, found = extract_smollm.run(real, sentence)
    run = RUNS[number]
    assert (real.tokens.tokens(ids), found["prompt"], list(look)) == (run.tokens, run.prompt, run.look)
    assert [real.tokens.decode([i]) for i in IDS] == WORDS
    assert differences(run, *fresh(real, ids)) == []


def test_a_wrong_number_in_a_record_is_found(real):
    run = RUNS[0]
    ids, _ = extract_smollm.run(real, extract_smollm.RUNS[0][0])
    truth = fresh(real, ids)
    for name, found in (("attention", "attention"), ("lens_shares", "lens"), ("next_shares", "next")):
        wrong = getattr(run, name).copy()
        wrong.flat[100 % wrong.size] += 1 + (20 if name == "next_shares" else 0)
        assert differences(dataclasses.replace(run, **{name: wrong}), *truth) == [found]
    words = run.next_words.copy()
    words[run.prompt - 1, :2] = words[run.prompt - 1, 1::-1]
    assert differences(dataclasses.replace(run, next_words=words), *truth) == ["next"]


def test_what_the_first_page_says_of_the_record_is_so():
    said = [TwoModels(sentence=sentence).words for sentence in (0, 1)]
    assert "after ‘is’ it expects ‘Paris’" in said[0]
    assert "Head 4 of layer 23 looks most at ‘France’, 0.9" in said[0]
    assert "after ‘is’ it expects ‘Sydney’, 0.36, or ‘Canberra’, 0.34" in said[1]
    assert "Head 4 of layer 23 looks most at ‘Australia’, 0.9" in said[1]


def test_typed_text_reaches_model_and_link(page):
    """What is typed goes to the model that runs and into the link."""
    look = """
        const typed = el.querySelector(".ch-two-models input[type=text]");
        const link = el.querySelector(".ch-two-models a");
        const all = (name) => [...el.querySelectorAll(name)], live = () => all(".ch-figure").length;
        const before = [live(), link.getAttribute("href")];
        typed.value = "The query";
        typed.dispatchEvent(new Event("input"));
        await wait(50);
        const boxes = all(".ch-figure"), field = boxes[1].querySelector("input");
        const after = [live(), link.getAttribute("href"), field.value, document.activeElement === field,
            all(".ch-run")[0].getClientRects().length, boxes[1].querySelector(".ch-line").textContent];
        el.querySelectorAll(".ch-two-models input[type=radio]")[1].click();
        await wait(200);
        return [before, after, boxes[1].getClientRects().length, el.querySelector(".ch-line").textContent];"""
    before, after, left, line = drawn(page, TwoModels(chat_page="talk.html"), look)
    assert before == [1, "talk.html#text=The+capital+of+France+is"]
    assert after[:5] == [2, "talk.html#text=The+query", "The query", True, 0]
    assert after[5] == TwoModels(sentence=5, text="The query").words
    assert (left, line) == (0, TwoModels(sentence=1).words)


def test_tokens_and_heads_are_chosen_by_keys(page):
    look = """
        const press = async (key) => {
            const down = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
            document.activeElement.dispatchEvent(down);
            await wait(150);
            const line = el.querySelector(".ch-line").textContent;
            return [model.get("selected_head"), model.get("position"), line]; };
        const stops = () => [".ch-token", ".ch-block-head"].map((name) =>
            [...el.querySelectorAll(name)].filter((each) => each.tabIndex === 0).length);
        const seen = [];
        el.querySelector(".ch-every-head").open = true;
        el.querySelector('.ch-block-head[tabindex="0"]').focus();
        for (const key of ["ArrowUp", "ArrowLeft", "Home", "ArrowLeft"]) seen.push(await press(key));
        el.querySelector('.ch-token[tabindex="0"]').focus();
        for (const key of ["ArrowRight", "End", "ArrowRight", "Home"]) seen.push(await press(key));
        return [seen, stops()];"""
    seen, stops = drawn(page, TwoModels(position=5), look)
    heads = [[22, 4], [22, 3], [22, 0], [22, 0]]
    places = [6, 6, 6, 0]
    assert [each[0] for each in seen] == heads + [[22, 0]] * 4
    assert [each[1] for each in seen[4:]] == places
    assert stops == [1, 1]
    for head, place, line in seen:
        assert line == TwoModels(selected_head=head, position=place).words


def test_the_written_tokens_come_one_by_one(page):
    look = """
        const countShown = () => [...el.querySelectorAll(".ch-token")].filter((each) => !each.hidden).length;
        el.querySelector(".ch-run-row button").click();
        const counts = [countShown()];
        for (let i = 0; i < 40 && counts.at(-1) < 7; i++) {
            await wait(100);
            if (countShown() !== counts.at(-1)) counts.push(countShown());
        }
        return [counts, model.get("position")];"""
    assert drawn(page, TwoModels(), look) == [[5, 6, 7], 6]


def test_first_screen_shows_one_sentence_one_button_one_field(page):
    """Sentences and heads to choose from are folded; the next token is an empty box until it is generated."""
    look = """
        const seen = (name) => [...el.querySelectorAll(name)].filter((each) => each.checkVisibility());
        const before = [seen(".ch-token").map((each) => each.textContent).join(""), seen(".ch-slot").length,
            seen(".ch-stage button").length, seen("input").length, seen(".ch-block-head").length];
        const lens = seen(".ch-lens > [role=row]").map((row) => row.textContent);
        el.querySelector(".ch-every-head").open = true;
        const opened = [seen("input").length, seen(".ch-block-head").length];
        model.set("position", 6);
        await wait(50);
        return [before, lens, opened, seen(".ch-slot").length, seen(".ch-token").length];"""
    before, lens, opened, slots, tokens = drawn(page, TwoModels(), look)
    assert before == ["The capital of France is", 1, 1, 1, 0]
    assert lens[0] == "blockprobability of its best guessbest guess"
    assert (len(lens), lens[-1]) == (31, "29Paris")
    assert opened == [6, 270]
    assert (slots, tokens) == (0, 7)


def test_arcs_lead_to_attended_tokens_and_leave_wrapped_sentences_alone(page):
    look = """
        const all = (name) => [...el.querySelectorAll(name)];
        const of = () => [all(".ch-reach-arc").length, all(".ch-reach")[0].textContent];
        const wide = of();
        el.style.width = "150px";
        await wait(200);
        return [wide, of()];"""
    wide, narrow = drawn(page, TwoModels(), look)
    weights = RUNS[0].attention.reshape(*RUNS[0].attention.shape[:2], -1)[23, 4] / smollm_runs.SHARE
    row = weights[10:15]  # of the fifth token
    assert wide == [int((row[1:4] >= 0.02).sum()), f"{row.max():.2f}"]
    assert narrow == [0, ""]
