"""More wrong answers of 12.attention_memory."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _over(divisor):
    """Return the right count of bytes, divided by a number."""
    return lambda batch, num_heads, length, bytes_per_number: (
        batch * num_heads * length**2 * bytes_per_number / divisor
    )


MORE = (
    Mistake(
        "half_of_the_square",
        lambda batch, num_heads, length, bytes_per_number: (
            batch * num_heads * length**2 // 2 * bytes_per_number
        ),
        "You took half of the table. A mask hides weights, but the table still has its full size.",
    ),
    Mistake(
        "without_the_diagonal",
        lambda batch, num_heads, length, bytes_per_number: (
            batch * num_heads * length * (length - 1) * bytes_per_number
        ),
        "You left out each token's weight on itself. The table has length times length weights.",
    ),
    Mistake(
        "half_without_the_diagonal",
        lambda batch, num_heads, length, bytes_per_number: (
            batch * num_heads * (length * (length - 1) // 2) * bytes_per_number
        ),
        "You counted pairs of different tokens once. The table has length times length weights.",
    ),
    Mistake(
        "scores_counted_as_well",
        lambda batch, num_heads, length, bytes_per_number: (
            2 * batch * num_heads * length**2 * bytes_per_number
        ),
        "You counted two tables. Only the weights are asked for.",
    ),
    Mistake(
        "three_tables",
        lambda batch, num_heads, length, bytes_per_number: (
            3 * batch * num_heads * length**2 * bytes_per_number
        ),
        "You counted three tables, for queries, keys and values perhaps. The weights are one table a head.",
    ),
    Mistake(
        "divided_by_eight",
        _over(8),
        "You divided by 8. `bytes_per_number` counts bytes already, not bits.",
    ),
    Mistake(
        "in_megabytes",
        _over(10**6),
        "That is in megabytes. Return bytes.",
    ),
    Mistake(
        "in_kibibytes",
        _over(1024),
        "You divided by 1024. Return bytes.",
    ),
    Mistake(
        "heads_in_the_exponent",
        lambda batch, num_heads, length, bytes_per_number: batch * length**num_heads * bytes_per_number,
        "You took the length to the power of the heads. It is squared, times the heads.",
    ),
    Mistake(
        "length_shared_by_the_heads",
        lambda batch, num_heads, length, bytes_per_number: (
            batch * num_heads * (length / num_heads) ** 2 * bytes_per_number
        ),
        "You divide by the number of heads. Each head has a whole table of its own: multiply.",
    ),
    Mistake(
        "everything_squared",
        lambda batch, num_heads, length, bytes_per_number: (
            (batch * num_heads * length * bytes_per_number) ** 2
        ),
        "You squared everything. Only the length is squared.",
    ),
    Mistake(
        "bytes_squared_too",
        lambda batch, num_heads, length, bytes_per_number: (
            batch * num_heads * (length * bytes_per_number) ** 2
        ),
        "You squared the bytes as well. Only the length is squared.",
    ),
    Mistake(
        "in_mebibytes",
        _over(1024**2),
        "You divided by 1024 twice. Return bytes.",
    ),
    Mistake(
        "thirty_two_bits",
        lambda batch, num_heads, length, bytes_per_number: int(
            np.array(batch * num_heads * length**2 * bytes_per_number).astype(np.int32)
        ),
        "Your number is right as long as it is small: 32 bits cannot hold a large one. Multiply Python's "
        "whole numbers, or int64.",
    ),
    Mistake(
        "heads_squared_for_the_length",
        lambda batch, num_heads, length, bytes_per_number: batch * num_heads**2 * length * bytes_per_number,
        "You squared the number of heads. Square the length.",
    ),
    Mistake(
        "divided_by_the_batch",
        lambda batch, num_heads, length, bytes_per_number: num_heads * length**2 * bytes_per_number / batch,
        "You divided by the number of texts. Each text has tables of its own: multiply.",
    ),
    Mistake(
        "eight_bytes_always",
        lambda batch, num_heads, length, bytes_per_number: 8 * batch * num_heads * length**2,
        "You always counted 8 bytes for a number. It is an argument.",
    ),
    Mistake(
        "batch_and_heads_added",
        lambda batch, num_heads, length, bytes_per_number: (batch + num_heads) * length**2 * bytes_per_number,
        "You added texts and heads. Each text has a table for each head: multiply.",
    ),
)
