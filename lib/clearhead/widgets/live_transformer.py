"""A figure of a GPT with three million parameters that attends and generates in the reader's browser."""

import functools

import numpy as np
import traitlets

from clearhead.figures import attention_map, bars
from clearhead.figures.words import number, quoted
from clearhead.maths.heads import multi_head_attention, split_heads
from clearhead.maths.layers import embed, gelu, layer_norm, linear
from clearhead.maths.masks import causal_mask
from clearhead.maths.positions import learned_positions
from clearhead.maths.sampling import temperature as sharpened
from clearhead.maths.sampling import top_k as keep_k
from clearhead.maths.softmax import softmax
from clearhead.maths.transformer import encoder_block
from clearhead.pretrained.live import SIZES, live_codes, live_parameters, live_tokenizer
from clearhead.text.rules import STOP

from .figure import Figure, source

PROMPTS = [
    ["Once upon a time ...", "Once upon a time there was a"],
    ["The little dragon ...", "The little dragon was afraid of"],
    ["look at ...", "The teacher asked the class a question, and everyone turned to look at"],
    ["a warm cup of ...", "After a long day at work, she sat down to enjoy a warm cup of"],
]

PARTS = [f"kit/{part}.js" for part in ("byte_pair", "gpt", "writer", "written", "strips", "flow", "opened")]

parameters, tokenizer = functools.cache(live_parameters), functools.cache(live_tokenizer)


class LiveTransformer(Figure):
    """A trained GPT that runs where the figure is shown, without a kernel and without a network.

    Parameters
    ----------
    text : str
        The text that the reader typed, before which the model reads "<stop>".
    written : str
        The text that the model generated after it, available to Python once the model stops.
    temperature : () float
        At least 0; at 0 the most probable token is taken.
    top_k : () int
        The number of most probable tokens from which the next one is drawn.
    layer, head : () int
        The layer and the head whose attention is shown, counted from 0.
    chosen : () int
        The token whose attention is shown, counted from 0; -1 for the last one.
    opened : str
        The part whose values are shown: "embedding", "head" or "forward" (of that layer), or "" for none.
    pace : () int
        0: ten tokens per second; 1: one per second; 2: as fast as possible.
    length : () int
        The maximal number of tokens that it generates.
    prompts : list of (str, str)
        Names and prompts to try.
    """

    what_to_see = (
        "This is a complete small GPT at work: type a text, look inside its layers, and let it "
        "generate the next tokens."
    )
    _esm = source("live_transformer.js", *PARTS)
    text = traitlets.Unicode(PROMPTS[0][1]).tag(sync=True)
    written = traitlets.Unicode("").tag(sync=True)
    temperature = traitlets.Float(0.6, min=0).tag(sync=True)
    top_k = traitlets.Int(40, min=1).tag(sync=True)
    layer = traitlets.Int(3, min=0, max=SIZES["num_layers"] - 1).tag(sync=True)
    head = traitlets.Int(1, min=0, max=SIZES["num_heads"] - 1).tag(sync=True)
    chosen = traitlets.Int(-1, min=-1).tag(sync=True)
    opened = traitlets.Enum(["", "embedding", "head", "forward"], "").tag(sync=True)
    pace = traitlets.Int(0, min=0, max=2).tag(sync=True)
    length = traitlets.Int(80, min=1).tag(sync=True)
    prompts = traitlets.List(PROMPTS).tag(sync=True)
    num_heads = traitlets.Int(SIZES["num_heads"]).tag(sync=True)
    merges = traitlets.List().tag(sync=True)
    special = traitlets.List([STOP]).tag(sync=True)
    shapes = traitlets.List().tag(sync=True)
    weights = traitlets.Bytes().tag(sync=True)
    scales = traitlets.Bytes().tag(sync=True)

    def __init__(self, **traits):
        kept = live_codes()
        super().__init__(
            merges=[list(pair) for pair in tokenizer().merges],
            shapes=[[name, list(codes.shape)] for name, (codes, _) in kept.items()],
            weights=b"".join(codes.tobytes() for codes, _ in kept.values()),
            scales=b"".join(scales.tobytes() for _, scales in kept.values()),
            **traits,
        )

    @staticmethod
    def samples(rng):
        H, d, V, S, num_layers, T = 2, 3, 11, 9, 3, int(rng.integers(2, 9))
        D, F = H * d, 5
        maps = {name: (D, D) for name in ("query", "key", "value", "output")}

        def linear(inputs, outputs):
            return {"weight": rng.normal(size=(inputs, outputs)), "bias": rng.normal(size=outputs)}

        def norm():
            return {"gain": rng.normal(size=D), "bias": rng.normal(size=D), "eps": 1e-5}

        blocks = [
            {
                "attention_norm": norm(),
                "attention": {name: linear(*shape) for name, shape in maps.items()},
                "feed_forward_norm": norm(),
                "feed_forward": {"up": linear(D, F), "down": linear(F, D)},
            }
            for _ in range(num_layers)
        ]
        tables = {"tokens": rng.normal(size=(V, D)), "positions": rng.normal(size=(S, D))}
        choice = {"temperature": float(rng.choice([0, 0.5, 1, 2])), "top_k": int(rng.integers(1, 15))}
        parameters = {**tables, "blocks": blocks, "norm": norm()}
        part = {
            "layer": int(rng.integers(num_layers)),
            "head": int(rng.integers(H)),
            "chosen": int(rng.integers(T)),
        }
        return {"ids": rng.integers(V, size=T), "parameters": parameters, "num_heads": H, **choice, **part}

    @staticmethod
    def compute(ids, parameters, num_heads, temperature, top_k, layer, head, chosen):
        """Return logits, attention, norms, the logit lens, the distribution, and the opened parts."""
        ids = np.asarray(ids)
        T, A = len(ids), []
        rows = [embed(ids, parameters["tokens"]) + learned_positions(T, parameters["positions"])]
        for block in parameters["blocks"]:
            h = layer_norm(rows[-1], **block["attention_norm"])
            A.append(multi_head_attention(h, h, block["attention"], num_heads, causal_mask(T))[1])
            rows.append(encoder_block(rows[-1], block, num_heads, causal_mask(T)))
        lens = layer_norm(np.array(rows), **parameters["norm"]) @ parameters["tokens"].T
        return {
            "logits": lens[-1],
            "after": softmax(keep_k(sharpened(lens[-1, -1], temperature), top_k)),
            "A": np.array(A),
            "norms": np.linalg.norm(rows, axis=-1).T,
            "lens": lens[:, -1],
            "head": _head(rows[layer], parameters["blocks"][layer], num_heads, head, chosen),
            "forward": _forward(rows[layer][: chosen + 1], parameters["blocks"][layer], num_heads),
            "embedding": {
                "token": parameters["tokens"][ids[chosen]],
                "position": parameters["positions"][chosen],
            },
        }

    def _computed(self):
        ids = tokenizer().encode(STOP + self.text + self.written)
        most = SIZES["context_length"]
        ids = ids if len(ids) <= most else ids[-most // 2 :]
        part = self.layer, self.head, self.chosen if 0 <= self.chosen < len(ids) else len(ids) - 1
        return ids, LiveTransformer.compute(
            ids, parameters(), self.num_heads, self.temperature, self.top_k, *part
        )

    @property
    def words(self):
        """Return sentences on the most probable next tokens, and on the attention of the chosen token."""
        ids, found = self._computed()
        tokens, after = tokenizer().tokens(ids), found["after"]
        first, second = np.argsort(-found["logits"][-1], kind="stable")[:2]
        chosen = self.chosen if 0 <= self.chosen < len(ids) else len(ids) - 1
        looked = found["A"][self.layer, self.head, chosen]
        text = f"Generated: {quoted(_in_one_line(self.written[-200:]))}. " if self.written else ""
        guesses, best = [_spoken(tokenizer().tokens([i])[0]) for i in (first, second)], int(np.argmax(looked))
        return (
            f"{text}After {quoted(_in_one_line(''.join(tokens[-5:])))} the likeliest next tokens are "
            f"{guesses[0]}, {number(after[first])}, and {guesses[1]}, {number(after[second])}, "
            f"at τ = {number(self.temperature)}, k = {self.top_k}. "
            f"In layer {self.layer}, head {self.head}, {_spoken(tokens[chosen])} looks most at "
            f"{_spoken(tokens[best])}, {number(looked[best])}."
        )

    def pictures(self):
        """Return the probabilities of the next token as bars, and the attention map of one head."""
        ids, found = self._computed()
        best = np.argsort(-found["logits"][-1], kind="stable")[:6]
        tokens, guesses = (tokenizer().tokens(row) for row in (ids, best))
        title = f"Layer {self.layer}, head {self.head}"
        A = found["A"][self.layer, self.head][-16:, -16:]
        return [
            bars([guess.strip() for guess in guesses], found["after"][best], title="The next token"),
            attention_map(A, rows=tokens[-16:], columns=tokens[-16:], title=title),
        ]


def _head(x, block, num_heads, head, chosen):
    """Return every step of one head, from the query of one token to the weighted sum of values."""
    h = layer_norm(x, **block["attention_norm"])
    maps = (block["attention"][name] for name in ("query", "key", "value"))
    Q, K, V = (split_heads(linear(h, **each), num_heads)[head] for each in maps)
    scores = K @ Q[chosen]
    scaled = scores / np.sqrt(K.shape[-1])
    masked = np.where(np.arange(len(x)) <= chosen, scaled, -np.inf)
    weights = softmax(masked)
    steps = {"scores": scores, "scaled": scaled, "masked": masked, "weights": weights}
    return {"q": Q[chosen], "K": K, "V": V, **steps, "z": weights @ V}


def _forward(x, block, num_heads):
    """Return the steps of the feed-forward network for the last row."""
    h = layer_norm(x, **block["attention_norm"])
    Z, _ = multi_head_attention(h, h, block["attention"], num_heads, causal_mask(len(x)))
    normed = layer_norm(x + Z, **block["feed_forward_norm"])[-1]
    up = linear(normed, **block["feed_forward"]["up"])
    activations = gelu(up)
    return {
        "normed": normed,
        "up": up,
        "activations": activations,
        "down": linear(activations, **block["feed_forward"]["down"]),
    }


def _spoken(token):
    return quoted(token.strip() or token.replace("\n", "↵").replace(" ", "·"))


def _in_one_line(text):
    return text.replace("\n", " ").replace(STOP, " ¶ ").strip()
