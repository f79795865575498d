"""The figure of speculative decoding: its exact rule says what p says, its two wrong rules do not."""

import numpy as np
import pytest
import traitlets
from scipy.stats import chisquare

from clearhead.widgets import Speculative
from clearhead.widgets.speculative import ALWAYS, EXACT, FROM_P, RULES
from support.live_figures import MODEL, drawn, state_of

FIGURE = Speculative()
P, Q = np.array(FIGURE.p), np.array(FIGURE.q)
TOO_FAR = 1e-4  # a fair rule is refused in one run of ten thousand


def found(**changed):
    """Return what the figure computes, for its own words but for what is changed."""
    return Speculative.compute(**dict(p=P, q=Q, skill=0, rule=EXACT, draws=0, seed=0) | changed)


def hundred_thousand(**changed):
    """Return the sum of the counts, and of the drafts kept, over five seeds of 20,000 words."""
    runs = [found(draws=20_000, seed=seed, **changed) for seed in range(5)]
    return sum(run["counts"] for run in runs), sum(run["accepted"] for run in runs)


def said_by_loops(p, q, rule):
    """Return how often each word is said, over every word that may be drafted and every one in its place."""
    total = sum(max(p[v] - q[v], 0) for v in range(len(p)))
    said = np.zeros(len(p))
    for drafted in range(len(p)):
        keep = 1 if rule == ALWAYS else min(1, p[drafted] / q[drafted])
        said[drafted] += q[drafted] * keep
        for other in range(len(p)):
            other_comes = p[other] if rule == FROM_P else max(p[other] - q[other], 0) / total
            said[other] += q[drafted] * (1 - keep) * other_comes
    return said


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rule", range(len(RULES)))
def test_rule_output_sums_over_all_paths(seed, rule):
    """What a rule says is the sum over all its ways."""
    p, q = np.random.default_rng(seed).dirichlet(np.ones(5), size=2)
    by_hand = said_by_loops(p, q, rule)
    np.testing.assert_allclose(found(p=p, q=q, rule=rule)["output"], by_hand, atol=1e-12)
    assert np.allclose(by_hand, p) == (rule == EXACT)


def test_the_example_can_be_done_by_hand():
    exact, always, from_p = (found(rule=rule) for rule in (EXACT, ALWAYS, FROM_P))
    np.testing.assert_allclose(exact["accepted_part"], [0.1, 0.3, 0.05, 0.1, 0.05, 0])
    np.testing.assert_allclose(exact["residual"], [0.75, 0, 0.25, 0, 0, 0])
    np.testing.assert_allclose([run["accepted_part"].sum() for run in (exact, always, from_p)], [0.6, 1, 0.6])
    np.testing.assert_allclose(
        [run["distances"][0] for run in (exact, always, from_p)], [0, 0.4, 0.18], atol=1e-9
    )


@pytest.mark.parametrize("skill", [0, 0.5, 1])
def test_exact_rule_samples_target_distribution(skill):
    """A hundred thousand words of the exact rule are words of p."""
    counts, accepted = hundred_thousand(skill=skill)
    assert counts[P == 0].sum() == 0
    assert chisquare(counts[P > 0], P[P > 0] * counts.sum()).pvalue > TOO_FAR
    alpha = 0.6 + 0.4 * skill
    assert abs(accepted / 1e5 - alpha) <= 4 * np.sqrt(alpha * (1 - alpha) / 1e5)


@pytest.mark.parametrize("rule", [ALWAYS, FROM_P])
def test_the_wrong_rules_fail_the_same_test(rule):
    counts, _ = hundred_thousand(rule=rule)
    wrong = chisquare(counts[P > 0], P[P > 0] * counts[P > 0].sum())
    assert wrong.pvalue < TOO_FAR


def test_the_control_passes_it_under_every_rule():
    runs = [found(draws=20_000, seed=seed, rule=seed % 3) for seed in range(5)]
    counts = sum(run["control"] for run in runs)
    assert chisquare(counts[P > 0], P[P > 0] * 1e5).pvalue > TOO_FAR


def test_rejected_word_returns_only_when_resampling_from_p():
    """A rejected word comes back only under the rule that draws from p."""
    back = {rule: 0 for rule in range(len(RULES))}
    for rule in back:
        for seed in range(300):
            run = found(draws=1, seed=seed, rule=rule)
            drafted, said, place, moved = run["last"]
            rejected = place >= run["accepted_part"][int(drafted)]
            back[rule] += rejected and drafted == said
            assert moved <= run["output"][int(said)] + 1e-12
    assert back[EXACT] == back[ALWAYS] == 0 < back[FROM_P]


def test_a_draft_that_equals_p_is_always_kept():
    run = found(skill=1, draws=500)
    assert run["accepted"] == 500
    assert not run["residual"].any()


def test_the_rule_is_the_one_of_the_library():
    library = pytest.importorskip("clearhead.maths.decoding", reason="the chapter brings it")
    for seed in range(5):
        p, q = np.random.default_rng(seed).dirichlet(np.ones(6), size=2)
        run = found(p=p, q=q)
        np.testing.assert_allclose(run["accepted_part"].sum(), library.acceptance_rate(p, q))
        np.testing.assert_allclose(run["residual"], library.residual_distribution(p, q), atol=1e-12)


@pytest.mark.parametrize("rule", range(len(RULES)))
@pytest.mark.parametrize(("draws", "skill"), [(0, 0.35), (1, 0), (4, 0.05), (1234, 0.6), (3, 1)])
def test_both_languages_say_the_same(page, rule, draws, skill):
    state = {"rule": rule, "draws": draws, "skill": skill}
    look = "return el.querySelector('.ch-line').textContent;"
    assert drawn(page, FIGURE, look, **state) == Speculative(**state).words


def test_words_tell_rejected_from_accepted():
    told = {Speculative(draws=1, seed=seed).words.partition(". ")[0] for seed in range(40)}
    assert "Word 1: ‘tea’ is drafted and accepted" in told
    assert "Word 1: ‘milk’ is drafted and rejected; ‘coffee’ replaces it" in told
    assert not any("‘ink’ is drafted and accepted" in each or "‘ink’ replaces it" in each for each in told)


def test_the_random_numbers_are_drawn_where_they_fell(page):
    look = """
        const at = (dot) => [dot.cx.baseVal.value, dot.cy.baseVal.value];
        const told = [...el.querySelectorAll("li")].map((item) => item.textContent);
        return [[...el.querySelectorAll("circle")].map(at), told];
    """
    for seed in range(6):
        (above, below), told = drawn(page, FIGURE, look, draws=1, seed=seed)
        run = found(draws=1, seed=seed)
        drafted, said, place, moved = run["last"]
        widest = 318 - 54 - 56  # of the drawing, without names and numbers, for the largest probability
        np.testing.assert_allclose([above[0], below[0]], 54 + widest * np.array([place, moved]) / 0.4)
        assert [int(above[1] // 44), int(below[1] // 44)] == [drafted, said]
        assert told[1].endswith(("rejected.", "accepted."))
        assert told[1].endswith("accepted.") == (place < P[int(drafted)])


def test_buttons_draw_words_from_the_keyboard_and_clear_them(page):
    page.evaluate(
        f"""async ([text, state]) => {{
            {MODEL} const el = document.createElement("div"); document.body.replaceChildren(el);
            window.model = new Model(state); (await load(text)).default.render({{ model, el }}); }}""",
        [FIGURE._esm, state_of(FIGURE)],
    )

    def press(name):
        page.get_by_role("button", name=name).press("Enter")
        return page.evaluate("model.get('draws')")

    assert [press("Draw a word"), press("Draw a word"), press("Draw 1,000")] == [1, 2, 1002]
    assert [press("Draw 1,000") for _ in range(20)][-1] == 20_000
    assert press("Clear") == 0
    rules = [page.get_by_role("radio", name=rule, exact=True) for rule in RULES]
    rules[ALWAYS].check()
    assert press("Draw 1,000") == 1000
    page.wait_for_timeout(200)
    state = Speculative(rule=ALWAYS, draws=1000)
    assert page.locator(".ch-line").text_content() == state.words
    assert [rule.is_checked() for rule in rules] == [False, True, False]
    assert page.get_by_role("slider", name="similarity of the draft to p").count() == 1


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"p": [0.5, 0.5]}, r"p has shape \(2,\), but the figure needs \(6\): one probability for each"),
        ({"q": [0.5, 0.4, 0, 0, 0, 0]}, "q needs probabilities: none below 0, and with the sum 1"),
        ({"p": [1.5, -0.5, 0, 0, 0, 0]}, "p needs probabilities"),
        ({"tokens": ["tea"]}, r"p has shape \(6,\), but the figure needs \(1\)"),
        ({"rule": 3}, "rule"),
        ({"skill": 1.2}, "skill"),
    ],
)
def test_what_is_no_distribution_is_refused(wrong, says):
    with pytest.raises((ValueError, traitlets.TraitError), match=says):
        Speculative(**wrong)


def test_still_picture_shows_accepted_words_then_output():
    """The still picture shows what is accepted and then the output."""
    assert "Accepted from the draft. Bars: ‘coffee’ 0.10, ‘tea’ 0.30" in Speculative().pictures()[-1].words
    always = Speculative(rule=ALWAYS, draws=1000).pictures()[-1].words
    ink = found(rule=ALWAYS, draws=1000, seed=FIGURE.seed)["counts"][-1] / 1000
    assert "Output, 1,000 words. Bars: ‘coffee’" in always
    assert f"‘ink’ {ink:.2f}." in always
