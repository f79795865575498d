"""Chapter 11: train every model of the chapter with eight seeds."""

import numpy as np

from sweep import chapter_code

SEEDS = range(8)
CAREFUL = ("frozen", "fine-tuned")


def sweep():
    """Return the results of each model, with one entry per seed."""
    page = chapter_code("families")
    result = {"translator": [], "translator, blind": []}
    for name, blind in (("translator", False), ("translator, blind", True)):
        for seed in SEEDS:
            result[name].append(page["right_sentences"](page["trained_translator"](600, seed, blind)).mean())
    page["berts"] = [page["pretrained"](seed) for seed in SEEDS]
    result |= masked(page, page["berts"]) | transfer(page)
    result["classifier"] = [page["trained_classifier"](seed)[1] for seed in SEEDS]
    result["order"] = [page["accuracy_on_order"](seed) for seed in SEEDS]
    result["writer"] = [page["trained_writer"](seed).tolist() for seed in SEEDS]
    result["decoder-only"] = [page["accuracy_of_decoder_only"](seed) for seed in SEEDS]
    return result


def masked(page, berts):
    """Return the predictions of the masked language models, compared with the exact distribution."""
    words, length, number = ["[CLS]", *page["her"].split()], page["ids"].shape[1], page["number"]
    row = np.zeros(length, dtype=int)
    row[: len(words)] = [number.get(word, number["[MASK]"]) for word in words]
    both = [number["teacher"], number["queen"]]
    return {
        "teacher and queen": [page["predict_masked"](bert, row, 2)[both].tolist() for bert in berts],
        "KL": [page["distances"](bert) for bert in berts],
    }


def transfer(page):
    """Return the accuracy of each way to reuse an encoder, and how much the encoder has forgotten."""
    accuracies, forgotten = {}, {}
    for wanted, what in ((page["she"], "she or he"), (1 - page["she"], "works or reigns")):
        for way in page["rates"]:
            runs = [page["transferred"](way, seed, wanted) for seed in SEEDS]
            accuracies[f"{what}, {way}"] = [accuracy for _, accuracy in runs]
            if what == "she or he" and way != "from scratch":
                forgotten[way] = [page["forgotten"](runs[seed][0], seed) for seed in SEEDS]
    return {"transfer": accuracies, "KL after transfer": forgotten}


def concludes(result):
    """Assert what chapter 11 says about the eight seeds of each model."""
    assert min(result["translator"] + result["decoder-only"]) > 0.9
    assert max(result["translator, blind"]) < 0.02
    assert np.allclose(result["teacher and queen"], [0.8, 0.2], atol=0.15)
    as_drawn, met, unseen = np.mean(result["KL"], axis=0)
    assert as_drawn < 0.5 * met
    assert abs(met - unseen) < 0.5 * met
    found, after = result["transfer"], result["KL after transfer"]
    for way in CAREFUL:
        assert min(found[f"she or he, {way}"]) == 1
        assert max(found[f"works or reigns, {way}"]) == 0
        assert max(after[way]) < 0.15
    assert min(after["fine-tuned, high rate"]) > 0.3
    assert 0.2 < np.mean(found["she or he, from scratch"]) < 0.8
    assert min(result["classifier"] + result["order"]) > 0.9
    assert np.allclose(result["writer"], [1 / 2, 1 / 4, 1 / 32], atol=0.03)


def agrees(recorded, fresh):
    """Assert that both runs support the chapter, and that no mean accuracy is more than 0.05 away."""
    for result in (recorded, fresh):
        concludes(result)
    for name in ("translator", "translator, blind", "classifier", "order", "decoder-only"):
        assert abs(np.mean(recorded[name]) - np.mean(fresh[name])) < 0.05, name
