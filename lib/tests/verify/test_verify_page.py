"""The page on `clearhead verify` shows what the command prints, and names what exists."""

import re

from click.testing import CliRunner

from clearhead.grading.cli import main
from clearhead.verify.adapter import KINDS, MASKS
from clearhead.verify.entry_points import entry_points
from support.places import ROOT

PAGE = (ROOT / "book" / "verify.md").read_text(encoding="utf-8")
ADAPTER = """
import numpy as np
import torch
from clearhead.verify import adapt

softmax = adapt(torch.softmax, arrays="torch")

def layer_norm(x, gain, bias, eps=1e-5):
    return gain * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) + bias

def top_p(z, p):
    order = np.argsort(-z)
    weights = np.exp(z[order] - z.max())
    keep = np.cumsum(weights / weights.sum()) <= p
    keep[0] = True
    return np.where(np.isin(np.arange(len(z)), order[keep]), z, -np.inf)

def rotary(Q, positions):
    d = Q.shape[1]
    angles = np.tile(positions[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d), 2)
    turned = np.concatenate([-Q[:, d // 2 :], Q[:, : d // 2]], axis=1)
    return Q * np.cos(angles) + turned * np.sin(angles)
"""


def test_the_page_shows_what_the_command_prints(tmp_path):
    path = tmp_path / "my_adapter.py"
    path.write_text(ADAPTER)
    said = CliRunner().invoke(main, ["verify", str(path), "--seed", "0"]).output
    blocks = re.findall(r"```console\n(.*?)```", PAGE, re.S)
    report, convention = blocks[0].split("top_p.\n\n")[1], blocks[1]
    for block in (*report.strip().split("\n\n"), convention.strip()):
        lines = [line for line in block.splitlines() if not line.startswith("✓ layer_norm")]
        assert "\n".join(lines) in said, said
    assert "✓ layer_norm: 42 cases pass." in said


def test_the_page_names_only_what_exists():
    known = set(entry_points())
    for name in ("softmax", "attention", "speculative_sampling_step", "muon_step", "top_p", "rotary"):
        assert f"`{name}`" in PAGE or f" {name}:" in PAGE
        assert name in known
    for name in (*KINDS[1:], "blocked", "additive", "integers"):
        assert f'"{name}"' in PAGE
        assert name in KINDS or name in MASKS
    assert len(known) > 70


def test_table_of_real_faults_agrees_with_entry_points_and_text():
    rows = re.findall(r"^\| \S+/\S+ \|.*\| .* \| `(\w+)` \| (.*) \| (.*) \|$", PAGE, re.M)
    known = entry_points()
    for entry, *said in rows:
        names = {each.name for each in (*known[entry].exercise.mistakes, *known[entry].conventions)}
        for name in re.findall(r"`(\w+)`", " ".join(said)):
            assert name in names, (entry, name)
    named = [before for _, before, _ in rows if "`" in before and not before.startswith("convention")]
    added = [before for before in named if before.endswith("†")]
    repositories = set(re.findall(r"^\| (\S+/\S+) \|", PAGE, re.M))
    assert f"contains {len(rows)} bugs from {len(repositories)} repositories" in PAGE
    assert f"For {len(named) - len(added)} of them" in PAGE
    assert f"For another {len(added)}, marked with †" in PAGE
    wrong_afterwards = [after for *_, after in rows if after != "holds" and "convention" not in after]
    assert len(wrong_afterwards) == 2
