"""Chapter 15: two-layer nets that learn to copy, from two further random initializations."""

from sweep import chapter_code

SEEDS = (1, 2)


def sweep():
    """Return, for each seed, the steps at which a net was measured, and the fractions of right answers."""
    page = chapter_code("two_layers")
    runs = [page["trained"](page["layers"](2, seed)).measured for seed in SEEDS]
    return [[list(run), [round(float(right), 4) for right in run.values()]] for run in runs]


def agrees(recorded, fresh):
    """Assert that each net of both runs jumps between the steps 50 and 400, and ends above 0.85."""
    for run in (*recorded, *fresh):
        at = dict(zip(*run, strict=True))
        assert at[50] < 0.4 < 0.85 < at[400]
        assert at[1000] > 0.85
