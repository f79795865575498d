"""The command, its output for people and machines, and the plugin of pytest."""

import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest
from click.testing import CliRunner

from clearhead.errors import UserError
from clearhead.grading.cli import main
from clearhead.verify import adapter
from clearhead.verify.entry_points import entry_points
from support.places import ROOT

RIGHT = """
import numpy as np

def softmax(z, axis):
    e = np.exp(z - z.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)
"""
WRONG = RIGHT.replace(" - z.max(axis, keepdims=True)", "")


def run(*arguments):
    """Return the exit status and the output of `clearhead verify`."""
    done = CliRunner().invoke(main, ["verify", *map(str, arguments)])
    return done.exit_code, done.output


def written(folder, text):
    """Return the path of an adapter file with a text."""
    path = folder / "my_adapter.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_right_functions_end_with_status_0(tmp_path):
    status, said = run(written(tmp_path, RIGHT), "--seed", 3)
    assert status == 0
    assert said.startswith("✓ my_adapter.py: its one entry point holds.")
    assert "Not tried, because my_adapter.py does not name them: log_softmax," in said
    assert "--seed 3" in said


def test_wrong_functions_end_with_status_1_and_come_first(tmp_path):
    status, said = run(written(tmp_path, WRONG + "\nsilu = lambda x: x / (1 + np.exp(-x))\n"))
    assert status == 1
    assert said.startswith("✗ my_adapter.py: 1 of 2 entry points is wrong: softmax.")
    assert "a known mistake, overflow." in said
    assert said.index("✗ softmax") < said.index("✓ silu")


def test_example_of_the_book_holds():
    status, said = run(ROOT / "book" / "example_adapter.py")
    assert status == 0, said
    assert "nan_without_any_target" in said


def test_list_shows_signatures_and_needs_no_file():
    status, said = run("--list")
    assert status == 0
    for entry in entry_points().values():
        assert entry.call in said


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1 / 0\n", "line 1 ends with ZeroDivisionError"),
        ("x = 1\n", "names no entry point"),
        ("from clearhead.verify import adapt\natention = adapt(len)\n", "Did you mean 'attention'?"),
        ("from clearhead.verify import adapt\nsoftmax = adapt(3)\n", "adapt needs a function"),
        ("from clearhead.verify import adapt\nsoftmax = adapt(len, arrays='cupy')\n", "not one of numpy"),
        ("from clearhead.verify import adapt\nattention = adapt(len, mask='yes')\n", "nor one of allowed"),
        (
            "from clearhead.verify import adapt\nattention = adapt(len, layout={'Q': 'T'})\n",
            "the axes (T, d)",
        ),
        (
            "from clearhead.verify import adapt\nattention = adapt(len, layout={'q': 'T'})\n",
            "no argument 'q'",
        ),
        ("from clearhead.verify import adapt\ngelu = adapt(len, {'a': lambda q: q})\n", "no argument 'q'"),
        ("from clearhead.verify import adapt\nattention = adapt(len, equal='d f')\n", "no axis 'f'"),
    ],
)
def test_unusable_files_end_with_status_2(tmp_path, text, problem):
    status, said = run(written(tmp_path, text))
    assert status == 2
    assert problem in " ".join(said.split())


def test_names_that_are_nearly_right_are_told(tmp_path):
    path = written(tmp_path, RIGHT + "\nlayernorm = lambda x: x\n")
    status, said = run(path)
    assert status == 0
    assert "'layernorm' is not an entry point and was not tried. Did you mean 'layer_norm'?" in said


def test_only_what_is_asked_for_is_tried(tmp_path):
    path = written(tmp_path, WRONG + "\ngelu = None\nsilu = lambda x: x / (1 + np.exp(-x))\n")
    assert run(path, "--only", "silu")[0] == 0
    status, said = run(path, "--only", "top_k")
    assert status == 2
    assert "it names softmax, silu" in said


def test_junit_counts_failures_and_holds_the_report(tmp_path):
    file = tmp_path / "report.xml"
    run(
        written(tmp_path, WRONG + "\ngelu = lambda x: x.missing\nsilu = lambda x: x / (1 + np.exp(-x))\n"),
        "--junit",
        file,
    )
    root = ET.parse(file).getroot()
    assert {key: root.get(key) for key in ("tests", "failures", "errors")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
    }
    failure = root.find(".//testcase[@name='softmax']/failure")
    assert failure.get("message") == "overflow"
    assert "The smallest input that we found" in failure.text


def pytest_run(folder, *arguments):
    """Return the exit status and the output of pytest with the plugin, in a folder."""
    command = [sys.executable, "-m", "pytest", "-p", "no:clearhead", "-p", "clearhead.verify.pytest_plugin"]
    command += ["-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", str(folder), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_the_plugin_adds_a_test_for_each_function(tmp_path):
    written(tmp_path, WRONG + "\nsilu = lambda x: x / (1 + np.exp(-x))\n")
    (tmp_path / "test_own.py").write_text("def test_own():\n    pass\n")
    status, said = pytest_run(tmp_path, "--clearhead", "my_adapter.py", "-v")
    assert status == 1
    assert "2 passed" in said
    assert "1 failed" in said
    assert "a known mistake, overflow." in said
    assert "Traceback" not in said
    assert pytest_run(tmp_path, "--clearhead", "my_adapter.py", "-k", "silu")[0] == 0


def test_the_plugin_reports_an_unusable_file(tmp_path):
    status, said = pytest_run(tmp_path, "--clearhead", "missing.py")
    assert status == 4
    assert "There is no file" in said


def test_the_plugin_does_nothing_without_its_option(tmp_path):
    (tmp_path / "test_own.py").write_text("def test_own():\n    pass\n")
    status, said = pytest_run(tmp_path)
    assert status == 0
    assert "1 passed" in said


def test_a_plain_function_gets_the_defaults_of_the_file(tmp_path):
    path = written(tmp_path, "import torch\ndefaults = {'arrays': 'torch'}\nsoftmax = torch.softmax\n")
    assert adapter.read(path, entry_points())["softmax"].arrays == "torch"


def test_a_file_may_import_its_neighbours(tmp_path):
    (tmp_path / "neighbour_of_adapter.py").write_text(RIGHT)
    path = written(tmp_path, "from neighbour_of_adapter import softmax\n")
    assert list(adapter.read(path, entry_points())) == ["softmax"]
    with pytest.raises(UserError, match="There is no file"):
        adapter.read(tmp_path / "other.py", entry_points())
