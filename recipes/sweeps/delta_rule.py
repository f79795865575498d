"""Compare the delta rule with the plain sum over write strengths, two ways to read, and three widths."""

import numpy as np

from sweep import chapter_code

PAIRS, WIDTHS, SEEDS = (8, 16, 32, 48, 64, 128, 256), (16, 32, 64), range(10)
BETAS = (0.05, 0.1, 0.2, 0.5, 1.0)


def sweep():
    """Return the mean fraction of pairs that are recalled.

    "recalled": reading -> width -> method -> one number for each of PAIRS, the mean over ten seeds. "error":
    the same for its standard error. "overwritten": method -> one number a seed, where each of 8 keys of
    width 32 is written twice and the later word is asked for.
    """
    recall = chapter_code("delta_rule")["recall"]
    methods = {"sum": ("sum", 1.0)} | {f"delta, {beta}": ("delta", beta) for beta in BETAS}
    result = {"pairs": PAIRS, "recalled": {}, "error": {}}
    for by in ("cosine", "distance"):
        for d in WIDTHS:
            for name, (how, beta) in methods.items():
                found = np.array([[recall(how, n, seed, beta, 1, d, by) for n in PAIRS] for seed in SEEDS])
                for part, rows in (("recalled", found.mean(0)), ("error", found.std(0) / len(SEEDS) ** 0.5)):
                    here = result[part].setdefault(by, {}).setdefault(str(d), {})
                    here[name] = rows.round(4).tolist()
    result["overwritten"] = {
        name: [recall(how, 8, seed, beta, 2) for seed in SEEDS] for name, (how, beta) in methods.items()
    }
    return result


def agrees(recorded, fresh):
    """Assert that β = 0.1 recalls as much as the sum, and that β = 1 recalls less in a full state."""
    for found in (recorded, fresh):
        for d, rows in found["recalled"]["cosine"].items():
            total, small, whole = (np.array(rows[name]) for name in ("sum", "delta, 0.1", "delta, 1.0"))
            assert (small > total - 0.02).all(), d
            assert (whole[-2:] < total[-2:]).all(), d
        assert np.mean(found["overwritten"]["delta, 1.0"]) > 0.95
        assert np.mean(found["overwritten"]["delta, 0.1"]) < 0.9
