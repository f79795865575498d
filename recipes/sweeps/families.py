"""Chapter 11: three seeds of every model that the chapter trains with one."""

import numpy as np

from sweep import chapter_code

SEEDS = (0, 1, 2)


def sweep():
    """Return what each model reaches, a list with one entry for each seed."""
    page = chapter_code("families")
    result = {"translator": [], "translator, blind": []}
    for name, blind in (("translator", False), ("translator, blind", True)):
        for seed in SEEDS:
            result[name].append(page["right_sentences"](page["taught"](300, seed, blind)).mean())
    page["berts"] = [page["pretrained"](seed) for seed in SEEDS]
    result |= blanks(page, page["berts"])
    result["transfer"] = {
        f"{what}, {way}": [page["transferred"](way, seed, wanted) for seed in SEEDS]
        for wanted, what in ((page["she"], "she or he"), (1 - page["she"], "works or reigns"))
        for way in page["rates"]
    }
    result["critic"] = [page["taught_critic"](seed)[1] for seed in SEEDS]
    result["judge"] = [page["taught_judge"](seed) for seed in SEEDS]
    result["writer"] = [page["taught_writer"](seed).tolist() for seed in SEEDS]
    result["decoder alone"] = [page["taught_gpt"](seed) for seed in SEEDS]
    return result


def blanks(page, berts):
    """Return what the masked language models fill into blanks, compared with the exact distribution."""
    words, places, number = ["[CLS]", *page["her"].split()], page["ids"].shape[1], page["number"]
    blank = np.zeros(places, dtype=int)
    blank[: len(words)] = [number.get(word, number["[MASK]"]) for word in words]
    both = [number["teacher"], number["queen"]]
    unseen = [page["said"].index(list(one)) for one in sorted(page["kept_out"])] * 11
    asked = page["learned"][:200], unseen[:200]
    return {
        "teacher and queen": [page["predict_masked"](bert, blank, 2)[both].tolist() for bert in berts],
        "KL learned and kept out": [
            [page["compare"](bert, some, np.random.default_rng(5))[2] for some in asked] for bert in berts
        ],
    }


def concludes(result):
    """Assert what chapter 11 says about the three seeds of each model."""
    assert min(result["translator"] + result["decoder alone"]) > 0.9
    assert max(result["translator, blind"]) < 0.05
    assert np.allclose(result["teacher and queen"], [0.8, 0.2], atol=0.15)
    assert (np.array(result["teacher and queen"]) @ [1, 2]).min() > 1  # no other word is as likely as queen
    for learned, kept_out in result["KL learned and kept out"]:
        assert learned < 0.05
        assert learned < kept_out < 0.3
    for way in ("frozen", "fine-tuned"):
        assert min(result["transfer"][f"she or he, {way}"]) == 1
        assert max(result["transfer"][f"works or reigns, {way}"]) == 0
    assert 0.2 < np.mean(result["transfer"]["she or he, from scratch"]) < 0.8
    assert min(result["critic"] + result["judge"]) > 0.9
    assert np.allclose(result["writer"], [1 / 2, 1 / 4, 1 / 32], atol=0.06)


def agrees(recorded, fresh):
    """Assert that both runs support the chapter, and that no mean accuracy is more than 0.05 away."""
    for result in (recorded, fresh):
        concludes(result)
    for name in ("translator", "translator, blind", "critic", "judge", "decoder alone"):
        assert abs(np.mean(recorded[name]) - np.mean(fresh[name])) < 0.05, name
