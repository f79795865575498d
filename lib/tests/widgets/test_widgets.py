"""Figures show what clearhead.maths computes: JavaScript and Python agree, in numbers and in words."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest
from traitlets import TraitError

from clearhead import widgets
from clearhead.figures.words import sentence, symbols
from clearhead.widgets import families, questions
from clearhead.widgets.figure import HERE, Figure
from support.live_figures import FIGURES, MODEL, drawn, numbers, plain, state_of

CHAPTERS = sorted(path.stem for path in questions.FOLDER.glob("*.toml"))


def test_every_figure_is_found_by_its_files():
    found = {getattr(widgets, name).__module__.rpartition(".")[2] for name in widgets.__all__}
    assert found == {path.stem for path in HERE.glob("*.js")}
    assert all(issubclass(getattr(widgets, name), Figure) for name in widgets.__all__)
    assert len(FIGURES) >= 24


def test_figures_are_imported_lazily_without_pytorch():
    """A figure is imported when it is asked for and PyTorch never."""
    code = """
import sys, clearhead.widgets as widgets
early = {name for name in sys.modules if name.startswith("clearhead.widgets.")}
from clearhead.widgets import *
assert early == set() and Analogy.__name__ == "Analogy" and "torch" not in sys.modules
assert set(widgets.__all__) <= set(dir(widgets))
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_figure_that_does_not_exist_is_said():
    with pytest.raises(AttributeError, match="has no attribute 'Analogie'"):
        _ = widgets.Analogie


@pytest.mark.parametrize("name", FIGURES)
def test_javascript_computes_what_python_computes(page, name):
    figure, rng = getattr(widgets, name), np.random.default_rng(7)
    code = f"""async ([text, inputs]) => {{
        {MODEL} const found = (await load(text)).default.compute(inputs);
        return JSON.stringify(found, (key, value) => value === -Infinity ? "-inf" : value); }}"""
    for _ in range(8):
        inputs = figure.samples(rng)
        shown = json.loads(page.evaluate(code, [figure._esm, plain(inputs)]))
        expected = plain(figure.compute(**inputs))
        assert sorted(shown) == sorted(expected)
        np.testing.assert_allclose(numbers(shown), numbers(expected), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("name", FIGURES)
def test_the_text_line_says_the_words_of_python(page, name):
    figure = getattr(widgets, name)()
    state = state_of(figure)
    code = f"""async ([text, state]) => {{
        {MODEL} const el = document.body.appendChild(document.createElement("div"));
        (await load(text)).default.render({{ model: new Model(state), el }});
        for (const index of el.querySelectorAll(".ch-symbol sub")) index.prepend("_");
        return el.querySelector(".ch-line").textContent; }}"""
    assert page.evaluate(code, [figure._esm, state]) == figure.words


@pytest.mark.parametrize("name", FIGURES)
def test_a_bold_line_above_the_controls_says_what_to_see(page, name):
    figure = getattr(widgets, name)()
    line = figure.headline
    assert line == figure.what_to_see == sentence(line)
    assert 8 <= len(line.split()) <= 26
    found = (
        "return [el.querySelector('.ch-figure').firstElementChild].map((e) => [e.className, e.textContent])"
    )
    assert drawn(page, figure, found) == [["ch-headline", line.replace("d_k", "dk")]]
    assert figure.fallback.startswith(f'<div class="ch-fallback"><p><strong>{symbols(line)}</strong></p>')


def test_no_two_figures_have_the_same_headline():
    assert len({getattr(widgets, name).what_to_see for name in FIGURES}) == len(FIGURES)


def test_a_chapter_may_write_its_own_headline():
    assert ">What grows?<" in widgets.Scaling(headline="What grows?").fallback


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_a_picture_without_javascript(name):
    figure = getattr(widgets, name)()
    data, _ = figure._repr_mimebundle_()
    assert figure.words.split()[0] in data["text/html"]
    assert "<svg" in data["text/html"] or "<table" in data["text/html"]
    assert data["text/plain"] == figure.words


def test_the_preset_of_the_soft_dictionary_is_the_worked_example():
    figure = widgets.SoftDictionary()
    found = figure.compute(figure.q, figure.K, figure.V, figure.temperature)
    np.testing.assert_allclose(found["weights"], [0.1, 0.1, 0.8])
    assert found["scores"][2] - found["scores"][0] == pytest.approx(np.log(8))


APART = """
    const boxes = [...el.querySelectorAll("svg text")].map((t) => [t.textContent, t.getBoundingClientRect()]);
    const svgs = [...el.querySelectorAll("svg")].map((s) => s.getBoundingClientRect());
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const outside = boxes.filter(([, b]) => !svgs.some((s) =>
      b.left >= s.left - 1 && b.right <= s.right + 1 && b.top >= s.top - 1 && b.bottom <= s.bottom + 1));
    const grip = el.querySelector(".ch-handle").getBoundingClientRect();
    const titles = [...el.querySelectorAll(".ch-caption")].filter((title) =>
      meet(title.getBoundingClientRect(), grip));
    const answer = boxes.find(([name]) => name === "answer")[1];
    return { outside: outside.map(([name]) => name), titles: titles.map((c) => c.textContent),
      covered: boxes.filter(([name, b]) => name === "orange" && meet(b, grip)).length,
      crossed: boxes.filter(([name, b]) => name !== "answer" && meet(b, answer)).map(([name]) => name) };
"""


@pytest.mark.parametrize("example", [*widgets.Analogy().examples, (0, 0, 1)])
def test_analogy_labels_avoid_handles_and_each_other(page, example):
    """Names of the analogy keep clear of handles and of each other."""
    look = """
        const box = (e) => e.getBoundingClientRect(), meet = (a, b) =>
          a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 4 && b.top < a.bottom - 4;
        const grips = [...el.querySelectorAll(".ch-handle")].map(box);
        const names = [...el.querySelectorAll("svg text")], before = (i) => names.slice(0, i).map(box);
        const covered = names.filter((name, i) => [...grips, ...before(i)].some((b) => meet(b, box(name))));
        return [names.length, covered.map((name) => name.textContent)];
    """
    found, covered = drawn(page, widgets.Analogy(), look, **dict(zip("abc", example, strict=True)))
    assert found >= len(set(example))
    assert covered == []


@pytest.mark.parametrize(
    ("name", "state", "shown"),
    [
        ("MaskPairs", {"view": 0}, 4),  # two radio buttons and two sliders
        ("MaskPairs", {"view": 1}, 4),  # two radio buttons and two boxes to tick
        ("Families", {"family": 0}, 8),  # three families, five tokens
        ("Families", {"family": 2}, 14),
    ],
)
def test_controls_of_other_views_are_hidden_without_page_style(page, name, state, shown):
    """As in JupyterLab, where nothing but the figure's own style says what `hidden` means."""
    look = "return [...el.querySelectorAll('input')].filter((each) => each.getClientRects().length).length;"
    assert drawn(page, getattr(widgets, name)(), look, **state) == shown


@pytest.mark.parametrize("q", [(0, 2), (0, 2.8), (0, -2.8), (3.2, 2.8), (-3.2, 2.8), (3.2, -2.8), (-2, 0)])
@pytest.mark.parametrize("temperature", [0.1, 1, 5])
@pytest.mark.parametrize("width", [390, 1280])
def test_soft_dictionary_labels_stay_inside_and_apart(page, q, temperature, width):
    """Names of the soft dictionary stay in the picture and apart."""
    page.set_viewport_size({"width": width, "height": 900})
    K, V = [[-1, 0], [1, 0], [0, 1]], [[-5, -4], [5, -6], [5, 5]]
    figure = widgets.SoftDictionary(K=K, V=V, q=[0, 2])
    look = f"model.set('q', {list(q)}); model.set('temperature', {temperature}); {APART}"
    seen = drawn(page, figure, look)
    assert seen == {"outside": [], "titles": [], "covered": 0, "crossed": []}


def test_a_prediction_is_answered_once_with_one_full_stop(page):
    look = """
        el.querySelectorAll("input")[0].click();
        const chosen = el.querySelector(".ch-line").textContent;
        el.querySelector("button").click();
        await wait(250);
        return [chosen, ...[".ch-verdict", ".ch-line"].map((name) => el.querySelector(name).textContent)];
    """
    asked = {"options": ["It grows.", "It shrinks"], "answer": 1, "reveal": "So it is.", "question": "What?"}
    figure = widgets.Predict(questions.load(CHAPTERS[0])["predict"][0]["id"])
    chosen, verdict, line = drawn(page, figure, look, **asked, question_id="none")
    assert chosen == "Chosen: It grows. Press “Check my guess”."
    assert verdict == "No: It shrinks. So it is."
    assert line == ""


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_question_without_javascript_has_no_double_full_stop(chapter):
    shown = [widgets.Predict(asked["id"]) for asked in questions.load(chapter)["predict"]]
    for figure in [*shown, widgets.SelfCheck(chapter)]:
        text = figure._repr_mimebundle_()[0]["text/html"].replace("...", "")
        assert not re.search(r"[.?!]\.", text)


def test_symbols_in_questions_have_index_and_code_none():
    """Symbols of a question have an index and code has none."""
    said = questions.marked_up("W_q and √d_k, `d_k` and `x_i` of a_ij: log_p and f_q(x) stay, as < does")
    assert said == (
        "W<sub>q</sub> and √d<sub>k</sub>, <code>d_k</code> and <code>x_i</code> of a<sub>ij</sub>: "
        "log_p and f_q(x) stay, as &lt; does"
    )


def test_the_preset_of_the_shapes_has_240_parameters():
    assert widgets.ShapeXray.compute(n=2, d=4, d_k=3, H=5)["parameters"] == 240


def test_the_treemap_counts_published_models_to_the_last_parameter():
    sizes = {"vocab_size": 50_257, "context_length": 1024, "patch_size": 16, "tied": True}
    count = widgets.ParameterTreemap.compute
    assert count(0, 768, 12, 12, **sizes)["total"] == 124_439_808
    assert count(0, 768, 12, 12, **sizes | {"tied": False})["total"] == 163_037_184
    assert count(0, 12_288, 96, 96, **sizes | {"context_length": 2048})["total"] == 174_604_259_328
    assert (
        count(1, 1024, 24, 16, **sizes | {"vocab_size": 30_522, "context_length": 512})["total"]
        == 335_141_888
    )
    assert count(2, 1280, 32, 16, **sizes | {"patch_size": 14})["total"] == 632_045_800


def test_the_javascript_of_the_treemap_counts_exactly(page):
    figure = widgets.ParameterTreemap(d_model=12_288, num_layers=96, num_heads=96, context_length=2048)
    code = f"async ([text, sizes]) => {{ {MODEL} return (await load(text)).default.compute(sizes).total; }}"
    names = [
        "kind",
        "d_model",
        "num_layers",
        "num_heads",
        "vocab_size",
        "context_length",
        "patch_size",
        "tied",
    ]
    sizes = {name: getattr(figure, name) for name in names}
    assert page.evaluate(code, [figure._esm, sizes]) == 174_604_259_328 < 2**53


def test_the_sentence_says_that_its_vectors_are_made_by_hand():
    figure = widgets.LiveSentence()
    assert "by hand" in figure.note
    assert "‘her’ looks most at ‘teacher’" in figure.words
    figure.head, figure.chosen = 1, figure.tokens.index("cup")
    assert "‘cup’ looks most at ‘warm’" in figure.words


@pytest.mark.parametrize(
    ("question", "before", "after"),
    [
        ("What is it like?", "her", "coffee"),
        ("What is it like?", "cup", "cup"),  # this word has an answer of its own
        ("Which thing?", "coffee", "warm"),
        ("Which thing?", "her", "her"),
    ],
)
def test_another_question_brings_a_word_with_an_answer(page, question, before, after):
    figure = widgets.LiveSentence()
    head = [each["name"] for each in figure.heads].index(question)
    look = f"""
        el.querySelectorAll(".ch-choice input")[{head}].click();
        await wait(250);
        return [model.get("chosen"), el.querySelector(".ch-line").textContent];
    """
    chosen, line = drawn(page, figure, look, chosen=figure.tokens.index(before))
    figure.head, figure.chosen = head, figure.tokens.index(after)
    assert (chosen, line) == (figure.chosen, figure.words)
    assert float(line.split(", ")[1]) > 0.5


def test_without_answers_another_question_keeps_the_chosen_word(page):
    """As for vectors of the reader's own, of which the figure does not know which words ask."""
    heads = [{"name": name, "Q": np.eye(9).tolist(), "K": np.eye(9).tolist()} for name in ("one", "two")]
    look = "el.querySelectorAll('.ch-choice input')[1].click(); return model.get('chosen');"
    assert drawn(page, widgets.LiveSentence(heads=heads), look) == 4


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (
            lambda: widgets.SoftDictionary(K=[[1, 2], [3, 4]]),
            r"K has shape \(2, 2\), but the figure needs \(3, 2\)",
        ),
        (lambda: widgets.SoftDictionary(K=[[1, 2], [3]]), "K needs numbers"),
        (lambda: widgets.AttentionRow(Q=np.ones((4, 3))), r"Q has shape \(4, 3\)"),
        (lambda: widgets.AttentionRow(row=4), "row is 4, but there are 4 tokens"),
        (lambda: widgets.Scaling(d_k=5), "d_k is 5"),
        (lambda: widgets.ParameterTreemap(patch_size=15), "must divide 224"),
        (lambda: widgets.NearOrthogonal(dimensions=100), "dimensions is 100; the figure knows powers of 2"),
        (lambda: widgets.MaskPairs(row=15), r"The cell \(15, 3\) is not in the mask"),
        (lambda: widgets.PathLength(window=4), "window is 4"),
        (lambda: widgets.Families(target=["<start>"]), r"writing has shape \(6, 6\)"),
        (lambda: widgets.RealHeads(query=17), "query is 17; give a number below 17"),
        (lambda: widgets.TwoPatterns(V=[[1, 2]]), r"V has shape \(1, 2\)"),
        (lambda: widgets.PaddingLeak(scores=[1, 2]), r"scores has shape \(2,\)"),
        (lambda: widgets.Predict("99.nothing"), "no questions for chapter '99'"),
        (lambda: widgets.SelfCheck("99"), "no questions for chapter '99'"),
    ],
)
def test_what_does_not_fit_is_said_in_one_sentence(make, says):
    with pytest.raises((ValueError, TraitError), match=says):
        make()


def test_traits_can_be_set_and_observed():
    figure, seen = widgets.AttentionRow(), []
    figure.observe(lambda change: seen.append(change["new"]), "row")
    figure.row = 1
    assert seen == [1]
    assert figure.words.startswith("‘date’ looks at")


@pytest.mark.parametrize("step", range(4))
def test_row_step_shows_its_values_and_no_later_ones(page, step):
    """A step of a row says its numbers and shows no later ones."""
    figure = widgets.AttentionRow(step=step)
    look = """
        const shown = (cell) => cell.style.visibility !== "hidden";
        const cells = [...el.querySelectorAll("tbody tr:first-child td")].filter(shown);
        return [el.querySelector(".ch-line").textContent, cells.map((cell) => cell.textContent)];
    """
    said, cells = drawn(page, figure, look)
    assert said == figure.words
    found = figure.compute(figure.Q, figure.K, figure.V, False)
    row = [found[name][3, 0] for name in ("scores", "scaled", "weights")]
    row += list(found["weights"][3, 0] * np.asarray(figure.V)[0])
    expected = [row[:1], row[:2], row[:3], row][step]
    assert cells == [f"{value:.2f}" for value in expected]


def test_the_four_steps_are_played_and_paused(page):
    look = """
        const play = [...el.querySelectorAll("button")].find((each) => each.textContent.startsWith("Play"));
        const seen = [], look = () => seen.push([model.get("step"), play.textContent]);
        const given = setInterval;
        self.setInterval = (step, pace) => given(step, pace / 5);  // half a second a step
        play.click(); look(); await wait(700); look();
        play.click(); look(); await wait(700); look();
        play.click(); look(); await wait(1300); look();
        self.setInterval = given;
        return seen;
    """
    start, go = "Play the four steps", "Pause"
    assert drawn(page, widgets.AttentionRow(), look) == [
        [0, go], [1, go], [1, start], [1, start], [1, go], [3, start]
    ]  # fmt: skip


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_questions_are_complete(chapter):
    loaded = questions.load(chapter)
    ids = [asked["id"] for asked in loaded["predict"]]
    assert len(ids) == len(set(ids))
    assert all(name.startswith(chapter + ".") for name in ids)
    for asked in loaded["predict"]:
        assert set(asked) == {"id", "question", "options", "answer", "reveal"}
        assert 2 <= len(set(asked["options"])) == len(asked["options"])
        assert 0 <= asked["answer"] < len(asked["options"])
        assert asked["question"].strip()
        assert asked["reveal"].strip()
    assert len(loaded["selfcheck"]) == 5


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_choice_of_a_self_check_says_why(chapter):
    for asked in questions.load(chapter)["selfcheck"]:
        choices = asked["choices"]
        assert sum(choice.get("right") is True for choice in choices) == 1, asked["question"]
        assert len({choice["text"] for choice in choices}) == len(choices) >= 2
        assert all(choice["why"].strip() for choice in choices), asked["question"]


def test_an_unknown_question_names_those_that_exist():
    known = questions.load(CHAPTERS[0])["predict"][0]["id"]
    with pytest.raises(ValueError, match=known):
        widgets.Predict(f"{CHAPTERS[0]}.nothing")


@pytest.mark.parametrize("family", range(3))
@pytest.mark.parametrize("chosen", [0, 4, 5, 10])
def test_the_families_say_the_same_in_both_languages(page, family, chosen):
    figure = widgets.Families(family=family, chosen=chosen)
    look = "return el.querySelector('.ch-line').textContent;"
    assert drawn(page, figure, look, family=family, chosen=chosen) == figure.words


def test_each_target_token_has_two_weight_rows():
    """Each target token of the families has two rows of weights."""
    scores = families.READING, families.WRITING, families.CROSSING
    found = widgets.Families.compute(2, *scores)
    np.testing.assert_allclose(found["weights"].sum(axis=1), [1] * 5 + [2] * 6)
    assert not found["weights"][~found["allowed"]].any()
