"""Chapter 18: the parity of 16 bits, learned in one step and written out, at three learning rates."""

from functools import partial

from sweep import chapter_code

RATES, SEEDS = (0.01, 0.03, 0.1), range(8)
SHORT = 2, 4, 6, 8


def sweep():
    """Return the fraction of correct answers: way -> rate -> one number a seed."""
    page = chapter_code("parity")

    def at_once(rate, seed, first=16, steps=500, start="small_normal"):
        way = partial(page["at_once"], first=first)
        return page["accuracy_at_once"](page["parity_model"](way, rate, seed, steps, page[start]), first)

    def in_steps(name, rate, seed):
        return page["accuracy_in_steps"](page["parity_model"](page[name], rate, seed))

    ways = {
        "at once": at_once,
        "running parities": partial(in_steps, "running_parities"),
        "copied bits": partial(in_steps, "copied_bits"),
        "at once, 10 times the steps": partial(at_once, steps=5000),
        "at once, random signs": partial(at_once, start="random_signs"),
        "at once, larger normal": partial(at_once, start="larger_normal"),
    }
    ways |= {f"at once, first {k}": partial(at_once, first=k) for k in SHORT}
    return {
        name: {str(rate): [round(float(way(rate, seed)), 4) for seed in SEEDS] for rate in RATES}
        for name, way in ways.items()
    }


def agrees(recorded, fresh):
    """Running parities find the parity of 16 bits, as random signs do in one step; small weights do not."""
    for found in (recorded, fresh):
        assert all(end == 1 for rate in ("0.01", "0.03") for end in found["running parities"][rate])
        for name in ("at once", "copied bits", "at once, 10 times the steps"):
            assert all(abs(end - 0.5) < 0.02 for ends in found[name].values() for end in ends), name
        signs, normal = found["at once, random signs"], found["at once, larger normal"]
        assert all(end > 0.9 for ends in signs.values() for end in ends)
        assert all(sum(normal[rate]) < sum(signs[rate]) for rate in signs)
        assert all(max(ends[seed] for ends in found["at once, first 2"].values()) == 1 for seed in SEEDS)
