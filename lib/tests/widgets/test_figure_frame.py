"""What every figure shares: the way back to its start, and a link that restores its state."""

import pytest

from clearhead import widgets
from support.live_figures import FIGURES, MODEL, drawn, state_of

# These begin again by a button of their own: they keep more than traits.
OWN = {"Analogy", "CategoryCodes", "LiveTransformer", "SoftDictionary"}
MOVE = """
    const picture = () => el.querySelector(".ch-stage").innerHTML.replace(/ch-[a-z0-9]+-[0-9]+/g, "");
    const again = el.querySelector(".ch-footer button");
    const before = picture(), range = el.querySelector("input[type=range]");
    const radio = el.querySelector("input[type=radio]:not(:checked)");
    if (range) {
        range.value = range.value === range.max ? range.min : range.max;
        range.dispatchEvent(new Event("input"));
    } else { radio.checked = true; radio.dispatchEvent(new Event("change")); }
"""


@pytest.mark.parametrize("name", sorted(set(FIGURES) - OWN))
def test_start_again_brings_the_first_picture_back(page, name):
    look = (
        MOVE + "const moved = picture(); again.click(); "
        "return [again.disabled, moved !== before, picture() === before];"
    )
    assert drawn(page, getattr(widgets, name)(), look) == [True, True, True]


def test_start_again_draws_once_though_much_has_changed(page):
    look = """
        for (const range of el.querySelectorAll("input[type=range]")) {
            range.value = range.value === range.max ? range.min : range.max;
            range.dispatchEvent(new Event("input"));
        }
        const drawn = new MutationObserver(() => {});
        drawn.observe(el.querySelector(".ch-stage"), { childList: true, subtree: true });
        el.querySelector(".ch-footer button").click();
        const pictures = drawn.takeRecords().filter(({ addedNodes: [first] }) => first?.nodeName === "svg");
        return [el.querySelectorAll("input[type=range]").length, pictures.length];
    """
    sliders, times = drawn(page, widgets.PositionCode(), look)
    assert sliders > 1
    assert times == 1


@pytest.mark.parametrize("name", sorted(OWN))
def test_other_figures_have_one_button_of_their_own(page, name):
    look = """return [...el.querySelectorAll("button")].filter(
        (b) => b.textContent === "Start again" && !b.hidden).length;"""
    assert drawn(page, getattr(widgets, name)(), look) == 1


ROLES = """
    const shapes = { rect: ["", " ch-stroke"], circle: [""], path: ["", " ch-stroke"] };
    const drawing = el.querySelector(".ch-drawing");
    return Object.entries(shapes).flatMap(([shape, kinds]) => kinds.map((kind) =>
        ["query", "key", "value", "weight"].map((role) => {
            const made = document.createElementNS("http://www.w3.org/2000/svg", shape);
            made.setAttribute("class", `ch-${role}${kind}`);
            drawing.append(made);
            const { fill, stroke, strokeDasharray } = getComputedStyle(made);
            return [fill, stroke, strokeDasharray].join();
        })));
"""


@pytest.mark.parametrize("forced", ["active", "none"])
def test_symbol_colours_differ_in_forced_colours(page, forced):
    """Query key value and weight differ also in the colours of the reader."""
    page.emulate_media(forced_colors=forced)
    try:
        for looks in drawn(page, widgets.SoftDictionary(), ROLES):
            assert len(set(looks)) == 4, looks
    finally:
        page.emulate_media(forced_colors="none")


LINKED = f"""async ([text, state, good]) => {{
    {MODEL} document.body.replaceChildren();
    history.replaceState(null, "", "#");
    const draw = async () => {{
        const el = document.createElement("div");
        el.className = "ch-widget";
        document.body.replaceChildren(el);
        const model = new Model(structuredClone(state));
        (await load(text)).default.render({{ model, el }});
        await new Promise((done) => setTimeout(done, 20));
        return el;
    }};
    const stage = (el) => el.querySelector(".ch-stage").innerHTML.replace(/ch-[a-z0-9]+-[0-9]+/g, "");
    const first = await draw(), before = stage(first);
    const range = first.querySelector("input[type=range]");
    range.value = range.value === range.max ? range.min : range.max;
    range.dispatchEvent(new Event("input"));
    first.querySelector("a.ch-state").dispatchEvent(new Event("focus"));
    const moved = stage(first), address = first.querySelector("a.ch-state").getAttribute("href");
    history.replaceState(null, "", good ? address : "#figure-0=%7Bbroken");
    const second = await draw();
    return [moved !== before, stage(second) === (good ? moved : before)];
}}"""


@pytest.mark.parametrize("good", [True, False])
@pytest.mark.parametrize(
    "name", ["HeadSplit", "PositionCode", "CostOfLength", "SoftDictionary", "PathLength"]
)
def test_link_restores_state_and_broken_link_does_nothing(page, name, good):
    """A link restores the state and a broken one does nothing."""
    figure = getattr(widgets, name)()
    assert page.evaluate(LINKED, [figure._esm, state_of(figure), good]) == [True, True]
