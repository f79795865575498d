"""The numbers of chapters 5 and 6, typed by hand as they are there, and attention in plain Python."""

from math import exp, sqrt

TOKENS = ["To", "date", "the", "cleverest"]
X = [[1, 0, 0], [0, 2, 0], [2, 0, 0], [0, 1, 2]]
W_Q = [[0, 1], [1, 0], [0, 1]]
W_K = [[1, 0], [0, 1], [-1, 0]]
W_V = [[1, 0, 0], [0, 1, 1], [1, 0, -1]]
#: One more number a token, and two heads.
X_4 = [[1, 0, 0, 1], [0, 2, 0, 0], [2, 0, 0, 0], [0, 1, 2, 0]]
HEADS = [
    ([[0, 1], [1, 0], [0, 1], [0, 0]], [[1, 0], [0, 1], [-1, 0], [0, 0]], [[1, 0], [0, 1], [1, 0], [0, 0]]),
    ([[0, 1], [1, 0], [1, 0], [0, 0]], [[1, 0], [0, 0], [0, 1], [-1, 0]], [[1, 0], [0, 1], [0, 0], [0, 1]]),
]


def times(rows, matrix):
    """Return the product of two matrices."""
    columns = list(zip(*matrix, strict=True))
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in rows]


def attention(rows, w_q, w_k, w_v):
    """Return the queries, keys, values, weights and mixtures of one head."""
    queries, keys, values = (times(rows, matrix) for matrix in (w_q, w_k, w_v))
    scores = times(queries, list(zip(*keys, strict=True)))
    powers = [[exp(score / sqrt(len(w_k[0]))) for score in row] for row in scores]
    weights = [[power / sum(row) for power in row] for row in powers]
    return queries, keys, values, weights, times(weights, values)


def vector(numbers, digits=0):
    """Return a row of numbers as words, with true minus signs."""
    return "(" + ", ".join(f"{number:.{digits}f}".replace("-", "−") for number in numbers) + ")"
