"""Chapter 13: three seeds of the ViT, the CNN and the MLP on digits, whole and spoiled, many and few."""

import numpy as np

from sweep import chapter_code

SEEDS = (0, 1, 2)


def sweep():
    """Return the accuracies of every model, a list with one entry for each seed.

    Under "moved to the right" each model has two lists: test images moved by one pixel, and by two.
    """
    page = chapter_code("vision")
    trained, accuracy_of, new_vit = page["trained"], page["accuracy_of"], page["new_vit"]
    makers = {"ViT": new_vit, "CNN": page["new_cnn"], "MLP": page["new_mlp"]}
    result, whole = {}, {}
    for name, make in (makers | {"CNN, no pooling": page["new_cnn_without_pooling"]}).items():
        whole[name] = [make(seed) for seed in SEEDS]
        result[name] = [trained(model) for model in whole[name]]
    result["ViT, no positions"] = [trained(page["without_places"](seed)) for seed in SEEDS]
    result["ViT, two dimensions"] = [trained(page["in_two_dimensions"](seed)) for seed in SEEDS]
    for P in (4, 8):
        result[f"ViT, P = {P}"] = [trained(new_vit(seed, P)) for seed in SEEDS]
    for name, make in makers.items():
        for what in ("patches moved", "pixels moved"):
            change = page[what.replace(" ", "_")]
            result[f"{name}, {what}"] = [trained(make(seed), change) for seed in SEEDS]
        for number in (50, 200):
            result[f"{name}, {number} images"] = [trained(make(seed), number=number) for seed in SEEDS]
    result["CNN, 50 images, pixels moved"] = [
        trained(page["new_cnn"](seed), page["pixels_moved"], number=50) for seed in SEEDS
    ]
    moved = [page["to_the_right"](page["X_test"], by) for by in (1, 2)]
    result["moved to the right"] = {
        name: [[accuracy_of(model, images) for model in models] for images in moved]
        for name, models in whole.items()
    }
    return result


def concludes(result):
    """Assert what chapter 13 says about the three seeds of each model."""
    mean = {name: np.mean(runs) for name, runs in result.items() if name != "moved to the right"}
    vit, one_pixel = result["ViT"], {name: by[0] for name, by in result["moved to the right"].items()}
    assert 0.2 < min(result["ViT, no positions"]) < max(result["ViT, no positions"]) < 0.7 < 0.88 < min(vit)
    assert min(result["ViT, P = 4"] + result["ViT, P = 8"]) > max(vit)
    assert mean["ViT, two dimensions"] < mean["ViT"] + 0.03
    assert abs(mean["ViT"] - mean["ViT, patches moved"]) < 0.03
    assert mean["ViT, pixels moved"] > mean["ViT"] - 0.03
    assert abs(mean["MLP"] - mean["MLP, pixels moved"]) < 0.02
    assert -0.01 < mean["CNN"] - mean["CNN, pixels moved"] < 0.05
    assert min(one_pixel["CNN"]) > max(one_pixel["CNN, no pooling"] + one_pixel["MLP"])
    assert np.mean(one_pixel["CNN"]) > np.mean(one_pixel["ViT"]) + 0.05
    assert abs(np.mean(one_pixel["CNN, no pooling"]) - np.mean(one_pixel["MLP"])) < 0.1
    assert max(max(by_two) for _, by_two in result["moved to the right"].values()) < 0.5
    few_of_the_vit = result["ViT, 50 images"]
    for rival in ("CNN", "MLP"):
        gaps = [mean[rival + of] - mean["ViT" + of] for of in (", 50 images", ", 200 images", "")]
        assert min(result[f"{rival}, 50 images"]) > max(few_of_the_vit) + 0.03
        assert gaps[0] > gaps[2] + 0.05
        assert min(gaps) > -0.02
    strangers = result["CNN, 50 images, pixels moved"]
    assert max(few_of_the_vit) < min(strangers) <= max(strangers) < max(result["CNN, 50 images"]) + 0.03


def agrees(recorded, fresh):
    """Assert that both runs support the chapter, and that no mean over the seeds is more than 0.1 away.

    Without positions, accuracy depends far more on the processor, so there only the chapter's band counts.
    """
    for result in (recorded, fresh):
        concludes(result)
    for name in recorded.keys() - {"moved to the right", "ViT, no positions"}:
        assert abs(np.mean(recorded[name]) - np.mean(fresh[name])) < 0.1, name
