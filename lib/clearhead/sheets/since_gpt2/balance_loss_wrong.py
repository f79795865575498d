"""More wrong answers of 16.balance_loss."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _loss(shares=None, beliefs=None, times=lambda scores: scores.shape[1], join=lambda f, P: (f * P).sum()):
    """Return the loss with other shares(scores, gates), beliefs(scores, gates), factor or way to join."""

    def answer(scores, gates):
        chosen = gates > 0
        f = chosen.sum(axis=0) / chosen.sum() if shares is None else shares(scores, gates)
        P = softmax(scores).mean(axis=0) if beliefs is None else beliefs(scores, gates)
        return times(scores) * join(f, P)

    return answer


def _best(scores):
    return np.bincount(scores.argmax(axis=1), minlength=scores.shape[1]) / len(scores)


MORE = (
    Mistake(
        "times_the_tokens",
        _loss(times=len),
        "You multiplied by the number of tokens. E is the number of experts: scores.shape[1].",
    ),
    Mistake(
        "divided_by_e",
        _loss(times=lambda scores: 1 / scores.shape[1]),
        "You divided by E, as a mean over the experts does. Take E times the sum of f P.",
    ),
    Mistake(
        "best_expert_alone",
        _loss(lambda scores, gates: _best(scores)),
        "You counted the best expert of each token alone. Every gate above 0 is a choice.",
    ),
    Mistake(
        "scores_above_zero",
        _loss(lambda scores, gates: (scores > 0).sum(axis=0) / (scores > 0).sum()),
        "You counted scores above 0. A choice is a gate above 0.",
    ),
    Mistake(
        "always_1",
        _loss(lambda scores, gates: (gates >= 0).sum(axis=0) / (gates >= 0).sum()),
        "Your loss is always 1, as where gates of 0 are counted, too, or rows in place of columns. A choice "
        "is a gate above 0, and f has one number for each expert: axis=0.",
    ),
    Mistake(
        "choices_counted",
        _loss(lambda scores, gates: (gates > 0).sum(axis=0)),
        "f is a number of choices. Divide it by the number of all choices, to get a share.",
    ),
    Mistake(
        "gates_added_up",
        _loss(lambda scores, gates: gates.sum(axis=0)),
        "You added up the gates for f. f is a share of choices: count gates above 0, divide by all of them.",
    ),
    Mistake(
        "beliefs_added_up",
        _loss(beliefs=lambda scores, gates: softmax(scores).sum(axis=0)),
        "P is a sum over the tokens. Take the mean.",
    ),
    Mistake(
        "softmax_of_gates",
        _loss(beliefs=lambda scores, gates: softmax(gates).mean(axis=0)),
        "You took the softmax of the gates. P is of the scores.",
    ),
    Mistake(
        "beliefs_of_the_chosen",
        _loss(
            beliefs=lambda scores, gates: (softmax(scores) * (gates > 0)).mean(axis=0),
        ),
        "P leaves out what was not chosen. It is the mean of the whole softmax.",
    ),
    Mistake(
        "softmax_of_the_mean_score",
        _loss(beliefs=lambda scores, gates: softmax(scores.mean(axis=0))),
        "You took the mean of the scores, and then softmax. Softmax first, row by row; then the mean.",
    ),
    Mistake(
        "exchanged",
        lambda scores, gates: _loss()(gates, np.maximum(scores, 0)),
        "Scores and gates have changed places: f comes from the gates, P from the scores.",
    ),
    Mistake(
        "a_number_for_each_expert",
        _loss(join=lambda f, P: f * P),
        "You have E f P for each expert. Add them up: the loss is one number.",
    ),
    Mistake(
        "always_e",
        _loss(join=lambda f, P: f.sum() * P.sum()),
        "Your loss is E for any mixture, as where the sums of f and P are multiplied. Multiply expert by "
        "expert, then add up.",
    ),
    Mistake(
        "divided_by_all_gates",
        _loss(lambda scores, gates: (gates > 0).mean(axis=0) / scores.shape[1]),
        "You divided the choices by the number of all gates. Divide by the number of choices.",
    ),
    Mistake(
        "always_two_a_token",
        _loss(lambda scores, gates: (gates > 0).sum(axis=0) / (2 * len(scores))),
        "You counted on two choices for each token. Divide by the number of choices: (gates > 0).sum().",
    ),
    Mistake(
        "experts_in_use",
        _loss(times=lambda scores: 1, join=lambda f, P: (f > 0).sum() * (f * P).sum()),
        "You multiplied by the number of experts in use. E counts all of them.",
    ),
    Mistake(
        "token_by_token",
        lambda scores, gates: (
            scores.shape[1]
            * ((gates > 0) / (gates > 0).sum(axis=1, keepdims=True) * softmax(scores)).sum(axis=1).mean()
        ),
        "You multiplied token by token. Make f and P first, over all tokens, and multiply those.",
    ),
    Mistake(
        "softmax_of_the_table",
        _loss(beliefs=lambda scores, gates: softmax(scores.ravel()).reshape(scores.shape).mean(axis=0)),
        "Your softmax runs over the whole table. Each token has its own, over the experts.",
    ),
    Mistake(
        "along_the_rows",
        lambda scores, gates: (
            scores.shape[1] * ((gates > 0).mean(axis=1) * softmax(scores).mean(axis=1)).sum()
        ),
        "You took shares and means along the rows, one for each token. f and P belong to experts: axis=0.",
    ),
    Mistake(
        "added",
        _loss(join=lambda f, P: (f + P).sum()),
        "You added f and P. They are multiplied.",
    ),
    Mistake(
        "one_taken_away",
        lambda scores, gates: _loss()(scores, gates) - 1,
        "You took 1 away. Here a balanced mixture costs 1.",
    ),
    Mistake(
        "largest_belief",
        lambda scores, gates: (
            scores.shape[1]
            * ((gates > 0).sum(axis=0) / (gates > 0).sum() * softmax(scores).max(axis=0)).sum()
        ),
        "You took the largest belief of the tokens in each expert. P is their mean.",
    ),
)
