"""More wrong answers of 16.top_k_gates."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _kept(scores, k):
    """Return the scores, -inf outside the k best of each row."""
    best = np.argsort(-scores, axis=-1, kind="stable")[:, :k]
    kept = np.full(scores.shape, -np.inf)
    np.put_along_axis(kept, best, np.take_along_axis(scores, best, -1), -1)
    return kept


def _of_each_column(scores, k):
    kept = np.full(scores.shape, -np.inf)
    best = np.argsort(-scores, axis=0)[:k]
    np.put_along_axis(kept, best, np.take_along_axis(scores, best, 0), 0)
    return softmax(kept)


def _of_the_table(scores, k):
    edge = np.sort(scores, axis=None)[-min(k, scores.size)]
    return softmax(np.where(scores >= edge, scores, -np.inf))


def _sigmoid(scores):
    return 1 / (1 + np.exp(-scores))


def _equals_stay(scores, k):
    least = np.sort(scores, axis=1)[:, -k][:, None]
    return softmax(np.where(scores >= least, scores, -np.inf))


def _placed(scores, k, gates_of):
    """Return the gates that gates_of(best, scores of the best) gives, each at its expert."""
    best = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    gates = np.zeros(scores.shape)
    np.put_along_axis(gates, best, gates_of(best, np.take_along_axis(scores, best, axis=1)), axis=1)
    return gates


def _rows_forgotten(scores, k):
    gates = np.zeros(scores.shape)
    for row in scores:
        best = np.argsort(-row)[:k]
        gates[:, best] = softmax(row[best])
    return gates


MORE = (
    Mistake(
        "tokens_of_each_expert",
        _of_each_column,
        "You kept the k best tokens of each expert. Keep the k best experts of each token: axis=1.",
    ),
    Mistake(
        "best_of_the_whole_table",
        _of_the_table,
        "You kept the k best scores of the whole table. Each token, a row, has its own k.",
    ),
    Mistake(
        "one_too_many",
        lambda scores, k: softmax(_kept(scores, k + 1)),
        "One expert too many has a gate. Exactly k have one.",
    ),
    Mistake(
        "softmax_over_tokens",
        lambda scores, k: np.nan_to_num(softmax(_kept(scores, k).T).T),
        "You chose right, but your softmax runs over the tokens. The experts of one token share it: axis 1.",
    ),
    Mistake(
        "order_of_argsort",
        lambda scores, k: softmax(np.where(np.argsort(-scores, axis=1) < k, scores, -np.inf)),
        "np.argsort tells which expert is at each rank, not the rank of each expert. Use it to index.",
    ),
    Mistake(
        "gates_of_the_k_alone",
        lambda scores, k: softmax(-np.sort(-scores)[:, :k]),
        "You returned the k gates alone. Return E of them for each token, 0 for the others.",
    ),
    Mistake(
        "gates_of_the_k_upwards",
        lambda scores, k: softmax(np.sort(scores)[:, -k:]),
        "You returned the k gates alone. Return E of them for each token, 0 for the others.",
    ),
    Mistake(
        "the_same_for_all_tokens",
        lambda scores, k: softmax(np.where(_kept(scores.mean(axis=0)[None], k) > -np.inf, scores, -np.inf)),
        "Your tokens all have the same experts, those of the best mean. Each token has its own k best.",
    ),
    Mistake(
        "softmax_of_numbers",
        lambda scores, k: _placed(scores, k, lambda best, chosen: softmax(best.astype(float))),
        "You took the softmax of the experts' numbers, which argsort gives. Take it of their scores.",
    ),
    Mistake(
        "turned_round",
        lambda scores, k: _placed(scores, k, lambda best, chosen: softmax(chosen)[:, ::-1]),
        "Of those chosen, your best expert has the smallest gate. Keep gates and experts in one order.",
    ),
    Mistake(
        "divided_by_k_too",
        lambda scores, k: _placed(scores, k, lambda best, chosen: softmax(chosen) / k),
        "You divided the gates by k. The softmax shares out 1 already.",
    ),
    Mistake(
        "written_into_all_rows",
        _rows_forgotten,
        "You write the gates of each token into all rows: gates[:, best]. Row t belongs to token t.",
    ),
    Mistake(
        "best_in_front",
        lambda scores, k: np.pad(softmax(-np.sort(-scores)[:, :k]), ((0, 0), (0, len(scores.T) - k))),
        "The gates are right, but the best stands first. Each belongs to its own expert: keep its place.",
    ),
    Mistake(
        "experts_returned",
        lambda scores, k: np.argsort(-scores, axis=1)[:, :k],
        "You returned which experts are best. Return their gates, (T, E).",
    ),
    Mistake(
        "chosen_returned",
        lambda scores, k: _kept(scores, k) > -np.inf,
        "That says who is chosen. Return the gates: the softmax of the chosen scores.",
    ),
    Mistake(
        "scores_returned",
        lambda scores, k: np.where(_kept(scores, k) > -np.inf, scores, 0),
        "These are the scores of the chosen. Take the softmax of them.",
    ),
    Mistake(
        "minus_infinity_left",
        _kept,
        "You chose, and did not take the softmax yet.",
    ),
    Mistake(
        "sigmoids",
        lambda scores, k: np.where(_kept(scores, k) > -np.inf, _sigmoid(scores), 0),
        "You took the sigmoid of each chosen score. Softmax shares out 1 among them.",
    ),
    Mistake(
        "powers_not_divided",
        lambda scores, k: np.exp(_kept(scores, k) - scores.max(axis=1, keepdims=True)),
        "Your gates are powers of e. Divide those of a token by their sum.",
    ),
    Mistake(
        "divided_by_the_sum_of_all",
        lambda scores, k: softmax(_kept(scores, k)) / len(scores),
        "All your gates together sum to 1. Those of each token should.",
    ),
    Mistake(
        "overflows",
        lambda scores, k: np.exp(_kept(scores, k)) / np.exp(_kept(scores, k)).sum(axis=1, keepdims=True),
        "You take e to the scores themselves, and large ones overflow. The softmax of the library does not.",
    ),
    Mistake(
        "largest_in_size",
        lambda scores, k: softmax(np.where(_kept(np.abs(scores), k) > -np.inf, scores, -np.inf)),
        "You chose by size, without the sign. -9 is a low score.",
    ),
    Mistake(
        "softmax_twice",
        lambda scores, k: softmax(np.where(_kept(scores, k) > -np.inf, softmax(scores), -np.inf)),
        "You took the softmax twice: of all, then of what was kept. Choose scores, then take it once.",
    ),
    Mistake(
        "zeros_after_a_softmax",
        lambda scores, k: softmax(np.where(_kept(scores, k) > -np.inf, softmax(scores), 0)),
        "You took the softmax of shares and zeros. Choose scores, with minus infinity for the others, then "
        "take it once.",
    ),
    Mistake(
        "always_two",
        lambda scores, k: softmax(_kept(scores, 2)),
        "You always keep two. Keep k.",
    ),
    Mistake(
        "equals_stay",
        _equals_stay,
        "Where the last one chosen has an equal, you chose more than k. Sort, and take the first k: of "
        "equal ones any may stay.",
    ),
    Mistake(
        "sigmoids_shared_out",
        lambda scores, k: _placed(
            scores, k, lambda best, chosen: _sigmoid(chosen) / _sigmoid(chosen).sum(axis=1, keepdims=True)
        ),
        "Your gates are sigmoids, divided by their sum. They are the softmax of the k scores: e to "
        "each, divided by the sum.",
    ),
)
