"""The two addresses of `_config.yml`: empty, they change nothing; set, each page and file shows them."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from html import unescape
from types import SimpleNamespace
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
import yaml

import launch
import write_addresses
from support.places import ROOT

sys.path.append(str(ROOT / "book" / "_ext"))
pytest.importorskip("sphinx")

import addresses

REPOSITORY, PAGES = "https://github.com/example/clear-head", "https://example.org/clear-head"
HTML = ROOT / "_build" / "html"
BUTTON = re.compile(r'<a href="([^"]+)" target="_blank"\s+class="btn')


def test_files_agree_with_the_addresses_of_the_configuration():
    found = write_addresses.addresses(yaml.safe_load((ROOT / "_config.yml").read_text("utf-8")))
    for name, text in write_addresses.with_addresses(ROOT, *found).items():
        assert (ROOT / name).read_text("utf-8") == text, "run python book/write_addresses.py"


@pytest.fixture
def files(tmp_path):
    """Return a folder with the files that name addresses."""
    for name in (write_addresses.PYPROJECT, write_addresses.CITATION, write_addresses.ISSUES):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    return tmp_path


def write(folder, *found):
    for name, text in write_addresses.with_addresses(folder, *found).items():
        (folder / name).write_text(text, encoding="utf-8")


def test_addresses_are_written_and_taken_out_again(files):
    write(files, "", "")
    before = {path: path.read_text("utf-8") for path in files.rglob("*.*") if path.is_file()}
    for _ in range(2):  # a second time changes nothing
        write(files, REPOSITORY, PAGES)
    project = tomllib.loads((files / write_addresses.PYPROJECT).read_text("utf-8"))["project"]
    assert project["urls"]["Homepage"] == PAGES
    assert project["urls"]["Issues"] == f"{REPOSITORY}/issues"
    assert "torch" in project["optional-dependencies"]
    cited = yaml.safe_load((files / write_addresses.CITATION).read_text("utf-8"))
    assert (cited["repository-code"], cited["url"]) == (REPOSITORY, PAGES)
    links = yaml.safe_load((files / write_addresses.ISSUES).read_text("utf-8"))["contact_links"]
    assert [set(link) for link in links] == [{"name", "url", "about"}] * 2
    write(files, "https://github.com/another/one", "")
    assert "example" not in "".join((files / path).read_text("utf-8") for path in before)
    write(files, "", "")
    assert {path: path.read_text("utf-8") for path in before} == before


@pytest.mark.parametrize(
    "address", ["github.com/a/b", "git@github.com:a/b.git", "https://a b", 'https://a"b']
)
def test_what_is_no_address_is_refused(address):
    with pytest.raises(ValueError, match="must begin with https"):
        write_addresses.addresses({"repository": {"url": address}})
    with pytest.raises(ValueError, match=r"baseurl in _config\.yml"):
        write_addresses.addresses({"html": {"baseurl": address}})


def test_slash_and_suffix_of_an_address_do_not_matter():
    config = {"repository": {"url": f" {REPOSITORY}.git/ "}, "html": {"baseurl": f"{PAGES}/"}}
    assert write_addresses.addresses(config) == (REPOSITORY, PAGES)


def options(url, edition=""):
    """Return the theme's options for an address."""
    config = SimpleNamespace(html_theme_options={"repository_url": url}, clearhead_edition=edition)
    addresses.use_repository(None, config)
    return config.html_theme_options


def test_buttons_need_an_address_and_no_class_edition():
    names = {"use_repository_button", "use_edit_page_button", "use_issues_button"}
    for url, edition, wanted in ((REPOSITORY, "", True), ("", "", False), (REPOSITORY, "class", False)):
        assert {options(url, edition)[name] for name in names} == {wanted}
    assert options(f"{REPOSITORY}.git/")["repository_url"] == REPOSITORY


def test_edit_button_of_each_sheet_opens_its_markdown():
    for sheet in (ROOT / "exercises").glob("[0-9]*.ipynb"):
        text = (ROOT / addresses._sheet(f"exercises/{sheet.stem}")).read_text("utf-8")
        assert f"\nnumber: {sheet.stem[:2]}\n" in text


@pytest.fixture(scope="module")
def launched(tmp_path_factory):
    """Return the folder of the branch for servers."""
    out = tmp_path_factory.mktemp("launch") / "out"
    launch.write(REPOSITORY, out)
    return out


def test_every_notebook_for_servers_first_installs_the_wheel(launched, monkeypatch):
    """The first cell runs as IPython runs it: without the library it asks pip for the wheel that is there."""
    transform = pytest.importorskip("IPython.core.inputtransformer2").TransformerManager().transform_cell
    notebooks = sorted(launched.rglob("*.ipynb"))
    assert len(notebooks) >= 40
    asked = []
    shell = SimpleNamespace(run_line_magic=lambda *magic: asked.append(magic))
    for path in notebooks:
        code = transform("".join(json.loads(path.read_text("utf-8"))["cells"][0]["source"]))
        exec(code, {"get_ipython": lambda: shell})
    assert asked == []  # the library is there
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    exec(code, {"get_ipython": lambda: shell})
    ((magic, line),) = asked
    assert magic == "pip"
    found = re.search(r'"clearhead\[(\w+)\] @ (\S+)/raw/launch/(\S+\.whl)"$', line)
    assert found[2] == REPOSITORY
    assert (launched / found[3]).is_file()
    project = tomllib.loads((ROOT / "lib" / "pyproject.toml").read_text("utf-8"))["project"]
    assert found[1] in project["optional-dependencies"]


def test_notebooks_for_servers_keep_the_cells_of_the_book(launched):
    for path in (ROOT / "exercises").glob("[0-9]*.ipynb"):
        ours = json.loads(path.read_text("utf-8"))["cells"]
        theirs = json.loads((launched / "exercises" / path.name).read_text("utf-8"))["cells"]
        code = [[cell["source"] for cell in cells if cell["cell_type"] == "code"] for cells in (ours, theirs)]
        assert code[1][1:] == code[0]
        assert len({cell["id"] for cell in theirs}) == len(theirs)


def test_binder_installs_the_wheel_of_its_branch(launched):
    lines = (launched / ".binder" / "requirements.txt").read_text("utf-8").splitlines()
    (wheel,) = launched.glob("*.whl")
    assert lines == ["-c constraints.txt", f"./{wheel.name}[chapters]"]
    assert (launched / ".binder" / "constraints.txt").is_file()


def test_a_page_has_no_button_while_addresses_are_empty():
    text = (ROOT / "_config.yml").read_text("utf-8")
    if any(write_addresses.addresses(yaml.safe_load(text))):
        pytest.skip("This copy of the book has addresses.")
    if not (HTML / "index.html").exists():
        pytest.skip("no _build/html; run `make book` first")
    assert not (HTML / "sitemap.xml").exists()
    for path in HTML.rglob("*.html"):
        page = path.read_text("utf-8")
        assert 'rel="canonical"' not in page
        assert "launch-buttons" not in page
        assert "source-buttons" not in page


DOCUMENTS = re.findall(r"(?:file|root): (\S+)", (ROOT / "_toc.yml").read_text("utf-8"))
EDIT = f"{REPOSITORY}/edit/main/"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_buttons_of_every_page_lead_to_files_that_exist(name, launched):
    """The step is called for each page of the book, with the buttons that the theme has made before."""
    (path,) = (path for kind in (".ipynb", ".md") if (path := ROOT / f"{name}{kind}").is_file())
    edit = {"label": "source-edit-button", "url": EDIT + f"{name}{path.suffix}"}
    context = {"header_buttons": [{"buttons": [edit]}], "page_source_suffix": path.suffix}
    app = SimpleNamespace(config=SimpleNamespace(html_theme_options=options(REPOSITORY)))
    addresses.add_buttons(app, name, "page.html", context, "a tree")
    assert (ROOT / edit["url"].removeprefix(EDIT)).is_file()
    started = [button["url"] for group in context["header_buttons"][1:] for button in group["buttons"]]
    assert len(started) == 2 * (path.suffix == ".ipynb")
    for url in started:
        assert (launched / unquote(url).split("/launch")[1].split("/tree/")[-1].lstrip("/")).is_file()


#: A page of each kind.
KINDS = ["book/how_to_read", "book/es/how_to_read", "chapters/05_attention", "exercises/05_attention"]


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Return the pages of a book with a page of each kind, whose addresses are set."""
    out = tmp_path_factory.mktemp("book")
    text = (ROOT / "_config.yml").read_text("utf-8")
    text = text.replace("pipeline: book/_ext", f"pipeline: {ROOT}/book/_ext")  # else sought beside the file
    text = re.sub(r"^  url: .*$", f'  url: "{REPOSITORY}"', text, flags=re.M)
    text = re.sub(r"^  baseurl: .*$", f'  baseurl: "{PAGES}"', text, flags=re.M)
    text = text.replace("execute_notebooks: cache", 'execute_notebooks: "off"')
    (out / "_config.yml").write_text(text, encoding="utf-8")
    first, *others = KINDS
    files = "".join(f"- file: {name}\n" for name in others)
    (out / "_toc.yml").write_text(f"format: jb-book\nroot: {first}\nchapters:\n{files}", encoding="utf-8")
    command = [sys.executable, "book/sphinx_step.py", "build", ".", "--config", str(out / "_config.yml")]
    done = subprocess.run(
        [*command, "--toc", str(out / "_toc.yml"), "--path-output", str(out), "-q"],
        cwd=ROOT, capture_output=True, text=True, env=os.environ | {"CLEARHEAD_JOBS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return out / "_build" / "html"


def test_address_of_the_book_itself_has_a_preview(book):
    """A link to the book without a page leads to index.html, whose redirect no preview follows."""
    page, first = ((book / name).read_text("utf-8") for name in ("index.html", f"{KINDS[0]}.html"))
    assert f'content="0; url={KINDS[0]}.html"' in page
    for element in ("title>", 'name="description"', 'property="og:image"', 'rel="canonical"'):
        (line,) = [line for line in page.splitlines() if element in line]
        assert line in first


@pytest.mark.parametrize("name", KINDS)
def test_with_addresses_a_page_leads_to_both(book, name):
    page = (book / f"{name}.html").read_text("utf-8")
    assert f'<link rel="canonical" href="{PAGES}/{name}.html" />' in page
    (image,) = re.findall(rf'property="og:image" content="{PAGES}/([^"]+)"', page)
    assert (book / image).is_file()
    buttons = [unquote(unescape(url)) for url in BUTTON.findall(page)]
    assert REPOSITORY in buttons
    assert any(f"{REPOSITORY}/issues/new" in url and name in url for url in buttons)
    (edit,) = [url for url in buttons if url.startswith(EDIT)]
    assert (ROOT / edit.removeprefix(EDIT)).is_file()
    started = [url for url in buttons if "mybinder.org" in url or "colab.research" in url]
    notebook = f"{name}.ipynb"
    assert (
        started
        == [
            f"https://mybinder.org/v2/gh/example/clear-head/launch?urlpath=lab/tree/{notebook}",
            f"https://colab.research.google.com/github/example/clear-head/blob/launch/{notebook}",
        ]
        * (ROOT / notebook).is_file()
    )
    for icon in re.findall(r'<img alt="[^"]+ logo" src="([^"]+)"', page):
        assert (book / name).parent.joinpath(icon).resolve().is_file()


def test_sitemap_lists_every_page_once(book):
    found = ElementTree.parse(book / "sitemap.xml").getroot().iter()
    listed = [each.text for each in found if each.tag.endswith("}loc")]
    assert sorted(listed) == sorted(f"{PAGES}/{name}.html" for name in KINDS)
