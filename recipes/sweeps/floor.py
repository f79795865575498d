"""Chapter 9: eight seeds of the language model that comes down to the entropy of its grammar."""

from sweep import chapter_code

SEEDS = range(8)


def sweep():
    """Return for each seed what the chapter's `learned_with` measures.

    These are the distance of the test loss from the floor, the probability of *her* in a sentence of a kind
    that was kept out, and the largest error of the probabilities in another such sentence.
    """
    page = chapter_code("floor")
    return {"above, her, off": [[float(value) for value in page["learned_with"](seed)] for seed in SEEDS]}


def agrees(recorded, fresh):
    """Assert what chapter 9 says about each seed, for both runs."""
    for result in (recorded, fresh):
        assert len(result["above, her, off"]) == len(SEEDS)
        for above, her, off in result["above, her, off"]:
            assert above < 0.01
            assert her > 0.95
            assert off < 0.08
