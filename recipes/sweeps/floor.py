"""Chapter 9: train the language model that approaches the entropy of its grammar with eight seeds.

And eight seeds of the same model without its mask, whose loss ends below that entropy.
"""

from sweep import chapter_code

SEEDS = range(8)
HONEST, UNMASKED = "above, her, off", "unmasked: loss, total variation"


def sweep():
    """Return, for each seed, the results of the chapter's `learned_with` and `unmasked_with`.

    For the model with the mask, these are the distance of the test loss from the floor, the probability of
    *her* in a sentence of a kind that was kept out, and the largest error of the probabilities in another
    such sentence. For the model without the mask, they are its test loss, and the total variation between
    its prediction after *a warm cup of* and the truth.
    """
    page = chapter_code("floor")
    return {
        HONEST: [[float(value) for value in page["learned_with"](seed)] for seed in SEEDS],
        UNMASKED: [[float(value) for value in page["unmasked_with"](seed)] for seed in SEEDS],
    }


def agrees(recorded, fresh):
    """Assert what chapter 9 says about each seed, for both runs."""
    for result in (recorded, fresh):
        assert len(result[HONEST]) == len(result[UNMASKED]) == len(SEEDS)
        for above, her, off in result[HONEST]:
            assert 0.002 < above < 0.007
            assert her > 0.95
            assert off < 0.08
        for loss, variation in result[UNMASKED]:
            assert loss < 0.005
            assert variation > 0.2
