"""A language model of the Llama family, opened from a GGUF file: it computes, is looked into, and writes."""

import copy
from itertools import takewhile

import numpy as np

from clearhead.maths.layers import embed
from clearhead.maths.llama import llama_block
from clearhead.maths.norms import rms_norm
from clearhead.maths.relative_positions import rotary_angles
from clearhead.maths.sampling import sample
from clearhead.maths.softmax import at_temperature
from clearhead.text.tokenizers import ByteLevelTokenizer

CONTROL = 3  # what the file says of a token that stands for no text
ATTENTION = {"query": "attn_q", "key": "attn_k", "value": "attn_v", "output": "attn_output"}
FEED_FORWARD = {"gate": "ffn_gate", "up": "ffn_up", "down": "ffn_down"}


def read_tokenizer(metadata):
    """Return the tokenizer that a GGUF file describes.

    Parameters
    ----------
    metadata : dict
        Of a `GGUF`.

    Returns
    -------
    tokenizer : ByteLevelTokenizer

    Raises
    ------
    ValueError
        Where the file describes a tokenizer of another kind.
    """
    kind = metadata.get("tokenizer.ggml.model"), metadata.get("tokenizer.ggml.pre")
    if kind != ("gpt2", "smollm"):
        raise ValueError(f"The file has a tokenizer of the kind {kind}; we know ('gpt2', 'smollm').")
    pieces, kinds = metadata["tokenizer.ggml.tokens"], metadata["tokenizer.ggml.token_type"]
    special = [piece for piece, kind in zip(pieces, kinds, strict=True) if kind == CONTROL]
    return ByteLevelTokenizer(pieces, [m.split(" ") for m in metadata["tokenizer.ggml.merges"]], special)


def read_parameters(file):
    """Return the weights in a GGUF file as `clearhead.maths.llama.llama` takes them.

    Parameters
    ----------
    file : GGUF

    Returns
    -------
    parameters : dict of llama
        In float32; a linear map is (in, out), and so its numbers lie: x W reads them as they come.

    Raises
    ------
    ValueError
        Where the file holds a model of another kind, or tensors that we would leave out.
    """
    kind, count = file.metadata.get("general.architecture"), file.metadata.get("llama.block_count", 0)
    if kind != "llama":
        raise ValueError(f"The file holds a model of the kind {kind!r}; we run 'llama'.")

    def linear(i, names):
        arrays = {ours: file.array(f"blk.{i}.{theirs}.weight") for ours, theirs in names.items()}
        return {ours: {"weight": np.ascontiguousarray(array.T)} for ours, array in arrays.items()}

    parameters = {
        "tokens": np.asfortranarray(
            file.array("token_embd.weight")
        ),  # scoring reads all of it, reading a row
        "norm": {"gain": file.array("output_norm.weight")},
    }
    parameters["blocks"] = [
        {
            "attention_norm": {"gain": file.array(f"blk.{i}.attn_norm.weight")},
            "attention": linear(i, ATTENTION),
            "feed_forward_norm": {"gain": file.array(f"blk.{i}.ffn_norm.weight")},
            "feed_forward": linear(i, FEED_FORWARD),
        }
        for i in range(count)
    ]
    if len(file.tensors) != 2 + 9 * count:
        raise ValueError(
            f"{file.path} holds {len(file.tensors)} tensors, and we use {2 + 9 * count} of them."
        )
    return parameters


class LanguageModel:
    """A language model of the Llama family.

    Parameters
    ----------
    file : GGUF
        With a model of the kind "llama" whose table serves for reading and for scoring.

    Attributes
    ----------
    tokens : ByteLevelTokenizer
    parameters : dict of llama
    num_heads, num_groups, context_length : int
    base : float
        Of the rotary positions.
    """

    def __init__(self, file):
        self.file, self.tokens, self.parameters = file, read_tokenizer(file.metadata), read_parameters(file)
        sizes = {name.removeprefix("llama."): value for name, value in file.metadata.items()}
        self.num_heads, self.num_groups = (sizes[f"attention.head_count{kv}"] for kv in ("", "_kv"))
        self.context_length, self.base = sizes["context_length"], sizes["rope.freq_base"]
        self.stop = sizes["tokenizer.ggml.eos_token_id"]
        self.epsilon = sizes["attention.layer_norm_rms_epsilon"]
        if not np.isclose(self.epsilon, 1e-5):
            raise ValueError(f"The norms of this model have epsilon {self.epsilon}; ours have 1e-5.")

    def __repr__(self):
        count = sum(tensor.size for tensor in self.file.tensors.values())
        name = self.file.metadata.get("general.name", self.file.path.name)
        return f"{name}, live: {count:,} numbers in {len(self.parameters['blocks'])} blocks."

    def having(self, parameters):
        """Return the same model with other weights, for an experiment: a dict of llama."""
        other = copy.copy(self)
        other.parameters = parameters
        return other

    _array, _block = staticmethod(np.asarray), staticmethod(llama_block)

    def logits(self, ids):
        """Return, at every token, the scores of all words to come next: (T, V) for ids (T,)."""
        return self.words(self.stream(ids)[-1])

    def stream(self, ids):
        """Return the tokens' vectors before the first block and after each: (L+1, T, D) for ids (T,)."""
        return self._pass(self.enter(ids))[0]

    def look(self, ids):
        """Return where each head of each block looks: A (L, H, T, T) for ids (T,)."""
        return self._pass(self.enter(ids))[1]

    def enter(self, ids):
        """Return the vectors (T, D) with which the first block begins."""
        ids = np.asarray(ids, dtype=np.int64)
        if not 0 < len(ids) <= self.context_length:
            raise ValueError(f"A text has 1 to {self.context_length} tokens here, got {len(ids)}.")
        return embed(ids, self.parameters["tokens"])

    def words(self, x):
        """Return the scores of all words (..., V) that vectors (..., D) stand for at the end of the model."""
        return rms_norm(x, **self.parameters["norm"]) @ self.parameters["tokens"].T

    def go_on(self, x, layer):
        """Return what the blocks from `layer` on make of vectors: (T, D) for x (T, D)."""
        return self._pass(x, layer)[0][-1]

    def _pass(self, x, layer=0, kept=None):
        """Return the vectors between the blocks, and where the heads look; what is kept grows."""
        kept = Kept(self) if kept is None else kept
        start, blocks = kept.length, self.parameters["blocks"]
        angles = self._array(rotary_angles(start + len(x), kept.width, self.base)[start:])
        states, maps = [self._array(x)], []
        for i in range(layer, len(blocks)):
            x, A, *kept.pairs[i] = self._block(states[-1], blocks[i], self.num_heads, angles, *kept.pairs[i])
            states.append(x)
            maps.append(A)
        kept.length = start + len(x)
        return np.stack(states), np.stack(maps) if maps else None

    def next_logits(self):
        """Return a function that gives the logits (V,) after a text, and remembers what it has computed.

        Returns
        -------
        step : function
            Takes ids (T,). Of a text that begins like the one before, only the rest is computed.
        """
        kept, seen = Kept(self), []

        def step(ids):
            ids = [int(token) for token in ids]
            same = takewhile(lambda pair: pair[0] == pair[1], zip(seen, ids, strict=False))
            kept.keep(min(len(list(same)), len(ids) - 1))
            if len(ids) > self.context_length:
                raise ValueError(f"The text has {len(ids)} tokens; this model reads {self.context_length}.")
            x = self._pass(self.enter(ids[kept.length :]), 0, kept)[0][-1]
            seen[:] = ids
            return self.words(x[-1])

        return step

    def written(self, ids, length=60, temperature=0.0, rng=None):
        """Yield new tokens one by one, until the model stops.

        Parameters
        ----------
        ids : (T,) int
            The text so far.
        length : int
            How many at most.
        temperature : float
            0 takes the likeliest token each time.
        rng : numpy.random.Generator, optional
            Where the draws come from; needed where the temperature is above 0.

        Raises
        ------
        ValueError
            Where tokens are to be drawn, and there is no generator.
        """
        if temperature > 0 and rng is None:
            raise ValueError("To draw tokens, give a generator: rng=np.random.default_rng().")
        step, ids = self.next_logits(), [int(token) for token in ids]
        for _ in range(min(length, self.context_length - len(ids))):
            logits = step(ids)
            new = sample(at_temperature(logits, temperature), rng) if temperature else logits.argmax()
            if new == self.stop:
                return
            ids.append(int(new))
            yield ids[-1]

    def write(self, prompt, length=60, temperature=0.0, rng=None):
        """Return the text that the model adds to a prompt. Arguments as for `written`."""
        return self.tokens.decode(list(self.written(self.tokens.encode(prompt), length, temperature, rng)))

    def answer(self, question, length=60, temperature=0.0, rng=None):
        """Return what the model says to a question, in the form of a chat. Arguments as for `written`."""
        return self.write(chat_prompt([("user", question)]), length, temperature, rng)


class Kept:
    """The keys and values that each block has made of a text, so that the text can grow."""

    def __init__(self, model):
        block = model.parameters["blocks"][0]["attention"]
        self.width, self.length = block["key"]["weight"].shape[-1] // model.num_groups, 0
        nothing = model._array(np.zeros((model.num_groups, 0, self.width), dtype=np.float32))
        self.pairs = [[nothing, nothing] for _ in model.parameters["blocks"]]

    def keep(self, length):
        """Forget all but the first tokens."""
        self.length = length
        self.pairs = [[each[:, :length] for each in pair] for pair in self.pairs]


SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"


def chat_prompt(messages, system=SYSTEM):
    """Return a conversation as the one text in which the model was trained to see it.

    Parameters
    ----------
    messages : list of (str, str)
        Who ("user" or "assistant") and what, in turn.
    system : str
        What is said before; the model's own sentence if nothing else is given.

    Returns
    -------
    prompt : str
        It ends where the assistant begins to speak.
    """
    said = [("system", system), *messages]
    turns = [f"<|im_start|>{who}\n{what}<|im_end|>\n" for who, what in said]
    return "".join(turns) + "<|im_start|>assistant\n"
