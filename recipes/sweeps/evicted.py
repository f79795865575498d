"""What SmolLM2 loses in three texts, and of a fact, when entries of its cache are evicted."""

import numpy as np

from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.heads import merge_heads, split_heads
from clearhead.maths.layers import linear, rms_norm
from clearhead.maths.losses import cross_entropy
from clearhead.maths.masks import causal_mask, sink_window_mask
from clearhead.maths.positions import apply_rotary, rotary_angles
from clearhead.maths.softmax import softmax
from clearhead.maths.transformer import gated_feed_forward
from clearhead.pretrained import smollm
from smollm_text import TEXT

VILLAGE = """The village lies at the end of a long valley, where the river turns south. Most of its houses are
built of grey stone, and in winter the snow covers their roofs for months. In summer, people walk
up to the lake in the morning, before the sun is high. There is a small shop that sells bread,
cheese and newspapers, and next to it a school with eleven pupils. On Sundays the bells ring at
nine o'clock, and everyone meets in the square. The oldest man of the village remembers the year
when the first car arrived, and he likes to tell the story to anybody who has the time to listen."""
COOK = """Water boils at a lower temperature on a mountain than at the sea, because the pressure of the air
is lower there. A cook on a high mountain must therefore wait longer until an egg is hard,
although the water is boiling all the time. A pressure cooker does the opposite. Its lid is closed
so tightly that the steam cannot escape, and the pressure rises until the water reaches about one
hundred and twenty degrees. At this temperature, beans need only a third of the usual time. The
same principle is used in hospitals, where hot steam under pressure kills the bacteria on
instruments before an operation."""
BUDGET = 32
FACT = "The password of the garden gate is"
WORDS = " orchid", " river", " silver"


def kept(length, first, count):
    """Return the mask that keeps `count` tokens from `first` on, and recent ones up to the budget."""
    steady = (np.arange(length) >= first) & (np.arange(length) < first + count)
    return causal_mask(length) & (sink_window_mask(length, 0, BUDGET - count) | steady)


POLICIES = {
    "all entries": lambda length: causal_mask(length),
    "32 recent": lambda length: sink_window_mask(length, 0, BUDGET),
    "1 first, 31 recent": lambda length: sink_window_mask(length, 1, BUDGET - 1),
    "4 first, 28 recent": lambda length: sink_window_mask(length, 4, BUDGET - 4),
    "1 later, 31 recent": lambda length: kept(length, 8, 1),
    "4 later, 28 recent": lambda length: kept(length, 8, 4),
    "12 first, 20 recent": lambda length: sink_window_mask(length, 12, BUDGET - 12),
}


def logits(model, ids, mask):
    """Return the logits (T, V) where every head of every block sees only what the mask (T, T) keeps."""
    x, groups = model.embed(ids), model.num_groups
    angles = rotary_angles(len(x), model.d_k, model.base)
    for block in model.parameters["blocks"]:
        h, W = rms_norm(x, **block["attention_norm"]), block["attention"]
        Q = apply_rotary(split_heads(linear(h, **W["query"]), model.num_heads), angles)
        K = apply_rotary(split_heads(linear(h, **W["key"]), groups), angles)
        V = split_heads(linear(h, **W["value"]), groups)
        K, V = (np.repeat(each, len(Q) // groups, axis=0) for each in (K, V))
        x = x + linear(merge_heads(scaled_dot_product_attention(Q, K, V, mask)[0]), **W["output"])
        x = x + gated_feed_forward(rms_norm(x, **block["feed_forward_norm"]), block["feed_forward"])
    return model.unembed(x)


def sweep():
    """Return the losses (texts) and the probabilities of the password (words) for each policy."""
    model, found = smollm.load(), {}
    texts = [np.array(model.tokens.encode(text.replace("\n", " "))) for text in (TEXT, VILLAGE, COOK)]
    middle = VILLAGE.replace("\n", " ")
    facts = {word: np.array(model.tokens.encode(f"{FACT}{word}. {middle} {FACT}")) for word in WORDS}
    for name, policy in POLICIES.items():
        losses = [
            float(cross_entropy(logits(model, ids, policy(len(ids)))[BUDGET:-1], ids[BUDGET + 1 :]))
            for ids in texts
        ]
        p = [
            float(softmax(logits(model, ids, policy(len(ids)))[-1])[model.tokens.encode(word)[0]])
            for word, ids in facts.items()
        ]
        found[name] = {"loss": np.round(losses, 4).tolist(), "password": np.round(p, 5).tolist()}
    return found | {"tokens": [len(ids) for ids in texts]}


def agrees(recorded, fresh):
    """Assert that the first entries are needed, and that the password is forgotten with them."""
    for run in (recorded, fresh):
        loss = {name: np.array(run[name]["loss"]) for name in POLICIES}
        assert (loss["1 first, 31 recent"] - loss["all entries"] < 0.5).all()
        for name in ("32 recent", "1 later, 31 recent", "4 later, 28 recent"):
            assert (loss[name] - loss["all entries"] > 0.7).all()
        assert max(run["4 first, 28 recent"]["password"]) < 0.01
        assert np.array(run["12 first, 20 recent"]["password"]).min() > 0.1
    for name in POLICIES:
        np.testing.assert_allclose(fresh[name]["loss"], recorded[name]["loss"], atol=0.05)
