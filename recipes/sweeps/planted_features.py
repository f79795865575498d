"""Chapter 15: sparse autoencoders on hidden states with planted features, and on states without any."""

import numpy as np

from sweep import chapter_code

ACTIVE, SEEDS = (1, 2, 3, 4, 6, 8, 12), range(8)


def sweep():
    """Return the error and the number of features found, for each kind of states, number k and seed."""
    page = chapter_code("planted_features")

    def measured(kind, active, seed):
        error, found, _ = page["recovered"](page[kind], active, seed)
        return [round(error, 4), found]

    return {"active": list(ACTIVE)} | {
        kind: [[measured(kind, active, seed) for seed in SEEDS] for active in ACTIVE]
        for kind in ("with_features", "without_features")
    }


def agrees(recorded, fresh):
    """Assert that both runs find the features with two active directions only, where the error is larger."""
    for run in (recorded, fresh):
        planted, empty = (np.array(run[kind]) for kind in ("with_features", "without_features"))
        two, twelve = (run["active"].index(active) for active in (2, 12))
        assert planted[two, :, 1].min() >= 28
        assert planted[twelve, :, 1].max() <= 2
        assert empty[..., 1].max() <= 1
        assert planted[twelve, :, 0].max() < 0.5 * planted[two, :, 0].min()
    np.testing.assert_allclose(
        np.mean(fresh["with_features"], axis=1)[:, 0],
        np.mean(recorded["with_features"], axis=1)[:, 0],
        rtol=0.2,
    )
