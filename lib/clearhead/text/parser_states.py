"""The parser states of a grammar: stacks of symbols that may still come, with their probabilities.

`rules` is a dict: symbol -> list of (Fraction, tuple of symbols and words). A stack is a tuple, its next
symbol first. A posterior is a dict: stack -> Fraction, and its fractions sum to 1.
"""

from fractions import Fraction
from functools import cached_property
from math import log

import numpy as np

from clearhead.text.rules import STOP

MAX_STATES = 4_000


def first_words(stack, rules):
    """Return every way to expand a stack to its next word, as a list of (probability, word, rest).

    Parameters
    ----------
    stack : tuple of str
        What is still to come; the empty stack says "<stop>".
    rules : dict
        The grammar, without left recursion.

    Returns
    -------
    ways : list of (Fraction, str, tuple of str)
        The probabilities sum to 1.
    """
    if not stack:
        return [(Fraction(1), STOP, ())]
    symbol, rest = stack[0], stack[1:]
    if symbol not in rules:
        return [(Fraction(1), symbol, rest)]
    return [
        (p * q, word, remaining)
        for p, right in rules[symbol]
        for q, word, remaining in first_words(right + rest, rules)
    ]


def step(posterior, rules):
    """Return, for each possible next word, its probability and the states after it.

        P(w) = Σ_stack posterior(stack) P(w | stack)

    Parameters
    ----------
    posterior : dict of tuple to Fraction
        What may come now.
    rules : dict
        The grammar.

    Returns
    -------
    options : dict of str to (Fraction, dict)
        The probability of the word, and the posterior after it (Bayes' rule).
    """
    joint = {}
    for stack, certainty in posterior.items():
        for p, word, rest in first_words(stack, rules):
            after = joint.setdefault(word, {})
            after[rest] = after.get(rest, 0) + certainty * p
    totals = {word: sum(after.values()) for word, after in joint.items()}
    return {
        word: (totals[word], {rest: p / totals[word] for rest, p in after.items()})
        for word, after in joint.items()
    }


class ParserState:
    """A state of the parser: what may come after a prefix, and the words that can come next, computed once.

    Parameters
    ----------
    posterior : dict of tuple to Fraction
        What may come now.
    rules : dict
        The grammar.
    known : dict of frozenset to ParserState
        The states that have been met, which all states of a grammar share: prefixes after which the same
        may come, with the same probabilities, lead to one state.
    """

    def __init__(self, posterior, rules, known):
        self.posterior, self.rules, self.known = posterior, rules, known

    @cached_property
    def options(self):
        """For each possible next word, its probability, a Fraction, and the state after it."""
        found = step(self.posterior, self.rules).items()
        return {word: (p, state_of(after, self.rules, self.known)) for word, (p, after) in found}

    @cached_property
    def next_words(self):
        """The probability of each possible next word as a float, most likely first."""
        likeliest_first = sorted(self.options.items(), key=lambda item: (-item[1][0], item[0]))
        return {word: float(p) for word, (p, _) in likeliest_first}


def state_of(posterior, rules, known):
    """Return the state that belongs to a posterior, which is a new one only if it is not among the known."""
    key = frozenset(posterior.items())
    if key not in known:
        known[key] = ParserState(posterior, rules, known)
    return known[key]


def entropy_and_length(start):
    """Return the entropy of a sentence in nats, and its mean length in words, "<stop>" included.

        visits = (I - M^T)^-1 [1, 0, 0, ...],   entropy = Σ_s visits_s H(next | s),   length = Σ_s visits_s

    where M_st is the probability to go from posterior s to posterior t.

    Parameters
    ----------
    start : ParserState
        The state before the first word.

    Returns
    -------
    entropy : float
        In nats a sentence.
    length : float
        In words a sentence.

    Raises
    ------
    ValueError
        If there are too many different posteriors to solve for.
    """
    numbers, states, moves, uncertainty = {start: 0}, [start], [], []
    while len(uncertainty) < len(states):
        here = len(uncertainty)
        options = states[here].options
        uncertainty.append(-sum(float(p) * log(p) for p, _ in options.values()))
        for word, (p, after) in options.items():
            if word == STOP:
                continue
            if after not in numbers:
                numbers[after] = len(states)
                states.append(after)
            moves.append((numbers[after], here, float(p)))
        if len(states) > MAX_STATES:
            raise ValueError(
                f"More than {MAX_STATES} states of knowledge: use a grammar with fewer or shorter rules."
            )
    visits = _expected_visits(moves, len(states))
    return float(visits @ np.array(uncertainty)), float(visits.sum())


def _expected_visits(moves, size):
    """Return the expected number of visits to each state, starting once in state 0."""
    visits = np.zeros(size)
    matrix = np.eye(size)
    for to, here, p in moves:
        matrix[to, here] -= p
    visits[0] = 1.0
    return np.linalg.solve(matrix, visits)
