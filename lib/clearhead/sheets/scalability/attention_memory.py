"""12.attention_memory: Bytes of a table."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import counting

from .attention_memory_wrong import MORE


def attention_memory(batch, num_heads, length, bytes_per_number):
    """Return the bytes of all attention weights of one layer."""
    return batch * counting.attention_bytes(length, num_heads, bytes_per_number)


def _memory_cases(rng):
    B, H = (int(n) for n in rng.permutation(np.arange(2, 9))[:2])
    L = int(rng.integers(20, 500))
    return [
        Case("five tokens, by hand", (1, 1, 5, 4), "5 × 5 weights of 4 bytes: 100.", expected=100),
        Case(
            "two texts, three heads",
            (2, 3, 5, 2),
            "2 · 3 tables of 25 weights of 2 bytes: 300.",
            expected=300,
        ),
        Case("random sizes", (B, H, L, 4), "One table for each head of each text."),
        Case("other sizes", (H, 12, 3 * L, 2), "A table of L weights for each of L tokens."),
        Case("a million tokens", (1, 1, 10**6, 2), "2 TB: write it as a whole number of bytes."),
    ]


EXERCISE = Exercise(
    id="12.attention_memory",
    title="Bytes of a table",
    reference=attention_memory,
    cases=_memory_cases,
    hints=(
        "How many tables are there? One for each head of each text.",
        "A table has one weight for each pair of tokens: length squared.",
        "return batch * num_heads * length**2 * bytes_per_number",
    ),
    mistakes=(
        Mistake(
            "linear_in_length",
            lambda batch, num_heads, length, bytes_per_number: batch * num_heads * length * bytes_per_number,
            "You counted one weight a token. Each token has a weight for every token: length squared.",
        ),
        Mistake(
            "twice_the_length",
            lambda batch, num_heads, length, bytes_per_number: (
                batch * num_heads * 2 * length * bytes_per_number
            ),
            "You have 2 · length in place of length squared. Squared means length times length.",
        ),
        Mistake(
            "one_head",
            lambda batch, num_heads, length, bytes_per_number: batch * length**2 * bytes_per_number,
            "You counted one head. Each head has a table of its own.",
        ),
        Mistake(
            "one_text",
            lambda batch, num_heads, length, bytes_per_number: num_heads * length**2 * bytes_per_number,
            "You counted one text. Each text of the batch has its own tables.",
        ),
        Mistake(
            "numbers_not_bytes",
            lambda batch, num_heads, length, bytes_per_number: batch * num_heads * length**2,
            "That is how many weights there are. Each takes bytes_per_number bytes.",
        ),
        Mistake(
            "bits",
            lambda batch, num_heads, length, bytes_per_number: (
                8 * batch * num_heads * length**2 * bytes_per_number
            ),
            "You counted bits. The question is about bytes.",
        ),
        Mistake(
            "half_of_the_table",
            lambda batch, num_heads, length, bytes_per_number: (
                batch * num_heads * (length * (length + 1) // 2) * bytes_per_number
            ),
            "You counted length (length + 1) / 2 weights, as a causal mask lets through. The table has its "
            "full size.",
        ),
        Mistake(
            "batch_squared_too",
            lambda batch, num_heads, length, bytes_per_number: (
                num_heads * (batch * length) ** 2 * bytes_per_number
            ),
            "You squared the batch as well. Tokens of one text do not look at those of another.",
        ),
        Mistake(
            "in_whole_kibibytes",
            lambda batch, heads, length, each: attention_memory(batch, heads, length, each) // 1024,
            "You divided by 1024, and cut off the rest. Return bytes.",
        ),
        Mistake(
            "sizes_added",
            lambda batch, heads, length, each: batch + heads + length**2 + each,
            "You added the sizes. Multiply them.",
        ),
        Mistake(
            "four_bytes_always",
            lambda batch, heads, length, each: attention_memory(batch, heads, length, 4),
            "You always counted 4 bytes for a number. It is an argument.",
        ),
        Mistake(
            "length_cubed",
            lambda batch, heads, length, each: attention_memory(batch, heads, length, each) * length,
            "You have one length too many. The table has length × length weights.",
        ),
        Mistake(
            "heads_squared_too",
            lambda batch, heads, length, each: attention_memory(batch, heads, length, each) * heads,
            "You counted the heads twice. Each head has one table.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda batch, num_heads, length, bytes_per_number: (
            batch * num_heads * length * length * bytes_per_number
        ),
    ),
    stars=1,
    minutes=5,
)
