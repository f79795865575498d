"""Whole pages over http, under the Content-Security-Policy that *How to read* names: nothing is refused."""

import re

import pytest

pytest.importorskip("sphinx")

from support import in_page_site
from support.pages import HTML, PAGES
from support.places import ROOT

POLICY = re.search(r"`(default-src [^`]+)`", (ROOT / "book" / "installation.md").read_text("utf-8"))[1]
REFUSED = """window.refused = []; document.addEventListener("securitypolicyviolation",
    ({ effectiveDirective, blockedURI }) => refused.push(`${effectiveDirective}: ${blockedURI}`));"""
WHOLE = ("exercises/05_attention.html", "chapters/05_attention.html", "book/index.html", "book/talk.html")


def refused(browser, name, policy):
    """Return what a page under a policy was refused, once its figures live and its Python has run."""
    with in_page_site.under_policy(HTML, policy) as address:
        page = browser.new_page()
        page.add_init_script(REFUSED)
        page.goto(f"{address}/{name}")
        page.wait_for_load_state("networkidle")
        if page.evaluate("'clearhead' in window && 'run' in clearhead"):
            assert page.evaluate("clearhead.run('import numpy\\n6 * 7')")["text"] == "42\n"
        found = page.evaluate("refused")
        if page.locator(".ch-widget").count() and not found:
            page.wait_for_selector("html[data-ch-live=ready]", state="attached")
        page.close()
        return found


@pytest.mark.pages
@pytest.mark.parametrize("name", [name for name in WHOLE if name in PAGES])
def test_a_whole_page_is_refused_nothing(browser, name):
    assert refused(browser, name, POLICY) == []


@pytest.mark.pages
@pytest.mark.parametrize(
    ("less", "directive"),
    [
        ("script-src 'self' 'wasm-unsafe-eval' blob:", "script-src"),
        ("script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'", "script-src"),
        ("style-src 'self'", "style-src"),
        ("font-src 'none'", "font-src"),
        ("img-src data:", "img-src"),
    ],
)
def test_each_word_of_the_policy_is_needed_by_a_chapter(browser, less, directive):
    policy = "; ".join(less if part.startswith(directive) else part for part in POLICY.split("; "))
    assert any(each.startswith(directive) for each in refused(browser, WHOLE[1], policy))
