"""Time a token of SmolLM2 in llama.cpp in a process of its own, because its threads slow down all else."""

import importlib.util
import os

from compare import in_turns, isolated


def seconds_a_token(begin, threads, rounds, tokens):
    """Return the seconds per token after the first, or None if llama.cpp is not installed.

    Its instructions were chosen when it was built, so no older processor is simulated for it.
    """
    if not importlib.util.find_spec("llama_cpp") or "ONEDNN_MAX_CPU_ISA" in os.environ:
        print("talk: llama.cpp is not installed, or another processor is simulated: no row beside it")
        return None
    return isolated("llama:alone", list(map(int, begin)), threads, rounds, tokens)


def alone(begin, threads, rounds, tokens):
    """Return the seconds per token, measured in this process."""
    from llama_cpp import Llama

    from clearhead.pretrained import smollm

    path = str(smollm.find())
    model = Llama(path, n_ctx=512, n_threads=threads, n_threads_batch=threads, verbose=False)

    def write(length):
        model.reset()
        model.eval(begin)
        for _ in range(length - 1):
            model.eval([model.sample(temp=0)])

    seconds, ratios = in_turns({"many": lambda: write(tokens + 1), "one": lambda: write(1)}, rounds)
    return seconds["many"] * (ratios["many"] - ratios["one"]) / tokens
