"""Imports point down the house, never up; and the lower layers live without PyTorch."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "clearhead"
MAY_IMPORT = {
    "text": {"numpy", "targets"},
    "maths": {"numpy", "targets"},
    "nets": {"numpy", "torch", "maths", "files"},
    "training": {"numpy", "torch", "tqdm", "text", "files", "targets"},
    "pretrained": {"numpy", "torch", "text", "maths", "nets", "training", "files"},
    "figures": {"numpy", "matplotlib"},
    "widgets": {
        "numpy",
        "anywidget",
        "traitlets",
        "ipywidgets",
        "IPython",
        "text",
        "maths",
        "figures",
        "pretrained",
    },
    "checks": {"numpy", "files"},
    "sheets": {"numpy", "torch", "text", "maths", "checks"},
    "authoring": {"numpy", "checks"},
    "sandbox": {"numpy", "checks"},
    "grading": {"numpy", "click", "checks", "sandbox", "authoring", "files"},
}
ONLY_HERE = {
    "pretrained/convert.py": {"safetensors"},
    "pretrained/hub.py": {"huggingface_hub"},
    "pretrained/minilm.py": {"tokenizers"},
    "pretrained/train_digits_vit.py": {"sklearn"},
    "pretrained/train_mini_clip.py": {"sklearn"},
    "grading/cluster.py": {"distributed"},
    "sandbox/wire.py": {"torch"},
}
WITHOUT_TORCH = ["maths", "text", "figures", "widgets", "checks", "sheets", "authoring", "sandbox", "grading"]


def imports(source, room):
    """Return the rooms and packages that a file imports, wherever in the file it does so."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""] if node.level == 0 else [f"clearhead.{room}"]
            if node.module == "clearhead":
                names = [f"clearhead.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            yield name.split(".")[1] if name.startswith("clearhead.") else name.split(".")[0]


def not_allowed(source, path):
    """Return what a file imports and may not, by the room in which it lies."""
    room = path.parts[0]
    allowed = MAY_IMPORT[room] | ONLY_HERE.get(path.as_posix(), set()) | {room}
    return set(imports(source, room)) - allowed - {"__version__"} - set(sys.stdlib_module_names)


FILES = [path for path in sorted(PACKAGE.rglob("*.py")) if path.parent != PACKAGE]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_point_down(path):
    assert not not_allowed(path.read_text(encoding="utf-8"), path.relative_to(PACKAGE))


@pytest.mark.parametrize(
    "source", ["import torch", "from clearhead.nets import attention", "def f():\n    import torch.nn"]
)
def test_an_import_that_points_up_is_found(source):
    assert not_allowed(source, Path("maths/attention.py"))


def import_all(room):
    """Return the code that imports every module of a room."""
    paths = [path.relative_to(PACKAGE.parent) for path in sorted((PACKAGE / room).rglob("*.py"))]
    names = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths]
    return "import " + ", ".join(names)


@pytest.mark.parametrize("room", WITHOUT_TORCH)
def test_lives_without_torch(room):
    """Every module of the room imports where PyTorch is not installed."""
    code = f"import sys; sys.modules['torch'] = None; {import_all(room)}"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_maths_starts_in_half_a_second():
    code = f"{import_all('maths')}; import time; print(time.process_time())"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert float(done.stdout) < 0.5
