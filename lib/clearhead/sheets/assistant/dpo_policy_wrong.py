"""More wrong answers of 18.dpo_policy."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _shared(x):
    return x / x.sum()


def _policy(p, reward, beta):
    z = np.where(p > 0, reward / beta, -np.inf)
    return _shared(p * np.exp(z - z.max()))


def _top_of_all(p, reward, beta):
    z = reward / beta
    return _shared(p * np.exp(z - z.max()))


def _nothing_became_one(p, reward, beta):
    with np.errstate(divide="ignore"):
        return softmax(np.nan_to_num(np.log(p) + reward / beta, neginf=0.0))


MORE = (
    Mistake(
        "largest_reward_of_all_taken_off",
        _top_of_all,
        "Where p is 0, a reward far above the others still counts: in the largest taken off, or as e to "
        "the power of it. Make those exponents -inf: np.where(p > 0, reward / beta, -np.inf).",
    ),
    Mistake(
        "multiplied_by_beta",
        lambda p, reward, beta: _policy(p, reward * beta, 1.0),
        "You multiply the reward by β. Divide by it: with a large β little changes.",
    ),
    Mistake(
        "beta_left_out",
        lambda p, reward, beta: _policy(p, reward, 1.0),
        "β is missing: the reward is divided by it.",
    ),
    Mistake(
        "reference_only_says_which",
        lambda p, reward, beta: softmax(np.where(p > 0, reward / beta, -np.inf)),
        "p only says which answers may come. It multiplies the factor: p · exp(r/β).",
    ),
    Mistake(
        "no_exponential",
        lambda p, reward, beta: _shared(p * reward / beta),
        "You multiply by r/β itself. The factor is e to it.",
    ),
    Mistake(
        "logarithms_returned",
        lambda p, reward, beta: np.log(np.maximum(_policy(p, reward, beta), 1e-300)),
        "These are the logarithms. Return the probabilities.",
    ),
    Mistake(
        "reference_in_the_exponent",
        lambda p, reward, beta: softmax(p * reward / beta),
        "p stands in the exponent. It stands before e: p · exp(r/β).",
    ),
    Mistake(
        "powers_of_two",
        lambda p, reward, beta: _policy(p, reward * np.log(2), beta),
        "You take powers of 2. The factor is a power of e.",
    ),
    Mistake(
        "divided_by_the_sum_of_the_factors",
        lambda p, reward, beta: p * softmax(reward / beta),
        "You divide by the sum of the factors alone. Divide by the sum of p · exp(r/β), or they do not sum "
        "to 1.",
    ),
    Mistake(
        "divided_by_the_largest",
        lambda p, reward, beta: _policy(p, reward, beta) / _policy(p, reward, beta).max(),
        "You divide by the largest. Divide by the sum.",
    ),
    Mistake(
        "reference_returned",
        lambda p, reward, beta: p * 1.0,
        "The rewards are not used: this is the reference.",
    ),
    Mistake(
        "root_of_beta",
        lambda p, reward, beta: _policy(p, reward, np.sqrt(beta)),
        "You divide by the root of β. Divide by β.",
    ),
    Mistake(
        "one_minus_beta",
        lambda p, reward, beta: _policy(p, reward * beta * (1 - beta), beta),
        "You multiply the reward by 1 - β. Divide it by β.",
    ),
    Mistake(
        "mixed_by_beta",
        lambda p, reward, beta: _shared(beta * p + softmax(reward)),
        "You mix the reference with a softmax of the rewards. Multiply: p · exp(r/β).",
    ),
    Mistake(
        "reference_twice",
        lambda p, reward, beta: _policy(_shared(p * p), reward, beta),
        "p stands there twice. Once is enough: p · exp(r/β).",
    ),
    Mistake(
        "divided_by_the_reference",
        lambda p, reward, beta: _policy(_shared(np.divide(1, p, where=p > 0, out=0 * p)), reward, beta),
        "You divide by p. Multiply by it.",
    ),
    Mistake(
        "best_answer_alone",
        lambda p, reward, beta: 1.0 * (np.arange(len(p)) == np.where(p > 0, reward, -np.inf).argmax()),
        "You gave all to the answer with the largest reward. That is the policy for β near 0. Here each "
        "keeps p · exp(r/β).",
    ),
    Mistake(
        "logarithms_and_minus_infinity",
        lambda p, reward, beta: np.log(_policy(p, reward, beta)),
        "You returned logarithms. Return the probabilities.",
    ),
    Mistake(
        "exponents_cut_off",
        lambda p, reward, beta: _shared(p * np.exp(np.clip(reward / beta, -500, 500))),
        "You cut large exponents off, so that e to them does not overflow. All large rewards then count "
        "alike: take the largest off before exp.",
    ),
    Mistake(
        "whole_division",
        lambda p, reward, beta: _policy(p, reward // beta, 1.0),
        "You divide without a remainder (//). Divide by β: r/β need not be whole.",
    ),
    Mistake(
        "logarithm_of_0_became_0",
        _nothing_became_one,
        "You made 0 of the logarithm of 0, and e to the 0 is 1. What the reference never says keeps the "
        "probability 0.",
    ),
    Mistake(
        "never_said_left_out",
        lambda p, reward, beta: _policy(p[p > 0], reward[p > 0], beta),
        "You left out what the reference never says, so your array is shorter. It keeps its place, with the "
        "probability 0.",
    ),
    Mistake(
        "rewards_standardised",
        lambda p, reward, beta: _policy(p, (reward - reward.mean()) / (reward.std() or 1.0), beta),
        "You divided the rewards by their spread. Take them as they are.",
    ),
    Mistake(
        "rewards_from_0_to_1",
        lambda p, reward, beta: _policy(p, (reward - reward.min()) / (np.ptp(reward) or 1.0), beta),
        "You brought the rewards to 0 to 1. Take them as they are.",
    ),
    Mistake(
        "all_to_the_power_of_beta",
        lambda p, reward, beta: _shared(p**beta * _policy(np.where(p > 0, 1.0, 0.0), reward * beta, 1.0)),
        "You took p · exp(r) to the power β. Only r is divided by β.",
    ),
)
