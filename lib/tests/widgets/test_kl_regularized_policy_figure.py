"""The figure of the best policy: its example by hand, the optimum, and how a learned reward is gamed."""

import numpy as np
import pytest
import traitlets

from clearhead.maths.softmax import softmax
from clearhead.widgets import KlRegularizedPolicy
from clearhead.widgets.kl_regularized_policy import BETAS, LEARNED, REWARDS, TRUE, distance
from support.live_figures import MODEL, drawn, numbers, plain, state_of

FIGURE = KlRegularizedPolicy()
REFERENCE, TRUTH, ERROR = (np.array(getattr(FIGURE, name)) for name in ("reference", "truth", "error"))
DOUBLES = 1 / np.log(2)  # at this β, a point of reward doubles a probability


def found(**changed):
    """Return what the figure computes, for its own answers but for what is changed."""
    given = dict(reference=REFERENCE, truth=TRUTH, error=ERROR, optimised=TRUE, beta=DOUBLES)
    return KlRegularizedPolicy.compute(**given | changed)


def only_rises(ways):
    """Return whether the true mean never falls as the distance grows."""
    away, means = ways
    assert (np.diff(away) > -1e-9).all()
    return bool((np.diff(means) > -1e-9).all())


def is_the_best(policy, reward, beta):
    """Return whether no policy of 2,000 in its neighbourhood reaches a larger objective."""
    rng = np.random.default_rng(0)

    def objective(pi):
        return pi @ reward - beta * distance(pi, REFERENCE)

    near = [softmax(np.log(policy) + size * rng.normal(size=8)) for size in (0.01, 0.2) for _ in range(1000)]
    return max(map(objective, near)) < objective(policy)


def test_the_example_can_be_done_by_hand():
    hundredths = [32, 48, 16, 48, 64, 8, 1, 8]  # 32 2⁰, 24 2¹, 16 2⁰, 12 2², 8 2³, 4 2¹, 2 2⁻¹, 2 2²
    run = found()
    np.testing.assert_allclose(run["policy"], np.array(hundredths) / 225)
    np.testing.assert_allclose([run["start"], run["mean"]], [0.78, 359 / 225])
    np.testing.assert_allclose(run["objective"], np.log(225 / 100) / np.log(2))  # β ln Z


def test_learned_reward_multiplies_overrated_answer_by_sixteen():
    """By hand the learned reward makes the overrated answer sixteen times as likely."""
    run = found(optimised=LEARNED)
    np.testing.assert_allclose(run["policy"], np.array([32, 48, 16, 48, 64, 8, 2 * 16, 2]) / 250)
    np.testing.assert_allclose([run["start"], run["true_start"]], [0.84, 0.78])
    np.testing.assert_allclose([run["mean"], run["true_mean"]], [472 / 250, 316 / 250])


def test_the_errors_are_where_judges_hardly_looked():
    wrong = ERROR != 0
    assert REFERENCE[wrong].max() < REFERENCE[~wrong].min()
    np.testing.assert_allclose(REFERENCE.sum(), 1)


@pytest.mark.parametrize("optimised", [TRUE, LEARNED])
@pytest.mark.parametrize("beta", [0.2, DOUBLES, 10])
def test_no_policy_near_it_is_better(optimised, beta):
    run = found(optimised=optimised, beta=beta)
    assert is_the_best(run["policy"], run["reward"], beta)


@pytest.mark.parametrize(
    "mistake",
    [
        lambda beta: softmax(TRUTH / beta),  # the reference forgotten
        lambda beta: softmax(np.log(REFERENCE) + TRUTH),  # β forgotten
        lambda beta: softmax(np.log(REFERENCE) + TRUTH * beta),  # multiplied by β
        lambda beta: softmax(REFERENCE + TRUTH / beta),  # probabilities in the place of logarithms
    ],
)
def test_a_planted_mistake_is_not_the_best(mistake):
    assert not is_the_best(mistake(DOUBLES), TRUTH, DOUBLES)


def test_with_the_true_reward_the_true_mean_only_rises():
    assert only_rises(found()["path"][TRUE])
    for seed in range(30):
        inputs = KlRegularizedPolicy.samples(np.random.default_rng(seed))
        assert only_rises(KlRegularizedPolicy.compute(**inputs)["path"][TRUE])


def test_true_reward_rises_and_then_falls_below_start():
    """With the learned reward it rises and ends below the start."""
    course, start = found()["path"], found()["true_start"]
    assert not only_rises(course[LEARNED])
    means = course[LEARNED][1]
    peak = means.argmax()
    assert (np.diff(means[: peak + 1]) > 0).all()
    assert (np.diff(means[peak:]) < 1e-9).all()
    assert means[-1] == pytest.approx(-1)
    assert means[-1] < start < means[0] < means[peak] < course[TRUE][1][-1]


def test_reward_without_overrating_is_not_gamed():
    """The control: it is not the pressure, and not every error; it is the answer that is overrated."""
    assert only_rises(found(error=0 * ERROR)["path"][LEARNED])
    assert only_rises(found(error=np.minimum(ERROR, 0))["path"][LEARNED])
    assert not only_rises(found(error=np.maximum(ERROR, 0))["path"][LEARNED])


@pytest.mark.parametrize("beta", [0.2, 0.5, 1, 3])
def test_the_covariance_is_the_slope_of_the_true_mean(beta):
    step = 1e-5
    ends = [found(optimised=LEARNED, beta=1 / (1 / beta + s))["true_mean"] for s in (-step, step)]
    assert found(optimised=LEARNED, beta=beta)["covariance"] == pytest.approx(np.diff(ends)[0] / (2 * step))


@pytest.mark.parametrize("optimised", [TRUE, LEARNED])
@pytest.mark.parametrize("beta", [0.01, 0.56, DOUBLES, 10])
def test_both_languages_have_the_same_numbers_and_words(page, optimised, beta):
    state = {"optimised": optimised, "beta": beta}
    inputs = plain({"reference": REFERENCE, "truth": TRUTH, "error": ERROR, **state})
    code = f"async ([text, given]) => {{ {MODEL} return (await load(text)).default.compute(given); }}"
    shown, expected = page.evaluate(code, [FIGURE._esm, inputs]), plain(found(**state))
    assert sorted(shown) == sorted(expected)
    np.testing.assert_allclose(numbers(shown), numbers(expected), rtol=1e-9, atol=1e-12)
    look = "return el.querySelector('.ch-line').textContent;"
    assert drawn(page, FIGURE, look, **state) == KlRegularizedPolicy(**state).words


def test_words_tell_when_the_reward_is_gamed():
    said = {beta: KlRegularizedPolicy(optimised=LEARNED, beta=beta).words for beta in (3, 0.8, 0.3, 0.01)}
    assert [beta for beta, words in said.items() if "gamed" in words] == [0.3, 0.01]
    ends = [words.rpartition(" ")[2] for words in said.values()]
    assert ends == ["rises.", "falls.", "falls.", "changes."]
    assert not any("true reward is" in KlRegularizedPolicy(beta=beta).words for beta in (0.01, 1, 10))


@pytest.mark.parametrize("optimised", [TRUE, LEARNED])
def test_the_dot_and_the_bars_stand_where_the_numbers_say(page, optimised):
    look = """
        const numbers = (name, all) => [...all].map((each) => each[name].baseVal.value);
        const [left, right] = el.querySelectorAll("svg");
        const corners = (line) => [...line.points].map((p) => [p.x, p.y]);
        const lines = [...right.querySelectorAll("polyline")].map(corners);
        const dot = ["cx", "cy"].map((side) => right.querySelector("circle")[side].baseVal.value);
        return [numbers("width", left.querySelectorAll("rect")), dot, lines];
    """
    place = 50
    run = found(optimised=optimised, beta=BETAS[place])
    widths, dot, lines = drawn(page, FIGURE, look, optimised=optimised, beta=BETAS[place])
    both = np.stack([REFERENCE, run["policy"]], axis=1).ravel()
    np.testing.assert_allclose(widths, both / both.max() * (318 - 130 - 40), rtol=1e-4)
    assert len(lines) == optimised + 1
    np.testing.assert_allclose(dot, lines[optimised][place], atol=0.01)
    heights = np.array(lines[optimised])[:, 1]
    assert (np.diff(heights) < 1e-3).all() == (optimised == TRUE)


@pytest.mark.parametrize("optimised", [TRUE, LEARNED])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("beta", [0.01, 10])
def test_names_and_numbers_stay_in_the_picture_and_apart(page, optimised, width, beta):
    page.set_viewport_size({"width": width, "height": 900})
    look = """
        const texts = [...el.querySelectorAll("svg text")];
        const box = (each) => each.getBoundingClientRect();
        const out = texts.filter((each) => {
          const [a, b] = [box(each), box(each.ownerSVGElement)];
          const beside = a.left < b.left - 1 || a.right > b.right + 1;
          return beside || a.top < b.top - 1 || a.bottom > b.bottom + 1;
        });
        const over = (a, b) => a.top < b.bottom - 4 && b.top < a.bottom - 4;
        const meet = (a, b) => a.left < b.right && b.left < a.right && over(a, b);
        const before = (i) => texts.slice(0, i).map(box);
        const cross = texts.filter((each, i) => before(i).some((other) => meet(box(each), other)));
        const wide = document.documentElement.scrollWidth;
        return [texts.length, out.map((t) => t.textContent), cross.map((t) => t.textContent), wide];
    """
    count, outside, crossed, wide = drawn(page, FIGURE, look, optimised=optimised, beta=beta)
    assert count > 40
    assert outside == crossed == []
    assert wide <= width


def test_it_is_worked_by_keyboard(page):
    page.evaluate(
        f"""async ([text, state]) => {{
            {MODEL} const el = document.createElement("div"); document.body.replaceChildren(el);
            window.model = new Model(state); (await load(text)).default.render({{ model, el }}); }}""",
        [FIGURE._esm, state_of(FIGURE)],
    )
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("radio", name=REWARDS[LEARNED]).is_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    assert page.evaluate("[model.get('optimised'), model.get('beta')]") == [LEARNED, 0.01]
    assert page.get_by_role("slider", name="price β").get_attribute("aria-valuetext") == "0.01"
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(200)
    beta = page.evaluate("model.get('beta')")
    assert beta == pytest.approx(10**-1.98)
    assert page.locator(".ch-line").text_content() == KlRegularizedPolicy(optimised=LEARNED, beta=beta).words


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (
            {"truth": [1, 2]},
            r"truth has shape \(2,\), but the figure needs \(8\): one number for each answer",
        ),
        ({"reference": [0.5, 0.5, 0, 0, 0, 0, 0, 0]}, "reference needs probabilities: all above 0"),
        ({"reference": [0.2] * 8}, "reference needs probabilities"),
        ({"error": [np.inf, *[0] * 7]}, "error needs finite numbers"),
        ({"optimised": 2}, "optimised"),
        ({"beta": 0}, "beta"),
    ],
)
def test_what_has_no_best_policy_is_refused(wrong, says):
    with pytest.raises((ValueError, traitlets.TraitError), match=says):
        KlRegularizedPolicy(**wrong)


def test_it_starts_where_the_arguments_say(page):
    own = KlRegularizedPolicy(
        answers=["short", "long"], reference=[0.9, 0.1], truth=[1, 0], error=[0, 2], beta=0.5
    )
    assert "Its mean is 0.90 under the reference" in own.words
    look = "return [...el.querySelectorAll('svg')].map((each) => each.getAttribute('aria-label'));"
    bars, _ = drawn(page, own, look, optimised=LEARNED)
    told = "short with reward 1, 0.90 and 0.55 and long with reward 2, 0.10 and 0.45"
    assert bars == f"Reference and best policy: {told}"


def test_the_still_picture_shows_rewards_bars_and_both_ways():
    true, learned = (
        [picture.words for picture in KlRegularizedPolicy(optimised=o).pictures()] for o in (TRUE, LEARNED)
    )
    assert "‘G: r = −1.0’ 0.02" in true[0]
    assert "‘E: r = 3.0’ 0.28" in true[1]
    assert "‘G: r = 4.0’ 0.13" in learned[1]
    assert true[2] == learned[2]
    assert "the true reward goes from 0.88 to 3.00; a learned reward goes from 0.86 to −1.00" in true[2]
