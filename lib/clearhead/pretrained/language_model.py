"""A language model of the Llama family, read from a GGUF file, for inspection and generation."""

import copy
from itertools import takewhile

import numpy as np

from clearhead.maths.layers import embed, rms_norm
from clearhead.maths.llama import llama_block
from clearhead.maths.positions import rotary_angles
from clearhead.maths.sampling import greedy, sample
from clearhead.maths.softmax import scale_by_temperature
from clearhead.pretrained.llama_file import read_parameters, read_tokenizer


class LanguageModel:
    """A language model of the Llama family, whose weights are read from a GGUF file.

    Parameters
    ----------
    file : GGUF
        A file with a model of the kind "llama", whose token table is also its output layer.

    Attributes
    ----------
    tokens : ByteLevelTokenizer
    parameters : dict of llama
    num_heads, num_groups, d_k, context_length : int
    base : float
        The base of the rotary positions.
    """

    def __init__(self, file):
        self.file, self.tokens, self.parameters = file, read_tokenizer(file.metadata), read_parameters(file)
        self.num_heads, self.num_groups = (
            file.number(f"llama.attention.head_count{kv}", int) for kv in ("", "_kv")
        )
        self.context_length = file.number("llama.context_length", int)
        self.base = file.number("llama.rope.freq_base", float)
        self.d_k = self.parameters["blocks"][0]["attention"]["key"]["weight"].shape[-1] // self.num_groups
        self.stop = file.number("tokenizer.ggml.eos_token_id", int, least=0)
        self.eps = file.number("llama.attention.layer_norm_rms_epsilon", float)
        if not np.isclose(self.eps, 1e-5):
            raise ValueError(f"The norms of this model have epsilon {self.eps}; ours have 1e-5.")

    def __repr__(self):
        count = sum(tensor.size for tensor in self.file.tensors.values())
        name = self.file.metadata.get("general.name", self.file.path.name)
        return f"{name}, live: {count:,} numbers in {len(self.parameters['blocks'])} blocks."

    def with_parameters(self, parameters):
        """Return a copy of this model with other weights, such as for an experiment."""
        other = copy.copy(self)
        other.parameters = parameters
        return other

    def logits(self, ids):
        """Return the logits of the next token at every position: (T, V) for ids (T,)."""
        return self.unembed(self.forward_from(self.embed(ids), 0))

    def residual_stream(self, ids):
        """Return the tokens' vectors before the first and after each block: (L+1, T, D) for ids (T,)."""
        x = self.embed(ids)
        return np.stack([x, *(y for y, _ in self.blocks(x))])

    def attention_weights(self, ids):
        """Return the attention weights of each head of each block: A (L, H, T, T) for ids (T,)."""
        return np.stack([A for _, A in self.blocks(self.embed(ids))])

    def embed(self, ids):
        """Return the vectors (T, D) that are the input of the first block."""
        ids = np.asarray(ids, dtype=np.int64)
        self.check_length(ids)
        return np.asarray(embed(ids, self.parameters["tokens"]))

    def check_length(self, ids):
        """Raise an error if a text has no tokens, or more tokens than the model can read."""
        if not 0 < len(ids) <= self.context_length:
            raise ValueError(f"A text has 1 to {self.context_length} tokens here, got {len(ids)}.")

    def unembed(self, x):
        """Return the logits (..., V) for vectors (..., D) at the end of the model."""
        return rms_norm(x, **self.parameters["norm"]) @ self.parameters["tokens"].T

    def forward_from(self, x, layer, cache=None):
        """Return the output (T, D) of the blocks from `layer` on, for their input x (T, D)."""
        y = x
        for y, _ in self.blocks(x, layer, cache):  # noqa: B007
            pass
        return y

    def blocks(self, x, layer=0, cache=None):
        """Yield the vectors (T, D) after each block, and its attention weights, and extend the cache."""
        cache = self.empty_cache() if cache is None else cache
        end = cache.length + len(x)
        angles = rotary_angles(end, self.d_k, self.base)[cache.length :]
        for i, block in enumerate(self.parameters["blocks"][layer:], layer):
            x, A, *cache.pairs[i] = llama_block(x, block, self.num_heads, angles, *cache.pairs[i])
            yield x, A
        cache.length = end

    def empty_cache(self):
        """Return an empty cache of keys and values, for the beginning of a text."""
        return Cache(self)

    def next_logits(self):
        """Return a function that computes the logits (V,) after a text, and caches what it has computed.

        Returns
        -------
        step : function
            A function of ids (T,). If a text begins like the previous one, only the remainder is computed.
        """
        cache, seen = self.empty_cache(), []

        def step(ids):
            ids = [int(token) for token in ids]
            self.check_length(ids)
            same = takewhile(lambda pair: pair[0] == pair[1], zip(seen, ids, strict=False))
            cache.crop(min(len(list(same)), len(ids) - 1))
            x = self.forward_from(self.embed(ids[cache.length :]), 0, cache)
            seen[:] = ids
            return self.unembed(x[-1])

        return step

    def generate(self, ids, length=60, temperature=0.0, rng=None):
        """Yield new tokens one by one, until the model stops.

        Parameters
        ----------
        ids : (T,) int
            The text so far.
        length : int
            The maximal number of new tokens.
        temperature : float
            The temperature; 0 always takes the most probable token.
        rng : numpy.random.Generator, optional
            The source of the random numbers, which is required if the temperature is above 0.

        Raises
        ------
        ValueError
            If tokens must be drawn without a generator, or if the text has no tokens or more than the model
            can read.
        """
        if temperature > 0 and rng is None:
            raise ValueError("To draw tokens, give a generator: rng=np.random.default_rng().")
        step, ids = self.next_logits(), [int(token) for token in ids]
        self.check_length(ids)
        for _ in range(min(length, self.context_length - len(ids))):
            logits = step(ids)
            new = sample(scale_by_temperature(logits, temperature), rng) if temperature else greedy(logits)
            if new == self.stop:
                return
            ids.append(int(new))
            yield ids[-1]

    def write(self, prompt, length=60, temperature=0.0, rng=None):
        """Return the text that the model adds to a prompt. The arguments are those of `generate`."""
        return self.tokens.decode(list(self.generate(self.tokens.encode(prompt), length, temperature, rng)))

    def answer(self, question, length=60, temperature=0.0, rng=None):
        """Return the answer of the model to a question, in a chat. The arguments are those of `generate`."""
        return self.write(chat_prompt([("user", question)]), length, temperature, rng)


class Cache:
    """A cache of the keys and values of a text in each block, so that the text can be extended."""

    def __init__(self, model):
        nothing = np.zeros((model.num_groups, 0, model.d_k), dtype=np.float32)
        self.length, self.pairs = 0, [[nothing, nothing] for _ in model.parameters["blocks"]]

    def crop(self, length):
        """Remove all tokens from the cache except the first `length` ones."""
        self.length = length
        self.pairs = [[each[:, :length] for each in pair] for pair in self.pairs]


SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"


def chat_prompt(messages, system=SYSTEM):
    """Return a conversation as one string, in the format in which the model was trained.

    Parameters
    ----------
    messages : list of (str, str)
        The speaker ("user" or "assistant") and the text of each turn.
    system : str
        The system prompt; by default, that of SmolLM2.

    Returns
    -------
    prompt : str
        The conversation, up to the point at which the assistant begins its answer.
    """
    said = [("system", system), *messages]
    turns = [f"<|im_start|>{who}\n{what}<|im_end|>\n" for who, what in said]
    return "".join(turns) + "<|im_start|>assistant\n"
