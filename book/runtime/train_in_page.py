"""The training of "A GPT without autograd", a few steps at a time: runs after the cells of that page."""

import json  # noqa: F401  what calls these functions prints JSON


def start_run(seed, width, num_blocks):
    """Return what a training starts from: its size, two losses to compare with, and the floor."""
    rng = np.random.default_rng(seed + 100)
    parameters = init_parameters(seed, width, num_blocks)
    run.update(parameters=parameters, batches=padded_batches(learning, 16, rng), step=0)
    run["memory"] = [(0 * leaf, 0 * leaf) for leaf in leaves(parameters)]
    size = sum(leaf.size for leaf in leaves(parameters))
    return {"size": size, "marks": [float(np.log(len(names))), float(one_word), float(floor)]} | evaluate()


def train_steps(steps, rate, wrong):
    """Return the loss of each of some steps, whose rate grows over the first 20, with one gradient wrong."""
    losses = []
    with patch.dict(globals(), mistakes.get(wrong, {})):
        for _ in range(steps):
            run["step"] += 1
            loss, gradients = gpt_gradients(*next(run["batches"]), run["parameters"], 4)
            adam(run["parameters"], gradients, run["memory"], run["step"], rate * min(run["step"] / 20, 1))
            losses.append(float(loss))
    return {"losses": losses, "step": run["step"]}


def evaluate():
    """Return the loss on sentences that were not learned from, and what the model writes, each judged."""
    part = slice(0, 100)
    loss = cross_entropy(gpt(test_ids[part], run["parameters"], 4, relu), test_targets[part])
    written = write(run["parameters"], 40, np.random.default_rng(5))
    grammatical_ones = [grammatical(sentence) for sentence in written]
    fraction = sum(grammatical_ones) / len(grammatical_ones)
    return {
        "held_out": float(loss),
        "fraction": fraction,
        "sentences": list(zip(written[:5], grammatical_ones[:5], strict=True)),
    }


run = {}
