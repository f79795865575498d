"""Chapter 20: train two denoising networks on digits, for a short and for a long time."""

import numpy as np

from sweep import chapter_code

KINDS, SEEDS, GENERATED = ("convolutions", "transformer"), 3, 100
SETTINGS = LONG, *_ = (5000, 1400), (5000, 50), (600, 1400)  # steps, and training images
GUIDANCE = (0, 1, 2, 4)


def measured(page, kind, steps, count, seed):
    """Return the errors of a trained network, the images it generates, and the effect of guidance."""
    denoiser = page["trained"](kind, steps, seed, count)
    denoise, from_noise = page["told"](denoiser), page["from_noise"]
    images = from_noise(denoise, GENERATED, seed)
    found = {
        "training": page["errors"](denoise, page["X"][: min(397, count)], seed).round(4).tolist(),
        "held out": page["errors"](denoise, page["X_held"], seed).round(4).tolist(),
        "distances": page["closest"](images, page["X"][:count])[0].round(2).tolist(),
        "images": np.rint(8 * (images[:10].clip(-1, 1) + 1)).astype(int).reshape(10, 8, 8).tolist(),
    }
    if (steps, count) == LONG:
        guided = [from_noise(page["guided"](denoiser, strength), GENERATED, seed) for strength in GUIDANCE]
        found["guidance"] = [[round(float(x), 3) for x in page["obeyed_and_varied"](x)] for x in guided]
    return found


def sweep():
    """Return the measurements for each network, length of training and seed."""
    page = chapter_code("denoisers")
    return {
        f"{kind}, {steps} steps, {count} images, seed {seed}": measured(page, kind, steps, count, seed)
        for kind in KINDS
        for steps, count in SETTINGS
        for seed in range(SEEDS)
    }


def agrees(recorded, fresh):
    """Assert that both runs have the same errors within a tenth, and that both networks make no copies."""
    for name, before in recorded.items():
        after = fresh[name]
        for part in ("training", "held out"):
            np.testing.assert_allclose(after[part], before[part], rtol=0.1)
        assert abs(np.median(after["distances"]) - np.median(before["distances"])) < 0.4
        assert min(np.min(before["distances"]), np.min(after["distances"])) > 0.7
        if "guidance" in before:
            for run in (before, after):
                obeyed, varied = np.transpose(run["guidance"])
                assert obeyed[0] < 0.3 < 0.8 < obeyed[1]
                assert obeyed[2] > 0.95
                assert varied[0] > varied[1] > varied[2]
