"""Chapter 13: train the ViT, the CNN and the MLP on whole and permuted digits, with eight seeds."""

import numpy as np
import torch

from sweep import chapter_code

SEEDS, RATES, LONG = range(8), (0.001, 0.003, 0.01), 1400


def subset(seed, number):
    """Return the indices of the training images; with few images, each seed draws its own."""
    return slice(1400) if number == 1400 else slice(150 * seed, 150 * seed + number)


def sweep():
    """Return the accuracies of every model, with one entry per seed.

    Under "shifted" each model has two lists: test images shifted by one pixel, and by two. Under "settings"
    there is, for each model and each number of images, a list for each learning rate and number of steps.
    """
    torch.set_num_threads(1)
    page = chapter_code("vision")
    trained, accuracy_of, new_vit = page["trained"], page["accuracy_of"], page["new_vit"]
    makers = {"ViT": new_vit, "CNN": page["new_cnn"], "MLP": page["new_mlp"]}
    result, whole = {}, {}
    for name, make in (makers | {"CNN, no pooling": page["new_cnn_without_pooling"]}).items():
        whole[name] = [make(seed) for seed in SEEDS]
        result[name] = [trained(model) for model in whole[name]]
    for name, make in (("no positions", "without_positions"), ("two dimensions", "in_two_dimensions")):
        result[f"ViT, {name}"] = [trained(page[make](seed)) for seed in SEEDS]
        result[f"ViT, {name}, 1,400 steps"] = [trained(page[make](seed), steps=LONG) for seed in SEEDS]
    for P in (4, 8):
        result[f"ViT, P = {P}"] = [trained(new_vit(seed, P)) for seed in SEEDS]
        result[f"ViT, P = {P}, 1,400 steps"] = [trained(new_vit(seed, P), steps=LONG) for seed in SEEDS]
    for name, make in makers.items():
        for what in ("patches permuted", "pixels permuted"):
            change = page[what.replace(" ", "_")]
            result[f"{name}, {what}"] = [trained(make(seed), change) for seed in SEEDS]
        of_200 = [trained(make(seed), images=subset(seed, 200)) for seed in SEEDS]
        result[f"{name}, 200 images"] = of_200
    result["CNN, 50 images, pixels permuted"] = [
        trained(page["new_cnn"](seed), page["pixels_permuted"], subset(seed, 50)) for seed in SEEDS
    ]
    shifted = [page["to_the_right"](page["X_test"], by) for by in (1, 2)]
    result["shifted"] = {
        name: [[accuracy_of(model, images) for model in models] for images in shifted]
        for name, models in whole.items()
    }
    result["settings"] = {
        f"{name}, {number} images": _settings(trained, make, number)
        for name, make in makers.items()
        for number in (50, 1400)
    }
    return result


def _settings(trained, make, number):
    def runs(rate, steps):
        return [trained(make(seed), images=subset(seed, number), steps=steps, rate=rate) for seed in SEEDS]

    short = {f"rate {rate}, 350 steps": runs(rate, 350) for rate in RATES}
    return short | {f"rate 0.003, {LONG} steps": runs(0.003, LONG)}


def concludes(result):
    """Assert what chapter 13 says about the eight seeds of each model."""
    mean = {name: np.mean(runs) for name, runs in result.items() if isinstance(runs, list)}
    settings = result["settings"]
    longer = settings["ViT, 1400 images"]["rate 0.003, 1400 steps"]
    without, without_longer = result["ViT, no positions"], result["ViT, no positions, 1,400 steps"]
    assert 0.2 < min(without) < max(without) < 0.7 < 0.85 < min(result["ViT"])
    assert np.mean(without) + 0.1 < np.mean(without_longer) < np.mean(longer) - 0.15
    assert mean["ViT, two dimensions"] < mean["ViT"] + 0.02
    assert abs(mean["ViT, two dimensions, 1,400 steps"] - np.mean(longer)) < 0.02
    assert mean["ViT, P = 8"] > mean["ViT, P = 4"] > mean["ViT"] + 0.01
    assert mean["ViT, P = 8, 1,400 steps"] > np.mean(longer)
    assert abs(mean["ViT"] - mean["ViT, patches permuted"]) < 0.03
    assert mean["ViT, pixels permuted"] > mean["ViT"] - 0.02
    assert abs(mean["MLP"] - mean["MLP, pixels permuted"]) < 0.01
    assert 0 < mean["CNN"] - mean["CNN, pixels permuted"] < 0.03
    _concludes_of_shifts(result["shifted"])
    _concludes_of_few_images(result, settings)


def _concludes_of_shifts(shifted):
    one, two = ({name: np.mean(by[i]) for name, by in shifted.items()} for i in (0, 1))
    assert one["CNN"] > max(one["CNN, no pooling"], one["MLP"], one["ViT"]) + 0.05
    assert abs(one["CNN, no pooling"] - one["MLP"]) < 0.05
    assert max(two["CNN, no pooling"], two["MLP"], two["ViT"]) + 0.05 < two["CNN"] < 0.5


def _concludes_of_few_images(result, settings):
    by = {name: list(settings[f"{name}, 50 images"].values()) for name in ("ViT", "CNN", "MLP")}
    few = {name: settings[f"{name}, 50 images"]["rate 0.003, 350 steps"] for name in by}
    assert max(few["ViT"]) < min(few["CNN"] + few["MLP"])
    assert max(map(np.mean, by["ViT"])) < min(map(np.mean, by["CNN"] + by["MLP"])) - 0.1
    assert max(np.mean(result[rival]) for rival in ("CNN", "MLP")) < np.mean(result["ViT"]) + 0.08
    lost = np.mean(few["CNN"]) - np.mean(result["CNN, 50 images, pixels permuted"])
    assert 0.1 < lost / (np.mean(few["CNN"]) - np.mean(few["ViT"])) < 0.4


def agrees(recorded, fresh):
    """Assert that both runs support the chapter, and that no mean differs by more than 0.1.

    Without positions, accuracy depends far more on the processor, so there only the chapter's band counts.
    """
    for result in (recorded, fresh):
        concludes(result)
    for name, runs in recorded.items():
        if isinstance(runs, list) and "no positions" not in name:
            assert abs(np.mean(runs) - np.mean(fresh[name])) < 0.1, name
